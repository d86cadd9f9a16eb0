import type { ICredentialDataDecryptedObject, IDataObject, IHookFunctions } from 'n8n-workflow';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { withDocsLink } from '../support/errors';
import { identityFinished } from '../support/events';
import { brokenService, setUpService } from '../support/registrations';
import {
	errorWith,
	networkWords,
	notRegisteredMessage,
	notRegisteredRemedy,
	refusedWords,
	severalWrong,
} from '../support/problemWords';
import { failureOf } from '../support/service';
import { address } from '../support/triggerNode';
import {
	harmlessChanges,
	harmlessForTrigger,
	type UrlChange,
	withoutQuery,
	wrongForTrigger,
} from '../support/returnedUrls';
import { errorWithCode, type StandInResponse } from '../support/standIn';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';
import { registrationProblems } from '../../nodes/SignVerify/registrations/registrationProblems';
import { type EventRow, events } from '../../nodes/SignVerify/api/events';
import { accountOf } from '../../nodes/SignVerify/account/account';
import type { DocsAnchor } from '../../nodes/SignVerify/errors/docs';
import { settle } from '../../nodes/SignVerify/util/async';
import { n8nDeadlineMs, publishingBudget } from '../../nodes/SignVerify/trigger/publishingBudget';
import { differenceOf } from '../../nodes/SignVerify/registrations/returnedUrl';
import { publish } from '../../nodes/SignVerify/trigger/lifecycle';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';

useVirtualTime();

const { problem: broken, remedy: brokenRemedy } = refusedWords('failed', 500, 'broken');

const secretIn = (url: unknown) => new URL(String(url)).searchParams.get('secret');

describe('Publishing a trigger', () => {
	test('registers all events at the same time, as the contract describes', async () => {
		const { trigger, calls, log, registered, urls } = setUpService();
		const node = trigger(['signDocument', identityFinished], {
			workflow: `${'x'.repeat(94)}😀 and more`,
		});
		expect(await node.isPublished()).toBe(false);
		expect(await node.create()).toBe(true);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks signDocument',
			`POST /webhooks/verify ${identityFinished}`,
		]);
		const [url = '', identityUrl = ''] = urls();
		expect(calls[1]).toMatchObject({ qs: { url, type: 'signDocument' } });
		expect(calls[2]?.body).toEqual({
			// The name is cut off, but never in the middle of a character.
			name: `n8n: ${'x'.repeat(94)}`,
			type: identityFinished,
			url: identityUrl,
		});
		// Each URL has its own secret.
		const [secret, other] = [url, identityUrl].map(secretIn);
		expect(url).toBe(`${address}?secret=${secret}`);
		expect(identityUrl).toBe(`${address}?secret=${other}`);
		expect(secret).toMatch(/^[\w-]{43}$/);
		expect(secret).not.toBe(other);
		expect(registered()).toEqual(['signDocument id-1', `${identityFinished} id-2`]);
		expect(node.state).toEqual({
			url: address,
			owner: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
			webhooks: [
				{ type: 'signDocument', webHookID: 'id-1' },
				{ type: identityFinished, webHookID: 'id-2' },
			],
		});
		expect(await node.isPublished()).toBe(true);
	});

	test("keeps other people's webhooks and replaces the trigger's outdated and duplicate ones", async () => {
		const { trigger, registered, add, urls } = setUpService();
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

	test("replaces a webhook that has another event's secret", async () => {
		const { trigger, registered, add, forget, urls } = setUpService();
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

	test('removes the first two webhooks if the third cannot be registered, and names any that it could not remove', async () => {
		const { trigger, registered, log, behavior } = setUpService();
		behavior.fault = (_what, { type }) => (type === 'sendDocument' ? brokenService : undefined);
		const node = trigger(['completedDocument', 'signDocument', 'sendDocument']);
		// If publishing fails, the editor shows only the error message.
		const remedy = brokenRemedy;
		expect(await failureOf(node.create())).toMatchObject({
			message: `${notRegisteredMessage('When a Document Is Sent', broken)}. ${remedy}`,
			description: withDocsLink(remedy, 'event-not-registered'),
			httpCode: '500',
		});
		expect(registered()).toEqual([]);
		expect(log.slice(-2)).toEqual(['DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
		behavior.fault = (_what, { type, webHookID }) =>
			type === 'sendDocument' || webHookID === 'id-3' ? brokenService : undefined;
		expect((await failureOf(node.create())).description).toBe(
			withDocsLink(notRegisteredRemedy({ remedy, remainingIds: 'id-3' }), 'event-not-registered'),
		);
		expect(registered()).toEqual(['completedDocument id-3']);
		const other = setUpService({
			fault: (what, { type }) =>
				type === 'sendDocument' || what === 'DELETE /webhooks' ? brokenService : undefined,
		});
		const another = other.trigger(['completedDocument', 'signDocument', 'sendDocument']);
		expect((await failureOf(another.create())).description).toMatch(
			/ Delete webhook\b.* (id-1, id-2|id-2, id-1)\b/,
		);
	});

	test('names an identity webhook as possibly not removed if the list could not be loaded', async () => {
		const { trigger, behavior } = setUpService();
		const isRefused = { status: 400, body: { success: false } };
		let lists = 0;
		behavior.fault = (what, { type }) => {
			if (type === 'signDocument') return brokenService;
			if (what === 'DELETE /webhooks') return isRefused;
			// The first list call, which comes before the registrations, succeeds. The later ones fail.
			return what === 'GET /webhooks' && lists++ > 0 ? { status: 403, body: {} } : undefined;
		};
		const error = await failureOf(trigger([identityFinished, 'signDocument']).create());
		expect(error.description).toMatch(/ Delete webhook\b.* id-1\b/);
	});

	test('removes a webhook whose registration did not get a response, but keeps one with an invalid URL', async () => {
		const { trigger, registered, add, behavior } = setUpService();
		// Another client's webhook can have an invalid URL.
		add('sendDocument', 'no address');
		behavior.fault = (what, { type, url }) => {
			if (what !== 'POST /webhooks' || type !== 'sendDocument') return undefined;
			add(type, url);
			throw errorWithCode('ECONNRESET');
		};
		await failureOf(trigger(['signDocument', 'sendDocument']).create());
		expect(registered()).toEqual(['sendDocument id-1']);
	});

	test('does not show the URL or the secret if the service rejects a registration', async () => {
		const { trigger } = setUpService({
			fault: (what, { url }) =>
				what === 'POST /webhooks'
					? { status: 400, body: { message: `url ${String(url)} with ${secretIn(url)}` } }
					: undefined,
		});
		const { message } = await failureOf(trigger(['signDocument']).create());
		const { problem: reason, remedy } = refusedWords('rejected', 400, 'url … with …');
		expect(message).toBe(`${notRegisteredMessage('When One Person Signs', reason)}. ${remedy}`);
	});

	test.each([301, 400, 401, 403, 404, 409, 422, 'ECONNREFUSED', 'ENOTFOUND', 'SOMETHING'])(
		'does not advise people to run a node if the service fails with %s',
		async (problem) => {
			for (const failing of ['GET /webhooks', 'POST /webhooks']) {
				const { trigger } = setUpService({
					fault: (what) => {
						if (what !== failing) return undefined;
						if (typeof problem === 'string') throw errorWithCode(problem);
						return { status: problem, body: { success: false, message: 'no' } };
					},
				});
				const { message } = await failureOf(trigger(['signDocument']).create());
				expect(message).not.toMatch(/\brun (?:the|this)\b/i);
			}
		},
	);

	test('fails if the service does not return a list of webhooks', async () => {
		const { trigger } = setUpService({
			fault: () => ({ body: { success: true, responseData: {} } }),
		});
		expect(await failureOf(trigger(['signDocument']).create())).toMatchObject({
			message: expect.stringMatching(
				/\. The response isn't from the signing service\. Check /,
			) as string,
			description: withDocsLink(
				'Check the Base URL in the credential, including its path.',
				'not-the-signing-service',
			),
		});
	});

	test('reports all mistakes in the form at once', async () => {
		const { trigger, calls } = setUpService();
		const form = {
			filters: { templates: [2 ** 53] },
			options: { output: 'all' },
		};
		const { message } = await failureOf(trigger([], { form }).create());
		const problems = severalWrong(
			['Trigger On', valueProblems.notSelected.problem],
			['Template Names or IDs', valueProblems.tooManyDigits.problem],
			['Output', valueProblems.notAChoice('').problem],
		);
		expect(message.startsWith(problems) && message.slice(problems.length)).toMatch(
			/Trigger On: .*Output: /,
		);
		// If publishing fails, the editor shows only the error message, on one line.
		expect(message).not.toContain('\n');
		expect(calls).toHaveLength(0);
	});

	test.each([
		['malformed entries', [null, 7, 'x', [], {}]],
		['an object instead of a list', { signDocument: { hash: {}, id: [] } }],
		['an event that does not exist', [{ webHookID: 'constructor', type: '__proto__' }]],
	])("keeps the trigger's webhooks if the static data contains %s", async (_name, webhooks) => {
		const { trigger, registered } = setUpService();
		const { state } = trigger(['signDocument']);
		await trigger(['signDocument'], { state }).create();
		const node = trigger(['signDocument', identityFinished], {
			state: { ...state, webhooks: webhooks },
		});
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', `${identityFinished} id-2`]);
		expect(await node.isPublished()).toBe(true);
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test.each([
		[100, []],
		[103, [expect.stringMatching(/^SignVerify: .*\b3\b/)]],
	])('deletes 100 of %i outdated webhooks and logs how many are left: %j', async (count, lines) => {
		const { trigger, registered, add, warnings } = setUpService();
		for (let other = 0; other < count; other++) add('signDocument', `${address}?secret=${other}`);
		await trigger(['signDocument']).create();
		expect(registered()).toHaveLength(count - 100 + 1);
		expect(warnings).toEqual(lines);
	});

	test('succeeds if an outdated webhook cannot be deleted, logs why, and deletes it the next time', async () => {
		const { trigger, registered, behavior, warnings } = setUpService();
		const { state, ...before } = trigger(['signDocument', 'sendDocument']);
		await before.create();
		behavior.fault = (what) => (what === 'DELETE /webhooks' ? brokenService : undefined);
		const after = trigger(['signDocument'], { state });
		await after.create();
		expect(warnings).toEqual([
			expect.stringMatching(/^SignVerify: couldn't delete webhooks that are no longer needed/),
		]);
		expect(warnings.join()).toContain(`: ${broken}`);
		expect(registered()).toEqual(['signDocument id-1', 'sendDocument id-2']);
		delete behavior.fault;
		await after.create();
		expect(registered()).toEqual(['signDocument id-1']);
		expect(warnings).toHaveLength(1);
	});

	test.each<[string, IDataObject, string, string, DocsAnchor | undefined]>([
		[
			'no file is chosen',
			{ downloadFiles: true, files: [] },
			`Files: ${valueProblems.notSelected.problem}.`,
			'Select at least one file.',
			undefined,
		],
		[
			'a switch is neither on nor off',
			{ downloadFiles: 'maybe' },
			`Download Files: ${valueProblems.notTrueOrFalse.problem}.`,
			valueProblems.notTrueOrFalse.remedy,
			'not-true-or-false',
		],
	])('names the field and the remedy if %s', async (_name, form, problem, remedy, anchor) => {
		const { trigger, calls } = setUpService();
		expect(await failureOf(trigger(['signDocument'], { form }).create())).toMatchObject({
			message: `${problem} ${remedy}`,
			description: withDocsLink(remedy, anchor),
		});
		expect(calls).toEqual([]);
	});

	test('deletes at most 100 of many webhooks at a time, and deletes the next 100 when repeated', async () => {
		const { trigger, registered, add, warnings } = setUpService();
		const total = 1000;
		for (let count = 0; count < total; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toHaveLength(total - 99);
		expect(warnings).toEqual([
			expect.stringMatching(new RegExp(`^SignVerify: .*\\b${total - 100}\\b`)),
		]);
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toHaveLength(total - 199);
		// The webhook whose ID the trigger knows is deleted first, because the ID is forgotten afterward.
		await node.remove();
		expect(registered()).toHaveLength(total - 299);
		expect(registered()).not.toContain(`signDocument id-${total + 1}`);
	});
});

describe('Publishing a trigger for which the service returns another URL', () => {
	const event = 'When One Person Signs';
	const harmless = Object.entries({ ...harmlessChanges, ...harmlessForTrigger });
	const restarts = ['init', 'leadershipChange'] as const;

	/** What the trigger reports if the service has changed its URL. */
	const wordsFor = (url: string, change: UrlChange) => {
		const words = differenceOf(url, String(change(url)))?.words ?? '';
		const { problem: message, remedy: description } = registrationProblems.urlNotKept(words);
		return {
			message: `${notRegisteredMessage(event, message)}. ${description}`,
			warning: `SignVerify: "${event}": ${message}. ${description}`,
		};
	};
	const ownUrl = (secret: string) => `${address}?secret=${secret}`;

	test.each(harmless)(
		'succeeds by hand and after a restart if it is shown %s',
		async (_how, change) => {
			for (const activation of ['activate', ...restarts] as const) {
				const { trigger, registered, warnings } = setUpService({ returns: change, lists: change });
				expect(await trigger(['signDocument'], { activation }).create()).toBe(true);
				expect(registered()).toEqual(['signDocument id-1']);
				// What may be a way of showing the URL is at most in the log, once a minute.
				expect(warnings.filter((line) => !line.includes("can't tell whether"))).toEqual([]);
			}
		},
	);

	test('writes one line a minute to the log if it may only be shown differently', async () => {
		clearAll();
		const returns: UrlChange = () => 'https://hooks.example/17';
		const service = setUpService({ returns });
		const node = service.trigger(['signDocument', 'sendDocument']);
		await node.create();
		const { problem: message, remedy: description } = registrationProblems.urlUnclear(
			'with another host or port',
		);
		const line = `SignVerify: ${message}. ${description}`;
		expect(service.warnings).toEqual([line]);
		service.forget('id-1');
		await sleep(61);
		await node.create();
		expect(service.warnings).toEqual([line, line]);
	});

	test.each(Object.entries(wrongForTrigger))(
		'fails by hand and removes the webhook if it is stored %s',
		async (_how, stores) => {
			const { trigger, registered, log, warnings } = setUpService({ stores });
			const node = trigger(['signDocument']);
			const { message } = await failureOf(node.create());
			expect(message).toBe(wordsFor(ownUrl(node.secretFor('signDocument')), stores).message);
			expect(log.slice(-2)).toEqual(['GET /webhooks', 'DELETE /webhooks id-1']);
			expect(registered()).toEqual([]);
			expect(warnings).toEqual([]);
		},
	);

	test.each(restarts)('stays published with the mode %s, and logs why', async (activation) => {
		for (const stores of [...Object.values(wrongForTrigger), withoutQuery]) {
			const { trigger, registered, warnings } = setUpService({ stores });
			const node = trigger(['signDocument'], { activation });
			expect(await node.create()).toBe(true);
			expect(registered()).toEqual(['signDocument id-1']);
			expect(warnings).toEqual([wordsFor(ownUrl(node.secretFor('signDocument')), stores).warning]);
		}
	});

	test('fails without a query only if the list of webhooks shows none either', async () => {
		const hiding = setUpService({ returns: withoutQuery });
		await hiding.trigger(['signDocument', 'sendDocument']).create();
		expect(hiding.registered()).toHaveLength(2);
		// The first list shows what is already registered. The second one is read once, for both.
		expect(hiding.log.filter((call) => call === 'GET /webhooks')).toHaveLength(2);
		expect(hiding.warnings).toEqual([]);

		const cutting = setUpService({ stores: withoutQuery });
		const node = cutting.trigger(['signDocument']);
		const { message } = await failureOf(node.create());
		expect(message).toBe(wordsFor(ownUrl(node.secretFor('signDocument')), withoutQuery).message);
		expect(cutting.registered()).toEqual([]);
	});

	test.each<[string, Parameters<typeof setUpService>[0]]>([
		['shows stars', { lists: () => '***' }],
		['shows stars for the query', { lists: (url) => String(url).replace(/\?.*/, '?***') }],
		['shows another host', { lists: () => 'https://hooks.example/17' }],
		['shows no URLs', { lists: () => undefined }],
		['leaves out the webhook', { listsIdentity: false }],
		['is out of date', { fault: listOutOfDate(() => ({ body: { responseData: [] } })) }],
		['fails', { fault: listOutOfDate(() => brokenService) }],
	])('succeeds without a query if the list %s', async (_how, behavior) => {
		const { trigger, log } = setUpService({ returns: withoutQuery, ...behavior });
		expect(await trigger([identityFinished]).create()).toBe(true);
		expect(log.filter((call) => call.startsWith('DELETE'))).toEqual([]);
	});

	/** Makes all lists of webhooks fail, except for the one that is read before the first registration. */
	function listOutOfDate(respond: () => StandInResponse) {
		let hasRegistered = false;
		return (what: string) => {
			hasRegistered ||= what.startsWith('POST');
			return what === 'GET /webhooks' && hasRegistered ? respond() : undefined;
		};
	}

	test('leaves a webhook that the service has handed out again, and names it', async () => {
		const service = setUpService();
		const other = service.add('signDocument', address);
		service.behavior.fault = (what, { type }) => {
			if (what !== 'POST /webhooks' || type !== 'signDocument') return undefined;
			return { body: { success: true, responseCode: 200, responseData: other } };
		};
		const node = service.trigger(['completedDocument', 'signDocument']);
		const { description } = await failureOf(node.create());
		const { remedy } = registrationProblems.urlNotKept('');
		expect(description).toBe(
			withDocsLink(
				notRegisteredRemedy({ remedy, foreignIds: other.webHookID }),
				'event-not-registered',
			),
		);
		expect(service.registered()).toEqual([`signDocument ${other.webHookID}`]);
	});

	test('also leaves such a webhook if another event could not be registered', async () => {
		const service = setUpService();
		const other = service.add('signDocument', address);
		service.behavior.fault = (what, { type }) => {
			if (what !== 'POST /webhooks') return undefined;
			if (type === 'completedDocument') return brokenService;
			return { body: { success: true, responseCode: 200, responseData: other } };
		};
		const { message } = await failureOf(
			service.trigger(['completedDocument', 'signDocument']).create(),
		);
		expect(message).toContain(broken);
		expect(service.registered()).toEqual([`signDocument ${other.webHookID}`]);
	});
});

const all = events.map(({ type }) => type);

const slow = (seconds: number) => async () => {
	await sleep(seconds);
	return undefined;
};

describe('Publishing a changed trigger', () => {
	test('keeps the webhooks for the remaining events and removes the others last', async () => {
		const service = setUpService({ fault: slow(1) });
		const { trigger, log, urls, registered } = service;
		const { state, ...before } = trigger(['signDocument', 'sendDocument', identityFinished]);
		await before.create();
		const kept = urls().slice(0, 1);
		log.length = 0;
		// n8n first removes the trigger's old version and then sets up the new one.
		await before.removeOnly();
		const after = trigger(['signDocument', 'completedDocument', identityFinished], { state });
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
			`${identityFinished} id-3`,
			'completedDocument id-4',
		]);
		expect(await after.isPublished()).toBe(true);
	});

	test("keeps the webhooks even if looking up the filter's templates takes longer than the pause before a removal", async () => {
		const { trigger, log } = setUpService({
			fault: async (what) => (what.includes('templates') ? await slow(12)() : undefined),
		});
		const form = { filters: { templates: ['lease'] } };
		const { state, ...before } = trigger(['signDocument'], { form });
		await before.create();
		log.length = 0;
		await before.removeOnly();
		await trigger(['signDocument'], { form, state }).create();
		await sleep(100);
		expect(log.filter((line) => line.endsWith('/webhooks') || line.includes('id-1'))).toEqual([
			'GET /webhooks',
		]);
	});

	test('waits for a removal that has already begun, and then registers all events', async () => {
		const { trigger, log, registered } = setUpService({ fault: slow(1) });
		const node = trigger(['signDocument']);
		await node.create();
		await node.removeOnly();
		// Wait until the deletion is in progress.
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

	test('leaves no timer running if the removal has already finished', async () => {
		const { trigger, registered } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		await node.removeOnly();
		await sleep(30);
		expect(registered()).toEqual([]);
		await node.create();
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('Unpublishing a trigger', () => {
	test('removes all webhooks after a short delay and retries later if that fails', async () => {
		const { trigger, registered, behavior, warnings } = setUpService();
		const node = trigger(['signDocument', identityFinished]);
		await node.create();
		behavior.fault = () => ({ status: 503, body: {} });
		await node.removeOnly();
		await sleep(40);
		expect(registered()).toHaveLength(2);
		expect(warnings).toEqual([
			`SignVerify Trigger: couldn't delete its webhooks: ${refusedWords('failed', 503).problem}`,
		]);
		delete behavior.fault;
		await sleep(60);
		expect(registered()).toEqual([]);
	});
});

/** The package's events, then copies of them under other names. */
const eventRows = (count: number): EventRow[] =>
	Array.from({ length: count }, (_, at) => {
		const row = events[at % events.length] as EventRow;
		return at < events.length ? row : { ...row, type: `${row.type}${at}` };
	});

describe.each([
	[1, ''],
	[7, ''],
	[10, ', three of which are to come'],
])('Publishing a trigger with %i events%s', (count) => {
	const rows = eventRows(count);
	const types = rows.map(({ type }) => type).sort();
	const laterTypes = types.filter((type) => !(all as string[]).includes(type));
	const budget = publishingBudget(count);
	const publishRows = async (node: { context: IHookFunctions }) =>
		await publish(node.context, rows, { ids: ['lease'], isTyped: true });
	const typesOf = (registered: string[]) => registered.map((line) => line.split(' ')[0]).sort();

	test('takes no longer than n8n waits, with all of its steps', () => {
		const { lookUpMs, registrationMs, cleanUpMs } = budget;
		expect(lookUpMs + registrationMs + cleanUpMs).toBeLessThan(n8nDeadlineMs);
	});

	test('replaces all webhooks at the lowest Requests per Second while 50 documents are being sent', async () => {
		const { trigger, credential, registered, warnings } = setUpService({ laterTypes });
		const perSecond = Math.max(budget.minRequestsPerSecond, 0.4);
		credential.requestsPerSecond = perSecond;
		const node = trigger(all);
		await publishRows(node);
		// An execution with the same account sends these documents.
		const { rateLimiter } = accountOf(credential as ICredentialDataDecryptedObject);
		let sent = 0;
		const documents = Array.from({ length: 50 }, async () => {
			if (await rateLimiter.acquire(perSecond, performance.now() + 300_000)) sent++;
		});
		const elapsedMs = stopwatch();
		// A new key changes all secrets, so every webhook has to be replaced.
		credential.apiKey = 'a new key';
		warnings.length = 0;
		await publishRows(trigger(all, { state: node.state }));
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
		expect(typesOf(registered())).toEqual(types);
		await Promise.all(documents);
		expect(sent).toBe(50);
	});

	test('is refused before the first call if Requests per Second is too low', async () => {
		const { trigger, credential, log } = setUpService({ laterTypes });
		const { minRequestsPerSecond } = budget;
		credential.requestsPerSecond = minRequestsPerSecond - 0.01;
		// For a few events, the credential's own minimum is higher.
		const isOfCredential = minRequestsPerSecond - 0.01 < 0.4;
		expect(await failureOf(publishRows(trigger(all)))).toMatchObject(
			isOfCredential
				? { message: expect.stringMatching(/^Requests per Second in the credential: /) as string }
				: errorWith(
						registrationProblems.tooSlow({
							rate: credential.requestsPerSecond,
							eventCount: count,
							least: minRequestsPerSecond,
						}),
					),
		);
		expect(log).toEqual([]);
		if (isOfCredential) return;
		// After a restart, a trigger that has been working must not stop.
		await publishRows(trigger(all, { activation: 'init' }));
	});

	test('succeeds even if each call takes 14 s', async () => {
		const { trigger, registered } = setUpService({ laterTypes, fault: slow(14) });
		const elapsedMs = stopwatch();
		await publishRows(trigger(all));
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
		expect(typesOf(registered())).toEqual(types);
	});

	test.each([
		['does not respond', 10_000, 30],
		['does not respond and Timeout is long', 10_000, 3600],
		['takes 35 s to respond', 35, 100],
	])(
		'ends with the reason before n8n gives up if the service %s, and leaves no webhook behind',
		async (_how, slowSeconds, timeoutSeconds) => {
			const { trigger, registered, credential, behavior } = setUpService({
				laterTypes,
				fault: slow(slowSeconds),
			});
			credential.timeoutSeconds = timeoutSeconds;
			const node = trigger(all);
			const elapsedMs = stopwatch();
			const { message } = await failureOf(publishRows(node));
			expect(message).toContain("didn't respond in time");
			expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
			// n8n then removes the trigger. The service still carries out the calls that were cut off.
			await node.removeOnly();
			await sleep(600);
			delete behavior.fault;
			await sleep(600);
			// Only the package's own events are known when a trigger is removed.
			const own = registered().filter((line) => !laterTypes.includes(line.split(' ')[0] ?? ''));
			expect(own).toEqual([]);
		},
	);
});

describe('Publishing while the service does not respond to deletions', () => {
	/** Delays the response to each deletion by an hour, which is longer than all time limits. */
	const hanging = async (what: string) => {
		if (what === 'DELETE /webhooks') await sleep(3600);
		return undefined;
	};
	test('succeeds before n8n gives up, logs that old webhooks remain, and deletes them the next time', async () => {
		const { trigger, registered, behavior, warnings, add, log } = setUpService();
		add('signDocument', 'https://n8n.example/webhook/other/signverify?secret=x');
		const { state, ...before } = trigger(['signDocument', 'sendDocument', identityFinished]);
		await before.create();
		behavior.fault = hanging;
		const after = trigger(['signDocument', 'completedDocument'], { state });
		const elapsedMs = stopwatch();
		expect(await after.create()).toBe(true);
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
		expect(warnings).toEqual([expect.stringMatching(/^SignVerify: .*\b\d+ s\b/)]);
		expect((state.webhooks as unknown[]).length).toBe(4);
		// Once the workflow has been published, no more webhooks are deleted in the background.
		const calls = log.length;
		await sleep(600);
		expect(log).toHaveLength(calls);
		delete behavior.fault;
		await after.create();
		expect(await after.isPublished()).toBe(true);
		expect(registered()).toEqual([
			'signDocument id-1',
			'signDocument id-2',
			'completedDocument id-5',
		]);
		expect(warnings).toHaveLength(1);
	});

	test('succeeds even if registering the events takes most of the available time', async () => {
		const { trigger, credential, behavior } = setUpService();
		credential.timeoutSeconds = 100;
		const { state, ...before } = trigger(['signDocument', 'sendDocument']);
		await before.create();
		behavior.fault = async (what) => {
			await slow(what.startsWith('DELETE') ? 3600 : 25)();
			return undefined;
		};
		const elapsedMs = stopwatch();
		const after = trigger(['signDocument', 'completedDocument'], { state });
		expect(await after.create()).toBe(true);
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
	});

	test('shows why an event could not be registered', async () => {
		const { trigger } = setUpService({
			fault: async (what, { type }) =>
				type === 'sendDocument' ? brokenService : await hanging(what),
		});
		const elapsedMs = stopwatch();
		const error = await failureOf(trigger(['signDocument', 'sendDocument']).create());
		expect(error.message).toContain(notRegisteredMessage('When a Document Is Sent'));
		expect(error.description).toMatch(/ Delete webhook\b.* id-1\b/);
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
	});

	test('shows why an event could not be registered, even if the attempt takes most of the available time', async () => {
		const { trigger, credential, behavior, registered } = setUpService({
			fault: async (what, { type }) => {
				if (type === 'sendDocument') await sleep(3600);
				return await hanging(what);
			},
		});
		credential.timeoutSeconds = 100;
		const node = trigger(['signDocument', 'sendDocument']);
		const elapsedMs = stopwatch();
		const { message } = await failureOf(node.create());
		expect(message).toContain(notRegisteredMessage('When a Document Is Sent'));
		expect(message).toContain(networkWords('noResponse', '').problem);
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
		delete behavior.fault;
		expect(await node.create()).toBe(true);
		await node.removeOnly();
		await sleep(600);
		expect(registered()).toEqual([]);
	});

	test('replaces the webhooks that a removal was deleting, because they may still disappear', async () => {
		const { trigger, registered, behavior, forget, warnings } = setUpService();
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		behavior.fault = hanging;
		await node.removeOnly();
		await sleep(11);
		const elapsedMs = stopwatch();
		expect(await node.create()).toBe(true);
		expect(elapsedMs()).toBeLessThan(n8nDeadlineMs);
		// The service now carries out the deletions that it did not respond to.
		forget('id-1');
		forget('id-2');
		expect(await node.isPublished()).toBe(true);
		expect(registered()).toEqual(['signDocument id-3', 'sendDocument id-4']);
		expect(warnings).toEqual([expect.stringMatching(/\b\d+ s\b/)]);
	});

	test('replaces the webhooks that a removal was deleting, even after a failed attempt to publish', async () => {
		const { trigger, registered, behavior, forget } = setUpService();
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		behavior.fault = hanging;
		await node.removeOnly();
		await sleep(11);
		behavior.fault = async (what) =>
			what === 'GET /webhooks' ? brokenService : await hanging(what);
		await failureOf(node.create());
		await node.removeOnly();
		behavior.fault = hanging;
		expect(await node.create()).toBe(true);
		forget('id-1');
		forget('id-2');
		expect(await node.isPublished()).toBe(true);
		expect(registered()).toEqual(['signDocument id-3', 'sendDocument id-4']);
	});
});

describe('A trigger whose service returns an outdated list', () => {
	test('has all webhooks after publishing and none after unpublishing', async () => {
		const { trigger, registered } = setUpService({ listedAfter: 12 });
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		// The list still contains the deleted webhooks, and their secrets are valid.
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await sleep(13);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		await node.create();
		expect(await node.isPublished()).toBe(true);
	});

	test('deletes the remaining webhooks the next time, even if the deleted ones are still listed', async () => {
		const { trigger, registered, add } = setUpService({ listedAfter: 12 });
		for (let count = 0; count < 150; count++) add('signDocument', `${address}?secret=${count}`);
		await sleep(13);
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toHaveLength(51);
		await node.remove();
		expect(registered()).toEqual([]);
	});
});

const couldNot = (why: string) => `SignVerify Trigger: couldn't delete its webhooks: ${why}`;
const undeleted =
	"SignVerify Trigger: the service didn't delete the webhook for identity verifications. It stays in the account, and the trigger will reuse it when the workflow is published again.";

describe('Webhook removal', () => {
	test.each([
		['is empty', {}],
		[
			'contains the ID of another webhook',
			{ webhooks: [{ webHookID: 'id-3', type: 'signDocument' }] },
		],
	])(
		"finds the trigger's webhooks by URL and secret if the static data %s",
		async (_name, state) => {
			const { trigger, registered, add } = setUpService();
			await trigger(['completedDocument', 'signDocument']).create();
			add('signDocument', 'https://n8n.example/webhook/other/signverify');
			add('signDocument', 'https://n8n.example/webhook/abc/signverify?secret=of-somebody');
			// When an old execution ends, n8n can overwrite the static data with values like these.
			await trigger(['completedDocument', 'signDocument'], { state }).remove();
			expect(registered()).toEqual(['signDocument id-3', 'signDocument id-4']);
		},
	);

	test("includes the trigger's webhooks that have an older secret", async () => {
		const { trigger, registered, credential } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		credential.apiKey = 'a new key';
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('logs a failed deletion and continues with the others', async () => {
		const { trigger, registered, behavior, warnings } = setUpService();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		behavior.fault = (_what, { webHookID }) => (webHookID === 'id-1' ? brokenService : undefined);
		await node.remove();
		expect(warnings).toEqual([couldNot(broken)]);
		expect(registered()).toEqual(['completedDocument id-1']);
		delete behavior.fault;
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('deletes webhooks by ID even if the list cannot be loaded', async () => {
		const { trigger, registered, behavior, warnings } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		behavior.fault = (what) => (what === 'GET /webhooks' ? brokenService : undefined);
		await node.remove();
		expect(registered()).toEqual([]);
		expect(warnings).toEqual([couldNot(broken)]);
	});

	// These are the rows of the table in registrations/webhookSync.ts.
	test.each<[string, number, string, 'still listed' | 'gone', string[]]>([
		['nothing', 400, 'signDocument', 'gone', []],
		['nothing', 404, 'signDocument', 'gone', []],
		['nothing', 404, 'signDocument', 'still listed', []],
		[
			'the error',
			400,
			'signDocument',
			'still listed',
			[couldNot('The service rejected the request (HTTP 400)')],
		],
		['nothing', 400, identityFinished, 'gone', []],
		['nothing', 404, identityFinished, 'gone', []],
		['an undeleted webhook', 400, identityFinished, 'still listed', [undeleted]],
		['an undeleted webhook', 404, identityFinished, 'still listed', [undeleted]],
		[
			'the error',
			500,
			identityFinished,
			'still listed',
			[couldNot(refusedWords('failed', 500).problem)],
		],
	])('logs %s after HTTP %i for a %s webhook that is %s', async (_what, status, type, is, said) => {
		const { trigger, behavior, warnings, forget } = setUpService();
		const node = trigger([type]);
		await node.create();
		if (is === 'gone') forget('id-1');
		behavior.fault = (what) =>
			what === 'DELETE /webhooks' ? { status, body: { success: false } } : undefined;
		expect(await node.remove()).toBe(true);
		expect(warnings).toEqual(said);
	});

	test('logs a failed deletion if the service still lists the webhook, even with another URL', async () => {
		const { trigger, behavior, warnings } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		const listed = { webHookID: 'id-1', type: 'signDocument', webHookUrl: 'https://n8n.example/' };
		behavior.fault = (what) =>
			what === 'GET /webhooks'
				? { body: { success: true, responseData: [listed] } }
				: { status: 400, body: { success: false } };
		await node.remove();
		expect(warnings).toEqual([couldNot('The service rejected the request (HTTP 400)')]);
	});

	test("does not log a secret if the service quotes a webhook's URL in an error", async () => {
		const { trigger, behavior, warnings, urls } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		const [url] = urls();
		behavior.fault = (what) =>
			what === 'DELETE /webhooks' ? { status: 500, body: { message: `at ${url}` } } : undefined;
		await node.remove();
		expect(warnings).toEqual([couldNot(refusedWords('failed', 500, 'at …').problem)]);
	});

	test("does not log a secret if the service doesn't list the webhook whose URL it quotes", async () => {
		const { trigger, behavior, warnings, urls } = setUpService();
		const node = trigger([identityFinished]);
		await node.create();
		const [url = ''] = urls();
		behavior.fault = (what) =>
			what === 'GET /webhooks'
				? { body: { success: true, responseData: [] } }
				: { status: 409, body: { success: false, message: `${url} is in use` } };
		await node.remove();
		expect(warnings.join()).toContain('is in use');
		expect(warnings.join()).not.toContain(secretIn(url));
	});

	// Someone edits the credential between a removal's tries, for example to switch from a test account.
	test('neither touches another account nor deletes what was published in it in the meantime', async () => {
		const { trigger, behavior, registered, log, warnings, credential } = setUpService();
		const node = trigger(['signDocument']);
		await node.create();
		behavior.fault = () => brokenService;
		await node.removeOnly();
		await sleep(30);
		behavior.fault = () => undefined;
		Object.assign(credential, { userId: 'someone-else' });
		await node.create();
		const published = registered();
		const calls = log.length;
		await sleep(1200);
		expect(registered()).toEqual(published);
		expect(log.slice(calls).filter((line) => line.startsWith('DELETE'))).toEqual([]);
		expect(warnings.join()).toContain(credentialProblems.otherAccount.problem);
	});

	test('deletes at once after a test run, and fails if the deletion fails', async () => {
		const { trigger, registered, behavior } = setUpService();
		const node = trigger(['signDocument'], { mode: 'manual' });
		await node.create();
		behavior.fault = (what) => (what === 'DELETE /webhooks' ? brokenService : undefined);
		expect((await failureOf(node.removeOnly())).message).toBe(broken);
		delete behavior.fault;
		const elapsedMs = stopwatch();
		expect(await node.removeOnly()).toBe(true);
		expect(registered()).toEqual([]);
		expect(elapsedMs()).toBe(0);
	});

	test.each([
		['deletes', undefined],
		['fails to delete', brokenService],
	])(
		"leaves the next test's webhooks alone if that test begins while the service %s the earlier test's",
		async (_how, response) => {
			const { trigger, behavior } = setUpService();
			const first = trigger(['signDocument'], { mode: 'manual' });
			const next = trigger(['signDocument'], { mode: 'manual' });
			await first.create();
			behavior.fault = async (what) => {
				await sleep(1);
				return what === 'DELETE /webhooks' ? response : undefined;
			};
			const removal = settle(first.removeOnly());
			await sleep(0.5);
			await next.create();
			await removal;
			await sleep(30);
			expect(await next.isPublished()).toBe(true);
		},
	);

	test('does not delete a webhook by an ID from a previous account', async () => {
		const { trigger, credential, registered, add } = setUpService();
		const node = trigger(['signDocument']);
		add('signDocument', 'https://elsewhere.example/of-somebody');
		const state = { ...node.state };
		await node.create();
		const [webhook] = node.state.webhooks as IDataObject[];
		// The other account has a webhook with this ID.
		Object.assign(webhook ?? {}, { webHookID: 'id-1' });
		credential.userId = 'of another account';
		await node.remove();
		await trigger(['signDocument'], { state }).create();
		expect(registered()).toContain('signDocument id-1');
	});
});

describe('An identity webhook', () => {
	test('is not duplicated if the credential changes to another account and back before the removal', async () => {
		const { trigger, registered, credential } = setUpService({ listsIdentity: false });
		const { userId } = credential;
		const node = trigger([identityFinished]);
		await node.create();
		await node.removeOnly();
		credential.userId = 'of another account';
		// The static data now belongs to the other account, and no longer contains the ID.
		await node.create();
		await node.removeOnly();
		credential.userId = userId;
		await node.create();
		// The stand-in has one list for both accounts. The other account's webhook has not been removed yet.
		expect(registered()).toEqual([`${identityFinished} id-2`, `${identityFinished} id-3`]);
	});

	test('is deleted even if republishing failed and n8n restored old static data', async () => {
		const { trigger, registered, behavior } = setUpService({ listsIdentity: false });
		const node = trigger([identityFinished]);
		await node.create();
		await node.removeOnly();
		behavior.fault = (what) => (what === 'GET /webhooks' ? brokenService : undefined);
		await failureOf(node.create());
		delete behavior.fault;
		await trigger([identityFinished], { state: {} }).remove();
		expect(registered()).toEqual([]);
	});

	test('is reused if the service lists it but does not delete it', async () => {
		const { trigger, registered } = setUpService({
			fault: (what, { webHookID }) =>
				what === 'DELETE /webhooks' && webHookID === 'id-1' ? { status: 404, body: {} } : undefined,
		});
		const node = trigger([identityFinished, 'signDocument']);
		await node.create();
		await node.remove();
		expect(registered()).toEqual([`${identityFinished} id-1`]);
		await node.create();
		expect(registered()).toEqual([`${identityFinished} id-1`, 'signDocument id-3']);
		expect(await node.isPublished()).toBe(true);
	});

	test.each([400, 409, 422])(
		'that the service neither lists, deletes nor registers twice is named in the error, which advises against publishing again (HTTP %i)',
		async (status) => {
			const { trigger, behavior, registered } = setUpService({ listsIdentity: false });
			const node = trigger([identityFinished, 'signDocument']);
			await node.create();
			behavior.fault = (what, { type, webHookID }) => {
				if (what === 'DELETE /webhooks' && webHookID === 'id-1') return { status: 404, body: {} };
				const isTwice = what === 'POST /webhooks/verify' && type === identityFinished;
				return isTwice ? { status, body: { message: 'This webhook exists already' } } : undefined;
			};
			await node.remove();
			const error = await failureOf(node.create());
			// The refusal is not taken for "exists already", although the service calls it that.
			expect(error.message).toContain(
				notRegisteredMessage('When an Identity Verification Is Finished'),
			);
			expect(error.message).toContain('This webhook exists already');
			expect(error.message).toContain(notRegisteredRemedy({ existingUrl: address }));
			expect(error.message).not.toMatch(/secret|again/);
			expect(registered()).toEqual([`${identityFinished} id-1`]);
			// Without this event, the workflow can be published.
			await trigger(['signDocument']).create();
			expect(registered()).toEqual([
				`${identityFinished} id-1`,
				expect.stringMatching(/^signDocument /),
			]);
		},
	);

	test.each([
		['the event is about a document', 'signDocument', 400],
		['the service is down', identityFinished, 500],
		['the account lacks a permission', identityFinished, 403],
	])('is not mentioned in the error if %s', async (_why, event, status) => {
		const { trigger } = setUpService({
			fault: (what) => (what.startsWith('POST') ? { status, body: {} } : undefined),
		});
		const { message } = await failureOf(trigger([event]).create());
		expect(message).toContain(`(HTTP ${status})`);
		expect(message).not.toContain(address);
	});

	test('is replaced with a new one if the service does not list it', async () => {
		const { trigger, registered } = setUpService({ listsIdentity: false });
		const node = trigger([identityFinished]);
		await node.create();
		await node.create();
		expect(registered()).toEqual([`${identityFinished} id-2`]);
		expect(await node.isPublished()).toBe(true);
	});

	test.each<[string, 'removeOnly' | 'remove']>([
		['during republishing', 'removeOnly'],
		['after unpublishing', 'remove'],
	])('is registered again %s if someone has deleted it in the account', async (_when, how) => {
		const { trigger, registered, forget } = setUpService();
		const node = trigger([identityFinished, 'signDocument']);
		await node.create();
		forget('id-1');
		forget('id-2');
		await node[how]();
		await node.create();
		expect(registered()).toEqual([`${identityFinished} id-3`, 'signDocument id-4']);
	});

	test.each([
		'the connection was lost',
		'the service failed',
		'the response was lost and the retry found nothing',
	])('is registered again after a deletion in which %s', async (how) => {
		const { trigger, behavior, registered, forget } = setUpService({ listsIdentity: false });
		const node = trigger([identityFinished]);
		await node.create();
		behavior.fault = (what) => {
			if (what !== 'DELETE /webhooks' || registered().length === 0) return undefined;
			if (how === 'the service failed') return brokenService;
			if (how !== 'the connection was lost') forget('id-1');
			throw errorWithCode('ECONNRESET');
		};
		await node.remove();
		delete behavior.fault;
		await node.create();
		expect(registered()).toEqual([`${identityFinished} id-2`]);
		expect(await node.isPublished()).toBe(true);
	});

	test('is registered again after being deleted if its ID appeared only in the list', async () => {
		const { trigger } = setUpService({ registered: 'nothing' });
		const node = trigger([identityFinished]);
		await node.create();
		await node.remove();
		await node.create();
		expect(await node.isPublished()).toBe(true);
	});

	test('is not deleted if the service did not return its ID', async () => {
		const { trigger, log } = setUpService({ listsIdentity: false, registered: 'nothing' });
		const node = trigger([identityFinished]);
		await node.create();
		log.length = 0;
		await node.remove();
		expect(log).toEqual(['GET /webhooks']);
	});
});

const elsewhere = 'https://other.example/webhook/abc/signverify';
const movedWarning = `SignVerify Trigger: n8n's public URL has changed. Webhooks with the old URL, on ${new URL(address).host}, may still be registered. To find them, run the Get many webhooks action with Return All turned on. Then delete them with the Delete webhook action, unless another n8n instance still uses them.`;

/**
 * For each kind of copy, the values that differ from the original. The static data is the same in all copies.
 */
const copies: Array<[string, Parameters<ReturnType<typeof setUpService>['trigger']>[1]]> = [
	['exported and imported into another n8n instance', { instance: 'another', at: elsewhere }],
	['imported into an n8n instance with the same encryption key', { at: elsewhere }],
	['imported into another n8n instance that has taken over the URL', { instance: 'another' }],
	['made with the API in the same n8n instance', { workflowId: 'another', at: elsewhere }],
	['made with the API and the same webhook ID', { workflowId: 'another' }],
	['made from the node in the same workflow', { nodeId: 'another', at: elsewhere }],
	['restored with a database at another URL', { at: elsewhere }],
];

/** Returns the static data as n8n writes it to its database. */
const storedOf = ({ state }: { state: IDataObject }) =>
	JSON.parse(JSON.stringify(state)) as IDataObject;

describe.each(copies)('A copy of a trigger, %s,', (_name, self) => {
	const isElsewhere = self?.at === elsewhere;

	/** Publishes an original and copies it with its static data. */
	async function original() {
		const service = setUpService();
		const node = service.trigger(['signDocument', identityFinished]);
		await node.create();
		const state = storedOf(node);
		const copy = service.trigger(['signDocument', identityFinished], { ...self, state });
		service.log.length = 0;
		return { ...service, node, copy };
	}

	test('has its own webhooks once it is published, and does not affect an original at another URL', async () => {
		const { node, copy, urls } = await original();
		const [own = ''] = urls();
		await copy.create();
		expect(await copy.isPublished()).toBe(true);
		if (!isElsewhere) return;
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(4);
		// If a copy differs only in its URL, its n8n instance has the same ID, for example after a restore.
		// The copy therefore has the same secrets.
		const isRestored = Object.keys(self ?? {}).length === 1;
		expect(await copy.accepts('signDocument', own)).toBe(isRestored);
		// Unpublishing the copy does not affect the original either.
		await copy.remove();
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(2);
	});

	test('deletes nothing if it is unpublished before it has ever been published', async () => {
		const { node, copy, log } = await original();
		expect(await copy.remove()).toBe(true);
		expect(log).toEqual(['GET /webhooks']);
		expect(await node.isPublished()).toBe(true);
		// The copy forgets the original's webhooks.
		expect(copy.state).toEqual({});
	});
});

test("After n8n's URL has changed, a trigger leaves its old webhooks alone and logs one warning", async () => {
	const { trigger, registered, warnings } = setUpService();
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

describe('A trigger at a public URL with a login', () => {
	const at = address.replace('https://', 'https://ana:the-password@');
	const shown = address.replace('https://', 'https://…@');

	test('registers the login, but does not store it', async () => {
		const { trigger, urls } = setUpService();
		const node = trigger(['signDocument'], { at });
		await node.create();
		expect(urls()).toEqual([expect.stringContaining(at)]);
		expect(node.state.url).toBe(shown);
	});

	test('deletes its webhooks', async () => {
		const { trigger, registered, warnings } = setUpService({ listsIdentity: false });
		const node = trigger([identityFinished, 'signDocument'], { at });
		await node.create();
		await trigger([identityFinished, 'signDocument'], { at, state: node.state }).remove();
		expect(registered()).toEqual([]);
		expect(warnings).toEqual([]);
	});

	test('replaces its webhooks if the login changes', async () => {
		const { trigger, urls, warnings } = setUpService();
		const { state, ...before } = trigger(['signDocument'], { at });
		await before.create();
		await trigger(['signDocument'], { state, at: at.replace('the-', 'another-') }).create();
		expect(urls()).toEqual([expect.stringContaining('ana:another-password@')]);
		expect(warnings).toEqual([]);
	});
});
