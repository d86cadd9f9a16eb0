import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isAboutDocument, readNotification } from '../../nodes/SignVerify/api/notification';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { eventCallMs } from '../../nodes/SignVerify/http/callTimeouts';
import { hashOfSecret } from '../../nodes/SignVerify/registrations/webhookSecret';
import { continueOnEvent } from '../../nodes/SignVerify/wait/onWaitEvent';
import { checkIdentity } from '../../nodes/SignVerify/wait/identityVerdict';
import type { WaitState, WaitTarget } from '../../nodes/SignVerify/wait/state';
import type { EventType } from '../../nodes/SignVerify/api/events';
import { Response } from '../n8n/incoming';
import { pausesBetween, errorWithCode, standIn, type StandInCall } from '../support/standIn';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

const signatory = (emailID: string) => ({
	signatoryID: emailID,
	emailID,
	isSigned: 1,
	signing: {},
});
const both = [signatory('ben@example.com'), signatory('ANA@example.com')];
const body = (Document: object) => ({ type: 'completedDocument', Document });
const isAbout = (given: object, documentId: string) => {
	const { document } = readNotification('completedDocument', given as IDataObject);
	return document !== undefined && isAboutDocument(document, documentId);
};

describe('An awaited document', () => {
	test.each([
		['is recognized by its ID', { documentID: 'one' }, true],
		['is recognized by its other ID', { _id: 'one' }, true],
		[
			'is not recognized if only its ID differs',
			{ documentID: 'two', templateID: 'lease', signatory: both },
			false,
		],
		[
			'is not recognized in an event without an ID',
			{ templateID: 'lease', signatory: both },
			false,
		],
	])('%s', (_does, document, expected) => {
		expect(isAbout(body(document), 'one')).toBe(expected);
	});
});

useVirtualTime();

const awaited = { validationId: 'v1', personal: false, expected: { name: '' } };
const passed = { score: { overall: { value: 98, status: 'OK' } }, ocr: {} };

/** The results before the person has done anything. */
const empty = {
	score: {
		idValidation: { overall: { value: '', status: '' } },
		liveness: { digitalAttack: { status: ' ' } },
		overall: { value: '', status: '' },
	},
	ocr: { name: { fullName: '' }, address: '', birthDate: null, gender: '' },
};

/** The same results, with 0 for each number. */
const zeros = {
	score: { idValidation: { overall: { value: 0, status: '' } }, overall: { value: 0, status: '' } },
	ocr: { name: { fullName: '' }, address: '', birthDate: 0 },
};

/** The status of the request and its results, as the service returns them at one point in time. */
interface Says {
	status?: unknown;
	results?: unknown;
}

const nothing = { status: 404, body: { success: false, message: 'no' } };

/** Makes a service that returns one state after another and then keeps returning the last one. */
function serviceThat(...says: Array<Says | 'fails'>) {
	let round = -1;
	const { context, calls } = standIn(({ options }) => {
		const isRequest = options.url.includes('/identity/validation/request/');
		if (isRequest) round++;
		const now = says[Math.min(round, says.length - 1)];
		if (now === 'fails' || now === undefined) throw errorWithCode('ECONNRESET');
		const [name, value] = isRequest ? ['status', now.status] : ['results', now.results];
		if (value === undefined) return nothing;
		const more = isRequest ? { emailId: 'ana@example.com', customerId: 'c1' } : {};
		const responseData = { [name]: value, ...more };
		return { body: { success: true, responseData } };
	});
	return { service: new ServiceClient(context, 0), calls };
}

const ended = (more: IDataObject) => ({
	wait: 'ended',
	validationId: 'v1',
	email: 'ana@example.com',
	customerId: 'c1',
	passed: null,
	nameMatches: 'unknown',
	isOfAge: 'unknown',
	isExpired: 'unknown',
	score: null,
	...more,
});

/** Returns how the wait ends and the output's fields if the request is over; otherwise undefined. */
const fieldsIfOver = async (...of: Parameters<typeof checkIdentity>) => {
	const state = await checkIdentity(...of);
	return state.isOver ? { wait: state.wait, ...state.fields } : undefined;
};

/** Returns the number of pauses between the calls. */
const pausesIn = (calls: StandInCall[]) => pausesBetween(calls).filter((ms) => ms > 0).length;

const scored = (overall: object, more: object = {}) => ({ score: { ...more, overall }, ocr: {} });
const idCheck = { idValidation: { overall: { value: 97, status: 'OK' } } };
const nobody = { value: '', status: '' };

/** The results that the service may return, ranging from no results to a final verdict. */
const results: Record<string, unknown> = {
	none: undefined,
	empty,
	zeros,
	'no scores': { score: null, ocr: null },
	'a list': [],
	'only the ID': { ...empty, ocr: { name: { fullName: 'ADA' } } },
	'only one check': scored(nobody, idCheck),
	'a failed check': scored(nobody, { liveness: { digitalAttack: { status: 'FAIL' } } }),
	'under way': scored({ value: '', status: 'PENDING' }, idCheck),
	'no number': scored({ value: 'n/a', status: '' }),
	'a number': scored({ value: 97, status: '' }),
	'a number as text': scored({ value: '97.5', status: 'NOT_OK' }),
	OK: scored({ value: 98, status: ' ok ' }, idCheck),
	'OK alone': scored({ value: '', status: 'OK' }),
	FAIL: scored({ value: 0, status: 'Failed' }, idCheck),
	DENIED: scored({ value: 12, status: 'DENIED' }),
};
const withoutOverall = 10;

type Outcome = 'waits' | 'results missing' | 'passed' | 'failed' | 'no verdict';
const row = (half: Outcome, number: Outcome, ok: Outcome, fail: Outcome): Outcome[] => [
	...Array.from({ length: withoutOverall }, () => half),
	number,
	number,
	ok,
	ok,
	fail,
	fail,
];
const open = row('waits', 'no verdict', 'passed', 'failed');
const final = row('results missing', 'no verdict', 'passed', 'failed');
const failed = row('failed', 'failed', 'failed', 'failed');
const abandoned = row('no verdict', 'no verdict', 'passed', 'failed');

/**
 * The statuses that the service may return for a request, grouped by what they mean. Unknown statuses are
 * treated as open.
 */
const statuses = {
	open: [
		undefined,
		'',
		'CREATED',
		'IN_PROGRESS',
		'PENDING',
		'ACCEPTED',
		'SUCCESS',
		'NOT_VERIFIED',
		'TO_BE_APPROVED',
		'SOMETHING_ELSE',
	],
	final: ['COMPLETED', ' Completed ', 'FINISHED', 'DONE', 'VERIFIED', 'APPROVED'],
	failed: ['REJECTED', 'declined', 'FAILED'],
	abandoned: ['EXPIRED', 'CANCELED', 'cancelled'],
};

/**
 * The expected outcomes for each kind of event, which depend on the requests that the event names. When a
 * wait starts, no event has arrived yet, and the outcomes are the same as for an event that names no request.
 */
const events = [
	{
		event: 'an event for the same request',
		named: true,
		open: final,
		final,
		failed,
		abandoned,
	},
	{ event: 'an event that names no request', named: false, open, final, failed, abandoned },
];

function outcomeOf(json: IDataObject | undefined): Outcome {
	if (!json) return 'waits';
	if (json.passed !== null) return json.passed === true ? 'passed' : 'failed';
	return json.resultsMissing === true ? 'results missing' : 'no verdict';
}

describe.each(events)('When $event arrives,', ({ named, ...expected }) => {
	const cells = (Object.keys(statuses) as Array<keyof typeof statuses>).flatMap((kind) =>
		statuses[kind].map((status) => ({
			status,
			kind,
			words: status === undefined ? 'no status' : `the status "${status}"`,
		})),
	);

	test.each(cells)(
		'a verification with $words has the expected outcome for every result',
		async ({ status, kind }) => {
			const seen: Record<string, Outcome> = {};
			for (const [name, value] of Object.entries(results)) {
				const { service } = serviceThat({ status, results: value });
				const json = await fieldsIfOver(service, awaited, named);
				seen[name] = outcomeOf(json);
				expect(JSON.stringify(json ?? {})).not.toContain('ADA');
				if (json) expect(json).toMatchObject({ validationId: 'v1', status: status ?? '' });
				expect('resultsMissing' in (json ?? {})).toBe(seen[name] === 'results missing');
			}
			const names = Object.keys(results).map((name, index) => [name, expected[kind][index]]);
			expect(seen).toEqual(Object.fromEntries(names));
		},
	);
});

test('An identity event that names no request does not end the wait for an open one', async () => {
	const { service } = serviceThat({ status: 'IN_PROGRESS' });
	expect(await fieldsIfOver(service, awaited, false)).toBeUndefined();
});

test('A person without results is not treated as verified', async () => {
	const { service } = serviceThat({ status: 'EXPIRED', results: empty });
	expect(await fieldsIfOver(service, awaited)).toEqual(ended({ status: 'EXPIRED' }));
});

test('Partial results are included in the output even if the overall score is missing', async () => {
	const { service } = serviceThat({ status: 'IN_PROGRESS', results: scored(nobody, idCheck) });
	expect(await fieldsIfOver(service, awaited, true)).toEqual(
		ended({
			status: 'IN_PROGRESS',
			resultsMissing: true,
			score: { ...idCheck, overall: nobody },
			failedChecks: [],
		}),
	);
});

describe('Missing verification results', () => {
	const half = scored(nobody, idCheck);

	test.each<[string, boolean, Says, Says]>([
		[
			'are fetched again if the request is already finished when the wait starts',
			false,
			{ status: 'COMPLETED' },
			{ status: 'COMPLETED', results: passed },
		],
		[
			'are fetched again if only some of them are available',
			false,
			{ status: 'DONE', results: half },
			{ status: 'DONE', results: passed },
		],
		[
			'are fetched again after an event, whatever the status of the request',
			true,
			{ status: 'CREATED', results: half },
			{ results: passed },
		],
		[
			'are fetched again if the service does not know the request yet',
			true,
			{},
			{ status: 'COMPLETED', results: passed },
		],
	])('%s', async (_does, named, ...says) => {
		const { service, calls } = serviceThat(...says);
		const outcome = await fieldsIfOver(service, awaited, named);
		expect(outcome).toMatchObject({ passed: true, score: passed.score });
		expect(outcome).not.toHaveProperty('resultsMissing');
		expect(pausesIn(calls)).toBe(1);
		expect(calls).toHaveLength(4);
	});

	test('are fetched for at most five seconds', async () => {
		const elapsedMs = stopwatch();
		const { service, calls } = serviceThat({ status: 'IN_PROGRESS' });
		await fieldsIfOver(service, awaited, true);
		expect(pausesIn(calls)).toBeGreaterThanOrEqual(2);
		expect(elapsedMs()).toBeLessThanOrEqual(5000);
	});

	test.each([
		[4, 2],
		[1.1, 4],
	])(
		'are fetched only while there is time if each call takes %j s: %i calls',
		async (seconds, count) => {
			const { context, calls } = standIn(async () => {
				await sleep(seconds);
				return nothing;
			});
			const service = new ServiceClient(context, eventCallMs);
			await fieldsIfOver(service, awaited, true);
			expect(calls).toHaveLength(count);
		},
	);

	test.each<[string, boolean, Says]>([
		['open', false, { status: 'IN_PROGRESS', results: half }],
		['decided', true, { status: 'COMPLETED', results: passed }],
		['abandoned', true, { status: 'EXPIRED' }],
	])('are not fetched again if the request is %s', async (_name, named, says) => {
		const { service, calls } = serviceThat(says);
		await fieldsIfOver(service, awaited, named);
		expect(pausesIn(calls)).toBe(0);
		expect(calls).toHaveLength(2);
	});
});

test('A wait causes an error instead of an outcome if the service cannot be reached', async () => {
	for (const says of [['fails'], [{ status: 'PENDING' }, 'fails']] as const) {
		const { service } = serviceThat(...says);
		await expect(fieldsIfOver(service, awaited, true)).rejects.toThrow('closed the connection');
	}
});

const secret = 'B'.repeat(43);

/** Passes an event to an execution that waits for the target. */
async function passOn(
	context: object,
	{ event, target, ...body }: { event: EventType; target: WaitTarget } & IDataObject,
) {
	const webhooks = [{ hash: hashOfSecret(secret), id: '', event }];
	const state: WaitState = { version: 1, owner: '', webhooks, target };
	const response = new Response();
	const { workflowData } = await continueOnEvent({
		...context,
		getQueryData: () => ({ secret }),
		getRequestObject: () => ({ headers: {}, rawBody: Buffer.from(JSON.stringify(body)) }),
		getResponseObject: () => response,
		runExecutionData: {
			executionData: { contextData: { 'node:SignVerify': { signVerifyWait: state } } },
		},
	} as unknown as IWebhookFunctions);
	return { workflowData, response };
}

test('An event that names another request neither ends the wait nor leads to a call', async () => {
	const { context, calls } = standIn(async () => await Promise.resolve({ body: {} }));
	const target: WaitTarget = { about: 'identity', ...awaited };
	const event = { event: 'VERIFICATION_REQUEST_FINISHED' as const, target, validationId: 'v2' };
	const { workflowData } = await passOn(context, event);
	expect(workflowData).toBeUndefined();
	expect(calls).toEqual([]);
});

test('A wait that has ended removes its webhooks even if the service takes 25 seconds to list them', async () => {
	const deleted: unknown[] = [];
	// The service returned no ID when the webhook was registered, so only the list contains the ID.
	const listed = { webHookID: 'w-1', type: 'completedDocument' };
	const webHookUrl = `https://n8n.example/webhook-waiting/7/node?secret=${secret}`;
	const { context } = standIn(async ({ options: { method, qs } }) => {
		if (method === 'DELETE') deleted.push((qs as IDataObject).webHookID);
		else await sleep(25);
		return { body: { success: true, responseData: [{ ...listed, webHookUrl }] } };
	});
	const target: WaitTarget = {
		about: 'document',
		documentId: 'd-1',
		output: 'simplified',
		files: [],
		knownDocument: { country: 'Mexico', roles: [] },
	};
	const Document = { documentID: 'd-1', status: 'COMPLETED', signatory: both };
	const event = { event: 'completedDocument' as const, target, ...body(Document) };
	const { workflowData, response } = await passOn(context, event);
	expect(workflowData).toHaveLength(1);
	response.status(200).end();
	await sleep(60);
	expect(deleted).toEqual(['w-1']);
});
