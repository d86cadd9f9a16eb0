import { maxTries } from '../../nodes/SignVerify/http/retry';
import type { Fault } from '../../sandbox';

/** The kinds of call, each by the operation through which it is seen. */
export const kinds = ['token', 'read', 'document', 'identity', 'delete'] as const;
export type Kind = (typeof kinds)[number];

/**
 * How a call ends for whoever built the workflow. `done`: it worked. `refused`: an error, and
 * certainly nothing was created. `mayExist`: an error that says that the service may have created it.
 * `unclear`: an error that says that it is not certain whether it was deleted.
 */
export type Outcome = 'done' | 'refused' | 'mayExist' | 'unclear';

/** What is expected of one fault in one kind of call: the end, and how often the call was made. */
export type Cell = [outcome: Outcome, calls: number];

/** A fault, and what it leads to in each kind of call. */
export interface Row {
	/** As the documentation calls it. */
	fault: string;
	/** What is provoked, made when the call is about to begin; none for a service that is not there. */
	provoke?: () => Omit<Fault, 'endpoint'>;
	/** Seconds that the call may take; the node's default when absent. */
	timeout?: number;
	cells: Record<Kind, Cell>;
}

const once = (fault: Omit<Fault, 'endpoint'>) => () => ({ times: 1, ...fault });
const always = (fault: Omit<Fault, 'endpoint'>) => () => fault;

/** A refusal in the envelope. */
const refusal = (status: number, headers: Record<string, string> = {}) => ({
	answer: {
		status,
		headers,
		body: { success: false, message: 'provoked', responseCode: status },
	},
});

/** A refusal inside an HTTP 200. */
const inside = (responseCode: number) => ({
	answer: { status: 200, body: { success: false, message: 'provoked', responseCode } },
});

const answer = (status: number, body: unknown, type: string) => ({
	answer: { status, headers: { 'content-type': type }, body },
});

const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>';

/** The same end for all five, in the order of `kinds`. */
function cells(...list: [Cell, Cell, Cell, Cell, Cell]): Record<Kind, Cell> {
	const [token, ...calls] = list;
	const [reading, document, identity, deleting] = calls;
	return { token, read: reading, document, identity, delete: deleting };
}

const everywhere = (cell: Cell) => cells(cell, cell, cell, cell, cell);
const refused1 = everywhere(['refused', 1]);

// The exchange of a token belongs to the read that needs it.
const { reading, creating, deleting } = maxTries;
/** A call that fails each time, and certainly did nothing. */
const unsentAlways = cells(
	['refused', reading.didNothing],
	['refused', reading.didNothing],
	['refused', creating.didNothing],
	['refused', creating.didNothing],
	['refused', deleting.didNothing],
);

/** A try that is lost: what may be repeated works the second time, what creates is not repeated. */
const lostOnce = cells(['done', 2], ['done', 2], ['mayExist', 1], ['mayExist', 1], ['done', 2]);
const lostAlways = cells(
	['refused', reading.mayHaveWorked],
	['refused', reading.mayHaveWorked],
	['mayExist', creating.mayHaveWorked],
	['mayExist', creating.mayHaveWorked],
	['refused', deleting.mayHaveWorked],
);
/** What no token is given for cannot be helped by another token. */
const expiredOnce: Row['cells'] = { ...everywhere(['done', 2]), token: ['refused', 1] };
const forbidden: Row['cells'] = { ...everywhere(['refused', 2]), token: ['refused', 1] };
/** An answer that nobody understands. */
const strange: Row['cells'] = { ...refused1, document: ['mayExist', 1], identity: ['mayExist', 1] };

/** The matrix: what is expected of every fault in every kind of call (docs/dev/proof.md). */
export const matrix: Row[] = [
	{ fault: 'Connection refused', cells: unsentAlways },
	{
		fault: 'Connection broken before the service acted, once',
		provoke: once({ reset: 'before' }),
		cells: lostOnce,
	},
	{
		fault: 'Connection broken after the service acted, once',
		provoke: once({ reset: 'after' }),
		// "Not found" the second time: nobody knows whether it was there before.
		cells: { ...lostOnce, delete: ['unclear', 2] },
	},
	{
		fault: 'Connection broken each time',
		provoke: always({ reset: 'before' }),
		cells: lostAlways,
	},
	{
		fault: 'No answer within the timeout, once',
		provoke: once({ delayMs: 2000 }),
		timeout: 1,
		cells: lostOnce,
	},
	{ fault: 'HTTP 400', provoke: always(refusal(400)), cells: refused1 },
	{ fault: 'HTTP 401, once', provoke: once(refusal(401)), cells: expiredOnce },
	{ fault: 'HTTP 401 each time', provoke: always(refusal(401)), cells: forbidden },
	{ fault: 'HTTP 403, once', provoke: once(refusal(403)), cells: expiredOnce },
	{ fault: 'HTTP 403 each time', provoke: always(refusal(403)), cells: forbidden },
	{ fault: 'HTTP 404', provoke: always(refusal(404)), cells: refused1 },
	{
		fault: 'HTTP 429 without Retry-After, twice',
		provoke: () => ({ times: 2, ...refusal(429) }),
		cells: everywhere(['done', 3]),
	},
	{
		fault: 'HTTP 429 with Retry-After in seconds, once',
		provoke: once(refusal(429, { 'retry-after': '1' })),
		cells: everywhere(['done', 2]),
	},
	{
		fault: 'HTTP 429 with Retry-After as a date, once',
		provoke: () => ({
			times: 1,
			...refusal(429, { 'retry-after': new Date(Date.now() + 1500).toUTCString() }),
		}),
		cells: everywhere(['done', 2]),
	},
	{ fault: 'HTTP 500, once', provoke: once(refusal(500)), cells: lostOnce },
	{ fault: 'HTTP 500 each time', provoke: always(refusal(500)), cells: lostAlways },
	{
		fault: 'HTTP 502 with a web page, once',
		provoke: once(answer(502, page, 'text/html')),
		cells: lostOnce,
	},
	{
		fault: 'HTTP 503 with Retry-After, once',
		provoke: once(refusal(503, { 'retry-after': '1' })),
		cells: lostOnce,
	},
	{
		fault: 'HTTP 200 with `success: false`, code 400',
		provoke: always(inside(400)),
		cells: refused1,
	},
	{
		fault: 'HTTP 200 with `success: false`, code 401, once',
		provoke: once(inside(401)),
		cells: expiredOnce,
	},
	{
		fault: 'HTTP 200 with `success: false`, code 429, once',
		provoke: once(inside(429)),
		cells: everywhere(['done', 2]),
	},
	{
		fault: 'HTTP 200 with `success: false`, code 500, once',
		provoke: once(inside(500)),
		cells: lostOnce,
	},
	{
		fault: 'HTTP 200 with an empty body',
		provoke: always(answer(200, '', 'application/json')),
		cells: strange,
	},
	{
		fault: 'HTTP 200 with broken JSON',
		provoke: always(answer(200, '{"responseData":{"docu', 'application/json')),
		cells: strange,
	},
	{
		fault: 'HTTP 200 with a web page',
		provoke: always(answer(200, page, 'text/html')),
		cells: strange,
	},
	{
		fault: 'HTTP 302',
		provoke: always({ answer: { status: 302, headers: { location: 'http://127.0.0.1:9/' } } }),
		cells: refused1,
	},
];
