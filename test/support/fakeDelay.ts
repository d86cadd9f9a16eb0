import type * as async from '../../nodes/SignVerify/util/async';

const actual = jest.requireActual<typeof async>('../../nodes/SignVerify/util/async');
export const { settle, withTimeout, timeIsOver, KeyedMutex, Slots } = actual;

/** The pause before a trigger's webhooks are removed (trigger/lifecycle.ts). */
const beforeRemoval = 10_000;

/** The waits that were asked for (ms); that one and those below five seconds only move the clock on. */
export const waits: number[] = [];
let now = Date.now();

/** In place of that of `util/async.ts`. */
export async function delay(ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted) return false;
	if (ms < 1) return true;
	waits.push(ms);
	if (ms >= 5000 && ms !== beforeRemoval) {
		return await new Promise((resolve) => {
			signal?.addEventListener('abort', () => resolve(false));
		});
	}
	now += ms;
	return true;
}

/** The clock of the tests of the calling file, which puts this file in the place of `util/async.ts`. */
export function useFakeDelay(): void {
	beforeEach(() => {
		waits.splice(0);
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		jest.spyOn(performance, 'now').mockImplementation(() => now);
	});
	afterEach(() => jest.restoreAllMocks());
}
