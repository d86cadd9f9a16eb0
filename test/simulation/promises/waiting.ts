import type { Execution } from '../../n8n/database';
import { Deliveries, maxDeliveryTime, plainPlan } from '../service/deliveries';
import { givesId } from '../service/variants';
import type { Simulation } from '../simulation';
import type { N8n } from '../../n8n/instance';
import type { Notification } from '../service/contract';
import { Broken } from './broken';

/** The waits of an execution that are to come, the one under way included: loops and branches have several. */
function roundsLeft({ workflow, data }: Execution): number {
	const rest = data.loop?.rest.length ?? 0;
	return (
		data.executionData.nodeExecutionStack.length + Math.ceil(rest / Math.max(workflow.batch, 1))
	);
}

/** Each notification at once, with many tries. */
const surePlan = {
	...plainPlan,
	retries: [1000, 2000, 5000, 15_000, 30_000, 60_000],
};

function waitingExecutions({ executions }: Simulation): Execution[] {
	return executions.filter(({ status }) => status === 'waiting');
}

/**
 * Everybody signs, everybody is verified, and the service tells all who are registered then: whoever is
 * still waiting after that would not notice its event.
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
	// Two processes may refuse an event of a loop, since one of them has read the wait before.
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
			(execution) =>
				(told.get(execution) ?? Infinity) <= round && !isHopeless(simulation, execution),
		);
	}
	if (!left) return;
	throw new Broken(
		'A wait ends by its own event or its limit',
		`execution ${left.id} of ${left.workflow.id} still waits although the service told everybody of everything; registered for it: ${registeredFor(simulation, left).join(', ') || 'nothing'}`,
	);
}

/**
 * Where creating gives no ID, nothing tells whose document is signed if the document does not say what it was made
 * from, or if there is another one for the same people.
 */
function isHopeless(simulation: Simulation, execution: Execution): boolean {
	const { variants } = simulation.plan;
	if (givesId(variants) || simulation.planOf(execution.workflow).task !== 'sendAndWait')
		return false;
	return !variants.templateIdGiven || hasTwin(simulation, execution);
}

/** Whether a person of an execution got another document, too, which looks the same without its ID. */
export function hasTwin({ service }: Simulation, { data }: Execution): boolean {
	const emails = service.documentRecords.map(({ signatories: [first] }) => first?.email);
	return data.input.some(({ json }) => emails.filter((email) => email === json.email).length > 1);
}

function registeredFor({ service }: Simulation, { id }: Execution): string[] {
	return service.webhooks
		.filter(({ webHookUrl }) => webHookUrl.includes(`/webhook-waiting/${id}/`))
		.map(({ type }) => type);
}

/** Milliseconds: the default of Limit Wait Time, which no workflow exceeds. */
export const maxLimit = 30 * 86_400_000;

/** Time passes all limits: nothing waits any more. */
export async function checkLimits(simulation: Simulation): Promise<void> {
	// In a loop, each round has a limit of its own.
	const rounds = Math.max(0, ...waitingExecutions(simulation).map(roundsLeft));
	for (let round = 0; round < rounds; round++) await simulation.world.pass(maxLimit + 86_400_000);
	const [left] = waitingExecutions(simulation);
	if (!left) return;
	throw new Broken(
		'A wait ends by its own event or its limit',
		`execution ${left.id} still waits after its limit`,
	);
}

/** An event that the n8n of a trigger answered with 2xx. */
export interface AcceptedEvent extends Notification {
	n8n: N8n;
}

/** How often a workflow was started by an event. */
function startsBy({ n8n, url, event, about, body }: AcceptedEvent): number {
	const webhookId = new URL(url).pathname.split('/')[2];
	const workflow = [...n8n.database.triggers.values()].find(
		(trigger) => trigger.webhookId === webhookId,
	);
	return n8n.database.triggered.filter(({ workflowId, item }) => {
		if (workflowId !== workflow?.id || item.json.event !== event) return false;
		return body.Document === undefined || JSON.stringify(item.json).includes(about);
	}).length;
}

/** What was accepted has started the workflow, and within one process not twice. */
export function checkEvents({ plan }: Simulation, accepted: AcceptedEvent[]): void {
	for (const acceptedEvent of accepted) {
		const { n8n, event, about, body } = acceptedEvent;
		const starts = startsBy(acceptedEvent);
		const how = `${event} of ${about} started ${starts || 'no'} executions`;
		if (starts === 0) throw new Broken('An accepted event starts the workflow', how);
		const isOneProcess = n8n.processes.length === 1;
		// Of signDocument there is one for each signatory; of what is not documented, the whole body counts.
		const isOneEvent = event === 'completedDocument' && body.Document !== undefined;
		if (isOneProcess && isOneEvent && plan.deliveries.addedOnAgain === 'same' && starts > 1) {
			throw new Broken('An accepted event starts the workflow', how);
		}
	}
}
