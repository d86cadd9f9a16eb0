import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EventSubject } from '../../nodes/SignVerify/api/events';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { hashOfSecret } from '../../nodes/SignVerify/registrations/url';
import {
	findWaitsAlike,
	registerWait,
	removeExpired,
	removeWait,
	waitsAlikeAtStart,
} from '../../nodes/SignVerify/registrations/wait';
import {
	clockToleranceMs,
	executionCallMs,
	longestCreationMs,
	minGapMs,
} from '../../nodes/SignVerify/http/timeLimits';
import type { ServiceContext } from '../../nodes/SignVerify/http/request';
import { type AwaitedDocument, isAwaited } from '../../nodes/SignVerify/wait/outcome';
import type { NotifiedDocument } from '../../nodes/SignVerify/api/notification';
import { standIn } from '../support/standIn';
import { sleep, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const minuteMs = 60_000;
const dayMs = 86_400_000;
const identityEvent = 'VERIFICATION_REQUEST_FINISHED';

interface Begun {
	waitsFor: EventSubject;
	timeoutSeconds: number;
}

type Listed = Record<'webHookID' | 'type' | 'webHookUrl', string>;

/**
 * Makes an account with these webhooks, and a service that carries out every call except as specified by
 * `fails` and `deletes`.
 */
function accountWith(...webhooks: Listed[]) {
	const account = {
		webhooks,
		fails: false,
		/**
		 * How the service responds to deletions. With `never`, it responds with 400. With `unnoticed`, it
		 * reports success but still lists the webhook.
		 */
		deletes: 'fully' as 'fully' | 'never' | 'unnoticed',
		log: [] as string[],
		hidden: new Set<string>(),
	};
	let given = 0;
	const { context, calls } = standIn(({ options }) => {
		const { method = '', qs, body } = options;
		const { url, type, webHookID } = { ...(qs as IDataObject), ...(body as IDataObject) };
		account.log.push(method === 'DELETE' ? `DELETE ${String(webHookID)}` : method);
		if (account.fails) return { status: 400, body: { success: false, responseCode: 400 } };
		if (method === 'GET') {
			const responseData = account.webhooks.filter(({ webHookID: id }) => !account.hidden.has(id));
			return { body: { success: true, responseData } };
		}
		if (method === 'DELETE') {
			if (account.deletes === 'never') return { status: 400, body: { success: false } };
			if (account.deletes === 'unnoticed') return undefined;
			account.webhooks = account.webhooks.filter((webhook) => webhook.webHookID !== webHookID);
			return undefined;
		}
		const added = { webHookID: `id-${++given}`, type: String(type), webHookUrl: String(url) };
		account.webhooks = [...account.webhooks, added];
		return { body: { success: true, responseData: added } };
	});
	const service = new ServiceClient(context);
	/**
	 * Registers a one-day wait for an execution. `timeoutSeconds` is the Timeout in the execution's
	 * credential.
	 */
	const begin = async (
		execution: string,
		fingerprint?: string[],
		{ waitsFor = 'document', timeoutSeconds = 30 }: Partial<Begun> = {},
	) => {
		const waitEndsAt = new Date(Date.now() + dayMs);
		const stored = await context.getCredentials('signVerifyApi');
		const getCredentials = async () => await Promise.resolve({ ...stored, timeoutSeconds });
		const own = new ServiceClient({ ...context, getCredentials } as unknown as ServiceContext);
		return await registerWait(executing(execution), own, { waitsFor, waitEndsAt, fingerprint });
	};
	return {
		account,
		calls,
		service,
		begin,
		ids: () => account.webhooks.map(({ webHookID }) => webHookID),
	};
}

/** The context of a running execution. */
function executing(execution: string, origin = 'https://n8n.example'): IExecuteFunctions {
	return {
		getWorkflow: () => ({ name: 'Contracts' }),
		getSignedResumeUrl: (parameters: Record<string, string> = {}) =>
			`${origin}/webhook-waiting/${execution}/node?${new URLSearchParams(parameters).toString()}`,
	} as unknown as IExecuteFunctions;
}

/** Makes a webhook for a wait that ended this long ago (ms). */
const endedBefore = (webHookID: string, ms: number, more: Partial<Listed> = {}): Listed => ({
	webHookID,
	type: 'completedDocument',
	webHookUrl: `https://n8n.example/webhook-waiting/7/node?secret=x&until=${Date.now() - ms}`,
	...more,
});

const parametersOf = ({ webHookUrl = '' }: Partial<Listed> = {}) =>
	Object.fromEntries(new URL(webHookUrl).searchParams);

describe("A wait's webhook", () => {
	test.each([
		['a document', 'document', 'completedDocument'],
		['an identity verification', 'identity', identityEvent],
	] as const)(
		'for %s points to the execution and contains a secret and the end time of the wait',
		async (_name, about, type) => {
			const { account, begin } = accountWith();
			const waitWebhooks = await begin('12', undefined, { waitsFor: about });
			const [webhook] = account.webhooks;
			expect(webhook?.webHookUrl).toMatch(/^https:\/\/n8n\.example\/webhook-waiting\/12\/node\?/);
			const { secret = '', ...parameters } = parametersOf(webhook);
			expect(parameters).toEqual({ until: String(Date.now() + dayMs) });
			// n8n stores only the secret's hash.
			expect(waitWebhooks).toEqual([{ hash: hashOfSecret(secret), id: 'id-1', event: type }]);
		},
	);

	test('contains the start time and an account-specific hash of the document', async () => {
		const { account, begin } = accountWith();
		const [first] = await begin('12', ['lease', 'ana@example.com']);
		const [second] = await begin('13', ['lease', 'ana@example.com']);
		const { document, since } = parametersOf(account.webhooks[0]);
		expect(since).toBe(String(Date.now()));
		expect(first?.document).toEqual({ hash: document, since: Date.now() });
		expect(second?.document).toEqual(first?.document);
		const [elsewhere] = await accountWith().begin('12', ['lease', 'ana@example.com']);
		expect(elsewhere?.document?.hash).not.toBe(document);
		expect(first?.hash).not.toBe(second?.hash);
	});

	test('contains the maximum time for creating the document only if this time is longer than usual', async () => {
		const { account, begin } = accountWith();
		await begin('12', ['lease'], { timeoutSeconds: 75 });
		const [slow] = await begin('13', ['lease'], { timeoutSeconds: 76 });
		const [usualNames, slowNames] = account.webhooks.map((webhook) =>
			Object.keys(parametersOf(webhook)),
		);
		expect(usualNames).toEqual(['document', 'secret', 'since', 'until']);
		// The parameters are in alphabetical order. If a service sorts them, the URL that n8n has signed does
		// not change.
		expect(slowNames).toEqual(['creation', ...(usualNames ?? [])]);
		expect(parametersOf(account.webhooks[1]).creation).toBe('302000');
		expect(slow?.document).toMatchObject({ creation: 302_000 });
	});

	test("has the workflow's name, or a generic name if the workflow has none", async () => {
		const { calls, service, begin } = accountWith();
		await begin('12', undefined, { waitsFor: 'identity' });
		const unnamed = { ...executing('13'), getWorkflow: () => ({}) } as unknown as IExecuteFunctions;
		await registerWait(unnamed, service, { waitsFor: 'identity', waitEndsAt: new Date() });
		const names = calls.map(({ options }) => (options.body as IDataObject).name);
		expect(names).toEqual(['n8n: Contracts', 'n8n: workflow']);
	});

	test('that cannot be registered causes an error that says the item was not sent', async () => {
		const { account, begin } = accountWith();
		account.fails = true;
		await expect(begin('12')).rejects.toMatchObject({
			message: `Couldn't register the event "When Everyone Has Signed": The service rejected the request (HTTP 400)`,
			description: "Fix the problem described in the message, and try again. The item wasn't sent.",
			docsAnchor: 'waiting',
		});
	});

	test('is removed by ID and by URL, and other webhooks are kept', async () => {
		const { account, service, begin, ids } = accountWith();
		const waitWebhooks = await begin('12');
		await begin('13');
		const [own] = account.webhooks;
		// If the response to a registration was lost, the repeated registration has the same URL but a
		// different ID.
		account.webhooks.push({ ...(own as Listed), webHookID: 'again' });
		account.hidden.add('id-1');
		await removeWait(service, waitWebhooks);
		expect(ids()).toEqual(['id-2']);
	});
});

const documentOf = (since: number, until: number): AwaitedDocument => ({
	documentId: '',
	templateId: 't',
	emails: ['ana@example.com'],
	since,
	until,
});

/** A document without an ID that was created at this time, as the node reads it from an event. */
const dated = (addedOn: number) =>
	({
		ids: [],
		summary: { templateId: 't' },
		addedOn,
		signatories: [{ email: 'ana@example.com' }],
	}) as unknown as NotifiedDocument;

describe('Similar waits', () => {
	const lease = ['lease', 'ana@example.com'];

	test('have the same template and people and start less than 20 minutes apart', async () => {
		const { service, begin } = accountWith();
		await begin('1', lease);
		await sleep(0.001);
		await begin('2', lease);
		await begin('2', ['nda', 'ana@example.com']);
		await begin('3');
		await sleep(20 * 60 - 0.001);
		const own = await begin('4', lease);
		// In a loop, the same execution may begin several similar waits.
		expect(await findWaitsAlike(service, own)).toEqual({ executions: ['2'], isUpToDate: true });
		await begin('4', lease);
		await begin('5', lease);
		await begin('5', lease);
		expect((await findWaitsAlike(service, own)).executions).toEqual(['2', '4', '5']);
		const without = await begin('6');
		expect((await findWaitsAlike(service, without)).executions).toEqual([]);
	});

	/** Two waits are similar if the second starts no more than this time (ms) after the first. */
	const lastSimilarMs = (timeoutSeconds: number) => (17.5 * 60 + 2 * timeoutSeconds) * 1000 - 1;

	test.each([
		['long Timeout in the earlier wait', 3600, 30, lastSimilarMs(3600)],
		['Timeout of 76 seconds in the earlier wait', 76, 30, lastSimilarMs(76)],
		['long Timeout in the later wait', 30, 3600, 20 * minuteMs - 1],
	])(
		'are recognized for as long as their documents could be confused (%s)',
		async (_what, earlierTimeout, laterTimeout, lastMs) => {
			const { service, begin } = accountWith();
			const earlier = await begin('1', lease, { timeoutSeconds: earlierTimeout });
			await sleep(lastMs / 1000);
			const later = await begin('2', lease, { timeoutSeconds: laterTimeout });
			expect((await findWaitsAlike(service, earlier)).executions).toEqual(['2']);
			expect((await findWaitsAlike(service, later)).executions).toEqual(['1']);
			await sleep(0.001);
			const last = await begin('3', lease, { timeoutSeconds: laterTimeout });
			expect((await findWaitsAlike(service, earlier)).executions).toEqual(['2']);
			expect((await findWaitsAlike(service, last)).executions).toEqual(['2']);
		},
	);

	test("include all waits that could accept each other's documents", () => {
		for (const timeoutSeconds of [1, 30, 75, 76, 600, 3600]) {
			const creationMs = longestCreationMs(timeoutSeconds * 1000);
			const sentAt = executionCallMs;
			const earlier = documentOf(sentAt, sentAt + creationMs);
			const laterBeganAt = minGapMs(creationMs);
			const later = documentOf(laterBeganAt, laterBeganAt + executionCallMs);
			const earliestDate = laterBeganAt - clockToleranceMs;
			const latestDate = sentAt + creationMs + clockToleranceMs;
			expect(isAwaited(dated(earliestDate + 1), earlier)).toBe(false);
			expect(isAwaited(dated(latestDate - 1), later)).toBe(false);
			// If the dates were one millisecond closer, each wait would accept the other wait's document.
			expect(isAwaited(dated(earliestDate), earlier)).toBe(true);
			expect(isAwaited(dated(latestDate), later)).toBe(true);
		}
	});

	test('are not recognized by a URL that lacks "document" or a valid "since"', async () => {
		const { account, service, begin } = accountWith();
		const own = await begin('1', lease);
		const { document = '', since = '' } = parametersOf(account.webhooks[0]);
		for (const query of [
			`document=${document}`,
			`since=${since}`,
			`document=${document}&since=x`,
		]) {
			const webHookUrl = `https://n8n.example/webhook-waiting/9/node?${query}`;
			account.webhooks.push({ webHookID: query, type: 'completedDocument', webHookUrl });
		}
		account.webhooks.push({ webHookID: 'odd', type: 'completedDocument', webHookUrl: 'no URL' });
		expect(await findWaitsAlike(service, own)).toEqual({ executions: [], isUpToDate: true });
	});

	test('may be missing from a list of webhooks that does not contain this wait yet', async () => {
		const { account, service, begin } = accountWith();
		await begin('2', ['nda']);
		const own = await begin('1', lease);
		account.hidden.add('id-2');
		expect(await findWaitsAlike(service, own)).toEqual({ executions: [], isUpToDate: false });
		// If several events can end a wait, the list must contain the webhooks for all of them.
		const other = await begin('1', lease);
		expect(await findWaitsAlike(service, other)).toMatchObject({ isUpToDate: true });
		expect(await findWaitsAlike(service, [...own, ...other])).toMatchObject({ isUpToDate: false });
	});

	/** Starts a wait. If `change` is given, its `to` function changes the account after `afterMs`. */
	async function start(
		{ others = 0, hidden = false, fails = false },
		change?: { afterMs: number; to: (account: ReturnType<typeof accountWith>['account']) => void },
	) {
		const { account, service, begin } = accountWith();
		for (let execution = 2; execution < 2 + others; execution++) await begin(`${execution}`, lease);
		const own = await begin('1', lease);
		if (hidden) account.hidden.add(`id-${others + 1}`);
		account.log = [];
		account.fails = fails;
		if (change) setTimeout(() => change.to(account), change.afterMs);
		const begun = performance.now();
		const executions = await waitsAlikeAtStart(service, own, undefined);
		return { executions, lists: account.log.length, ms: performance.now() - begun };
	}

	test('are searched for only once if the list contains only this wait', async () => {
		expect(await start({})).toEqual({ executions: [], lists: 1, ms: 0 });
	});

	test('that are found are searched for again for up to three seconds, because they may have just ended', async () => {
		expect(await start({ others: 2 })).toEqual({ executions: ['2', '3'], lists: 4, ms: 3000 });
		const to = (account: { webhooks: Listed[] }) => account.webhooks.splice(0, 1);
		expect(await start({ others: 1 }, { afterMs: 1000, to })).toEqual({
			executions: [],
			lists: 3,
			ms: 1500,
		});
	});

	test('are searched for again until the list contains this wait', async () => {
		const to = (account: { hidden: Set<string> }) => account.hidden.clear();
		expect(await start({ hidden: true }, { afterMs: 400, to })).toEqual({
			executions: [],
			lists: 2,
			ms: 500,
		});
	});

	test('are no longer searched for once the execution is canceled', async () => {
		const { account, service, begin } = accountWith();
		await begin('2', lease);
		const own = await begin('1', lease);
		account.log = [];
		const begun = performance.now();
		const executions = await waitsAlikeAtStart(service, own, AbortSignal.timeout(700));
		expect({ executions, lists: account.log.length }).toEqual({ executions: ['2'], lists: 2 });
		expect(performance.now() - begun).toBe(700);
	});

	test('are assumed not to exist if the webhooks cannot be listed, because the search runs again when the event arrives', async () => {
		expect(await start({ others: 1, fails: true })).toEqual({ executions: [], lists: 1, ms: 0 });
	});
});

describe('Expired webhooks', () => {
	/**
	 * Removes expired webhooks, as the start of a wait does. Returns the IDs that remain, and the delete
	 * calls.
	 */
	async function leftOf(...webhooks: Listed[]) {
		const { account, service, ids } = accountWith(...webhooks);
		await removeExpired(executing('8'), service);
		return { left: ids(), deleted: account.log.filter((call) => call !== 'GET') };
	}

	test('are removed if their wait ended more than a day ago', async () => {
		const { left } = await leftOf(
			endedBefore('long ago', dayMs + 1),
			endedBefore('a day ago', dayMs),
			endedBefore('just now', 1),
			endedBefore('open', -minuteMs),
		);
		expect(left).toEqual(['a day ago', 'just now', 'open']);
	});

	test('are removed, but webhooks that belong to something else are kept', async () => {
		const until = Date.now() - 2 * dayMs;
		const url = (webHookUrl: string) => endedBefore(webHookUrl, 0, { webHookUrl });
		const others = [
			`https://other.example/webhook-waiting/7/node?secret=x&until=${until}`,
			`https://n8n.example/other/webhook-waiting/7/node?secret=x&until=${until}`,
			`https://n8n.example/webhook-waiting/7/more/node?secret=x&until=${until}`,
			`https://n8n.example/webhook-waiting/7/node?until=${until}`,
			'https://n8n.example/webhook-waiting/7/node?secret=x',
			'https://n8n.example/webhook-waiting/7/node?secret=x&until=soon',
			'no URL',
		];
		const expired = endedBefore('expired', 2 * dayMs);
		expect((await leftOf(...others.map(url), expired)).left).toEqual(others);
	});

	test('are kept while a similar wait is open', async () => {
		const mark = (document: string, ageMs: number) =>
			`&document=${document}&since=${Date.now() - ageMs}`;
		const webhook = (id: string, endedMs: number, more: string) => {
			const expired = endedBefore(id, endedMs);
			return { ...expired, webHookUrl: expired.webHookUrl + more };
		};
		const { left } = await leftOf(
			webhook('open', -dayMs, mark('lease', 2 * dayMs)),
			webhook('similar', 2 * dayMs, mark('lease', 2 * dayMs + minuteMs)),
			webhook('earlier', 2 * dayMs, mark('lease', 2 * dayMs + 21 * minuteMs)),
			webhook('another', 2 * dayMs, mark('nda', 2 * dayMs)),
			webhook('similar to an expired one', 2 * dayMs, mark('nda', 2 * dayMs)),
		);
		expect(left).toEqual(['open', 'similar']);
	});

	test('are removed twenty at a time, and those for identity verifications come last', async () => {
		const webhooks = Array.from({ length: 25 }, (_, index) =>
			endedBefore(`w${index}`, 2 * dayMs, index < 4 ? { type: identityEvent } : {}),
		);
		const { deleted } = await leftOf(...webhooks);
		expect(deleted).toEqual(Array.from({ length: 20 }, (_, index) => `DELETE w${index + 4}`));
		const few = await leftOf(...webhooks.slice(0, 6));
		expect(few.deleted.map((call) => call.slice(-1)).join('')).toBe('450123');
	});

	test.each([
		['rejects it', 'never'],
		['still lists them afterward', 'unnoticed'],
	] as const)(
		'get at most one delete call a day if the service %s, so that the others get a turn',
		async (_name, deletes) => {
			const webhooks = Array.from({ length: 25 }, (_, index) =>
				endedBefore(`w${index}`, 2 * dayMs),
			);
			const { account, service } = accountWith(...webhooks);
			account.deletes = deletes;
			const deleted = async () => {
				account.log = [];
				await removeExpired(executing('8'), service);
				return account.log.filter((call) => call !== 'GET');
			};
			const all = webhooks.map(({ webHookID }) => `DELETE ${webHookID}`);
			expect(await deleted()).toEqual(all.slice(0, 20));
			expect(await deleted()).toEqual(all.slice(20));
			expect(await deleted()).toEqual([]);
			await sleep(dayMs / 1000);
			expect(await deleted()).toHaveLength(deletes === 'never' ? 20 : 0);
		},
	);
});
