import fc from 'fast-check';

import { chosen } from '../history/plan';

/** What happens to one document. */
export interface Signing {
	/** How long after its creation it is signed; undefined where nobody ever signs it. */
	afterMs?: number;
	/** How long after that the service delivers its event once more. */
	repeatMs?: number;
}

/** One call that starts an execution which waits. */
export interface PlannedWait {
	startMs: number;
	/** One item; or several, one after another in a loop. */
	kind: 'one' | 'loop';
	isLimited: boolean;
	/** For each item. */
	signings: Signing[];
}

const itemsOf = { one: 1, loop: 3 };

/** When each document of a plan may be signed, at most so long after it was sent. */
const partOf = { one: 0.5, loop: 0.2 };

/**
 * What the test starts and signs, and when, from a seed.
 *
 * @param count how many calls
 * @param lastsMs the plan of kills lasts so long; the waits are spread over it
 */
export function plannedWaits(number: number, count: number, lastsMs: number): PlannedWait[] {
	const repeatMs = fc.oneof(
		{ weight: 3, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.constantFrom(0, 20, 500, 5000) },
	);
	// Most waits are for one document.
	const kinds = fc.constantFrom('one', 'one', 'one', 'loop');
	const isLimited = fc.constantFrom(true, false, false, false);
	const wait = fc.tuple(kinds, isLimited).chain(([kind, mayBeLimited]) => {
		// In a loop, n8n can end a wait at the limit of the one before it (docs/waiting.md).
		const limited = mayBeLimited && kind === 'one';
		const size = { minLength: itemsOf[kind], maxLength: itemsOf[kind] };
		const afterMs = fc.nat({ max: Math.round(lastsMs * partOf[kind]) });
		const signed = fc.record<Signing>({ afterMs, repeatMs });
		// Of those with a limit, half are signed.
		const signing = limited ? fc.oneof(signed, fc.constant<Signing>({})) : signed;
		return fc.record<PlannedWait>({
			startMs: fc.nat({ max: Math.round(lastsMs * 0.5) }),
			kind: fc.constant(kind),
			isLimited: fc.constant(limited),
			signings: fc.array(signing, size),
		});
	});
	return chosen(fc.array(wait, { minLength: count, maxLength: count }), number);
}
