import type { Execution } from '../n8n/database';
import type { Call } from '../network';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** More calls than this for a try of an item mean that nobody counts. */
const mostCalls = { perTry: 80, perRun: 140 };

function callsOf({ network, n8n }: Simulation, { id }: Execution): Call[] {
	return network.calls.filter(
		({ caller }) =>
			caller.role === 'run' && caller.instance === n8n.instanceId && caller.execution === id,
	);
}

/** No execution calls the service without an end, and none hurries one that asks for time. */
export function checkWork(simulation: Simulation, execution: Execution): void {
	const calls = callsOf(simulation, execution);
	const { items, settings } = execution.workflow;
	const tries = settings.retryOnFail ? (settings.maxTries ?? 3) : 1;
	const { batch } = simulation.planOf(execution.workflow);
	const rounds = batch > 0 ? Math.ceil(items.length / batch) : 1;
	const most = mostCalls.perRun * rounds + mostCalls.perTry * items.length * tries;
	if (calls.length > most) {
		throw new Broken(
			'work is bounded',
			`execution ${execution.id} made ${calls.length} calls for ${items.length} items; ${most} are the most`,
		);
	}
	checkHolds(execution, calls);
}

/**
 * While the service has asked for time, only what was under way comes to its end: renewing a token,
 * the last try of an item.
 */
function checkHolds({ id, workflow }: Execution, calls: Call[]): void {
	const most = 2 + 3 * workflow.items.length;
	for (const { kind, answer, to = Infinity } of calls) {
		const seconds = Number(answer?.headers?.['retry-after']);
		if (answer?.status !== 429 || kind === 'file' || !(seconds >= 1)) continue;
		const until = to + Math.min(seconds, 60) * 1000;
		const early = calls.filter(
			(each) => each.kind !== 'file' && each.from > to && each.from < until,
		);
		if (early.length <= most) continue;
		throw new Broken(
			'work is bounded',
			`execution ${id} made ${early.length} calls within ${seconds} s after the service had asked to wait so long`,
		);
	}
}

/** A process exchanges one token at a time, however many calls need one. */
export function checkExchanges({ network }: Simulation): void {
	const exchanges = network.calls.filter(({ kind }) => kind === 'token');
	for (const [index, one] of exchanges.entries()) {
		const other = exchanges
			.slice(index + 1)
			.find(
				({ caller, began }) =>
					caller.process === one.caller.process &&
					one.caller.isAlive() &&
					began < (one.ended ?? Infinity),
			);
		if (!other) continue;
		throw new Broken(
			'one token exchange at a time',
			`${one.caller.name} and ${other.caller.name} exchanged a token side by side`,
		);
	}
}
