import { setTimeout as sleep } from 'node:timers/promises';

import { maxTries } from '../../nodes/SignVerify/http/retry';
import { settle } from '../../nodes/SignVerify/util/async';
import { type Fault, startSandbox, type Sandbox } from '../../sandbox';
import { type CallName, operationNamed, resolvedFor, type TestedOperation } from '../operations';
import { runAction, type RunSetup } from '../support/contexts';
import { clientOf, CredentialKeeper, keeperOf } from '../support/credentials';
import { byEnd, DocumentedPart, tableOf } from '../support/documentedPart';
import { httpRequest } from '../support/http';
import { newProcess } from '../support/newProcess';

/** The kinds of call, each by the operation through which it is seen. */
const kinds = ['token', 'read', 'create', 'delete'] as const;
type Kind = (typeof kinds)[number];

/**
 * How a call ends for whoever built the workflow. `done`: it worked. `refused`: an error, and
 * certainly nothing was created. `mayExist`: an error that says that the service may have created it.
 * `unclear`: an error that says that it is not certain whether it was deleted.
 */
type Outcome = 'done' | 'refused' | 'mayExist' | 'unclear';

/** What is expected of one fault in one kind of call: the end, and how often the call was made. */
type Cell = [outcome: Outcome, calls: number];

/** A fault, and what it leads to in each kind of call. */
interface Row {
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

const answer = (status: number, body: unknown, type: string) => ({
	answer: { status, headers: { 'content-type': type }, body },
});

const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>';

/** The same end for all kinds. */
const everywhere = (cell: Cell) => ({ token: cell, read: cell, create: cell, delete: cell });
const refused1 = everywhere(['refused', 1]);

// The exchange of a token belongs to the read that needs it.
const { reading, creating, deleting } = maxTries;
const unsentAlways: Row['cells'] = {
	...everywhere(['refused', reading.didNothing]),
	create: ['refused', creating.didNothing],
	delete: ['refused', deleting.didNothing],
};
/** A try that is lost: what may be repeated works the second time, what creates is not repeated. */
const lostOnce: Row['cells'] = { ...everywhere(['done', 2]), create: ['mayExist', 1] };
const lostAlways: Row['cells'] = {
	...everywhere(['refused', reading.mayHaveWorked]),
	create: ['mayExist', creating.mayHaveWorked],
	delete: ['refused', deleting.mayHaveWorked],
};
/** What no token is given for cannot be helped by another token. */
const expiredOnce: Row['cells'] = { ...everywhere(['done', 2]), token: ['refused', 1] };
const forbidden: Row['cells'] = { ...everywhere(['refused', 2]), token: ['refused', 1] };

/**
 * The matrix: what is expected of every fault in every kind of call (docs/dev/proof.md). What a 2xx means is in a
 * table of its own (test/support/verdicts.ts).
 */
const matrix: Row[] = [
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
		fault: 'HTTP 200 with `success: false`, code 401, once',
		provoke: once({
			answer: { status: 200, body: { success: false, message: 'provoked', responseCode: 401 } },
		}),
		cells: expiredOnce,
	},
	{
		fault: 'HTTP 302',
		provoke: always({ answer: { status: 302, headers: { location: 'http://127.0.0.1:9/' } } }),
		cells: refused1,
	},
];

const headings: Record<Kind, string> = {
	token: 'Token',
	read: 'Read',
	create: 'Create',
	delete: 'Delete',
};

/** The matrix as the table in docs/dev/proof.md. */
function matrixTable(): string {
	const head = ['What goes wrong', ...kinds.map((kind) => headings[kind])];
	const endsOf = (cells: Record<Kind, Cell>) => kinds.map((kind) => words(cells[kind]));
	return tableOf(head, byEnd(matrix.map(({ fault, cells }) => [fault, ...endsOf(cells)])));
}

function words([outcome, calls]: Cell): string {
	const end = {
		done: 'done',
		refused: 'error',
		mayExist: '**may exist**',
		unclear: '**not certain**',
	}[outcome];
	return `${end}, ${calls}`;
}

/** Each kind of call by the operation that makes it. */
const calls: Record<Kind, [operation: string, call: CallName]> = {
	token: ['template/getAll', 'token'],
	read: ['template/getAll', 'list'],
	create: ['document/createFromTemplate', 'call'],
	delete: ['webhook/delete', 'call'],
};

/** An address where nothing listens. */
const nowhere = 'http://127.0.0.1:9/api';

/** What came of one cell. */
interface CellResult {
	outcome: Outcome;
	/** How often the call was made. */
	calls: number;
	/** What the error says, all of it. */
	words: string;
	/** The IDs at the service for the person of this cell, and the one that the output gave. */
	created(): string[];
	id: unknown;
}

/** Runs all cells of one kind of call, at a sandbox of their own. */
class MatrixRun {
	readonly results = new Map<string, CellResult>();

	private readonly tested: TestedOperation;

	private readonly endpoint: string;

	constructor(
		private readonly kind: Kind,
		readonly sandbox: Sandbox,
	) {
		const [operation, call] = calls[kind];
		this.tested = operationNamed(operation);
		this.endpoint = String(this.tested.calls[call]);
	}

	/** Runs the rows one after another: faults are set for the whole sandbox. */
	async run(rows: Row[]): Promise<void> {
		const keeper = keeperOf(this.sandbox);
		const client = clientOf(this.sandbox, keeper);
		for (const [index, row] of rows.entries()) {
			const [prepared] = await this.tested.prepare({ sandbox: this.sandbox, client }, 1);
			await client.call({ method: 'GET', path: '/webhooks' });
			const item = { ...prepared, n: 1, email: `${this.kind}-${index}@example.com` };
			const parameters = resolvedFor(item, this.tested.parameters);
			const token = this.kind === 'token' ? '' : keeper.token;
			const { outcome, words, id, urls } = await this.cell(row, { parameters }, token);
			const seen = this.sandbox.requests.map(({ method, path }) => `${method} ${path}`);
			this.results.set(row.fault, {
				...{ outcome, words, id },
				calls: row.provoke
					? seen.filter((call) => call === this.endpoint).length
					: Math.max(...urls.map((url) => urls.filter((called) => called === url).length)),
				created: () => this.tested.created?.(this.sandbox, item) ?? [],
			});
		}
	}

	/** Runs the operation under a fault, with a credential of its own. */
	private async cell({ provoke, timeout }: Row, setup: RunSetup, accessToken: string) {
		const { sandbox, endpoint } = this;
		newProcess();
		const credential = {
			baseUrl: provoke ? sandbox.baseUrl : nowhere,
			...sandbox.account,
			accessToken,
			...(timeout ? { timeoutSeconds: timeout } : {}),
		};
		const urls: string[] = [];
		const keeper = new CredentialKeeper(credential, async (options) => {
			urls.push(options.url);
			return await httpRequest(options);
		});
		sandbox.forgetRequests();
		const stop = provoke && sandbox.faults.set({ endpoint, ...provoke() });
		const ended = await settle(runAction(keeper, setup));
		stop?.();
		if (ended.ok) {
			const { documentId: id } = ended.value[0]?.json ?? {};
			return { outcome: 'done' as const, words: '', id, urls };
		}
		const { message, description } = ended.error as Error & { description?: string };
		const words = `${message} ${description}`;
		return { outcome: outcomeSaid(words), words, id: undefined, urls };
	}
}

function outcomeSaid(words: string): Outcome {
	if (words.includes('may have been created')) return 'mayExist';
	return words.includes('it is not certain that') ? 'unclear' : 'refused';
}

const runs = new Map<Kind, MatrixRun>();
const runOf = (kind: Kind): MatrixRun => {
	const run = runs.get(kind);
	if (!run) throw new Error(`The cells of ${kind} were not run.`);
	return run;
};

// The waits of the kinds overlap: the matrix takes as long as its slowest column.
beforeAll(async () => {
	for (const kind of kinds) runs.set(kind, new MatrixRun(kind, await startSandbox()));
	await Promise.all([...runs.values()].map(async (run) => await run.run(matrix)));
	// What was given up on after the time-out may still happen at the service.
	await sleep(2200);
}, 120_000);

afterAll(async () => {
	await Promise.all([...runs.values()].map(async (run) => await run.sandbox.close()));
});

const everyCell = matrix.flatMap(({ fault, cells }) =>
	kinds.map((kind) => ({ fault, kind, cell: cells[kind] })),
);

describe('the matrix', () => {
	test.each(everyCell)('$fault, $kind: $cell', ({ fault, kind, cell: [outcome, calls] }) => {
		const result = runOf(kind).results.get(fault);
		expect(result).toMatchObject({ outcome, calls });
		if (outcome === 'refused') expect(result?.words).not.toMatch(/may (?:have|exist)/);
		if (outcome === 'mayExist') {
			expect(result?.words).toMatch(/Look for .* at the service before you run this item again\./);
			expect(result?.words).toContain('It was not sent a second time.');
		}
	});

	test('every document at the service was given as output or reported as one that may exist, none twice', () => {
		const run = runOf('create');
		const results = [...run.results.values()];
		for (const { outcome, created, id } of results) {
			if (outcome === 'done') expect(created()).toEqual([id]);
			if (outcome === 'refused') expect(created()).toEqual([]);
			if (outcome === 'mayExist') expect(created().length).toBeLessThanOrEqual(1);
		}
		// Nothing stands there that no cell accounts for; some of the unsure ones are really there.
		const reported = results.flatMap(({ created }) => created());
		expect(run.sandbox.documents()).toHaveLength(reported.length);
		const unsure = results.filter(({ outcome }) => outcome === 'mayExist');
		expect(unsure.some(({ created }) => created().length === 1)).toBe(true);
	});

	test('what was to be deleted is gone wherever it says so, and still there where it was refused', () => {
		const left = runOf('delete').sandbox.webhooks().length;
		const kept = matrix.filter(({ cells }) => cells.delete[0] === 'refused').length;
		expect(left).toBe(kept);
	});
});

test('docs/dev/proof.md shows this matrix', async () => {
	const part = new DocumentedPart('docs/dev/proof.md', 'matrix');
	await part.expectToBe(matrixTable(), 'test/integration/matrix.test.ts');
});
