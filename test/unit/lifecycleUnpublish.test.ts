import type { IDataObject } from 'n8n-workflow';

import { brokenService, empty, failure, identity, idsIn, setUp } from '../support/registrations';
import { coded } from '../support/standIn';

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

const refusedOf = { status: 400, body: { success: false, message: 'no such webhook' } };

describe('an identity registration', () => {
	test.each([true, false])(
		'that the service does not delete is kept, and used again; listed: %s',
		async (listsIdentity) => {
			const { trigger, registered, warnings, log } = setUp({
				listsIdentity,
				deletesIdentity: false,
			});
			const node = trigger([identity, 'signDocument']);
			await node.create();
			const kept = (node.state.webhooks as IDataObject)[identity];
			log.length = 0;
			expect(await node.remove()).toBe(true);
			expect(warnings).toEqual([
				'SignVerify Trigger: the service did not delete the webhook for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is published.',
			]);
			// Once is enough, whether it is listed or not.
			expect(log.filter((line) => line === 'DELETE /webhooks id-2')).toHaveLength(1);
			expect(registered()).toEqual([`${identity} id-2`]);
			expect(node.state.webhooks).toEqual({ [identity]: kept });
			expect(node.isPublished()).toBe(false);
			await node.create();
			expect(registered()).toEqual([`${identity} id-2`, 'signDocument id-3']);
			expect(node.isPublished()).toBe(true);
		},
	);

	const failing = (method: string) => (what: string) =>
		what === `${method} /webhooks` ? brokenService : undefined;

	test('that was not known is replaced, and stays if it is not deleted', async () => {
		const { trigger, registered } = setUp({ deletesIdentity: false });
		const node = trigger([identity]);
		await node.create();
		// As after n8n was killed: nobody knows its secret.
		node.state.webhooks = {};
		await node.create();
		expect(registered()).toEqual([`${identity} id-1`, `${identity} id-2`]);
		expect(idsIn(node.state)).toEqual({ [identity]: 'id-2' });
	});

	test('that is not deleted is used again when its event is chosen again', async () => {
		const { trigger, registered } = setUp({ deletesIdentity: false });
		const { state } = trigger([identity]);
		await trigger([identity], { state }).create();
		await trigger(['signDocument'], { state }).create();
		await trigger([identity, 'signDocument'], { state }).create();
		expect(registered()).toEqual([`${identity} id-1`, 'signDocument id-2']);
	});

	test('that may be deleted is replaced when publishing again, and stays known until it is', async () => {
		const { trigger, behaviour, registered } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		behaviour.fault = failing('DELETE');
		expect((await failure(node.remove())).httpCode).toBe('500');
		expect(node.isPublished()).toBe(false);
		expect((await failure(node.create())).httpCode).toBe('500');
		expect(registered()).toEqual([`${identity} id-1`]);
		delete behaviour.fault;
		await node.create();
		expect(registered()).toEqual([`${identity} id-2`]);
		expect(node.isPublished()).toBe(true);
	});

	test('that cannot be deleted and is not listed any more is gone', async () => {
		const { trigger, forget, warnings } = setUp();
		const node = trigger([identity]);
		await node.create();
		forget('id-1');
		expect(await node.remove()).toBe(true);
		expect(node.state).toEqual({});
		expect(warnings).toEqual([]);
	});

	test('that the service neither lists nor finds may be there all the same', async () => {
		const { trigger, forget } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		forget('id-1');
		await node.remove();
		expect(idsIn(node.state)).toEqual({ [identity]: 'id-1' });
	});

	test.each([
		['broke off', 500, true],
		['refused', 403, false],
	])(
		'of which the deletion %s is a failure; may have worked: HTTP %i',
		async (_name, status, may) => {
			const { trigger, behaviour, log } = setUp({ listsIdentity: false });
			const node = trigger([identity]);
			await node.create();
			log.length = 0;
			behaviour.fault = (what) => (what === 'DELETE /webhooks' ? { status, body: {} } : undefined);
			expect((await failure(node.remove())).httpCode).toBe(String(status));
			// Never twice: "not found" the second time could not be understood.
			expect(log.filter((line) => line.startsWith('DELETE'))).toHaveLength(status === 403 ? 2 : 1);
			// Without the hash of its secret, publishing again replaces the webhook.
			const { hash } = (node.state.webhooks as Record<string, IDataObject>)[identity] ?? {};
			expect(hash === '').toBe(may);
			expect(idsIn(node.state)).toEqual({ [identity]: 'id-1' });
		},
	);

	test('of which the deletion got no answer may have been deleted, and is replaced', async () => {
		const { trigger, behaviour, registered } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		behaviour.fault = (what) => {
			if (what === 'DELETE /webhooks') throw coded('ECONNRESET');
			return undefined;
		};
		expect((await failure(node.remove())).message).toMatch('closed the connection');
		behaviour.fault = (what) => (what === 'DELETE /webhooks' ? refusedOf : undefined);
		await node.remove();
		delete behaviour.fault;
		await node.create();
		expect(registered()).toEqual([`${identity} id-2`]);
	});

	test('without an ID is not deleted by one', async () => {
		const { trigger, log, behaviour } = setUp({ listsIdentity: false, givesIds: false });
		const node = trigger([identity]);
		await node.create();
		log.length = 0;
		behaviour.fault = () => undefined;
		await node.remove();
		expect(log).toEqual(['GET /webhooks']);
		expect(idsIn(node.state)).toEqual({ [identity]: '' });
	});
});
