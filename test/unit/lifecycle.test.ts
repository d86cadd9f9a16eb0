import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { linked } from '../support/errors';
import { brokenService, failure, identity, setUp } from '../support/registrations';
import { address } from '../support/triggerNode';
import { processorTimeUntil } from '../support/processorTime';
import { coded } from '../support/standIn';
import { useVirtualTime, sleep } from '../support/virtualTime';
import { events } from '../../nodes/SignVerify/api/events';
import { accountOf } from '../../nodes/SignVerify/http/account';

useVirtualTime();

const secretIn = (url: unknown) => new URL(String(url)).searchParams.get('secret');

describe('activating', () => {
	test('registers each event as the interface shows it, all at the same time', async () => {
		const { trigger, calls, log, registered, urls } = setUp();
		const node = trigger(['signDocument', identity], { workflow: `${'x'.repeat(94)}😀 and more` });
		expect(await node.isPublished()).toBe(false);
		expect(await node.create()).toBe(true);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks signDocument',
			`POST /webhooks/verify ${identity}`,
		]);
		const [url = '', identityUrl = ''] = urls();
		expect(calls[1]).toMatchObject({ qs: { url, type: 'signDocument' } });
		expect(calls[2]?.body).toEqual({
			// Cut, but not in the middle of a character.
			name: `n8n: ${'x'.repeat(94)}`,
			type: identity,
			url: identityUrl,
		});
		// Each has a secret of its own.
		const [secret, other] = [url, identityUrl].map(secretIn);
		expect([url, identityUrl]).toEqual([
			`${address}?secret=${secret}`,
			`${address}?secret=${other}`,
		]);
		expect(secret).toMatch(/^[\w-]{43}$/);
		expect(secret).not.toBe(other);
		expect(registered()).toEqual(['signDocument id-1', `${identity} id-2`]);
		expect(node.state).toEqual({
			url: address,
			owner: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
			webhooks: [
				{ type: 'signDocument', webHookID: 'id-1' },
				{ type: identity, webHookID: 'id-2' },
			],
		});
		expect(await node.isPublished()).toBe(true);
	});

	test("leaves other people's alone, and replaces its own older and double ones", async () => {
		const { trigger, registered, add, urls } = setUp();
		add('signDocument', 'https://n8n.example/webhook/other/signverify?secret=x');
		add('signDocument', `${address}?secret=older`);
		add('signDocument', 'no address');
		add('signDocument', { url: address });
		const node = trigger(['signDocument']);
		await node.create();
		const left = ['id-1', 'id-3', 'id-4', 'id-5'].map((id) => `signDocument ${id}`);
		expect(registered()).toEqual(left);
		add('signDocument', urls().at(-1));
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(left);
	});

	test('replaces what has the secret of another event', async () => {
		const { trigger, registered, add, forget, urls } = setUp();
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		const [own, other] = urls();
		forget('id-1');
		forget('id-2');
		add('signDocument', other);
		add('sendDocument', own?.replace(/secret=./, 'secret='));
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-5', 'sendDocument id-6']);
		expect(await node.isPublished()).toBe(true);
	});

	test('that fails at the third event undoes the first two, and says what it could not', async () => {
		const { trigger, registered, log, behaviour } = setUp();
		behaviour.fault = (_what, { type }) => (type === 'sendDocument' ? brokenService : undefined);
		const node = trigger(['completedDocument', 'signDocument', 'sendDocument']);
		// The editor shows only the message of a publication that failed.
		const remedy = "The problem is on your provider's side. Try again in a moment.";
		expect(await failure(node.create())).toMatchObject({
			message: `Couldn't register the event sendDocument: The service failed (HTTP 500: broken). ${remedy}`,
			description: linked(remedy, 'the-trigger'),
			httpCode: '500',
		});
		expect(registered()).toEqual([]);
		expect(log.slice(-2)).toEqual(['DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
		behaviour.fault = (_what, { type, webHookID }) =>
			type === 'sendDocument' || webHookID === 'id-3' ? brokenService : undefined;
		expect((await failure(node.create())).description).toBe(
			linked(`${remedy} Could not be undone: webhook id-3.`, 'the-trigger'),
		);
		expect(registered()).toEqual(['completedDocument id-3']);
	});

	test('whose answer is lost is undone, too', async () => {
		const { trigger, registered, add, behaviour } = setUp();
		behaviour.fault = (what, { type, url }) => {
			if (what !== 'POST /webhooks' || type !== 'sendDocument') return undefined;
			add(type, url);
			throw coded('ECONNRESET');
		};
		await failure(trigger(['signDocument', 'sendDocument']).create());
		expect(registered()).toEqual([]);
	});

	test('that is refused shows neither address nor secret', async () => {
		const { trigger } = setUp({
			fault: (what, { url }) =>
				what === 'POST /webhooks'
					? { status: 400, body: { message: `url ${String(url)} with ${secretIn(url)}` } }
					: undefined,
		});
		expect((await failure(trigger(['signDocument']).create())).message).toBe(
			"Couldn't register the event signDocument: The service rejected the request (HTTP 400: url … with …). Correct what the message names, and run the node again.",
		);
	});

	test('at a service without a list of webhooks says so', async () => {
		const { trigger } = setUp({ fault: () => ({ body: { success: true, responseData: {} } }) });
		expect(await failure(trigger(['signDocument']).create())).toMatchObject({
			message: expect.stringMatching(/ isn't a response of the signing service\. Check /) as string,
			description: linked(
				'Check the Base URL in the credential, including its path.',
				'the-service-answered-but-not-like-the-signing-service',
			),
		});
	});

	test('says at once all that is wrong with its form', async () => {
		const { trigger, calls } = setUp();
		const form = {
			filters: { templates: [2 ** 53], signatory: 'Ana', sentBy: 'Eve' },
			output: 'all',
		};
		const { message } = await failure(trigger([], { form }).create());
		expect(message).toMatch(
			/^5 values are missing or wrong: Trigger On: .*; Template Names or IDs: the number has .*; Signatory: "Ana" isn't .*; Sent By: "Eve".*; Output: this choice doesn't exist\. Trigger On: .* Output: Choose one of /,
		);
		// The editor shows only the message of a failed publication, in one line.
		expect(message).not.toContain('\n');
		expect(calls).toHaveLength(0);
	});

	test.each([
		['a list of nothing', [null, 7, 'x', [], {}]],
		['an object', { signDocument: { hash: {}, id: [] } }],
		['of events that there are not', [{ webHookID: 'constructor', type: '__proto__' }]],
	])(
		'finds webhooks in its state that are %s, and keeps what is there',
		async (_name, webhooks) => {
			const { trigger, registered } = setUp();
			const { state } = trigger(['signDocument']);
			await trigger(['signDocument'], { state }).create();
			const node = trigger(['signDocument', identity], {
				state: { ...state, webhooks: webhooks as never },
			});
			expect(await node.isPublished()).toBe(false);
			await node.create();
			expect(registered()).toEqual(['signDocument id-1', `${identity} id-2`]);
			expect(await node.isPublished()).toBe(true);
			await node.remove();
			expect(registered()).toEqual([]);
		},
	);

	test('deletes at most 100 of 40,000 webhooks in a run, at once, and goes on in the next', async () => {
		const { trigger, registered, add, warnings } = setUp();
		for (let count = 0; count < 40_000; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		const time = await processorTimeUntil(async () => await node.create());
		expect(time).toBeLessThan(2000);
		expect(registered()).toHaveLength(39_901);
		expect(warnings).toEqual([
			'SignVerify: 39900 webhooks of this node are left for the next run.',
		]);
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toHaveLength(39_801);
		// First the one that it knows, so that the next run need not know it any more.
		await node.remove();
		expect(registered()).toHaveLength(39_701);
		expect(registered()).not.toContain('signDocument id-40001');
	});
});

const all = events.map(({ type }) => type);

/** A service that needs so many seconds for each call. */
const slow = (seconds: number) => async () => {
	await sleep(seconds);
	return undefined;
};

describe('publishing a changed trigger', () => {
	test('keeps the webhook of an event that stays, and removes last what goes', async () => {
		const service = setUp({ fault: slow(1) });
		const { trigger, log, urls, registered } = service;
		const { state, ...before } = trigger(['signDocument', 'sendDocument', identity]);
		await before.create();
		const kept = urls().slice(0, 1);
		log.length = 0;
		// n8n deletes the trigger as it was, and creates it as it is.
		await before.removeOnly();
		const after = trigger(['signDocument', 'completedDocument', identity], { state });
		await after.create();
		await sleep(100);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks completedDocument',
			'DELETE /webhooks id-2',
		]);
		expect(urls().slice(0, 1)).toEqual(kept);
		expect(registered()).toEqual([
			'signDocument id-1',
			`${identity} id-3`,
			'completedDocument id-4',
		]);
		expect(await after.isPublished()).toBe(true);
	});

	test('that comes when the removal has begun waits for it, and registers all', async () => {
		const { trigger, log, registered } = setUp({ fault: slow(1) });
		const node = trigger(['signDocument']);
		await node.create();
		await node.removeOnly();
		// In the middle of the deletion.
		await sleep(11.5);
		await node.create();
		await sleep(100);
		expect(log.slice(-3)).toEqual([
			'DELETE /webhooks id-1',
			'GET /webhooks',
			'POST /webhooks signDocument',
		]);
		expect(registered()).toEqual(['signDocument id-2']);
	});
});

describe('unpublishing', () => {
	test('removes everything a moment later, and tries again for minutes if it fails', async () => {
		const { trigger, registered, behaviour, warnings } = setUp();
		const node = trigger(['signDocument', identity]);
		await node.create();
		behaviour.fault = () => ({ status: 503, body: {} });
		await node.removeOnly();
		await sleep(40);
		expect(registered()).toHaveLength(2);
		expect(warnings).toEqual([
			'SignVerify Trigger: its webhooks could not be deleted: The service failed (HTTP 503)',
		]);
		delete behaviour.fault;
		await sleep(60);
		expect(registered()).toEqual([]);
	});
});

test('the smallest Requests per Second is enough to replace the webhooks of all events beside 50 documents', async () => {
	const { trigger, credential, registered } = setUp();
	credential.requestsPerSecond = 0.5;
	const form = { filters: { titleContains: 'a' } };
	const node = trigger(all);
	await node.create();
	// Of an execution of the same account.
	const { rateLimiter } = accountOf(credential as ICredentialDataDecryptedObject);
	let sent = 0;
	const documents = Array.from({ length: 50 }, async () => {
		if (await rateLimiter.acquire(0.5, performance.now() + 300_000)) sent++;
	});
	const start = performance.now();
	// All secrets change, so nothing of what is registered can stay.
	credential.apiKey = 'a new key';
	const changed = trigger(all, { state: node.state, form });
	await changed.create();
	expect(performance.now() - start).toBeLessThan(60_000);
	expect(registered()).toHaveLength(all.length);
	expect(await changed.isPublished()).toBe(true);
	await Promise.all(documents);
	expect(sent).toBe(50);
});

describe('a service that is slow', () => {
	test('with 14 s a call gets the webhooks of all events before n8n gives up', async () => {
		const { trigger } = setUp({ fault: slow(14) });
		const node = trigger(all);
		const start = performance.now();
		await node.create();
		expect(performance.now() - start).toBeLessThan(60_000);
		expect(await node.isPublished()).toBe(true);
	});

	test('and too slow for that keeps none, also if an answer comes later', async () => {
		const { trigger, registered, log, credential, behaviour } = setUp({ fault: slow(35) });
		credential.timeoutSeconds = 100;
		const node = trigger(all);
		const start = Date.now();
		const remedy =
			'n8n waits about 85 seconds for a workflow to be published. The webhooks from this attempt have been removed. Publish the workflow again in a few minutes, when the service may respond faster.';
		expect(await failure(node.create())).toMatchObject({
			message: `The service is too slow to register the webhooks in time. ${remedy}`,
			description: linked(remedy, 'the-service-is-too-slow-to-register-the-webhooks-in-time'),
		});
		expect(Date.now() - start).toBe(60_000);
		// n8n deletes it, and tries again; what would be registered now, n8n would not know.
		await node.removeOnly();
		await sleep(1);
		expect((await failure(node.create())).message).toMatch('too slow');
		expect(log.filter((line) => line.startsWith('POST'))).toHaveLength(all.length);
		await sleep(600);
		expect(registered()).toEqual([]);
		// A test is removed at once, before anything is registered.
		behaviour.fault = async (what) => await slow(what.startsWith('POST') ? 90 : 1)();
		const tested = trigger(all, { mode: 'manual' });
		await failure(tested.create());
		await tested.removeOnly();
		await sleep(600);
		expect(registered()).toEqual([]);
	});
});

describe('a service whose list is late', () => {
	test('has all webhooks after publishing, and none after unpublishing', async () => {
		const { trigger, registered } = setUp({ listedAfter: 12 });
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		// What is deleted is still listed, with the right secret.
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await sleep(13);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		await node.create();
		expect(await node.isPublished()).toBe(true);
	});

	test('and that still lists what is deleted gets other deletions in the next run', async () => {
		const { trigger, registered, add } = setUp({ listedAfter: 12 });
		for (let count = 0; count < 150; count++) add('signDocument', `${address}?secret=${count}`);
		await sleep(13);
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toHaveLength(51);
		await node.remove();
		expect(registered()).toEqual([]);
	});
});

const couldNot = (why: string) => `SignVerify Trigger: its webhooks could not be deleted: ${why}`;
const undeleted =
	"SignVerify Trigger: the service didn't delete the webhook for identity verifications. It stays in the account, and is used again when the workflow is published.";

describe('deactivating', () => {
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
		['signDocument', 'listed', 400, [couldNot('The service rejected the request (HTTP 400)')]],
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
		behaviour.fault = (what) =>
			what === 'DELETE /webhooks' ? { status, body: { success: false } } : undefined;
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
	test('is not doubled when the credential changes to another account and back before its removal', async () => {
		const { trigger, registered, credential } = setUp({ listsIdentity: false });
		const { userId } = credential;
		const node = trigger([identity]);
		await node.create();
		await node.removeOnly();
		credential.userId = 'of another account';
		// The static data is now that of the other account, and no longer has the ID.
		await node.create();
		await node.removeOnly();
		credential.userId = userId;
		await node.create();
		// The stand-in has one list for both accounts: that of the other one waits for its removal.
		expect(registered()).toEqual([`${identity} id-2`, `${identity} id-3`]);
	});

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
	'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may still be registered. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".';

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

test('after the URL of n8n has changed, the old webhook is left, and a warning says so once', async () => {
	const { trigger, registered, warnings } = setUp();
	const state: IDataObject = {};
	await trigger(['signDocument'], { state }).create();
	const published = trigger(['signDocument'], { state: { ...state }, at: elsewhere });
	const unpublished = trigger(['signDocument'], { state, at: elsewhere });
	expect(await unpublished.remove()).toBe(true);
	expect(registered()).toEqual(['signDocument id-1']);
	expect(warnings).toEqual([movedWarning]);
	expect(unpublished.state).toEqual({});

	expect(await published.isPublished()).toBe(false);
	await published.create();
	expect(registered()).toEqual(['signDocument id-1', 'signDocument id-2']);
	expect(await published.isPublished()).toBe(true);
	expect(warnings).toEqual([movedWarning, movedWarning]);
	await published.create();
	expect(warnings).toHaveLength(2);
});
