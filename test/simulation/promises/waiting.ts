import type { Execution } from '../n8n/database';
import type { Simulation } from '../simulation';
import { Deliveries } from '../service/deliveries';
import { longestDelivery, plainPlan } from '../service/deliveryPlan';
import { waitingTasks } from '../workflows';
import { Broken } from './broken';

/** No wait ends with an error, except where a retried one cannot begin again. */
export function checkEnded(execution: Execution): void {
	const { id, status, data, retryOf, error } = execution;
	if (status !== 'error' || retryOf || !data.hasWaited) return;
	throw new Broken(
		'a wait ends by its own event or limit',
		`execution ${id} ended with the error "${String(error?.message)}" after it had waited`,
	);
}

/** The waits of an execution that are to come, the one under way included: a loop has several. */
function roundsLeft({ workflow, data }: Execution): number {
	const rest = data.loop?.rest.length ?? 0;
	return 1 + Math.ceil(rest / Math.max(workflow.batch, 1));
}

/** Each notification at once, with many tries. */
const surePlan = {
	...plainPlan,
	retries: [1000, 2000, 5000, 15_000, 30_000, 60_000],
};

/**
 * Whatever went wrong, an execution comes to its end or waits. One whose limit has just passed works
 * for a moment: what is not at rest is given two minutes.
 */
export async function checkNothingHangs({ executions, world }: Simulation): Promise<void> {
	const running = executions.filter(({ status }) => status === 'running');
	if (running.length > 0) await world.settle();
	const left = running.find(({ status }) => status === 'running');
	if (left) throw new Broken('work is bounded', `execution ${left.id} never comes to an end`);
}

function waitingExecutions({ executions }: Simulation): Execution[] {
	return executions.filter(({ status }) => status === 'waiting');
}

/**
 * Everybody signs, everybody is verified, and the service tells all who are registered then: who is
 * still waiting after that would wait for ever.
 */
export async function checkWaitsEnd(simulation: Simulation): Promise<void> {
	const { world } = simulation;
	const deliveries = new Deliveries(
		world,
		surePlan,
		async (notification) => await simulation.post(notification, surePlan.timeLimit),
	);
	// Two processes may lose one of two events (docs/waiting.md): then each is told again.
	const again = simulation.n8n.processes.length > 1 ? 6 : 0;
	const told = new Map(
		waitingExecutions(simulation).map((each) => [each, roundsLeft(each) + again]),
	);
	const rounds = Math.max(0, ...told.values());
	let left: Execution | undefined;
	for (let round = 1; round <= rounds && !left; round++) {
		await endAll(simulation, deliveries);
		await world.pass(longestDelivery(surePlan));
		left = waitingExecutions(simulation).find(
			(each) => (told.get(each) ?? Infinity) <= round && !isHopeless(simulation, each),
		);
	}
	if (!left) return;
	throw new Broken(
		'a wait ends',
		`execution ${left.id} of ${left.workflow.id} still waits although the service told everybody of everything; registered for it: ${registeredFor(simulation, left).join(', ') || 'nothing'}`,
	);
}

/** Ends every document and identity request, and tells the waiting executions of it. */
async function endAll({ service }: Simulation, deliveries: Deliveries): Promise<void> {
	service.onNotifications = (notifications) =>
		deliveries.send(notifications.filter(({ url }) => url.includes('/webhook-waiting/')));
	for (const created of service.created) await service.endAndTell(created);
}

/** Where creating gives no ID, and the document does not say what it was made from, nothing tells. */
function isHopeless({ plan }: Simulation, execution: Execution): boolean {
	const { created, templateIdGiven } = plan.variants;
	const givesNoId = created === 'onlySuccess' || created === 'empty';
	const { task } = plan.workflows[Number(execution.workflow.id.slice(1))] ?? {};
	return givesNoId && !templateIdGiven && task === 'sendAndWait';
}

function registeredFor({ service }: Simulation, { id }: Execution): string[] {
	return service.webhooks
		.filter(({ webHookUrl }) => webHookUrl.includes(`/webhook-waiting/${id}/`))
		.map(({ type }) => type);
}

/** Time passes all limits: nothing that has one waits any more. */
export async function checkLimits(simulation: Simulation): Promise<void> {
	await simulation.world.pass(41 * 86_400_000);
	const left = simulation.executions.find(
		({ status, workflow }) =>
			status === 'waiting' &&
			waitingTasks.includes(simulation.planOf(workflow).task) &&
			simulation.planOf(workflow).limit > 0,
	);
	if (!left) return;
	throw new Broken('a wait ends', `execution ${left.id} still waits after its limit`);
}
