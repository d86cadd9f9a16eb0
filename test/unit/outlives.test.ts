import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import {
	type IDataObject,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { eventsThatEndWait } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { accountHashOf, tokenOf } from '../../nodes/SignVerify/account/credential';
import { withDefaults } from '../n8n/execute';
import { Response } from '../n8n/incoming';
import { ProcessedStore } from '../n8n/processedStore';
import { action, executeContext, type RunSetup, trigger } from '../support/contexts';
import { CredentialKeeper } from '../support/credentials';
import { clearAll } from '../../nodes/SignVerify/util/processMemory';
import { setUpService } from '../support/registrations';
import { byId, contract, fields, mapped, v2 } from '../support/service';
import { storedCredential as storedCredential } from '../support/triggerNode';
import { sleep, useVirtualTime } from '../support/virtualTime';

/*
 * Values that a version of the package has stored, and that every later version must be able to read
 * (docs/dev/architecture.md, "What has to survive an update"). Each value is written exactly as a released
 * version stores it. Add values here, but never change one: code that fails a test in this file would send
 * contracts again, or leave executions waiting.
 */

const credential = { ...storedCredential, userId: 'user-1' };

/** The webhooks that the service lists. */
let webhooks: IDataObject[] = [];
let calls: IHttpRequestOptions[] = [];

beforeEach(() => {
	webhooks = [];
	calls = [];
});

const template = {
	templateID: contract,
	name: 'Employment contract',
	form: Object.keys(fields).map((key) => ({ key, label: '', isRequired: false })),
	signatories: [{ key: 'employee' }, { key: '' }],
};

/** Makes a service that returns this ID for a new document, or no ID. */
const keeperWith = (documentID?: string) =>
	new CredentialKeeper(credential, async (options) => {
		calls.push(options);
		const { method = 'GET', url } = options;
		const responseData: Record<string, unknown> = {
			'POST /access/token': { accessToken: 'token' },
			'GET /templates/v2': [template],
			'GET /templates': [],
			'GET /webhooks': webhooks,
			'POST /webhooks': { webHookID: 'w-1' },
			'POST /webhooks/verify': { webHookID: 'w-1' },
			'GET /identity/validation/request/v-1': { status: 'CREATED' },
			'POST /identity/validation/request': {
				validationId: 'v-1',
				url: 'https://service.example/v-1',
			},
			'POST /templates/createDocumentByTemplateV2': documentID ? { documentID } : {},
		};
		const path = url.replace(/^.*\/api/, '');
		const body = { success: true, responseData: responseData[`${method} ${path}`] };
		return await Promise.resolve({ statusCode: 200, headers: {}, body });
	});

const people = [
	{ name: 'Ada Lovelace', email: 'Ada@example.com' },
	{ name: 'Ben Jonson', email: 'ben@example.com' },
];
const form = { ...v2, signatories: { signatory: people } };

async function run(setup: RunSetup, documentID?: string) {
	const context = executeContext(keeperWith(documentID), setup);
	// The URL must be reachable by the service.
	context.getSignedResumeUrl = (more = {}) =>
		`https://n8n.example/webhook-waiting/7/node?${new URLSearchParams(more).toString()}`;
	const [items] = await action.execute.call(context);
	return { context, items };
}

describe('A stored Send Once Key', () => {
	/** n8n's deduplication store, which also records the calls to it. */
	class WatchedStore extends ProcessedStore {
		readonly asked: unknown[] = [];

		override helpersFor(node: { id: string }) {
			const helpers = super.helpersFor(node);
			return {
				...helpers,
				checkProcessedAndRecord: async (
					...given: Parameters<typeof helpers.checkProcessedAndRecord>
				) => {
					this.asked.push([node.id, ...given]);
					return await helpers.checkProcessedAndRecord(...given);
				},
			};
		}
	}
	const id = 'signVerify:A40_HwhwvjiDso8jCYLM-xZ2Pl4ZAhT0hOhD9MprqLs';
	const peopleId = 'signVerify:FolpbtmcKsRWM8b0-mlaLWUU6pmRfGAwQzIsOGvq0Gg';
	const options = { mode: 'entries', maxEntries: 10 };
	const withKey = { parameters: { ...form, options: { sendOnceKey: "={{ ' C-1042 ' }}" } } };
	const isSent = () => calls.some(({ url }) => url.includes('createDocument'));

	test('uses a hash of the account, resource, template and text as its ID, with the people also for its second list, and is "claimed", for "people", and "sent"', async () => {
		const store = new WatchedStore();
		await run({ ...withKey, store });
		expect(store.asked).toEqual([
			[id, ['claimed'], 'node', options],
			[peopleId, ['people'], 'node', options],
			[id, ['sent'], 'node', options],
		]);
	});

	test('has the same IDs with another hyphen, and with the people in another order and case', async () => {
		const store = new WatchedStore();
		const signatory = [...people].reverse().map((person) => ({
			...person,
			email: person.email.toUpperCase(),
		}));
		const parameters = {
			...form,
			signatories: { signatory },
			options: { sendOnceKey: "={{ 'C\u20111042' }}" },
		};
		await run({ parameters, store });
		expect(store.asked.map((call) => (call as unknown[])[0])).toEqual([id, peopleId, id]);
	});

	const cafe = 'AoCEpYGVXLD06G_lQ7y3d3VaRATXodQwmF1UpPW2feg';
	test.each([
		['Caf\u00e9 1', cafe],
		['Cafe\u0301 1', cafe],
		[' Cafe\u200b\u0301  1\u200d', cafe],
		['Caf\u00e9\u00a01\u200e', cafe],
		['Caf\u00e9\t\n1\u00a0', cafe],
		['%0A Ca\u00adf\u00e9\u20281%0d\u200c', cafe],
		['\u2068Caf\u00e9 1\u2069', cafe],
		['\u202eCaf\u00e9\u3000\uff11', cafe],
		['Caf\u00e9\u200b1', 'C7s-7XliSvRRoebSmI418kc2UsY3HUAc6tGBPao-X30'],
		['Caf\u00e9%0a1', 'WaenLavONs7-VMRXvXPmBBIgOWku9xCJ3bpBHBFFu5I'],
		['\u3164%0aCaf\u00e9 1', 'oZpg_wafHRq1uq35Y1PMdhbBL3_4q6jNfAZbIYBdlx8'],
		['CAF\u00c9 1', 'Q0HGI_wHwY8Co1pYRC9IkrVTK_Wiqm0ulu3pDBvdWVY'],
		['\u0d15\u0d7b\u200d 1', 's_1E0ltYLzKoz6mrfkyD77Hf4PEuHtnyj6UwaYu3loo'],
		['\ufa19 \u2212 1', 'IUwqXP9RGL_RmI2KwAExDacCpNrUuVBjGUmgpxBUlss'],
	])('has the same ID as ever if it is %j', async (key, keyId) => {
		const store = new WatchedStore();
		const parameters = { ...form, options: { sendOnceKey: '={{ $json.key }}' } };
		await run({ parameters, items: [{ key }], store });
		expect((store.asked[0] as unknown[])[0]).toBe(`signVerify:${keyId}`);
	});

	test('for an identity request does not depend on a template', async () => {
		const store = new WatchedStore();
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: 'ada@example.com',
			options: { sendOnceKey: "={{ 'C-1042' }}" },
		};
		await run({ parameters, store });
		const requestId = 'signVerify:zozLEs-8Cg7LR_l_pkIht4HrVfVW_lbdvaeJ01YDI3w';
		expect(store.asked).toEqual([
			[requestId, ['claimed'], 'node', options],
			['signVerify:dKT7Os-nzispqlPm6qKnKC5g2zdGcbb_5-djnpmWcjo', ['people'], 'node', options],
			[requestId, ['sent'], 'node', options],
		]);
	});

	test.each([
		[['claimed'], [], { outcome: 'check' }],
		[['claimed', 'sent'], ['people'], { outcome: 'skipped' }],
		[['claimed', 'sent'], [], { error: { outcome: 'failed' } }],
	])('prevents sending if its lists contain %j and %j', async (entries, people, json) => {
		const store = new ProcessedStore();
		await store.helpersFor({ id }).checkProcessedAndRecord(entries, 'node', {});
		if (people.length > 0) {
			await store.helpersFor({ id: peopleId }).checkProcessedAndRecord(people, 'node', {});
		}
		const { items } = await run({ ...withKey, store, continueOnFail: true });
		expect(items).toMatchObject([{ json }]);
		expect(isSent()).toBe(false);
	});
});

/** The secret in the URL of a wait. */
const secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const hash = 'DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo';

/** The hash of the account in which a wait has registered its webhooks. */
const owner = 'ed02d71326d225ae643f55c6ebeaadf765dcce81a2d4b0e42729744aac07ac3d';

/** The stored state of each kind of wait. */
const states = {
	document: {
		version: 1,
		owner,
		webhooks: [
			{
				hash,
				id: 'w-1',
				event: 'completedDocument',
			},
		],
		target: {
			about: 'document',
			documentId: 'd-1',
			output: 'simplified',
			files: [],
			knownDocument: {
				country: 'Mexico',
				roles: [
					{ email: 'Ada@example.com', role: 'employee' },
					{ email: 'ben@example.com', role: 'Signatory 2' },
				],
			},
		},
	},
	identity: {
		version: 1,
		owner,
		webhooks: [{ hash, id: '', event: 'VERIFICATION_REQUEST_FINISHED' }],
		target: { about: 'identity', validationId: 'v-1', email: '', personal: false },
	},
};

/** The person whose ID is expected, in the target of a wait for a verification. */
const expectedPerson = {
	name: 'Ana Gil',
	minimumAge: 21,
	birthDate: '1990-02-28',
	documentNumber: 'X1234567',
};

/**
 * Sends an event to a waiting execution. Returns the response, and the items that the execution continues
 * with.
 */
async function tell(
	state: unknown,
	body: IDataObject,
	respond: (path: string) => unknown = () => undefined,
	nodeExecutionStack: unknown[] = [],
	{ stored = credential, status = 500 } = {},
) {
	const response = new Response();
	const logged: string[] = [];
	const log = (line: string) => logged.push(line);
	const keeper = new CredentialKeeper({ ...stored, accessToken: 'token' }, async (options) => {
		calls.push(options);
		const responseData = respond(options.url.replace(/^.*\/api/, ''));
		const body = { success: responseData !== undefined, responseData };
		return await Promise.resolve({
			statusCode: body.success ? 200 : 404,
			headers: {},
			body,
		});
	});
	const node = { id: 'node', name: 'SignVerify', type: 'n8n-nodes-signverify.signVerify' };
	const context = {
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				more: object,
			) => await keeper.request(node as never, options, more),
		},
		getNode: () => node,
		getCredentials: async () => await Promise.resolve(keeper.read()),
		getQueryData: () => ({ secret }),
		getRequestObject: () => ({ headers: {}, rawBody: Buffer.from(JSON.stringify(body)) }),
		getResponseObject: () => response,
		logger: { debug: () => undefined, warn: log, error: log },
		runExecutionData: {
			executionData: {
				contextData: { 'node:SignVerify': { signVerifyWait: state } },
				nodeExecutionStack,
			},
		},
	};
	const { workflowData } = await action.webhook.call(context as unknown as IWebhookFunctions);
	// If the node has not responded, respond with 500 by default. The event then counts as unprocessed, so
	// another test can send it again.
	response.status(response.headersSent ? response.statusCode : status).end();
	return { status: response.statusCode, items: workflowData?.[0], logged };
}

const completed = {
	type: 'completedDocument',
	Document: {
		documentID: 'd-1',
		templateID: contract,
		status: 'COMPLETED',
		addedOn: 1767225600000,
		signatory: people.map(({ email }) => ({ signatoryID: email, emailID: email, isSigned: 1 })),
	},
};

describe('A waiting execution', () => {
	useVirtualTime();

	test('continues with the stored state of a document (version 1)', async () => {
		const { items } = await tell(states.document, completed);
		expect(items).toMatchObject([
			{ json: { documentId: 'd-1', country: 'Mexico', outcome: 'completed' } },
		]);
	});

	test('outputs the test recipient from its state unless the recipient is malformed', async () => {
		const testRecipient = 'me@example.com';
		const { items } = await tell({ ...states.document, testRecipient }, completed);
		expect(items).toMatchObject([
			{ json: { documentId: 'd-1', outcome: 'completed', testRecipient } },
		]);
		const later = await tell({ ...states.document, testRecipient: [testRecipient] }, completed);
		expect(later.items?.[0]?.json).not.toHaveProperty('testRecipient');
	});

	test('outputs the Send Once Key from the item at its limit unless an earlier version stored none', async () => {
		const atLimit = { documentId: 'd-1', outcome: 'timedOut', input: {}, sendOnceKey: 'C-7' };
		const stackWith = (json: object) => [{ data: { main: [[{ json }]] } }];
		const { items } = await tell(states.document, completed, undefined, stackWith(atLimit));
		expect(items).toMatchObject([{ json: { outcome: 'completed', sendOnceKey: 'C-7' } }]);
		expect(items?.[0]?.json).not.toHaveProperty('input');
		const { sendOnceKey, ...earlier } = atLimit;
		const later = await tell(states.document, completed, undefined, stackWith(earlier));
		expect(later.items?.[0]?.json).toMatchObject({ outcome: 'completed' });
		expect([sendOnceKey, later.items?.[0]?.json.sendOnceKey]).toEqual(['C-7', undefined]);
	});

	test('continues with the file selection from its state', async () => {
		const target = { ...states.document.target, files: ['certificate'] };
		const { items } = await tell({ ...states.document, target }, completed);
		expect(items).toMatchObject([
			{ json: { missingFiles: [{ file: 'certificate' }] }, binary: {} },
		]);
	});

	test.each([
		[true, ['certificate'], ['certificate']],
		[false, ['certificate'], []],
	])('stores the file selection if Download Files is %j', async (downloadFiles, files, stored) => {
		const parameters = { ...form, operation: 'sendAndWait', downloadFiles, files };
		const { context } = await run({ parameters }, 'd-1');
		expect(context.getContext('node')).toMatchObject({
			signVerifyWait: { target: { files: stored } },
		});
	});

	test('continues with the input fields and files if Include Input Fields was on', async () => {
		const input = { reference: 'C-7', error: 'none' };
		const state = { ...states.document, includesInput: true };
		const binary = { scan: { data: 'x', mimeType: 'text/plain' } };
		const atLimit = { json: { documentId: 'd-1', outcome: 'timedOut', input }, binary };
		const stack = [{ data: { main: [[atLimit]] } }];
		const { items } = await tell(state, completed, undefined, stack);
		expect(items).toMatchObject([
			{ json: { documentId: 'd-1', outcome: 'completed', input }, binary },
		]);
		const renamedFiles = { document: 'inputDocument' };
		const renamed = await tell({ ...state, renamedFiles }, completed, undefined, stack);
		expect(renamed.items).toMatchObject([{ json: { input, renamedFiles } }]);
		// The node still stores its state in this form.
		const options = { includeInput: true };
		const setup = {
			parameters: { ...form, operation: 'sendAndWait', downloadFiles: true, options },
			items: [input],
			binary: { document: binary.scan },
		};
		const { context } = await run(setup, 'd-1');
		expect(context.getContext('node').signVerifyWait).toMatchObject({
			includesInput: true,
			renamedFiles,
		});
		expect(context.getExecuteData().data.main).toMatchObject([
			[
				{
					json: { outcome: 'timedOut', input, renamedFiles },
					binary: { inputDocument: binary.scan },
				},
			],
		]);
	});

	test.each([
		['in the account', { userId: 'user-1' }, owner, ['w-1']],
		['not in another account', { userId: 'user-2' }, owner, []],
		['not in any account if the state is damaged', { userId: 'user-1' }, 7, []],
	])(
		'deletes its webhook by ID %s that its state contains',
		async (_name, change, storedOwner, deleted) => {
			// An event that was accepted for the wait isn't accepted again.
			clearAll();
			const { items } = await tell(
				{ ...states.document, owner: storedOwner },
				completed,
				(path) => (path === '/access/token' ? { accessToken: 'token' } : []),
				[],
				{ stored: { ...credential, ...change }, status: 200 },
			);
			expect(items).toHaveLength(1);
			// The deletions follow in the background.
			await sleep(60);
			const deletions = calls.filter(({ method }) => method === 'DELETE');
			expect(deletions.map(({ qs }) => qs?.webHookID)).toEqual(deleted);
		},
	);

	test('continues with the stored state of a verification (version 1)', async () => {
		const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: 'v-1' };
		const { items } = await tell(states.identity, event, (path) =>
			path === '/identity/validation/request/v-1' ? { status: 'REJECTED' } : undefined,
		);
		expect(items).toMatchObject([
			{ json: { validationId: 'v-1', status: 'REJECTED', passed: false } },
		]);
	});

	const allUnknown = {
		nameMatches: 'unknown',
		isOfAge: 'unknown',
		birthDateMatches: 'unknown',
		documentNumberMatches: 'unknown',
	};
	const allYes = {
		nameMatches: 'yes',
		isOfAge: 'yes',
		birthDateMatches: 'yes',
		documentNumberMatches: 'yes',
	};

	test.each<[string, unknown, IDataObject]>([
		['stored', expectedPerson, allYes],
		['not stored, as in an earlier version', undefined, allUnknown],
		['null', null, allUnknown],
		['text', 'Ana Gil', allUnknown],
		['a list', [expectedPerson], allUnknown],
		[
			'stored without what was not asked',
			{ name: 'Ana Gil', minimumAge: 18 },
			{ nameMatches: 'yes', isOfAge: 'yes' },
		],
		[
			'stored with other types',
			{
				name: ['Ana Gil'],
				minimumAge: {},
				birthDate: null,
				documentNumber: { toString: 'X1234567' },
			},
			allUnknown,
		],
		...[-1, 0, 1.5, 151, 1e300, NaN, '1e9', [21], null, undefined].map(
			(minimumAge): [string, unknown, IDataObject] => [
				`stored with the age ${String(minimumAge)}`,
				{ ...expectedPerson, minimumAge },
				{ ...allYes, isOfAge: 'unknown' },
			],
		),
		[
			'stored with texts that are too long to be compared',
			{
				...expectedPerson,
				name: 'Ana Gil '.repeat(100_000),
				birthDate: '1990-02-28 '.repeat(100_000),
				documentNumber: 'X1234567'.repeat(100_000),
			},
			{ ...allUnknown, isOfAge: 'yes' },
		],
	])('answers about the expected person if it is %s', async (_name, expected, answers) => {
		const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: 'v-1' };
		const ocr = {
			name: { fullName: 'ANA GIL' },
			birthDate: Date.UTC(1990, 1, 28),
			documentNumber: 'X1234567',
		};
		const score = { overall: { value: 1, status: 'OK' } };
		// An event that was accepted for the wait isn't accepted again.
		clearAll();
		const state = { ...states.identity, target: { ...states.identity.target, expected } };
		const { items } = await tell(state, event, (path) =>
			path.includes('results') ? { results: { ocr, score } } : { status: 'COMPLETED' },
		);
		const { passed, isExpired, ...json } = items?.[0]?.json ?? {};
		expect({ passed, isExpired }).toEqual({ passed: true, isExpired: 'unknown' });
		const given = Object.entries(json).filter(([name]) => name in allYes);
		expect(Object.fromEntries(given)).toEqual(answers);
	});

	test('continues when an event arrives from any of its webhooks', async () => {
		const [webhook] = states.identity.webhooks;
		const other = { ...webhook, hash: 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' };
		const event = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: 'v-2' };
		const target = { ...states.identity.target, validationId: 'v-2' };
		const state = { ...states.identity, target, webhooks: [other, webhook] };
		const { items } = await tell(state, event, (path) =>
			path === '/identity/validation/request/v-2' ? { status: 'REJECTED' } : undefined,
		);
		expect(items).toMatchObject([{ json: { validationId: 'v-2', passed: false } }]);
	});

	test('is stored in the same format and with the same mark as in earlier versions, and has its URL parameters in alphabetical order', async () => {
		const { context } = await run({ parameters: { ...form, operation: 'sendAndWait' } }, 'd-1');
		const text = expect.stringMatching(/^[\w-]{43}$/) as string;
		expect(context.getContext('node')).toEqual({
			signVerifyWait: {
				version: 1,
				owner,
				webhooks: eventsThatEndWait('document').map((event) => ({
					hash: text,
					id: 'w-1',
					event,
				})),
				target: states.document.target,
			},
		});
		expect(context.getExecuteData().metadata).toEqual({ signVerifyWaited: true });
		const { qs = {} } =
			calls.find(({ url, method }) => /\/webhooks$/.test(url) && method === 'POST') ?? {};
		const { searchParams } = new URL(String(qs.url));
		expect([...searchParams]).toEqual([
			['secret', text],
			['until', expect.stringMatching(/^\d{13}$/)],
		]);
	});

	test('does not send anything again if it has the mark "signVerifyWaited"', async () => {
		const context = executeContext(keeperWith('d-1'), {
			parameters: { ...form, operation: 'sendAndWait' },
		});
		context.getExecuteData().metadata = { signVerifyWaited: true } as never;
		const [items] = await action.execute.call(context);
		expect(items).toEqual(context.getInputData());
		expect(calls).toEqual([]);
	});

	test.each<[string, unknown]>([
		['a later version', { ...states.document, version: 2 }],
		['no version', { ...states.document, version: undefined }],
		['text instead of an object', 'waiting'],
		['an empty object', {}],
		['null', null],
		['no webhook', { ...states.document, webhooks: [] }],
		['webhooks that are not a list', { ...states.document, webhooks: states.document.webhooks[0] }],
		...Object.entries<unknown>({
			hash: 'short',
			id: 7,
			event: 'anotherEvent',
		}).map(([name, value]): [string, unknown] => [
			`a webhook with an invalid ${name}`,
			{ ...states.document, webhooks: [{ ...states.document.webhooks[0], [name]: value }] },
		]),
		...Object.entries<unknown>({
			about: 'contract',
			documentId: '',
			output: 'other',
			files: true,
			knownDocument: { country: 'Mexico', roles: [null] },
		}).map(([name, value]): [string, unknown] => [
			`a target with an invalid ${name}`,
			{ ...states.document, target: { ...states.document.target, [name]: value } },
		]),
		[
			'a file that does not exist',
			{
				...states.document,
				target: { ...states.document.target, files: ['certificate', 'photo'] },
			},
		],
		[
			'no verification ID',
			{ ...states.identity, target: { ...states.identity.target, validationId: '' } },
		],
	])(
		'whose state cannot be read (%s) asks for its event again and logs what to do',
		async (_name, state) => {
			const { status, items, logged } = await tell(state, completed);
			expect({ status, items }).toEqual({ status: 503, items: undefined });
			// The line is logged at most once a minute, so it is missing if an earlier test has just logged
			// it.
			for (const line of logged) {
				expect(line).toMatch(/^SignVerify .*\bversion\b/);
			}
			expect(calls).toEqual([]);
		},
	);
});

test.each([
	[
		{
			expectedName: "={{ ' Ana Gil ' }}",
			options: {
				minimumAge: '={{ 20 + 1 }}',
				expectedBirthDate: '={{ "1990-02-28" }}',
				expectedDocumentNumber: 'X1234567',
			},
		},
		expectedPerson,
	],
	[{}, { name: '', minimumAge: 18 }],
])(
	'A wait for a verification stores the expected person that it has read from %j',
	async (more, expected) => {
		const parameters = { resource: 'identity', operation: 'sendAndWait', validationId: 'v-1' };
		const { context } = await run({ parameters: { ...parameters, ...more } });
		expect(JSON.parse(JSON.stringify(context.getContext('node').signVerifyWait))).toEqual({
			version: 1,
			owner,
			webhooks: [
				{ hash: expect.any(String) as string, id: 'w-1', event: 'VERIFICATION_REQUEST_FINISHED' },
			],
			target: { about: 'identity', validationId: 'v-1', personal: false, expected },
		});
	},
);

describe('A stored trigger', () => {
	const address = 'https://n8n.example/webhook/abc/signverify';
	const types = ['completedDocument', 'VERIFICATION_REQUEST_FINISHED'];
	const setting = { credential, instance: 'instance', workflowId: 'workflow', nodeId: 'node' };
	const state = () => ({
		url: address,
		owner: '0738431cfd265d69f2ff73d0e1a044a80a71d71016b80de6fb9977969b00451e',
		webhooks: [
			{ type: 'completedDocument', webHookID: 'id-1' },
			{ type: 'VERIFICATION_REQUEST_FINISHED', webHookID: 'id-2' },
		],
	});
	const secrets = {
		trigger: [
			'-LxL3pNaJV2k6DoKYiKnZjHhqnSzRLB3KeRSZcSXxmA',
			'Xydq8QIacdvxbGl0hRWN9xK22Iv2GVOEXh8OZ4Y85ks',
		],
		manual: [
			'f7p0x_nR5Vh88AZluiOKYSwAn5YJ5vwM9rgMLs68794',
			'GLa7cyVZChIidvrGWcWo6_R2ILEuuvbu1YnA55h2DI0',
		],
	};

	test.each(['trigger', 'manual'] as const)(
		'keeps the same secrets in its URLs in %s mode',
		async (mode) => {
			const { trigger: published, urls } = setUpService();
			await published(types, { ...setting, mode }).create();
			expect(urls()).toEqual(secrets[mode].map((own) => `${address}?secret=${own}`));
		},
	);

	test('keeps the format of its static data', async () => {
		const { trigger: published } = setUpService();
		const node = published(types, setting);
		await node.create();
		expect(node.state).toEqual(state());
	});

	test('deletes the webhooks in its static data', async () => {
		const { trigger: published, log, behavior } = setUpService();
		behavior.listsIdentity = false;
		const node = published(types, { ...setting, mode: 'manual', state: state() });
		await node.removeOnly();
		expect(log).toEqual(expect.arrayContaining(['DELETE /webhooks id-1', 'DELETE /webhooks id-2']));
	});
});

test('A stored token is read if it is well formed and has the hash of its account', () => {
	const accountHash = '854e562eb22b666da5de3fa8568c2d6872caad3fb27fa829ac019b03c329094b';
	expect(accountHashOf(credential)).toBe(accountHash);
	expect(tokenOf({ ...credential, accessToken: 'token', accountHash })).toBe('token');
	for (const accessToken of [7, null, { token: 'token' }, 'to ken']) {
		expect(tokenOf({ ...credential, accountHash, accessToken: accessToken as string })).toBe('');
	}
});

test.each<[string, IDataObject, string]>([
	['completedDocument', { documentID: 'd-1' }, '6032748e2d52ae030641c8736d2330cc'],
	[
		'signDocument',
		{ documentID: 'd-1', webhookData: { signatory: { signatoryID: 's-1' } } },
		'8fac44c101c9ba74e0c0be4d49d0397d',
	],
	[
		'sendDocument',
		{ documentID: 'd-1', webhookData: { signatory: { signatoryID: 's-1' } } },
		'c0536dcfcff57231c41b7eb3769e649b',
	],
])('The event %s has the same ID as in earlier versions', (type, Document, id) => {
	const body = { type, addedOn: 1767225600000, Document };
	expect(readNotification(type, body).id).toBe(id);
});

test('An event without a documented body has the same ID as in earlier versions', () => {
	const body = { type: 'VERIFICATION_REQUEST_FINISHED', validationId: 'v-1' };
	expect(readNotification(body.type, body).id).toBe('c17e8910f3f3eb8f9ee1a69d66e8b24a');
});

describe('A saved workflow', () => {
	test.each<[string, string, INodeParameters]>([
		[
			'document',
			'send',
			{
				country: { mode: 'list', value: '' },
				specifySignatories: 'byRole',
				inTestRuns: 'nothing',
				options: {},
				signatoryRoles: { mappingMode: 'defineBelow', value: null },
				specifyFields: 'oneByOne',
				fields: { mappingMode: 'defineBelow', value: null },
			},
		],
		[
			'document',
			'sendAndWait',
			{
				country: { mode: 'list', value: '' },
				specifySignatories: 'byRole',
				inTestRuns: 'nothing',
				options: {},
				signatoryRoles: { mappingMode: 'defineBelow', value: null },
				specifyFields: 'oneByOne',
				fields: { mappingMode: 'defineBelow', value: null },
				downloadFiles: false,
				limitWaitTime: 30,
				limitWaitTimeUnit: 'days',
			},
		],
		[
			'document',
			'download',
			{
				files: ['document'],
				documentUrl: '={{ $json.documentUrl }}',
			},
		],
		[
			'identity',
			'request',
			{ email: '', verificationType: 'FACE', inTestRuns: 'nothing', options: {} },
		],
		[
			'identity',
			'sendAndWait',
			{
				validationId: '',
				expectedName: '',
				limitWaitTime: 30,
				limitWaitTimeUnit: 'days',
				options: {},
			},
		],
		['identity', 'get', { validationId: '' }],
		[
			'identity',
			'getResults',
			{
				validationId: '',
				expectedName: '',
				output: 'simplified',
				options: {},
			},
		],
		['template', 'get', { templateId: { mode: 'list', value: '' }, output: 'simplified' }],
		['template', 'getAll', { returnAll: false, limit: 50, output: 'simplified', filters: {} }],
		['webhook', 'create', { event: 'completedDocument', webhookUrl: '' }],
		['webhook', 'getAll', { returnAll: false, limit: 50, filters: {} }],
		['webhook', 'delete', { webhookId: { mode: 'list', value: '' } }],
	])('keeps its names and defaults for %s / %s', (resource, operation, saved) => {
		// Some fields are shown only after a template has been chosen.
		const chosen = 'fields' in saved ? { templateId: byId(contract) } : {};
		const form = withDefaults(action, { resource, operation, ...chosen });
		expect(form).toMatchObject(saved);
	});

	test('keeps its names and defaults for the trigger', () => {
		expect(withDefaults(trigger, {})).toMatchObject({
			events: ['completedDocument'],
			filters: {},
			options: {},
			downloadFiles: false,
		});
	});

	/**
	 * Lists every name with its default, and every choice with its value. The options of a collection are
	 * listed without their defaults: n8n saves every option that a user adds, so no workflow depends on these
	 * defaults.
	 */
	function savedNames(properties: INodeProperties[], prefix = '', isOption = false): string[] {
		return properties.flatMap(({ name, type, default: byDefault, options = [], modes = [] }) => {
			if (type === 'notice') return [];
			const path = `${prefix}${name}`;
			const inner = options.flatMap((option) => {
				if ('value' in option) return [`${path} = ${option.value}`];
				if (!('values' in option)) return savedNames([option], `${path}.`, true);
				return savedNames(option.values, `${path}.${option.name}.`);
			});
			return [
				isOption ? path : `${path}: ${JSON.stringify(byDefault)}`,
				...modes.map((mode) => `${path} = ${mode.name}`),
				...inner,
			];
		});
	}

	/**
	 * The names that a saved workflow or credential may contain, grouped by the type of the node or
	 * credential.
	 */
	const presentNames: Record<string, string[]> = {
		signVerify: savedNames(action.description.properties),
		signVerifyTrigger: savedNames(trigger.description.properties),
		signVerifyApi: savedNames(new SignVerifyApi().properties),
	};
	const listFile = path.join(__dirname, 'savedNames.json');

	beforeAll(async () => {
		if (!process.env.UPDATE_DOCS) return;
		const kept = listedNames();
		const lists = Object.entries(presentNames).map(([type, present]) => {
			return [type, [...new Set([...(kept[type] ?? []), ...present])].sort()];
		});
		await writeFile(listFile, `${JSON.stringify(Object.fromEntries(lists), null, '\t')}\n`);
	});

	function listedNames(): Record<string, string[]> {
		return JSON.parse(readFileSync(listFile, 'utf8')) as Record<string, string[]>;
	}

	// `npm run generate -- names` only adds to the list, so a name that is no longer in the code fails this test.
	test.each(Object.entries(presentNames))(
		'still finds all names, defaults and choices for %s that are in savedNames.json, which change only with a version of the node',
		(type, present) => {
			const gone = (listedNames()[type] ?? []).filter((name) => !present.includes(name));
			expect(
				gone.map(
					(name) =>
						`${type} no longer has ${name}: saved workflows contain it, so keep it, or give the node a new version, and keep it for the old one`,
				),
			).toEqual([]);
		},
	);

	test.each(Object.entries(presentNames))(
		'has all its names, defaults and choices for %s in savedNames.json (if not, run npm run generate -- names)',
		(type, present) => {
			const listed = listedNames()[type] ?? [];
			expect(present.filter((name) => !listed.includes(name))).toEqual([]);
		},
	);

	test('finds its nodes and its credential under the types and versions that it contains', () => {
		const { description } = trigger;
		expect(action.description.name).toBe('signVerify');
		expect(description.name).toBe('signVerifyTrigger');
		expect([action.description.version].flat()).toEqual(expect.arrayContaining([1.1]));
		expect([description.version].flat()).toEqual(expect.arrayContaining([1.1]));
		expect(new SignVerifyApi().name).toBe('signVerifyApi');
	});

	test('is read with the keys and labels that the editor saved from lists', async () => {
		const parameters = {
			...v2,
			templateId: { ...byId(contract), mode: 'list', cachedResultName: 'Another name – old' },
			fields: mapped({ employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' }),
			specifySignatories: 'byRole',
			signatoryRoles: mapped({
				'employee.name': 'Ada Lovelace',
				'employee.email': 'Ada@example.com',
				// A role without a key is saved under its number.
				'2.name': 'Ben Jonson',
				'2.email': 'ben@example.com',
			}),
			// Another Node version may have written Türkiye's name this way.
			country: {
				__rl: true,
				mode: 'list',
				value: 'Turkey (old)',
				cachedResultName: 'Turkey (old)',
			},
		};
		await run({ parameters });
		const { body } = calls.find(({ url }) => url.includes('createDocument')) ?? {};
		expect(typeof body === 'string' ? JSON.parse(body) : body).toMatchObject({
			templateID: contract,
			country: 'Turkey (old)',
			inputs: { employee_name: 'Ada', role: 'Analyst', start_date: '2027-01-11' },
			signatories: [
				{ name: 'Ada Lovelace', email: 'Ada@example.com' },
				{ name: 'Ben Jonson', email: 'ben@example.com' },
			],
		});
	});
});
