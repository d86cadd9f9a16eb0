import { setTimeout as sleep } from 'node:timers/promises';

import { byEnd, DocumentedPart, tableOf } from '../support/documentedPart';
import { kinds, matrix, type Cell, type Kind } from './matrix';
import { MatrixRun } from './matrixRun';

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
	for (const kind of kinds) runs.set(kind, await MatrixRun.start(kind));
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

	test.each(['document', 'identity'] as const)(
		'every %s at the service was given as output or reported as one that may exist, none twice',
		(kind) => {
			const run = runOf(kind);
			let reported = 0;
			for (const { outcome, email, id } of run.results.values()) {
				const created = run.created(email);
				reported += created.length;
				if (outcome === 'done') expect(created).toEqual([id]);
				if (outcome === 'refused') expect(created).toEqual([]);
				if (outcome === 'mayExist') expect(created.length).toBeLessThanOrEqual(1);
			}
			// Nothing stands there that no cell accounts for; some of the unsure ones are really there.
			expect(run.allCreated()).toBe(reported);
			const unsure = [...run.results.values()].filter(({ outcome }) => outcome === 'mayExist');
			expect(unsure.some(({ email }) => run.created(email).length === 1)).toBe(true);
			process.stdout.write(
				`matrix: ${kind}: ${reported} at the service, ${unsure.length} cells say "may have been created", 0 duplicates\n`,
			);
		},
	);

	test.each(['document', 'identity'] as const)(
		'%s: whatever the fault, nothing is sent while an item is wrong',
		(kind) => {
			const runs = [...runOf(kind).results.values()].flatMap((each) => each.besideWrong ?? []);
			expect(runs).toHaveLength(matrix.filter(({ provoke }) => provoke).length);
			const words = 'Nothing was sent, because 1 of 3 items is wrong.';
			expect(runs.filter((each) => each.words !== words || each.calls > 0)).toEqual([]);
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
