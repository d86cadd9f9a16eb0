import type { INodeExecutionData } from 'n8n-workflow';

import type { Execution } from '../../n8n/database';
import { Deliveries, maxDeliveryTime, plainPlan } from '../service/deliveries';
import type { Simulation } from '../simulation';
import type { N8n } from '../../n8n/instance';
import type { Notification } from '../service/contract';
import { Broken } from './broken';

/**
 * Returns how many waits an execution still has to complete, including the current one. With loops and
 * branches, there can be several.
 */
function roundsLeft({ workflow, data }: Execution): number {
	const rest = data.loop?.rest.length ?? 0;
	return (
		data.executionData.nodeExecutionStack.length + Math.ceil(rest / Math.max(workflow.batch, 1))
	);
}

/** Delivers each notification without delay, and retries many times if delivery fails. */
const surePlan = {
	...plainPlan,
	retries: [1000, 2000, 5000, 15_000, 30_000, 60_000],
};

function waitingExecutions({ executions }: Simulation): Execution[] {
	return executions.filter(({ status }) => status === 'waiting');
}

/**
 * Signs every document, completes every verification, and notifies all registered webhooks. An execution that
 * is still waiting afterward has missed its event.
 */
export async function checkWaitsEnd(simulation: Simulation): Promise<void> {
	const { world, service } = simulation;
	const deliveries = new Deliveries(
		world,
		surePlan,
		async (notification) => await simulation.post(notification, surePlan.timeLimit),
	);
	service.onNotifications = (all) =>
		deliveries.send(all.filter(({ url }) => url.includes('/webhook-waiting/')));
	// With several processes, n8n may reject an event in a loop, because a process still has the previous
	// wait's data.
	const again = simulation.n8n.processes.length > 1 ? 6 : 0;
	const told = new Map(
		waitingExecutions(simulation).map((execution) => [execution, roundsLeft(execution) + again]),
	);
	const rounds = Math.max(0, ...told.values());
	let left: Execution | undefined;
	for (let round = 1; round <= rounds && !left; round++) {
		for (const created of service.created) await service.endAndTell(created);
		await world.pass(maxDeliveryTime(surePlan));
		left = waitingExecutions(simulation).find(
			(execution) => (told.get(execution) ?? Infinity) <= round,
		);
	}
	if (!left) return;
	throw new Broken(
		'Only its own event or its limit ends a wait',
		`execution ${left.id} of ${left.workflow.id} still waits although the service has sent every event; its registered events: ${registeredFor(simulation, left).join(', ') || 'nothing'}`,
	);
}

function registeredFor({ service }: Simulation, { id }: Execution): string[] {
	return service.webhooks
		.filter(({ webHookUrl }) => webHookUrl.includes(`/webhook-waiting/${id}/`))
		.map(({ type }) => type);
}

/** The default Limit Wait Time (ms), which no workflow exceeds. */
export const maxLimit = 30 * 86_400_000;

/** Moves the clock past all limits and checks that no execution is still waiting. */
export async function checkLimits(simulation: Simulation): Promise<void> {
	// Each round of a loop has its own limit.
	const rounds = Math.max(0, ...waitingExecutions(simulation).map(roundsLeft));
	for (let round = 0; round < rounds; round++) await simulation.world.pass(maxLimit + 86_400_000);
	const [left] = waitingExecutions(simulation);
	if (!left) return;
	throw new Broken(
		'Only its own event or its limit ends a wait',
		`execution ${left.id} is still waiting after its time limit`,
	);
}

/** An event that a trigger's n8n instance has accepted with a 2xx response. */
export interface AcceptedEvent extends Notification {
	n8n: N8n;
}

/** Returns the items with which an event has started a workflow, in this order. */
function startsBy({ n8n, url, event, about, body }: AcceptedEvent): INodeExecutionData[] {
	const webhookId = new URL(url).pathname.split('/')[2];
	const workflow = [...n8n.database.triggers.values()].find(
		(trigger) => trigger.webhookId === webhookId,
	);
	return n8n.database.triggered
		.filter(({ workflowId, item }) => {
			if (workflowId !== workflow?.id || item.json.event !== event) return false;
			return body.Document === undefined || JSON.stringify(item.json).includes(about);
		})
		.map(({ item }) => item);
}

/** Whether each start but the first has a file that none before it had. A file can arrive after its event. */
function bringsFiles(starts: INodeExecutionData[]): boolean {
	const known = new Set<string>();
	return starts.every(({ binary = {} }, index) => {
		const files = Object.keys(binary).filter((name) => !known.has(name));
		for (const name of files) known.add(name);
		return index === 0 || files.length > 0;
	});
}

/**
 * Checks that each accepted event has started the workflow and, if there is only one process, has done so
 * only once, or again with files that were missing.
 */
export function checkEvents({ plan }: Simulation, accepted: AcceptedEvent[]): void {
	for (const acceptedEvent of accepted) {
		const { n8n, event, about, body } = acceptedEvent;
		const starts = startsBy(acceptedEvent);
		const how = `${event} of ${about} started ${starts.length || 'no'} executions`;
		if (starts.length === 0) throw new Broken('An accepted event starts the workflow', how);
		const isOneProcess = n8n.processes.length === 1;
		// There is one signDocument event for each signatory. An event whose body is not documented is
		// identified by its entire body.
		const isOneEvent = event === 'completedDocument' && body.Document !== undefined;
		const isSame = plan.deliveries.addedOnAgain === 'same';
		if (isOneProcess && isOneEvent && isSame && !bringsFiles(starts)) {
			throw new Broken('An accepted event starts the workflow', how);
		}
	}
}
