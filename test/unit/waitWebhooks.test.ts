import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { eventsThatEndWait, type EventSubject } from '../../nodes/SignVerify/api/events';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import type { Webhook } from '../../nodes/SignVerify/api/types';
import { hashOfSecret } from '../../nodes/SignVerify/registrations/webhookSecret';
import {
	registerWait,
	cleanUpExpired,
	listBeforeWait,
	unregisterWait,
} from '../../nodes/SignVerify/registrations/waitWebhooks';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import { notRegisteredMessage, notRegisteredRemedy, refusedWords } from '../support/problemWords';
import { failureOf } from '../support/service';
import { standIn } from '../support/standIn';
import { identityFinished } from '../support/events';
import {
	harmlessChanges,
	signed,
	type UrlChange,
	withoutQuery,
	wrongForWait,
} from '../support/returnedUrls';
import { useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const minuteMs = 60_000;
const dayMs = 86_400_000;

type Listed = Record<'webHookID' | 'type' | 'webHookUrl', string>;

const asItIs: UrlChange = (url) => url;

const shownBy = (change: UrlChange, webhook: Listed): IDataObject => ({
	...webhook,
	webHookUrl: change(webhook.webHookUrl) as string,
});

/** Deletes expired webhooks as the start of a wait does. */
async function cleanUp(service: ServiceClient, execution = '8'): Promise<void> {
	const list = (await listBeforeWait(service)) ?? [];
	await cleanUpExpired(executing(execution), service, list);
}

/**
 * Makes an account with these webhooks, and a service that carries out every call except as specified by
 * `fails` and `deletes`.
 */
function accountWith(...webhooks: Listed[]) {
	const account = {
		webhooks,
		fails: false,
		/** The IDs of the webhooks that the service never deletes. It responds with 400. */
		undeletable: [] as string[],
		log: [] as string[],
		hidden: new Set<string>(),
		stores: asItIs,
		returns: asItIs,
		lists: asItIs,
	};
	let given = 0;
	const { context, calls } = standIn(({ options }) => {
		const { method = '', qs, body } = options;
		const { url, type, webHookID } = { ...(qs as IDataObject), ...(body as IDataObject) };
		account.log.push(method === 'DELETE' ? `DELETE ${String(webHookID)}` : method);
		if (account.fails) return { status: 400, body: { success: false, responseCode: 400 } };
		if (method === 'GET') {
			const listed = account.webhooks.filter(({ webHookID: id }) => !account.hidden.has(id));
			const responseData = listed.map((webhook) => shownBy(account.lists, webhook));
			return { body: { success: true, responseData } };
		}
		if (method === 'DELETE') {
			if (account.undeletable.includes(String(webHookID))) {
				return { status: 400, body: { success: false } };
			}
			account.webhooks = account.webhooks.filter((webhook) => webhook.webHookID !== webHookID);
			return undefined;
		}
		const webHookUrl = String(account.stores(String(url)));
		// A service that doesn't keep URLs apart has only one webhook with the same URL.
		const existing = account.webhooks.find((webhook) => webhook.webHookUrl === webHookUrl);
		const added = existing ?? { webHookID: `id-${++given}`, type: String(type), webHookUrl };
		if (!existing) account.webhooks = [...account.webhooks, added];
		return { body: { success: true, responseData: shownBy(account.returns, added) } };
	});
	const service = new ServiceClient(context);
	/** Registers a one-day wait for an execution. */
	const begin = async (
		execution: string,
		about: EventSubject = 'document',
		{ listBefore }: { listBefore?: Webhook[] | undefined } = { listBefore: [] },
	) =>
		await registerWait(
			executing(execution),
			service,
			eventsThatEndWait(about),
			new Date(Date.now() + dayMs),
			listBefore,
		);
	return {
		account,
		calls,
		context,
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
			signed(
				`${origin}/webhook-waiting/${execution}/node?${new URLSearchParams(parameters).toString()}`,
			),
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
		['a document', 'document'],
		['an identity verification', 'identity'],
	] as const)(
		'for %s points to the execution and contains a secret and the end time of the wait',
		async (_name, about) => {
			const { account, begin, ids } = accountWith();
			const { webhooks: waitWebhooks } = await begin('12', about);
			const events = eventsThatEndWait(about);
			expect(account.webhooks.map(({ type }) => type)).toEqual(events);
			const secrets = account.webhooks.map((webhook) => {
				expect(webhook.webHookUrl).toMatch(/^https:\/\/n8n\.example\/webhook-waiting\/12\/node\?/);
				const { secret = '', signature, ...parameters } = parametersOf(webhook);
				expect(parameters).toEqual({ until: String(Date.now() + dayMs) });
				expect(signature).toMatch(/^[\da-f]{64}$/);
				// The parameters are in alphabetical order. If a service sorts them, what n8n has signed does not
				// change, because n8n ignores where the signature is.
				const names = Object.keys(parametersOf(webhook));
				expect(names.filter((name) => name !== 'signature')).toEqual(['secret', 'until']);
				return secret;
			});
			expect(new Set(secrets).size).toBe(events.length);
			// n8n stores only the secrets' hashes.
			expect(waitWebhooks).toEqual(
				events.map((event, index) => ({
					hash: hashOfSecret(secrets[index] ?? ''),
					id: ids()[index],
					event,
				})),
			);
		},
	);

	test("has the workflow's name, or a generic name if the workflow has none", async () => {
		const { calls, service, begin } = accountWith();
		await begin('12', 'identity');
		const unnamed = { ...executing('13'), getWorkflow: () => ({}) } as unknown as IExecuteFunctions;
		await registerWait(unnamed, service, [identityFinished], new Date(), []);
		const names = calls.map(({ options }) => (options.body as IDataObject).name);
		expect([...new Set(names)]).toEqual(['n8n: Contracts', 'n8n: workflow']);
	});

	test('that cannot be registered causes an error with the reason', async () => {
		const { account, begin } = accountWith();
		account.fails = true;
		const reason = refusedWords('rejected', 400);
		await expect(begin('12')).rejects.toMatchObject({
			message: notRegisteredMessage('When Everyone Has Signed', reason.problem),
			description: reason.remedy,
			docsAnchor: 'event-not-registered',
		});
	});

	test('is removed by ID and by URL, and other webhooks are kept', async () => {
		const { account, service, begin, ids } = accountWith();
		const wait = await begin('12');
		const [own] = account.webhooks;
		const otherIds = (await begin('13')).webhooks.map(({ id }) => id);
		// If the response to a registration was lost, the repeated registration has the same URL but a
		// different ID.
		account.webhooks.push({ ...(own as Listed), webHookID: 'again' });
		account.hidden.add('id-1');
		await unregisterWait(service, wait);
		expect(ids()).toEqual(otherIds);
	});

	test.each([
		['has been changed to another account', {}],
		['has been changed to another user of the same service', { userId: 'another user' }],
	])('is not mistaken for one with the same ID if the credential %s', async (_name, change) => {
		const first = accountWith();
		const wait = await first.begin('12');
		const [own] = first.account.webhooks;
		// IDs can repeat among accounts.
		const others = wait.webhooks.map(({ id }) => ({
			webHookID: id,
			type: 'completedDocument',
			webHookUrl: 'https://other.example/hook',
		}));
		const second = accountWith(...others, { ...(own as Listed), webHookID: 'own' });
		const credential = await first.context.getCredentials('signVerifyApi');
		const changed = {
			...second.context,
			getCredentials: async () => ({ ...credential, ...change }),
		};
		const service = 'userId' in change ? new ServiceClient(changed as never) : second.service;
		await unregisterWait(service, wait);
		expect(second.ids()).toEqual(others.map(({ webHookID }) => webHookID));
	});

	test.each([
		['a new token', { accessToken: 'another token' }],
		['a new API key', { apiKey: 'another key' }],
		['a Base URL that is written differently', { baseUrl: 'HTTPS://Sign.Example.com//api' }],
	])('is removed by ID even if the credential has %s', async (_name, change) => {
		const { account, context, begin, ids } = accountWith();
		const wait = await begin('12');
		account.hidden = new Set(ids());
		const credential = await context.getCredentials('signVerifyApi');
		const getCredentials = async () => ({ ...credential, ...change });
		await unregisterWait(new ServiceClient({ ...context, getCredentials } as never), wait);
		expect(ids()).toEqual([]);
	});
});

describe("A wait's webhook for which the service returns another URL", () => {
	test.each(Object.entries(harmlessChanges))(
		'is accepted if it is shown %s',
		async (_how, change) => {
			const { account, begin, ids } = accountWith();
			Object.assign(account, { returns: change, lists: change });
			expect((await begin('12', 'document')).webhooks).toHaveLength(ids().length);
			expect(account.log).not.toContain('GET');
		},
	);

	test.each(Object.entries(wrongForWait))(
		'is refused, and removed by its ID, if it is stored %s',
		async (_how, change) => {
			const { account, service, begin, ids } = accountWith(endedBefore('other', 0));
			account.stores = change;
			const listBefore = await listBeforeWait(service);
			const { message } = await failureOf(begin('12', 'identity', { listBefore }));
			expect(message).toMatch(/ stored the webhook's URL with/);
			expect(ids()).toEqual(['other']);
		},
	);

	test('is refused without its query only if the list shows none either', async () => {
		const hiding = accountWith();
		hiding.account.returns = withoutQuery;
		await hiding.begin('12', 'document');
		expect(hiding.account.log.filter((call) => call !== 'POST')).toEqual(['GET']);

		const cutting = accountWith();
		cutting.account.stores = withoutQuery;
		await expect(cutting.begin('12', 'identity')).rejects.toThrow(
			registrationProblems.urlNotKept('without everything after the question mark').problem,
		);
		expect(cutting.ids()).toEqual([]);
	});

	test.each([
		['existed before', true],
		['may have existed before, because the list could not be read', false],
	])('is refused, but stays and is named if it %s', async (_how, isListRead) => {
		const existing = endedBefore('existing', 0, {
			type: identityFinished,
			webHookUrl: 'https://n8n.example/webhook-waiting/12/node',
		});
		const { account, service, begin, ids } = accountWith(existing);
		// The webhooks of all events then have the same URL, so the service has only one of them.
		account.stores = withoutQuery;
		account.fails = !isListRead;
		const listBefore = await listBeforeWait(service);
		expect(listBefore?.length).toBe(isListRead ? 1 : undefined);
		account.fails = false;
		const { remedy: remedy } = registrationProblems.urlNotKept('');
		expect((await failureOf(begin('12', 'document', { listBefore }))).description).toBe(
			notRegisteredRemedy({ remedy, foreignIds: 'existing' }),
		);
		expect(ids()).toEqual(['existing']);
	});
});

describe('Expired webhooks', () => {
	/**
	 * Removes expired webhooks, as the start of a wait does. Returns the IDs that remain, and the delete
	 * calls.
	 */
	async function leftOf(...webhooks: Listed[]) {
		const { account, service, ids } = accountWith(...webhooks);
		await cleanUp(service);
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

	const expired = (count: number, type = 'completedDocument') =>
		Array.from({ length: count }, (_, index) =>
			endedBefore(`${type}-${index}`, 2 * dayMs, { type }),
		);

	test('are removed twenty at a time, and those for identity verifications come last', async () => {
		const { deleted } = await leftOf(...expired(4, identityFinished), ...expired(21));
		expect(deleted).toEqual(
			Array.from({ length: 20 }, (_, index) => `DELETE completedDocument-${index}`),
		);
		const few = await leftOf(...expired(2, identityFinished), ...expired(2));
		expect(few.left).toEqual([]);
		expect(few.deleted.at(-1)).toBe(`DELETE ${identityFinished}-1`);
	});

	test('are removed even if the service never deletes those for identity verifications, which get one call', async () => {
		const { account, service, ids } = accountWith(...expired(25, identityFinished), ...expired(3));
		const undeletable = expired(25, identityFinished).map(({ webHookID }) => webHookID);
		Object.assign(account, { undeletable });
		await cleanUp(service);
		expect(ids()).toEqual(undeletable);
		expect(account.log.filter((call) => call.includes(identityFinished))).toHaveLength(1);
	});

	test('are removed even if the service refuses to delete one of them', async () => {
		const { account, service, ids } = accountWith(...expired(3), ...expired(2, identityFinished));
		account.undeletable = ['completedDocument-0'];
		await cleanUp(service);
		expect(ids()).toEqual(['completedDocument-0']);
	});
});
