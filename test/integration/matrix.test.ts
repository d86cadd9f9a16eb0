import { ServiceError } from '../../nodes/SignVerify/http/serviceError';
import type { ServiceRequest } from '../../nodes/SignVerify/http/request';
import { maxTries } from '../../nodes/SignVerify/http/retry';
import { mergeByResult, DocumentedPart, tableOf } from '../support/documentedPart';
import {
	callOnce,
	errorWithCode,
	creation,
	deletion,
	read,
	type Respond,
	type StandInResponse,
} from '../support/standIn';
import { useVirtualTime } from '../support/virtualTime';

// These tests check how each call ends after each fault, and how many times the call is made. The simulation
// and the composition matrix check that the operations create nothing twice (docs/dev/behavior.md).
useVirtualTime();

/** One example call of each kind. */
const requests = { Read: read, Create: creation, Delete: deletion } as const;
type Kind = keyof typeof requests;
const kinds = Object.entries(requests) as Array<[Kind, ServiceRequest]>;

/** How a call ends for the person who built the workflow, as worded in docs/dev/behavior.md. */
const ends = {
	done: 'succeeds',
	/** The call fails, and it cannot have created anything. */
	refused: 'fails',
	/** The call fails, but the service may have created the document. */
	mayExist: '**may have been created**',
};

/** How a call ends, and how many times the node makes it. */
type Cell = [end: keyof typeof ends, calls: number];

const everywhere = (cell: Cell): Record<Kind, Cell> => ({ Read: cell, Create: cell, Delete: cell });
const { reading, creating, deleting } = maxTries;
const refusedAtOnce = everywhere(['refused', 1]);
/**
 * The first attempt fails, but the service may have carried out the call. Calls that are safe to repeat
 * succeed on the second attempt. A create call is not repeated.
 */
const lostOnce: Record<Kind, Cell> = { ...everywhere(['done', 2]), Create: ['mayExist', 1] };
const lostAlways: Record<Kind, Cell> = {
	Read: ['refused', reading.mayHaveWorked],
	Create: ['mayExist', creating.mayHaveWorked],
	Delete: ['refused', deleting.mayHaveWorked],
};
/** A gateway returned "not found", so the call never reached the service and created nothing. */
const passingOnce: Record<Kind, Cell> = { ...everywhere(['done', 2]), Create: ['refused', 1] };
const passingAlways: Record<Kind, Cell> = { ...lostAlways, Create: ['refused', 1] };
const unsentAlways: Record<Kind, Cell> = {
	Read: ['refused', reading.didNothing],
	Create: ['refused', creating.didNothing],
	Delete: ['refused', deleting.didNothing],
};

/** n8n's protection against forged requests (SSRF) refuses a call before it connects. */
const blocked = () => {
	throw new Error('The request was blocked because it resolves to a restricted IP address');
};
const breaks = (code: string) => () => {
	throw errorWithCode(code);
};
const refusal =
	(status: number, headers: StandInResponse['headers'] = {}) =>
	() => ({
		status,
		headers,
		body: { success: false, message: 'provoked', responseCode: status },
	});
const gatewayPage = (status: number) => () => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<html><head><title>Not here</title></head></html>',
});
/** Limits a fault to this many calls, after which the service works again. */
const times =
	(number: number, respond: Respond): Respond =>
	(call, count) =>
		count <= number ? respond(call, count) : undefined;
const page = { 'content-type': 'text/html' };
const soon = () => new Date(Date.now() + 1500).toUTCString();

/**
 * Each fault, with the expected outcome for each kind of call. The meaning of 2xx responses is in a separate
 * table (support/verdicts.ts).
 */
const matrix: Array<[fault: string, respond: Respond, cells: Record<Kind, Cell>]> = [
	['Connection refused', breaks('ECONNREFUSED'), unsentAlways],
	[
		'Blocked by n8n before it was sent',
		blocked,
		{ Read: ['refused', 1], Create: ['refused', 1], Delete: ['refused', 1] },
	],
	['Connection lost, once', times(1, breaks('ECONNRESET')), lostOnce],
	['Connection lost, every time', breaks('ECONNRESET'), lostAlways],
	[
		'Connection lost after the service carried out the call, once',
		// The first attempt deleted the webhook, so the second one does not find it.
		({ options }, count) => {
			if (count === 1) throw errorWithCode('ECONNRESET');
			return options.method === 'DELETE' ? refusal(404)() : undefined;
		},
		{ ...lostOnce, Delete: ['refused', 2] },
	],
	['No response before the timeout, once', times(1, breaks('ECONNABORTED')), lostOnce],
	['HTTP 302', refusal(302, { location: 'https://elsewhere.example.com' }), refusedAtOnce],
	// Some servers respond to a create call with a 303 that redirects to the created object.
	['HTTP 303', refusal(303), { ...refusedAtOnce, Create: ['mayExist', 1] }],
	['HTTP 400', refusal(400), refusedAtOnce],
	['HTTP 401, once', times(1, refusal(401)), everywhere(['done', 2])],
	['HTTP 401, every time', refusal(401), everywhere(['refused', 2])],
	['HTTP 403, once', times(1, refusal(403)), everywhere(['done', 2])],
	['HTTP 403, every time', refusal(403), everywhere(['refused', 2])],
	['HTTP 404', refusal(404), refusedAtOnce],
	['HTTP 404 with a web page, once', times(1, gatewayPage(404)), passingOnce],
	['HTTP 404 with a web page, every time', gatewayPage(404), passingAlways],
	['HTTP 429 without Retry-After, twice', times(2, refusal(429)), everywhere(['done', 3])],
	[
		'HTTP 429 with Retry-After in seconds, once',
		times(1, refusal(429, { 'retry-after': '1' })),
		everywhere(['done', 2]),
	],
	[
		'HTTP 429 with Retry-After as a date, once',
		times(1, () => refusal(429, { 'retry-after': soon() })()),
		everywhere(['done', 2]),
	],
	['HTTP 500, once', times(1, refusal(500)), lostOnce],
	['HTTP 500, every time', refusal(500), lostAlways],
	['HTTP 502 with a web page, once', times(1, refusal(502, page)), lostOnce],
	['HTTP 503 with Retry-After, once', times(1, refusal(503, { 'retry-after': '1' })), lostOnce],
];

function endOf(outcome: unknown): Cell[0] {
	if (!(outcome instanceof ServiceError)) return 'done';
	return outcome.mayHaveCreated ? 'mayExist' : 'refused';
}

describe.each(matrix)('the fault "%s"', (_fault, respond, cells) => {
	test.each(kinds)('has the documented outcome for a %s call', async (kind, request) => {
		const { outcome, calls } = await callOnce(respond, request);
		const [end, callCount] = cells[kind];
		expect(endOf(outcome)).toBe(end);
		expect(calls).toHaveLength(callCount);
		if (endOf(outcome) !== 'mayExist') return;
		expect((outcome as ServiceError).description).toMatch(
			/^Check your provider's account for .*\. If it's there, don't run this item again\./,
		);
	});
});

/**
 * Splits a name into the fault and how often it occurs. If the name does not contain this, the fault occurs every
 * time.
 */
function partsOf(name: string): [fault: string, howOften: string] {
	const [, fault = name, howOften = 'every time'] =
		/^(.+?)(?:, (once|twice|every time))?$/.exec(name) ?? [];
	return [fault, howOften];
}

test('docs/dev/behavior.md shows the table of faults', async () => {
	const rows = matrix.map(([fault, , cells]): [string, ...string[]] => [
		...partsOf(fault),
		...kinds.map(
			([kind]) =>
				`${ends[cells[kind][0]]}, ${cells[kind][1]} ${cells[kind][1] === 1 ? 'call' : 'calls'}`,
		),
	]);
	const table = tableOf(['Fault', 'How often', ...Object.keys(requests)], mergeByResult(rows));
	const part = new DocumentedPart('docs/dev/behavior.md', 'matrix');
	await part.expectToBe(table, 'behavior');
});
