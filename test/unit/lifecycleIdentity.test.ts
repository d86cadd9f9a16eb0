import type { IDataObject } from 'n8n-workflow';

import { brokenService, failure, identity, idsIn, setUp } from '../support/registrations';
import { coded } from '../support/standIn';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);

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
