import { listTemplates } from '../../nodes/SignVerify/api/templates';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { executionCallMs, listCallMs } from '../../nodes/SignVerify/http/callTimeouts';
import { settle, type Settled } from '../../nodes/SignVerify/util/async';
import { sharedLookUp } from '../../nodes/SignVerify/util/singleFlight';
import { type Respond, neverRespond, standIn } from '../support/standIn';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

let keys = 0;
const newKey = () => `key ${++keys}`;

/**
 * Makes a lookup that takes a second and fails this many times before it succeeds. `starts` records when each
 * attempt starts.
 */
function slowLookUp(failures: number) {
	const starts: number[] = [];
	const load = async () => {
		const start = starts.push(performance.now());
		await sleep(1);
		if (start <= failures) throw new Error(`failure ${start}`);
		return { start };
	};
	return { starts, load };
}

describe('A shared lookup', () => {
	test('that fails is repeated by only one of the waiting callers', async () => {
		const key = newKey();
		const { starts, load } = slowLookUp(2);
		const callers = Array.from({ length: 50 }, async () => await settle(sharedLookUp(key, load)));
		const results: Array<Settled<unknown>> = await Promise.all(callers);
		expect(starts).toHaveLength(3);
		const failed = results.filter(({ ok }) => !ok);
		expect(failed).toHaveLength(2);
		expect(results.at(-1)).toEqual({ ok: true, value: { start: 3 } });
	});

	test('is not repeated by a caller that has reached its time limit', async () => {
		const key = newKey();
		const { starts, load } = slowLookUp(99);
		const elapsedMs = stopwatch();
		const callers = Array.from({ length: 50 }, async () => {
			const { ok } = await settle(sharedLookUp(key, load, { maxTimeMs: 2500 }));
			return { ok, ms: elapsedMs() };
		});
		const results = await Promise.all(callers);
		expect(new Set(results.map(({ ok }) => ok))).toEqual(new Set([false]));
		expect(Math.max(...results.map(({ ms }) => ms))).toBe(3000);
		expect(starts).toHaveLength(3);
	});

	test('keeps a result for ten seconds, but does not keep a failure that may be temporary', async () => {
		const key = newKey();
		const { starts, load } = slowLookUp(1);
		await expect(sharedLookUp(key, load)).rejects.toThrow('failure 1');
		const second = { start: 2 };
		expect(await sharedLookUp(key, load)).toEqual(second);
		await sleep(9.999);
		expect(await sharedLookUp(key, load)).toEqual(second);
		await sleep(0.001);
		expect(await sharedLookUp(key, load)).toEqual({ start: 3 });
		expect(starts).toHaveLength(3);
	});

	test('returns a copy', async () => {
		const key = newKey();
		const load = async () => await Promise.resolve([{ id: 1 }]);
		const [entry] = await sharedLookUp(key, load);
		Object.assign(entry ?? {}, { id: 2 });
		expect(await sharedLookUp(key, load)).toEqual([{ id: 1 }]);
	});
});

const lease = { _id: 'm-1', templateID: 't-1', name: 'Lease', status: 'ACTIVE' };
const listed = { body: { success: true, responseData: { templates: [lease] } } };

describe('A list of templates', () => {
	test("is loaded in time for a person in the editor even if the response to an execution's request is late", async () => {
		const respond: Respond = async (call, count) =>
			count === 1 ? await neverRespond(call) : listed;
		const account = { userId: newKey(), timeoutSeconds: 250 };
		const { context, calls } = standIn(respond, account);
		const ofExecution = listTemplates(new ServiceClient(context, executionCallMs), 'v2');
		await sleep(1);
		const elapsedMs = stopwatch();
		const ofEditor = await listTemplates(new ServiceClient(context, listCallMs), 'v2');
		expect(ofEditor).toMatchObject([{ templateID: 't-1' }]);
		expect(elapsedMs()).toBeLessThan(listCallMs);
		expect(calls).toHaveLength(2);
		expect(await ofExecution).toMatchObject([{ templateID: 't-1' }]);
	});

	test('is shared by executions that need it at the same time', async () => {
		const { context, calls } = standIn(() => listed, { userId: newKey() });
		const lists = [1, 2, 3].map(
			async () => await listTemplates(new ServiceClient(context, executionCallMs), 'v2'),
		);
		await Promise.all(lists);
		expect(calls).toHaveLength(1);
	});
});
