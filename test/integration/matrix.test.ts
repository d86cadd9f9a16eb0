import { setTimeout as sleep } from 'node:timers/promises';

import { settle } from '../../nodes/SignVerify/util/async';
import { startSandbox, type Sandbox } from '../../sandbox';
import { type CallName, operationNamed, resolvedFor, type TestedOperation } from '../operations';
import { runAction, type RunSetup } from '../support/contexts';
import { clientOf, CredentialKeeper, keeperOf } from '../support/credentials';
import { byEnd, DocumentedPart, tableOf } from '../support/documentedPart';
import { httpRequest } from '../support/http';
import { newProcess } from '../support/newProcess';
import { kinds, matrix, type Cell, type Kind, type Outcome, type Row } from './matrix';

const headings: Record<Kind, string> = {
	token: 'Token',
	read: 'Read',
	document: 'Create document',
	identity: 'Identity request',
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
	document: ['document/createFromTemplate', 'call'],
	identity: ['identity/request', 'call'],
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
			const { documentId, validationId } = ended.value[0]?.json ?? {};
			return { outcome: 'done' as const, words: '', id: documentId ?? validationId, urls };
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
const resultOf = (kind: Kind, fault: string) => {
	const result = runOf(kind).results.get(fault);
	if (!result) throw new Error(`${fault}, ${kind} was not run.`);
	return result;
};

// The waits of the five kinds overlap: the matrix takes as long as its slowest column.
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
		const result = resultOf(kind, fault);
		expect(result).toMatchObject({ outcome, calls });
		if (outcome === 'refused') expect(result.words).not.toMatch(/may (?:have|exist)/);
		if (outcome === 'mayExist') {
			expect(result.words).toMatch(/Look for .* at the service before you run this item again\./);
			expect(result.words).toContain('It was not sent a second time.');
		}
	});

	test.each([
		['document', (sandbox: Sandbox) => sandbox.documents()],
		['identity', (sandbox: Sandbox) => sandbox.identityRequests()],
	] as const)(
		'every %s at the service was given as output or reported as one that may exist, none twice',
		(kind, all) => {
			const run = runOf(kind);
			const results = [...run.results.values()];
			for (const { outcome, created, id } of results) {
				if (outcome === 'done') expect(created()).toEqual([id]);
				if (outcome === 'refused') expect(created()).toEqual([]);
				if (outcome === 'mayExist') expect(created().length).toBeLessThanOrEqual(1);
			}
			// Nothing stands there that no cell accounts for; some of the unsure ones are really there.
			const reported = results.flatMap(({ created }) => created());
			expect(all(run.sandbox)).toHaveLength(reported.length);
			const unsure = results.filter(({ outcome }) => outcome === 'mayExist');
			expect(unsure.some(({ created }) => created().length === 1)).toBe(true);
		},
	);

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
