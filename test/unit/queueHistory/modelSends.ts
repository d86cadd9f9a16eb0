import type { Entry } from '../../queue/support/history/entries';
import type { Outage } from './modelOutages';

/** A list of keys that somebody asks for. */
export interface Asked {
	begun: number;
	keys: string[];
	worker: string;
	takes: number;
	isCreated: boolean;
}

/** One key of one list, at work. */
interface Step {
	execution: string;
	key: string;
	at: number;
	end: number;
	/** When it was broken off. */
	died?: number;
	isCreated: boolean;
	isAway: boolean;
}

/** What is kept of a key. */
interface Kept {
	/** Infinity where nobody is told. */
	confirmedAt: number;
}

/** The lists, one key after another, as they would run if no other did. */
function stepsOf(asked: Asked[], away: Outage[], entries: Entry[]): Step[] {
	return asked.flatMap(({ begun, keys, worker, takes, isCreated }, index) => {
		const call = `send-${index}#1`;
		const execution = `s-${index}`;
		entries.push({ type: 'call', at: begun, call });
		for (const key of keys) entries.push({ type: 'send', at: begun, call, key });
		const start = begun + 10;
		entries.push(
			{ type: 'started', at: start, execution, call },
			{ type: 'answer', at: begun + 20, call, status: 200 },
		);
		const end = start + keys.length * takes;
		const died = away.find(
			({ target, from }) => target === worker && from >= start && from <= end,
		)?.from;
		const status = died === undefined ? 'success' : 'crashed';
		const finishedAt = died === undefined ? end : died + 60_000;
		entries.push({ type: 'finished', at: finishedAt, execution, status });
		return keys.flatMap((key, nth): Step[] => {
			const at = start + nth * takes;
			if (died !== undefined && at >= died) return [];
			const isAway = away.some(
				({ role, from, to }) => role === 'store' && from <= at + takes && to >= at,
			);
			return [{ execution, key, at, end: at + takes, died, isCreated, isAway }];
		});
	});
}

/** Sends lists of keys as docs/reliability.md says, whatever fails meanwhile. */
export function runSends(asked: Asked[], away: Outage[]): Entry[] {
	const entries: Entry[] = [];
	const kept = new Map<string, Kept>();
	const steps = stepsOf(asked, away, entries).sort((a, b) => a.at - b.at);
	const ends = new Map<string, number>();
	for (const { execution, end } of steps) {
		ends.set(execution, Math.max(end, ends.get(execution) ?? 0));
	}
	for (const { execution, key, at, end, died, isCreated, isAway } of steps) {
		// An execution that dies gives nothing out.
		const say = (
			result: 'created' | 'skipped' | 'mayHaveBeenCreated' | 'failed',
			name?: string,
		) => {
			if (died !== undefined) return;
			const saidAt = ends.get(execution) ?? end;
			entries.push({ type: 'output', at: saidAt, execution, key, result, document: name });
		};
		if (isAway) {
			// Nothing goes out while the key cannot be recorded.
			say('failed');
			continue;
		}
		const before = kept.get(key);
		if (before) {
			say(before.confirmedAt <= at ? 'skipped' : 'mayHaveBeenCreated');
			continue;
		}
		const isBrokenOff = died !== undefined && died < end;
		kept.set(key, { confirmedAt: isBrokenOff ? Infinity : end });
		if (isBrokenOff && !isCreated) continue;
		const document = `d-${execution}-${key}`;
		entries.push({ type: 'document', at: isBrokenOff ? at : end, document, key });
		say('created', document);
	}
	return entries;
}
