import type { IDataObject } from 'n8n-workflow';

import { brokenService, failure, identity, setUp } from '../support/registrations';
import { coded } from '../support/standIn';
import { useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const couldNot = (why: string) => `SignVerify Trigger: its webhooks could not be deleted: ${why}`;
const undeleted =
	'SignVerify Trigger: the service did not delete the webhook for identity verifications. It stays at the service, and is used again when the workflow is published.';

describe('deactivating', () => {
	test('removes by the kept IDs', async () => {
		const { trigger, log, registered, calls } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		log.length = 0;
		expect(await node.remove()).toBe(true);
		expect(log).toEqual(['GET /webhooks', 'DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
		expect(calls.at(-1)).toMatchObject({ qs: { webHookID: 'id-2' } });
		expect(registered()).toEqual([]);
	});

	test.each([
		['empty', {}],
		['that of nobody', { webhooks: [{ webHookID: 'id-3', type: 'signDocument' }] }],
	])('finds by URL and secret what is its own if its state is %s', async (_name, state) => {
		const { trigger, registered, add } = setUp();
		await trigger(['completedDocument', 'signDocument']).create();
		add('signDocument', 'https://n8n.example/webhook/other/signverify');
		add('signDocument', 'https://n8n.example/webhook/abc/signverify?secret=of-somebody');
		// As n8n writes it back at the end of an old execution.
		await trigger(['completedDocument', 'signDocument'], { state }).remove();
		expect(registered()).toEqual(['signDocument id-3', 'signDocument id-4']);
	});

	test('removes webhooks with an older secret that are its own', async () => {
		const { trigger, registered, credential } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		credential.apiKey = 'a new key';
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('removes what the service does not list yet, and each webhook once', async () => {
		const { trigger, registered, log, behaviour } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		behaviour.listedAfter = 12;
		await node.create();
		log.length = 0;
		await node.remove();
		expect(registered()).toEqual([]);
		behaviour.listedAfter = 0;
		behaviour.listsTwice = true;
		await node.create();
		log.length = 0;
		await node.remove();
		expect(registered()).toEqual([]);
		expect(log).toEqual(['GET /webhooks', 'DELETE /webhooks id-3', 'DELETE /webhooks id-4']);
	});

	test('that fails for one removes the others, and says so', async () => {
		const { trigger, registered, behaviour, warnings } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		behaviour.fault = (_what, { webHookID }) => (webHookID === 'id-1' ? brokenService : undefined);
		await node.remove();
		expect(warnings).toEqual([couldNot('The service failed (HTTP 500: broken)')]);
		expect(registered()).toEqual(['completedDocument id-1']);
		delete behaviour.fault;
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('removes by ID also if the list fails', async () => {
		const { trigger, registered, behaviour, warnings } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		behaviour.fault = (what) => (what === 'GET /webhooks' ? brokenService : undefined);
		await node.remove();
		expect(registered()).toEqual([]);
		expect(warnings).toEqual([couldNot('The service failed (HTTP 500: broken)')]);
	});

	// The table of registrations/sync.ts.
	test.each<[string, 'listed' | 'gone', number, string[]]>([
		['signDocument', 'gone', 400, []],
		['signDocument', 'gone', 404, []],
		['signDocument', 'listed', 404, []],
		['signDocument', 'listed', 400, [couldNot('The service refused the request (HTTP 400)')]],
		[identity, 'gone', 400, []],
		[identity, 'gone', 404, []],
		[identity, 'listed', 400, [undeleted]],
		[identity, 'listed', 404, [undeleted]],
		[identity, 'listed', 500, [couldNot('The service failed (HTTP 500)')]],
	])('a webhook of %s, which is %s, and the service says %i', async (type, is, status, said) => {
		const { trigger, behaviour, warnings, forget } = setUp();
		const node = trigger([type]);
		await node.create();
		if (is === 'gone') forget('id-1');
		behaviour.fault = (what) => (what === 'DELETE /webhooks' ? { status, body: {} } : undefined);
		expect(await node.remove()).toBe(true);
		expect(warnings).toEqual(said);
	});

	test('after a test is done when it is said to be done', async () => {
		const { trigger, registered, behaviour } = setUp();
		const node = trigger(['signDocument'], { mode: 'manual' });
		await node.create();
		behaviour.fault = (what) => (what === 'DELETE /webhooks' ? brokenService : undefined);
		expect((await failure(node.removeOnly())).message).toBe(
			'The service failed (HTTP 500: broken)',
		);
		delete behaviour.fault;
		await node.removeOnly();
		expect(registered()).toEqual([]);
	});

	test('that is refused shows neither address nor secret', async () => {
		const { trigger, urls, behaviour, warnings } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		const [url = ''] = urls();
		const message = `${url} with ${new URL(url).searchParams.get('secret')} stays`;
		behaviour.fault = (what) =>
			what === 'DELETE /webhooks' ? { status: 403, body: { message } } : undefined;
		await node.remove();
		expect(warnings).toEqual([expect.stringContaining('… with … stays')]);
	});

	test('with another account deletes nothing by the IDs of the one before', async () => {
		const { trigger, credential, registered, add } = setUp();
		const node = trigger(['signDocument']);
		add('signDocument', 'https://elsewhere.example/of-somebody');
		const state = { ...node.state };
		await node.create();
		const [webhook] = node.state.webhooks as IDataObject[];
		// An ID of the other account.
		Object.assign(webhook ?? {}, { webHookID: 'id-1' });
		credential.userId = 'of another account';
		await node.remove();
		await trigger(['signDocument'], { state }).create();
		expect(registered()).toContain('signDocument id-1');
	});
});

describe('an identity registration', () => {
	test('that the service does not delete, and lists, is used again', async () => {
		const { trigger, registered } = setUp({
			fault: (what, { webHookID }) =>
				what === 'DELETE /webhooks' && webHookID === 'id-1' ? { status: 404, body: {} } : undefined,
		});
		const node = trigger([identity, 'signDocument']);
		await node.create();
		await node.remove();
		expect(registered()).toEqual([`${identity} id-1`]);
		await node.create();
		expect(registered()).toEqual([`${identity} id-1`, 'signDocument id-3']);
		expect(await node.isPublished()).toBe(true);
	});

	test('that is not listed is registered anew, and the one before is deleted', async () => {
		const { trigger, registered } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		await node.create();
		expect(registered()).toEqual([`${identity} id-2`]);
		expect(await node.isPublished()).toBe(true);
	});

	test.each(['removeOnly', 'remove'] as const)(
		'that somebody deleted at the service is registered again (%s)',
		async (how) => {
			const { trigger, registered, forget } = setUp();
			const node = trigger([identity, 'signDocument']);
			await node.create();
			forget('id-1');
			forget('id-2');
			await node[how]();
			await node.create();
			expect(registered()).toEqual([`${identity} id-3`, 'signDocument id-4']);
		},
	);

	test('is registered at another host, too, with another secret', async () => {
		const [first, second] = [setUp(), setUp()];
		const node = first.trigger([identity]);
		await node.create();
		second.credential.baseUrl = 'https://other.example/api';
		await second.trigger([identity], { state: node.state }).create();
		expect(second.registered()).toEqual([`${identity} id-1`]);
		expect(second.urls()).not.toEqual(first.urls());
	});

	test.each(['was reset', 'failed', 'was lost and then finds nothing'])(
		'of which the deletion %s may be deleted, and is registered again',
		async (how) => {
			const { trigger, behaviour, registered, forget } = setUp({ listsIdentity: false });
			const node = trigger([identity]);
			await node.create();
			behaviour.fault = (what) => {
				if (what !== 'DELETE /webhooks' || registered().length === 0) return undefined;
				if (how === 'failed') return brokenService;
				if (how !== 'was reset') forget('id-1');
				throw coded('ECONNRESET');
			};
			await node.remove();
			delete behaviour.fault;
			await node.create();
			expect(registered()).toEqual([`${identity} id-2`]);
			expect(await node.isPublished()).toBe(true);
		},
	);

	test('without an ID that was found in the list and deleted is registered again', async () => {
		const { trigger } = setUp({ registered: 'nothing' });
		const node = trigger([identity]);
		await node.create();
		await node.remove();
		await node.create();
		expect(await node.isPublished()).toBe(true);
	});

	test('without an ID is not deleted by one', async () => {
		const { trigger, log } = setUp({ listsIdentity: false, registered: 'nothing' });
		const node = trigger([identity]);
		await node.create();
		log.length = 0;
		await node.remove();
		expect(log).toEqual(['GET /webhooks']);
	});
});

const elsewhere = 'https://other.example/webhook/abc/signverify';
const movedWarning =
	'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".';

/** What each kind of copying changes (docs/dev/architecture.md, "The trigger"); static data comes along. */
const copies: Array<[string, Parameters<ReturnType<typeof setUp>['trigger']>[1]]> = [
	['exported and imported into another n8n', { instance: 'another', at: elsewhere }],
	['imported into an n8n with the same encryption key', { at: elsewhere }],
	['imported into another n8n that has taken over the address', { instance: 'another' }],
	['made by the API in the same n8n', { workflowId: 'another', at: elsewhere }],
	['made by the API with the same webhook ID', { workflowId: 'another' }],
	['of the node, beside it', { nodeId: 'another', at: elsewhere }],
	['of a database, restored at another address', { at: elsewhere }],
];

/** What n8n writes to its database. */
const storedOf = ({ state }: { state: IDataObject }) =>
	JSON.parse(JSON.stringify(state)) as IDataObject;

describe.each(copies)('a copy %s', (_name, self) => {
	const isElsewhere = self?.at === elsewhere;

	/** A published original, and its copy with all that n8n keeps for it. */
	async function original() {
		const service = setUp();
		const node = service.trigger(['signDocument', identity]);
		await node.create();
		const state = storedOf(node);
		const copy = service.trigger(['signDocument', identity], { ...self, state });
		service.log.length = 0;
		return { ...service, node, copy };
	}

	test('publishes with secrets of its own, and the original keeps its registrations', async () => {
		const { node, copy, urls } = await original();
		const [own = ''] = urls();
		await copy.create();
		expect(await copy.isPublished()).toBe(true);
		if (!isElsewhere) return;
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(4);
		// Where only the URL is another, n8n has restored itself, and the account is the same.
		const isRestored = Object.keys(self ?? {}).length === 1;
		expect(await copy.accepts('signDocument', own)).toBe(isRestored);
		// And the other way round.
		await copy.remove();
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(2);
	});

	test('that was never published deletes nothing when it is unpublished', async () => {
		const { node, copy, log } = await original();
		expect(await copy.remove()).toBe(true);
		expect(log).toEqual(['GET /webhooks']);
		expect(await node.isPublished()).toBe(true);
		// What the original keeps is forgotten, too.
		expect(copy.state).toEqual({});
	});
});

describe('after the URL of n8n has changed', () => {
	const moved = async (state: IDataObject = {}) => {
		const service = setUp();
		await service.trigger(['signDocument'], { state }).create();
		return { ...service, node: service.trigger(['signDocument'], { state, at: elsewhere }) };
	};

	test('unpublishing leaves the old registrations, and says so', async () => {
		const { node, registered, warnings } = await moved();
		expect(await node.remove()).toBe(true);
		expect(registered()).toEqual(['signDocument id-1']);
		expect(warnings).toEqual([movedWarning]);
		expect(node.state).toEqual({});
	});

	test('publishing registers the new one, and says so, too, once', async () => {
		const state: IDataObject = {};
		const { node, registered, warnings } = await moved(state);
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', 'signDocument id-2']);
		expect(await node.isPublished()).toBe(true);
		expect(warnings).toEqual([movedWarning]);
		await node.create();
		expect(warnings).toHaveLength(1);
	});
});
