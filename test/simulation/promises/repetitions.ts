import type { CallKind } from '../faults';
import type { Call } from '../network';
import type { ServiceAnswer } from '../service/contract';
import type { Simulation } from '../simulation';
import { Broken } from './broken';

/** Milliseconds that nobody comes back within after a 429 that does not say how long. */
const leastPause = 100;

/** A service that asks for less counts as one that does not say; more than this nobody waits. */
const leastAsked = 250;
const mostAsked = 60_000;

/** Calls that say for what they are, so that a second one of the same words is a repetition. */
const ownKinds: CallKind[] = ['create', 'request', 'register'];

/** A run that was told "too many requests" comes back when it may, not before. */
export function checkRepetitions({ network }: Simulation): void {
	const last = new Map<string, Call>();
	for (const call of network.calls) {
		const { caller, kind, words, from } = call;
		if (caller.role !== 'run' || !ownKinds.includes(kind)) continue;
		const key = `${caller.instance} ${caller.execution} ${words}`;
		const early = (last.get(key) ? earliestAfter(last.get(key) as Call) : from) - from;
		last.set(key, call);
		if (early <= 0) continue;
		throw new Broken(
			'work is bounded',
			`${caller.name} made a call again ${early} ms too early after a 429`,
		);
	}
}

/** From when on (epoch-ms) a call may be made again. */
function earliestAfter({ answer, to = 0 }: Call): number {
	return answer?.status === 429 ? to + pauseOf(answer, to) : 0;
}

function pauseOf({ headers }: ServiceAnswer, now: number): number {
	const text = headers?.['retry-after'] ?? '';
	const seconds = Number(text);
	const asked = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1000;
	return asked >= leastAsked ? Math.min(asked, mostAsked) : leastPause;
}
