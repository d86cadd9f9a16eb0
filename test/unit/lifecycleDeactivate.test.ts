import { brokenService, empty, failure, idsIn, setUp } from '../support/registrations';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);

describe('deactivating', () => {
	test('removes by the kept IDs and forgets everything', async () => {
		const { trigger, log, registered, calls } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		log.length = 0;
		expect(await node.remove()).toBe(true);
		expect(log).toEqual(['GET /webhooks', 'DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
		expect(calls.at(-1)?.options).toMatchObject({ qs: { webHookID: 'id-2' } });
		expect(registered()).toEqual([]);
		expect(node.state).toEqual({});
	});

	test('finds by address what was not kept, and nothing else', async () => {
		const { trigger, registered, add } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		add('signDocument', 'https://n8n.example/webhook/other/signverify');
		node.state.webhooks = {};
		await node.remove();
		expect(registered()).toEqual(['signDocument id-3']);
	});

	test('that fails for one removes the others, and keeps what it needs to try again', async () => {
		const { trigger, registered, behaviour } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		behaviour.fault = (_what, { webHookID }) => (webHookID === 'id-1' ? brokenService : undefined);
		expect((await failure(node.remove())).message).toBe('The service failed (HTTP 500: broken)');
		expect(registered()).toEqual(['completedDocument id-1']);
		expect(idsIn(node.state)).toEqual({ completedDocument: 'id-1' });
		delete behaviour.fault;
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('that failed, but is not listed any more, is done at the next try', async () => {
		const { trigger, forget, behaviour } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		behaviour.fault = (what) => {
			if (what !== 'DELETE /webhooks') return undefined;
			forget('id-1');
			return brokenService;
		};
		await failure(node.remove());
		expect(await node.remove()).toBe(true);
		expect(node.state).toEqual({});
	});

	test.each([400, 404])(
		'a document event of which the service says %i is gone only by 404',
		async (status) => {
			const { trigger, behaviour } = setUp();
			const node = trigger(['signDocument']);
			await node.create();
			behaviour.fault = (what) =>
				what === 'DELETE /webhooks' ? { status, body: {} } : status === 404 ? empty : undefined;
			if (status === 404) expect(await node.remove()).toBe(true);
			else expect((await failure(node.remove())).httpCode).toBe('400');
		},
	);

	test('that is refused shows neither address nor secret', async () => {
		const { trigger, urls, behaviour } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		const [url = ''] = urls();
		const message = `${url} with ${new URL(url).searchParams.get('secret')} stays`;
		behaviour.fault = (what) =>
			what === 'DELETE /webhooks' ? { status: 403, body: { message } } : undefined;
		expect((await failure(node.remove())).message).toContain('… with … stays');
	});
});
