import type { DeliverySettings, DeliveryTrouble } from '../types';
import { sha256 } from '../util/ids';

const DELAY_MS = 10_000;

/** What goes wrong with one notification. */
export interface TroublePlan {
	never: boolean;
	twice: boolean;
	/** Milliseconds to wait with the first attempt; 0 for at once. */
	waitMs: number;
	/** Whether the wait ends early, behind the next notification about the same document. */
	untilOvertaken: boolean;
}

/** Decides for each notification what goes wrong with it. The same seed gives the same decisions. */
export class TroublePlanner {
	private settings: DeliverySettings | undefined;
	/** For each trouble how many notifications it could have hit, and how many it did. */
	private counts: Array<{ seen: number; hit: number }> = [];

	/** @param current The settings; a new object when they were changed, which begins anew. */
	plan(type: string, current: DeliverySettings): TroublePlan {
		if (this.settings !== current) {
			this.settings = current;
			this.counts = current.trouble.map(() => ({ seen: 0, hit: 0 }));
		}
		const hits = current.trouble.filter((trouble, index) => this.hits(trouble, index, type));
		const of = (kind: DeliveryTrouble['kind']) => hits.find((one) => one.kind === kind);
		const held = of('outOfOrder') ?? of('late');
		return {
			never: of('never') !== undefined,
			twice: of('twice') !== undefined,
			waitMs: held ? (held.delayMs ?? DELAY_MS) : 0,
			untilOvertaken: held?.kind === 'outOfOrder',
		};
	}

	private hits(trouble: DeliveryTrouble, index: number, type: string): boolean {
		const count = this.counts[index];
		if (!count || (trouble.event !== '*' && trouble.event !== type)) return false;
		if (count.hit >= (trouble.times ?? Infinity)) return false;
		count.seen += 1;
		const draw = drawn(this.settings?.seed ?? 0, index, count.seen);
		const hit = draw < (trouble.chance ?? 1);
		if (hit) count.hit += 1;
		return hit;
	}
}

/** A number from 0 to 1 that depends on nothing but its place in the row of decisions. */
function drawn(seed: number, index: number, turn: number): number {
	return parseInt(sha256(`${seed}/${index}/${turn}`).slice(0, 8), 16) / 0x1_0000_0000;
}
