import type { ClockChange, ClockState } from '../types';
import { ClockRangeError, type Clock } from '../util/clock';
import { readDuration } from '../util/duration';
import { ServiceRefusal } from './refusal';

/**
 * Puts the clock to a time, forward, to a stop or to running again.
 * @throws ServiceRefusal (400) when a text is no time or no length of time.
 */
export function changeClock(clock: Clock, { at, advance, frozen }: ClockChange): ClockState {
	const from = at === undefined ? clock.now() : readTime(at);
	try {
		return clock.set(from + readAdvance(advance), frozen);
	} catch (error) {
		if (!(error instanceof ClockRangeError)) throw error;
		throw new ServiceRefusal(400, error.message);
	}
}

function readTime(at: string | number): number {
	const time = typeof at === 'number' ? at : Date.parse(at);
	if (Number.isFinite(time)) return time;
	throw new ServiceRefusal(
		400,
		`"${at}" is not a time. Write it as in 2027-01-31 or 2027-01-31T09:00:00Z`,
	);
}

function readAdvance(advance: string | number | undefined): number {
	if (advance === undefined) return 0;
	const ms = typeof advance === 'number' ? advance : readDuration(advance);
	if (ms !== undefined && ms >= 0) return ms;
	throw new ServiceRefusal(
		400,
		`"${advance}" is not a length of time. Write it as in 30d, 90m or 1d12h`,
	);
}
