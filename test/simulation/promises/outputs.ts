import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Execution, NodeRun } from '../n8n/database';
import type { Simulation } from '../simulation';
import type { Task, WorkflowPlan } from '../workflows';
import { Broken } from './broken';

/** Tasks that give many items for one. */
const lists: Task[] = ['getTemplates', 'getWebhooks'];

/** An item that left, with the item that it came from. */
interface Left {
	item: INodeExecutionData;
	input: IDataObject;
}

/** Which input item an output belongs to. */
export function placeOf({ pairedItem }: INodeExecutionData): number | undefined {
	if (typeof pairedItem === 'number') return pairedItem;
	if (Array.isArray(pairedItem)) return pairedItem[0]?.item;
	return pairedItem?.item;
}

/** Checks what left the action node in the runs of an execution that is over. */
export function checkOutputs(simulation: Simulation, execution: Execution): void {
	const plan = simulation.planOf(execution.workflow);
	for (const run of execution.data.runs) {
		checkItems(execution, plan, run);
		for (const item of run.success) {
			if (item.json.error !== undefined) continue;
			const input = run.input[placeOf(item) ?? -1]?.json;
			if (!input || lists.includes(plan.task)) continue;
			checkDone(simulation, execution, plan, { item, input });
		}
	}
}

function checkItems({ id, workflow }: Execution, { task }: WorkflowPlan, run: NodeRun): void {
	const left = [...run.success, ...run.error];
	if (lists.includes(task)) return;
	const places = left.map(placeOf);
	const sorted = [...places].sort((one, other) => (one ?? -1) - (other ?? -1));
	const isWhole = sorted.length === run.input.length && sorted.every((place, at) => place === at);
	const isOrdered = [run.success, run.error].every((items) =>
		items.every(
			(item, at) => at === 0 || (placeOf(items[at - 1] ?? item) ?? 0) < (placeOf(item) ?? 0),
		),
	);
	if (isWhole && isOrdered) return;
	throw new Broken(
		'every item once',
		`execution ${id} of ${workflow.id} got ${run.input.length} items; those that left belong to ${JSON.stringify(places)}`,
	);
}

function checkDone(
	simulation: Simulation,
	execution: Execution,
	plan: WorkflowPlan,
	left: Left,
): void {
	const wrong = wrongWith(simulation, execution, plan, left);
	if (wrong === undefined) return;
	const { id, workflow } = execution;
	const shown = JSON.stringify(left.item.json).slice(0, 400);
	throw new Broken(
		'nothing passes as done',
		`execution ${id} of ${workflow.id} (${plan.task}): ${wrong}: ${shown}`,
	);
}

function wrongWith(
	simulation: Simulation,
	execution: Execution,
	{ task }: WorkflowPlan,
	{ item, input }: Left,
): string | undefined {
	const { json } = item;
	if (json.skipped === true) {
		const isSent = simulation.ledger.creations.some(({ email }) => email === input.email);
		return json.mayHaveBeenCreated === true || isSent ? undefined : 'nobody had sent its key';
	}
	if (!isOfInput(json, input)) return 'it is the output of another item';
	if (!areFiles(item)) return 'something else than a file is stored';
	if (task !== 'download' && 'hook' in json) return 'the input was passed on';
	const { service } = simulation;
	switch (task) {
		case 'send':
		case 'sendV1':
		case 'request':
			return isCreated(simulation, execution, input) ? undefined : 'nothing was created';
		case 'sendAndWait':
		case 'requestAndWait':
			if (!isCreated(simulation, execution, input)) return 'nothing was created';
			return wrongWithWait(simulation, execution, json, String(input.email));
		case 'waitForDocument':
		case 'waitForIdentity':
			return wrongWithWait(
				simulation,
				execution,
				json,
				String(task === 'waitForDocument' ? input.documentId : input.validationId),
			);
		case 'download':
			return String(item.binary?.document?.data).startsWith('%PDF') ? undefined : 'no file';
		case 'createWebhook':
			return service.registered.some(({ webHookUrl }) => webHookUrl === input.hook)
				? undefined
				: 'nothing is registered';
		case 'deleteWebhook':
			return service.webhooks.some(({ webHookID }) => webHookID === input.webHookID)
				? 'it is still there'
				: undefined;
		default:
			return undefined;
	}
}

/** Whether the person or the request that an output names is that of its input. */
function isOfInput(json: IDataObject, input: IDataObject): boolean {
	const { signatories, validationId } = json;
	const [first] = Array.isArray(signatories) ? (signatories as IDataObject[]) : [];
	const email = first?.email ?? json.email;
	const isOwn = [input.email, undefined].includes(email) || validationId === input.validationId;
	return isOwn || json.documentId === input.documentId;
}

function areFiles({ binary }: INodeExecutionData): boolean {
	return Object.values(binary ?? {}).every(({ data }) => data.startsWith('%PDF'));
}

/** The execution and those that it is a retry of. */
function chainOf(simulation: Simulation, { id, retryOf }: Execution): string[] {
	const before = simulation.executions.find((each) => each.id === retryOf);
	return before ? [id, ...chainOf(simulation, before)] : [id];
}

function isCreated(simulation: Simulation, execution: Execution, input: IDataObject): boolean {
	const chain = chainOf(simulation, execution);
	return simulation.ledger.creations.some(
		({ email, execution: by }) => email === input.email && chain.includes(by),
	);
}

/** Whether a person retried an execution whose limit was reached, or as good as reached, by then. */
function isRetriedAfterLimit(simulation: Simulation, execution: Execution): boolean {
	const before = simulation.executions.find(({ id }) => id === execution.retryOf);
	if (!before) return false;
	const { waitTill = Infinity } = before;
	// A retry that failed before it could wait is retried in its turn.
	return waitTill <= simulation.world.now() + 120_000 || isRetriedAfterLimit(simulation, before);
}

/** @param of The document, the identity request, or the address that it was sent to. */
function wrongWithWait(
	simulation: Simulation,
	execution: Execution,
	json: IDataObject,
	of: string,
): string | undefined {
	const { documentRecords, identityRecords } = simulation.service;
	const { created, templateIdGiven } = simulation.plan.variants;
	// Of the same template for the same people, one document is as good as another (docs/waiting.md).
	const isAnyOfTheirs = created === 'onlySuccess' && templateIdGiven;
	if (json.timedOut === true) {
		// n8n keeps with a retry what had left before.
		const chain = chainOf(simulation, execution);
		const ended = simulation.executions.some(
			({ id, endedWaits }) => chain.includes(id) && endedWaits.some(({ by }) => by === 'limit'),
		);
		return ended || isRetriedAfterLimit(simulation, execution)
			? undefined
			: 'its limit was not reached';
	}
	const chain = chainOf(simulation, execution);
	const ids = simulation.ledger.creations
		.filter(({ email, execution: by }) => email === of && chain.includes(by))
		.map(({ id }) => id);
	const isOver =
		documentRecords.some(
			({ documentID, completedAt, signatories }) =>
				(documentID === of ||
					ids.includes(documentID) ||
					(isAnyOfTheirs && signatories[0]?.email === of)) &&
				completedAt !== undefined,
		) ||
		identityRecords.some(
			({ validationId, status }) =>
				(validationId === of || ids.includes(validationId)) && status === 'COMPLETED',
		);
	return isOver ? undefined : 'its event did not happen';
}
