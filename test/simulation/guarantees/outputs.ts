import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution, NodeRun } from '../../n8n/database';
import { owners } from '../service/contract';
import type { Simulation } from '../simulation';
import type { WorkflowPlan } from '../workflows';
import { Broken } from './broken';

/** An output item of the node, and the input item that it belongs to. */
interface Left {
	item: INodeExecutionData;
	input: IDataObject;
}

/** Returns the index of the input item that an output item belongs to. */
export function placeOf({ pairedItem }: INodeExecutionData): number | undefined {
	if (typeof pairedItem === 'number') return pairedItem;
	if (Array.isArray(pairedItem)) return pairedItem[0]?.item;
	return pairedItem?.item;
}

/** Checks the action node's outputs in all runs of an execution. */
export function checkOutputs(simulation: Simulation, execution: Execution): void {
	const plan = simulation.planOf(execution.workflow);
	for (const run of execution.data.runs) {
		checkItems(execution, run);
		for (const item of run.success) {
			if (item.json.error !== undefined) continue;
			const input = run.input[placeOf(item) ?? -1]?.json;
			if (input) checkDone(simulation, execution, plan, { item, input });
		}
	}
}

function checkItems({ id, workflow }: Execution, { input, success, error }: NodeRun): void {
	const places = [...success, ...error].map(placeOf);
	const sorted = [...places].sort((one, other) => (one ?? -1) - (other ?? -1));
	const isWhole = sorted.length === input.length && sorted.every((place, at) => place === at);
	const isOrdered = [success, error].every((items) =>
		items.every(
			(item, at) => at === 0 || (placeOf(items[at - 1] ?? item) ?? 0) < (placeOf(item) ?? 0),
		),
	);
	if (isWhole && isOrdered) return;
	throw new Broken(
		'Every item once, in order',
		`execution ${id} of ${workflow.id} got ${input.length} items; its outputs belong to the items ${JSON.stringify(places)}`,
	);
}

function checkDone(
	simulation: Simulation,
	execution: Execution,
	plan: WorkflowPlan,
	left: Left,
): void {
	const { item, input } = left;
	const { id, workflow } = execution;
	const where = `execution ${id} of ${workflow.id} (${plan.task})`;
	const shown = JSON.stringify(item.json).slice(0, 400);
	if (isEarlyEnd(simulation, execution, plan, left)) {
		const how = `${where}: the event it waited for did not happen: ${shown}`;
		throw new Broken('Only its own event or its limit ends a wait', how);
	}
	if (!isSkipped(item.json) && !isOfInput(item.json, input)) {
		const how = `${where}: an item has the output of another item: ${shown}`;
		throw new Broken('Every item once, in order', how);
	}
	// A wait may end without results if the service itself refused to return them.
	if (item.json.resultsMissing === true && !simulation.hadRefusedReading) {
		const how = `${where}: the wait ended without a verdict, although the service has one: ${shown}`;
		throw new Broken('Only its own event or its limit ends a wait', how);
	}
	const wrong = wrongWith(simulation, execution, plan, left);
	if (wrong) throw new Broken('Success means done', `${where}: ${wrong}: ${shown}`);
}

function wrongWith(
	simulation: Simulation,
	execution: Execution,
	{ task }: WorkflowPlan,
	{ item, input }: Left,
): string | undefined {
	const { json } = item;
	if (isSkipped(json)) {
		const isSent = simulation.service.creations.some(({ email }) => email === input.email);
		return json.outcome === 'check' || isSent
			? undefined
			: 'its key is marked as sent, but nothing was ever sent to its person';
	}
	if (!areFiles(item)) return 'what is stored is not a file';
	if (task !== 'download' && 'hook' in json) return 'the input was passed on';
	switch (task) {
		case 'send':
		case 'request':
		case 'sendAndWait':
			return isCreated(simulation, execution, input) ? undefined : 'its account created nothing';
		case 'download':
			return isPdf(item.binary?.document) ? undefined : 'no file';
		default:
			return undefined;
	}
}

function emailIn({ signatories, email }: IDataObject): unknown {
	const [first] = Array.isArray(signatories) ? (signatories as IDataObject[]) : [];
	return first?.email ?? email;
}

/** Whether an item wasn't sent, because its key was used, or may have been. */
export function isSkipped({ outcome }: IDataObject): boolean {
	return outcome === 'skipped' || outcome === 'check';
}

/** Whether an output names the same person or request as its input. */
function isOfInput(json: IDataObject, input: IDataObject): boolean {
	const isNamed = [input.email, undefined].includes(emailIn(json) as string);
	return isNamed || json.validationId === input.validationId;
}

function areFiles({ binary }: INodeExecutionData): boolean {
	return Object.values(binary ?? {}).every(isPdf);
}

/** Returns an execution and all the earlier executions that it retries, directly or indirectly. */
function chainOf(simulation: Simulation, execution: Execution): Execution[] {
	const before = simulation.executions.find(({ id }) => id === execution.retryOf);
	return before ? [execution, ...chainOf(simulation, before)] : [execution];
}

/**
 * Returns the IDs of everything created for a person by an execution or by the earlier executions that it
 * retries.
 */
function createdFor(simulation: Simulation, execution: Execution, person: unknown): string[] {
	const chain = chainOf(simulation, execution).map(({ id }) => id);
	return simulation.service.creations
		.filter(({ email, execution: by }) => email === person && chain.includes(by))
		.map(({ id }) => id);
}

function isCreated(simulation: Simulation, execution: Execution, input: IDataObject): boolean {
	const { account } = execution.workflow;
	const own = account === 'byItem' ? input.account : owners[account]?.userId;
	const ids = createdFor(simulation, execution, input.email);
	return simulation.service.creations.some(
		(record) => ids.includes(record.id) && owners[record.account]?.userId === own,
	);
}

/** Whether a wait ended before its event happened. */
function isEarlyEnd(
	simulation: Simulation,
	execution: Execution,
	{ task }: WorkflowPlan,
	{ item: { json }, input }: Left,
): boolean {
	if (isSkipped(json)) return false;
	const own = {
		sendAndWait: createdFor(simulation, execution, input.email),
		waitForIdentity: [input.validationId],
	}[task as string];
	if (!own) return false;
	if (json.outcome === 'timedOut') {
		// If a user retries a wait, n8n outputs the same item again.
		const ended = chainOf(simulation, execution).flatMap(({ endedWaits }) => endedWaits);
		return !ended.some((by) => by !== 'event');
	}
	const { documentRecords, identityRecords } = simulation.service;
	const isOver =
		documentRecords.some(
			({ documentID, completedAt }) =>
				json.outcome === 'completed' && completedAt !== undefined && own.includes(documentID),
		) ||
		identityRecords.some(
			({ validationId, status }) => status === 'COMPLETED' && own.includes(validationId),
		);
	return !isOver;
}

function isPdf(file: IBinaryData | undefined): boolean {
	return Buffer.from(file?.data ?? '', 'base64')
		.toString()
		.startsWith('%PDF');
}
