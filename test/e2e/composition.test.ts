import { Slots } from '../../sandbox/util/async';
import { identityFinished } from '../support/events';
import { everything, seed } from '../support/sample';
import { cellsToRun, nameOf, type Cell } from './composition/cells';
import { hostOf } from './composition/host';
import { startStandingWait } from './composition/scene';
import { summaryOf, violationsOf, type Result } from './composition/report';
import { allRows, nameOfRow, nameOfSlowed, slowedRows, type SlowedRow } from './composition/rows';
import { runCell, runRow, type Shared } from './composition/run';
import { useStage } from './support/stage';
import { clearStage } from './support/trigger';

/**
 * How many cells run at the same time. n8n is a single process, so running more in parallel would not be
 * faster.
 */
const atOnce = 10;
/** Only cells and rows whose names match this pattern run. */
const only = new RegExp(process.env.SIGNVERIFY_COMPOSITION_ONLY ?? '');

/** A function that runs a cell or row, and the name of the Jest test that reports the result. */
interface Task {
	test: string;
	run(shared: Shared): Promise<Result>;
}

const taskOf = (cell: Cell): Task => ({
	test: `${cell.operation.words}: ${cell.fault}`,
	run: async (shared) => await runCell(shared, cell),
});
const cells = cellsToRun();
const rows: SlowedRow[] = [...allRows.map((row) => ({ row })), ...(everything ? slowedRows() : [])];
const tasks = [
	// The rows start first, because some of them wait for n8n's time limits.
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
	// These two executions have been waiting throughout all runs. They must still end successfully.
	expect(await document.finish()).toBe('success');
	expect(await identity.finish()).toBe('success');
}, 3_600_000);

test.each([...new Set(tasks.map((task) => task.test))])(
	'every guarantee holds in the scenario "%s"',
	(name) => {
		const own = tasks
			.filter((task) => task.test === name)
			.flatMap((task) => results.get(task) ?? []);
		expect(own.length).toBeGreaterThan(0);
		expect(violationsOf(own)).toEqual([]);
	},
);
