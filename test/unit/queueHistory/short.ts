import type { Entry } from '../../queue/support/history/entries';

/** Entries by moment: what happens at 1, at 2 and so on, in milliseconds. */
export const call = (at: number, name: string, event?: string): Entry => ({
	...{ type: 'call', at, call: name },
	...(event ? { event } : {}),
});
export const forged = (at: number, name: string): Entry => ({
	...{ type: 'call', at, call: name, event: name, forged: true },
});
export const answer = (at: number, name: string, status: number | string = 200): Entry => ({
	...{ type: 'answer', at, call: name, status },
});
export const started = (at: number, execution: string, name: string, retryOf?: string): Entry => ({
	...{ type: 'started', at, execution, call: name },
	...(retryOf ? { retryOf } : {}),
});
export const finished = (at: number, execution: string, status = 'success'): Entry => ({
	...{ type: 'finished', at, execution, status },
});
export const send = (at: number, name: string, key: string): Entry => ({
	...{ type: 'send', at, call: name, key },
});
export const output = (
	at: number,
	execution: string,
	key: string,
	result: 'created' | 'skipped' | 'mayHaveBeenCreated' | 'failed',
	document?: string,
): Entry => ({ type: 'output', at, execution, key, result, ...(document ? { document } : {}) });
export const document = (at: number, name: string, key: string): Entry => ({
	...{ type: 'document', at, document: name, key },
});
export const retry = (at: number, execution: string): Entry => ({ type: 'retry', at, execution });
export const down = (at: number, target: 'worker-1' | 'webhook' | 'main' | 'Redis'): Entry => {
	const role = target === 'Redis' ? 'store' : target === 'worker-1' ? 'worker' : target;
	return { type: 'down', at, target, role };
};
export const up = (at: number, target: string): Entry => ({ type: 'up', at, target });

/** Entries of waits. */
export const wait = (
	at: number,
	name: string,
	key: string,
	rest: { limitMs?: number } = {},
): Entry => ({ type: 'wait', at, call: name, key, ...rest });
export const waiting = (at: number, execution: string): Entry => ({
	...{ type: 'waiting', at, execution },
});
export const completed = (at: number, name: string): Entry => ({
	...{ type: 'completed', at, document: name },
});
export const delivery = (
	at: number,
	registration: string,
	name: string,
	status: number | string = 200,
): Entry => ({ type: 'delivery', at, answeredAt: at + 1, registration, document: name, status });
export const continued = (at: number, execution: string, key: string, name: string): Entry => ({
	...{ type: 'continued', at, execution, key, document: name, result: 'completed' },
});
export const timedOut = (at: number, execution: string, key: string, name: string): Entry => ({
	...{ type: 'continued', at, execution, key, document: name, result: 'timedOut' },
});
export const registered = (at: number, registration: string, execution: string): Entry => ({
	...{ type: 'registered', at, registration, execution },
});
export const removed = (at: number, registration: string): Entry => ({
	...{ type: 'removed', at, registration },
});
