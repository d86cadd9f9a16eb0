import { isSameTemplateAsOneOf, listTemplates } from '../../nodes/SignVerify/api/templates';
import { ServiceClient } from '../../nodes/SignVerify/account/client';
import { eventCallMs, executionCallMs } from '../../nodes/SignVerify/http/timeLimits';
import { settle, type Settled } from '../../nodes/SignVerify/util/async';
import { sharedLookUp } from '../../nodes/SignVerify/util/sharedLookUp';
import { type Respond, silence, standIn } from '../support/standIn';
import { sleep, useVirtualTime } from '../support/virtualTime';

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

	test('fails for a caller that reaches its time limit', async () => {
		const key = newKey();
		const { starts, load } = slowLookUp(99);
		const start = performance.now();
		const callers = Array.from({ length: 50 }, async () => {
			const { ok } = await settle(sharedLookUp(key, load, { maxTimeMs: 2500 }));
			return { ok, ms: performance.now() - start };
		});
		const results = await Promise.all(callers);
		expect(new Set(results.map(({ ok }) => ok))).toEqual(new Set([false]));
		expect(Math.max(...results.map(({ ms }) => ms))).toBe(2500);
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

	test('keeps a definite failure for one second', async () => {
		const key = newKey();
		const { starts, load } = slowLookUp(1);
		const lookUp = async () => await settle(sharedLookUp(key, load, { isCertain: () => true }));
		const results = await Promise.all(Array.from({ length: 50 }, lookUp));
		expect(results.filter(({ ok }) => ok)).toEqual([]);
		await sleep(0.999);
		expect((await lookUp()).ok).toBe(false);
		expect(starts).toHaveLength(1);
		await sleep(0.001);
		expect(await lookUp()).toEqual({ ok: true, value: { start: 2 } });
	});

	test('returns a copy of the selected part of the result', async () => {
		const key = newKey();
		const load = async () => await Promise.resolve({ list: [{ id: 1 }, { id: 2 }] });
		const select = ({ list }: { list: Array<{ id: number }> }) => list.slice(1);
		const [selected] = await sharedLookUp(key, load, { select });
		expect(selected).toEqual({ id: 2 });
		Object.assign(selected ?? {}, { id: 3 });
		expect(await sharedLookUp(key, load)).toEqual({ list: [{ id: 1 }, { id: 2 }] });
	});
});

const lease = { _id: 'm-1', templateID: 't-1', name: 'Lease', status: 'ACTIVE' };
const listed = { body: { success: true, responseData: { templates: [lease] } } };

describe('A list of templates', () => {
	test("is loaded in time for an event even if the response to an execution's request is late", async () => {
		const account = { userId: newKey() };
		const respond: Respond = async (call, count) => (count === 1 ? await silence(call) : listed);
		const { context, calls } = standIn(respond, { ...account, timeoutSeconds: 250 });
		const ofExecution = listTemplates(new ServiceClient(context, executionCallMs), 'v2');
		await sleep(1);
		const start = performance.now();
		const ofEvent = await listTemplates(new ServiceClient(context, eventCallMs), 'v2');
		expect(ofEvent).toMatchObject([{ templateID: 't-1' }]);
		expect(performance.now() - start).toBeLessThan(eventCallMs);
		// Another execution can use the event's list.
		await listTemplates(new ServiceClient(context, executionCallMs), 'v2');
		expect(calls).toHaveLength(2);
		expect(await ofExecution).toMatchObject([{ templateID: 't-1' }]);
	});

	test("that cannot be loaded causes an error in time, even for an event that first waits for another event's lookup", async () => {
		const { context, calls } = standIn(silence, { userId: newKey(), timeoutSeconds: 250 });
		const failures = [0, 0.1, 3, 4.5].map(async (arrivesAt) => {
			await sleep(arrivesAt);
			const start = performance.now();
			const list = await settle(listTemplates(new ServiceClient(context, eventCallMs), 'v2'));
			expect(list).toMatchObject({
				ok: false,
				error: { message: expect.stringContaining("didn't respond in time") as string },
			});
			return performance.now() - start;
		});
		for (const ms of await Promise.all(failures)) expect(ms).toBeLessThanOrEqual(eventCallMs);
		// The events that are still waiting share the second lookup.
		expect(calls).toHaveLength(2);
	});

	test('is soon available again to a steady stream of events after a single response is lost', async () => {
		const respond: Respond = async (call, count) => {
			if (count === 1) return await silence(call);
			await sleep(1.5);
			return listed;
		};
		const { context } = standIn(respond, { userId: newKey(), timeoutSeconds: 250 });
		const events = Array.from({ length: 60 }, async (_, index) => {
			const arrivesAt = index / 4;
			await sleep(arrivesAt);
			const start = performance.now();
			const { ok } = await settle(listTemplates(new ServiceClient(context, eventCallMs), 'v2'));
			expect(performance.now() - start).toBeLessThanOrEqual(eventCallMs);
			return { arrivesAt, ok };
		});
		const failed = (await Promise.all(events)).filter(({ ok }) => !ok);
		// The lost response takes five seconds, and the next one arrives a second and a half later.
		expect(Math.max(...failed.map(({ arrivesAt }) => arrivesAt))).toBeLessThan(2);
	});

	test('is shared by events that arrive at the same time', async () => {
		const { context, calls } = standIn(() => listed, { userId: newKey() });
		const lists = [1, 2, 3].map(
			async () => await listTemplates(new ServiceClient(context, eventCallMs), 'v2'),
		);
		await Promise.all(lists);
		expect(calls).toHaveLength(1);
	});

	test('is loaded only once for a burst of events, even if the service supports only one version of templates', async () => {
		const missing = { status: 404, body: { success: false, responseCode: 404 } };
		const respond: Respond = ({ options }) =>
			options.url.endsWith('/templates/v2') ? missing : listed;
		const { context, calls } = standIn(respond, { userId: newKey() });
		const events = Array.from({ length: 50 }, async () => {
			const service = new ServiceClient(context, eventCallMs);
			return await isSameTemplateAsOneOf(service, 't-1', ['t-2']);
		});
		expect(new Set(await Promise.all(events))).toEqual(new Set([false]));
		expect(calls).toHaveLength(2);
	});

	test('is at most ten seconds old when a filter uses it', async () => {
		let templates = [lease];
		const { context } = standIn(() => ({ body: { success: true, responseData: { templates } } }), {
			userId: newKey(),
		});
		const service = new ServiceClient(context, eventCallMs);
		await listTemplates(service, 'v2');
		await listTemplates(service, 'v1');
		templates = [lease, { ...lease, _id: 'm-2', templateID: 't-2', name: 'Rent' }];
		await sleep(9.9);
		expect(await isSameTemplateAsOneOf(service, 't-2', ['m-2'])).toBe(false);
		await sleep(0.2);
		expect(await isSameTemplateAsOneOf(service, 't-2', ['m-2'])).toBe(true);
	});
});
