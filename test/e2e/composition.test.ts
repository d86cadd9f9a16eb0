import { Slots } from '../../sandbox/util/async';
import { identityFinished } from '../support/credentials';
import { baseCells, nameOf, sampledCells, slowedCells, type Cell } from './composition/cells';
import { hostOf } from './composition/host';
import { startStandingWait } from './composition/scene';
import { summaryOf, violationsOf, type Result } from './composition/report';
import { allRows, nameOfRow, nameOfSlowed, slowedRows, type SlowedRow } from './composition/rows';
import { runCell, runRow, type Shared } from './composition/run';
import { useStage } from './support/stage';
import { clearStage } from './support/trigger';

/** Cells under way at once: n8n is one process, and more do not make it faster. */
const atOnce = 10;
/** `npm run test:e2e -- --composition` runs every cell at every slowed endpoint. */
const everything = process.env.SIGNVERIFY_COMPOSITION === 'all';
const seed = Number(process.env.SIGNVERIFY_COMPOSITION_SEED) || Math.floor(Math.random() * 1e6);
/** A pattern: cells whose name fits are run alone. */
const only = new RegExp(process.env.SIGNVERIFY_COMPOSITION_ONLY ?? '');

/** A test of Jest: what it is called, and what is run for it. */
interface Task {
	test: string;
	run(shared: Shared): Promise<Result>;
}

const taskOf = (cell: Cell): Task => ({
	test: `${cell.operation.name}: ${cell.fault}`,
	run: async (shared) => await runCell(shared, cell),
});
const cells = everything ? [...baseCells(), ...slowedCells()] : sampledCells(seed);
const rows: SlowedRow[] = [...allRows.map((row) => ({ row })), ...(everything ? slowedRows() : [])];
const tasks = [
	// Some of these wait for n8n's own limits of time: they begin first.
	...rows
		.filter((row) => only.test(nameOfSlowed(row)))
		.map((row): Task => ({
			test: nameOfRow(row.row),
			run: async (shared) => await runRow(shared, row),
		})),
	...cells.filter((cell) => only.test(nameOf(cell))).map(taskOf),
];

const stage = useStage('composition');
const results = new Map<Task, Result>();

beforeAll(async () => {
	await clearStage(stage);
	const host = await hostOf(stage);
	const document = await startStandingWait(host, 'document/sendAndWait');
	const identity = await startStandingWait(host, 'identity/sendAndWait');
	const standing = new Map([
		['completedDocument', document],
		[identityFinished, identity],
	]);
	const begun = Date.now();
	const slots = new Slots(atOnce);
	const work = async (task: Task) => {
		const result = await task.run({ host, standing });
		results.set(task, result);
		return result;
	};
	const all = await Promise.all(tasks.map((task) => slots.run('', () => work(task))));
	const which = everything ? 'everything' : `a sample, seed ${seed}`;
	const summary = summaryOf(all, (Date.now() - begun) / 1000);
	process.stdout.write(`composition matrix (${which}): ${summary}\n`);
	// All the while they waited, among all these runs.
	expect([await document.finish(), await identity.finish()]).toEqual(['success', 'success']);
}, 3_600_000);

test.each([...new Set(tasks.map((task) => task.test))])('%s', (name) => {
	const own = tasks.filter((task) => task.test === name).flatMap((task) => results.get(task) ?? []);
	expect(own.length).toBeGreaterThan(0);
	expect(violationsOf(own)).toEqual([]);
});
