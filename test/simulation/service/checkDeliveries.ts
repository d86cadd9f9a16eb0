import type { Notification, ServiceDeps } from './contract';
import { Deliveries } from './deliveries';
import { longestDelivery, plainPlan, type DeliveryPlan } from './deliveryPlan';

const notification = (about: string, webHookID = 'r1'): Notification => ({
	...{ webHookID, url: 'https://n8n.example.com/', event: 'signDocument', about },
	...{ body: { addedOn: Date.now() }, contentType: 'application/json' },
});

/** Deliveries in Jest's own time, to a receiver that answers as told: then 200, or never (-1). */
function deliveriesOf(change: Partial<DeliveryPlan>, answers: number[] = []) {
	const start = Date.now();
	const posted: string[] = [];
	const moments: unknown[] = [];
	const registered = new Set(['r1', 'r2']);
	const surroundings: ServiceDeps = {
		now: () => Date.now(),
		random: () => 0,
		id: () => '',
		sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
		step: async () => await Promise.resolve(),
		note: () => undefined,
	};
	const deliveries = new Deliveries(
		surroundings,
		{ ...plainPlan, ...change },
		async ({ about, body }) => {
			posted.push(`${about} ${Date.now() - start}`);
			moments.push(typeof body.addedOn === 'number' ? body.addedOn - start : body.addedOn);
			const status = answers.shift() ?? 200;
			return await (status < 0 ? new Promise<never>(() => undefined) : Promise.resolve(status));
		},
		(id) => registered.has(id),
	);
	const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
	return { deliveries, posted, moments, registered, pass };
}

/** The tests of what a plan says. */
export function checkDeliveries(): void {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	test('go out as the plan says for the first, the second, and so on', async () => {
		const { deliveries, posted, pass } = deliveriesOf({
			ways: [
				{ when: 'soon', again: null },
				{ when: 3000, again: null },
				{ when: 'before', again: 2000 },
				{ when: 'never', again: 0 },
			],
		});
		deliveries.send(['a', 'b', 'c', 'd', 'e'].map((about) => notification(about)));
		expect(posted).toEqual(['c 0']);
		await pass(0);
		expect(posted).toEqual(['c 0', 'a 0', 'e 0']);
		expect(deliveries.pending).toBe(2);
		await pass(10_000);
		expect(posted.slice(3)).toEqual(['c 2000', 'b 3000']);
		expect(deliveries.pending).toBe(0);
		expect(deliveries.records.map(({ state }) => state)).toEqual([
			...['delivered', 'delivered', 'delivered', 'never', 'delivered'],
		]);
	});

	test('wait while they are held', async () => {
		const ways = [{ when: 'held' as const, again: 0 }];
		const { deliveries, posted, pass } = deliveriesOf({ ways });
		deliveries.send([notification('a')]);
		await pass(600_000);
		expect(posted).toEqual([]);
		const done = deliveries.flush();
		await pass(longestDelivery({ ...plainPlan, ways }));
		await done;
		expect(posted).toEqual(['a 600000', 'a 600000']);
		expect(deliveries.log.map(({ isRepetition }) => isRepetition)).toEqual([false, true]);
	});

	test('are tried again after any answer but 2xx, and after none', async () => {
		const { deliveries, posted, moments, pass } = deliveriesOf({}, [302, -1, 503]);
		deliveries.send([notification('a')]);
		await pass(longestDelivery(plainPlan));
		expect(posted).toEqual(['a 0', 'a 1000', 'a 16000', 'a 46000']);
		expect(deliveries.log.map(({ status }) => status)).toEqual([302, undefined, 503, 200]);
		expect(deliveries.log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
		expect(moments).toEqual([0, 0, 0, 0]);
		expect(deliveries.records[0]?.state).toBe('delivered');
	});

	test('are given up after the last try; a repetition has tries of its own', async () => {
		const plan = { retries: [1000], ways: [{ when: 'soon' as const, again: 100 }] };
		const { deliveries, posted, pass } = deliveriesOf(plan, [500, 500, 500, 500]);
		deliveries.send([notification('a')]);
		await pass(longestDelivery({ ...plainPlan, ...plan }));
		expect(posted).toEqual(['a 0', 'a 100', 'a 1000', 'a 1100']);
		expect(deliveries.records[0]?.state).toBe('givenUp');
		expect(deliveries.pending).toBe(0);
	});

	test('say another moment each time, if the plan wants that', async () => {
		const { deliveries, moments, pass } = deliveriesOf({ addedOnAgain: 'new' }, [500]);
		const without = { ...notification('b'), body: {} };
		deliveries.send([notification('a'), without]);
		await pass(longestDelivery(plainPlan));
		expect(moments).toEqual([0, undefined, 1000]);
	});

	test.each([
		[false, ['a 0'], 'dropped'],
		[true, ['a 0', 'a 1000'], 'delivered'],
	])('after the deletion of the registration: %s', async (toDeleted, expected, state) => {
		const { deliveries, posted, registered, pass } = deliveriesOf({ toDeleted }, [500]);
		deliveries.send([notification('a', 'r2')]);
		await pass(500);
		registered.delete('r2');
		await pass(longestDelivery(plainPlan));
		expect(posted).toEqual(expected);
		expect(deliveries.records[0]?.state).toBe(state);
	});
}
