import type { IDataObject } from 'n8n-workflow';

import type { Creation } from '../service/accounts';
import type { Execution } from '../../n8n/database';
import type { Simulation } from '../simulation';
import { Broken } from './broken';
import { isSkipped, placeOf } from './outputs';

/**
 * Checks that nothing is sent to the same person twice: within an execution or, with a Send Once Key, across
 * all executions. Without a key, loops and branches are not checked if several processes receive events,
 * because n8n may then continue an execution with outdated data (docs/queue-mode.md).
 */
export function checkSentOnce(simulation: Simulation): void {
	const seen = new Map<string, Creation>();
	for (const creation of simulation.service.creations) {
		const execution = executionOf(simulation, creation);
		if (!execution) continue;
		const { sendOnce } = simulation.planOf(execution.workflow);
		if (!sendOnce && mayBeStale(simulation, execution)) continue;
		const whose = sendOnce ? 'any' : rootOf(simulation, execution).id;
		const key = `${whose} ${creation.email}`;
		const before = seen.get(key);
		if (before) {
			throw new Broken(
				'Never sent twice',
				`${creation.email} got ${before.kind} ${before.id} by execution ${before.execution} and ${creation.id} by execution ${creation.execution}${sendOnce ? ', with one Send Once Key' : ''}`,
			);
		}
		seen.set(key, creation);
	}
}

/**
 * Checks that the node sends nothing if it stops on errors and any item in the run is wrong. The items of a
 * run are those that arrive together, in one round of a loop or in one branch.
 */
export function checkAllRight(simulation: Simulation): void {
	for (const creation of simulation.service.creations) {
		const execution = executionOf(simulation, creation);
		if (!execution) continue;
		const { settings, items, wrongItem, batch, branches } = simulation.planOf(execution.workflow);
		// With Execute Once, the node uses only the first item.
		if (settings.onError || settings.executeOnce || wrongItem < 0 || wrongItem >= items) continue;
		const size = batch || Math.ceil(items / branches);
		const item = Number(/-(\d+)@/.exec(creation.email)?.[1]);
		if (Math.floor(item / size) !== Math.floor(wrongItem / size)) continue;
		throw new Broken(
			'Nothing is sent while an item is wrong',
			`execution ${execution.id} sent ${creation.kind} ${creation.id} to ${creation.email}, although its item ${wrongItem + 1} is wrong`,
		);
	}
}

/**
 * Whether n8n may continue an execution with outdated data, because one process read the data before another
 * process continued the execution.
 */
export function mayBeStale(simulation: Simulation, { workflow }: Execution): boolean {
	const { batch, branches } = workflow;
	return (batch > 0 || branches > 1) && simulation.n8n.hadSeveral;
}

function executionOf(simulation: Simulation, { execution }: Creation): Execution | undefined {
	return simulation.executions.find(({ id }) => id === execution);
}

/**
 * If an execution retries a wait, returns the execution in which the wait began; otherwise, returns the
 * execution itself. Retrying a failed execution is treated as a new start, because the error names what was
 * created and the user decides whether to retry.
 */
function rootOf(simulation: Simulation, execution: Execution): Execution {
	const before = simulation.executions.find(({ id }) => id === execution.retryOf);
	return before?.wasWaiting ? rootOf(simulation, before) : execution;
}

/**
 * Checks that a finished execution reports everything that it has created, except in loops and branches that
 * n8n may have continued with outdated data.
 */
export function checkReported(simulation: Simulation, execution: Execution): void {
	if (mayBeStale(simulation, execution)) return;
	const own = simulation.service.creations.filter(
		(creation) => creation.execution === execution.id,
	);
	for (const creation of own) {
		if (isReported(execution, creation)) continue;
		throw new Broken(
			'Everything created is reported',
			`${creation.kind} ${creation.id} for ${creation.email} appears neither in the output nor in an error of execution ${execution.id} (${execution.status})`,
		);
	}
}

function isReported(execution: Execution, { email, id }: Creation): boolean {
	for (const { input, success, error } of execution.data.runs) {
		const place = input.findIndex(({ json }) => json.email === email);
		if (place < 0) continue;
		const item = [...success, ...error].find((output) => placeOf(output) === place);
		if (!item) continue;
		const { error: failure } = item.json as { error?: IDataObject };
		if (failure === undefined) return !isSkipped(item.json);
		return failure.outcome === 'check' || JSON.stringify(failure).includes(id);
	}
	return isNamedByError(execution, id, email);
}

/** Whether an execution's error identifies what was created, either by its ID or by its item. */
function isNamedByError({ error, data }: Execution, id: string, email: string): boolean {
	if (!error) return false;
	const { description } = error as { description?: unknown };
	const words = `${error.message} ${String(description)}`;
	if (words.includes(id)) return true;
	// Messages number items from 1.
	const place = data.input.findIndex(({ json }) => json.email === email) + 1;
	// The message may contain a different ID, because the service can return either of a document's IDs.
	if (new RegExp(`document( \\S+)? \\(item ${place}\\)`).test(words)) return true;
	// If every item has a Send Once Key, the message identifies uncertain items by their keys.
	const [unsure = ''] = /may have been sent: [^\n]*/.exec(words) ?? [];
	if (unsure.includes(` (item ${place})`)) return true;
	const lists = /(?:may have been sent|sent this time[^:]*): items? ([^.]+)\./g;
	const ranges = [...words.matchAll(lists)].flatMap(([, list = '']) =>
		list.split(/, | and /).map((range) => range.split(' to ').map(Number)),
	);
	if (ranges.some(([from = NaN, to = from]) => from <= place && place <= to)) return true;
	const [, failed = '1'] = / \[item (\d+)\]$/.exec(error.message) ?? [];
	return failed === String(place) && /may have been created|^The node sent /.test(error.message);
}
