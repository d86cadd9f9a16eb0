import type { Execution } from '../n8n/database';
import type { Call } from '../network';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** More calls than these mean that nobody counts. */
const maxCalls = { perRun: 140, perTry: 80 };

/** An execution does not call the service without an end. */
export function checkWork(simulation: Simulation, execution: Execution): void {
	const { network, n8n } = simulation;
	const { id, workflow } = execution;
	const isOwn = ({ caller }: Call) =>
		caller.role === 'run' && caller.instance === n8n.instanceId && caller.execution === id;
	const calls = network.calls.filter(isOwn).length;
	const { items, settings } = workflow;
	const { batch } = simulation.planOf(workflow);
	const tries = settings.retryOnFail ? (settings.maxTries ?? 3) : 1;
	const rounds = batch > 0 ? Math.ceil(items.length / batch) : 1;
	const max = maxCalls.perRun * rounds + maxCalls.perTry * items.length * tries;
	if (calls <= max) return;
	const how = `execution ${id} made ${calls} calls for ${items.length} items; ${max} are the most`;
	throw new Broken('Work is bounded', how);
}

/**
 * Whatever went wrong, an execution comes to its end or waits. One whose limit has just passed works
 * for a moment, so what is not at rest is given two minutes.
 */
export async function checkNothingHangs({ executions, world }: Simulation): Promise<void> {
	const running = executions.filter(({ status }) => status === 'running');
	if (running.length > 0) await world.settle();
	const left = running.find(({ status }) => status === 'running');
	if (left) throw new Broken('Work is bounded', `execution ${left.id} never comes to an end`);
}

/** A process exchanges one token at a time, however many calls need one. */
export function checkExchanges({ network }: Simulation): void {
	const exchanges = network.calls.filter(({ kind }) => kind === 'token');
	for (const [index, one] of exchanges.entries()) {
		const isBeside = ({ caller, began }: Call) =>
			caller.process === one.caller.process &&
			one.caller.isAlive() &&
			began < (one.ended ?? Infinity);
		const other = exchanges.slice(index + 1).find(isBeside);
		if (!other) continue;
		const how = `${one.caller.name} and ${other.caller.name} exchanged a token side by side`;
		throw new Broken('One token exchange at a time', how);
	}
}

/** Milliseconds within which nobody comes back after a 429 that does not say how long to wait. */
const minPause = 100;

/** A run that was told "too many requests" makes the same call again when it may, not before. */
export function checkPauses({ network }: Simulation): void {
	const last = new Map<string, Call>();
	for (const call of network.calls) {
		const { caller, kind, words, from } = call;
		if (caller.role !== 'run' || !['create', 'request', 'register'].includes(kind)) continue;
		const key = `${caller.instance} ${caller.execution} ${words}`;
		const { answer, to = 0 } = last.get(key) ?? {};
		last.set(key, call);
		if (answer?.status !== 429) continue;
		const asked = Number(answer.headers?.['retry-after'] ?? 0) * 1000;
		const early = to + Math.max(asked, minPause) - from;
		if (early <= 0) continue;
		const how = `${caller.name} made a call again ${early} ms too early after a 429`;
		throw new Broken('Work is bounded', how);
	}
}
