import fc from 'fast-check';

import type { World } from '../world';
import type { Notification } from './contract';

/** Decides how one notification is delivered. */
interface DeliveryWay {
	/**
	 * `soon`: when the scheduler reaches the delivery. `before`: immediately, so the notification may arrive
	 * before the response to the call that caused it. `held`: after the delivery is released. A number: after
	 * this many milliseconds.
	 */
	when: 'soon' | 'before' | 'held' | 'never' | number;
	/**
	 * The time (ms) between the starts of the first and the second delivery; null if there is only one
	 * delivery.
	 */
	again: number | null;
}

/** How the service delivers notifications. None of this is documented. */
export interface DeliveryPlan {
	/** The delivery settings for each notification in turn. After the last entry, the list starts over. */
	ways: DeliveryWay[];
	/**
	 * The delay (ms) before each retry. An attempt fails if there is no response or if its status is not 2xx.
	 */
	retries: number[];
	/** How long (ms) a receiver may take to respond. */
	timeLimit: number;
	/** Whether a second delivery or a retry has the same time (`addedOn`) as the first delivery. */
	addedOnAgain: 'same' | 'new';
	/** Whether a pending notification is still delivered after its webhook is deleted. */
	toDeleted: boolean;
}

/** Delivers each notification once, without delay, and retries a few times if delivery fails. */
export const plainPlan: DeliveryPlan = {
	ways: [{ when: 'soon', again: null }],
	retries: [1000, 5000, 30_000],
	timeLimit: 10_000,
	addedOnAgain: 'same',
	toDeleted: false,
};

const manyRetries = [500, 2000, 5000, 15_000, 60_000, 120_000, 300_000, 600_000];

const way: fc.Arbitrary<DeliveryWay> = fc.record({
	when: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 4, arbitrary: fc.constant<DeliveryWay['when']>('soon') },
		{
			weight: 4,
			arbitrary: fc.constantFrom<DeliveryWay['when'][]>('before', 'held', 3000, 90_000),
		},
		{ weight: 1, arbitrary: fc.constant<DeliveryWay['when']>('never') },
	),
	again: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(null) },
		{ weight: 2, arbitrary: fc.constantFrom(0, 2000, 120_000) },
	),
});

/** Generates delivery plans that shrink toward `plainPlan`. */
export const deliveryPlanArbitrary: fc.Arbitrary<DeliveryPlan> = fc.record({
	ways: fc.array(way, { minLength: 1, maxLength: 4 }),
	retries: fc.constantFrom(plainPlan.retries, manyRetries, []),
	timeLimit: fc.constantFrom(plainPlan.timeLimit, 3000),
	addedOnAgain: fc.constantFrom<DeliveryPlan['addedOnAgain'][]>('same', 'same', 'same', 'new'),
	toDeleted: fc.constantFrom(false, true),
});

/**
 * Returns the maximum time (ms) until a notification is delivered or abandoned. Held notifications can take
 * longer.
 */
export function maxDeliveryTime({ ways, retries, timeLimit }: DeliveryPlan): number {
	const lateness = ways.map(
		({ when, again }) => (typeof when === 'number' ? when : 0) + (again ?? 0),
	);
	const pauses = retries.reduce((sum, pause) => sum + pause, 0);
	return Math.max(...lateness) + pauses + timeLimit * (retries.length + 1);
}

interface Delivery {
	readonly notification: Notification;
	readonly way: DeliveryWay;
}

/**
 * Sends a notification to its receiver. Returns the status of the response, or undefined if there is none.
 */
export type Post = (notification: Notification) => Promise<number | undefined>;

/**
 * Delivers notifications according to a plan. The sandbox's own deliveries keep events in order, so they
 * would not reveal bugs that occur only in a different order.
 */
export class Deliveries {
	/** The number of notifications so far. */
	private count = 0;

	private readonly running = new Set<Promise<void>>();

	private held: Array<() => void> = [];

	/** @param isRegistered Whether a webhook with this webHookID exists. */
	constructor(
		private readonly world: World,
		private readonly plan: DeliveryPlan,
		private readonly post: Post,
		private readonly isRegistered: (webHookID: string) => boolean = () => true,
	) {}

	/** The number of unfinished deliveries, including the held ones. */
	get pending(): number {
		return this.running.size;
	}

	/** Begins the deliveries. By the time this returns, `before` notifications have already been sent. */
	send(notifications: readonly Notification[]): void {
		for (const notification of notifications) {
			const { ways } = this.plan;
			const way = ways[this.count++ % ways.length] ?? { when: 'soon', again: null };
			if (way.when !== 'never') this.run(this.deliver({ notification, way }));
		}
	}

	/** Starts the deliveries that were held back. */
	release(): void {
		for (const release of this.held.splice(0)) release();
	}

	private run(work: Promise<void>): void {
		this.running.add(work);
		void work.finally(() => this.running.delete(work));
	}

	private async deliver(delivery: Delivery): Promise<void> {
		const { when, again } = delivery.way;
		if (when === 'held') await new Promise<void>((resolve) => this.held.push(resolve));
		if (typeof when === 'number') await this.world.sleep(when);
		if (when !== 'before') await this.world.step(titleOf(delivery));
		if (again !== null) this.run(this.deliverAgain(delivery, again));
		await this.tryAll(delivery, false);
	}

	private async deliverAgain(delivery: Delivery, after: number): Promise<void> {
		if (after > 0) await this.world.sleep(after);
		await this.world.step(`${titleOf(delivery)} again`);
		await this.tryAll(delivery, true);
	}

	private async tryAll(delivery: Delivery, isRepetition: boolean): Promise<void> {
		const { retries, toDeleted } = this.plan;
		for (let attempt = 0; ; attempt++) {
			if (!toDeleted && !this.isRegistered(delivery.notification.webHookID)) return;
			const status = await this.tryOnce(delivery, isRepetition || attempt > 0);
			const pause = retries[attempt];
			if ((status !== undefined && status >= 200 && status < 300) || pause === undefined) return;
			await this.world.sleep(pause);
			await this.world.step(`${titleOf(delivery)} once more`);
		}
	}

	private async tryOnce(delivery: Delivery, isAgain: boolean): Promise<number | undefined> {
		const { notification } = delivery;
		const posted = this.post(isAgain ? this.asRepeated(notification) : notification);
		const status = await this.withTimeout(posted);
		this.world.note(`${titleOf(delivery)}: ${status ?? 'no response'}`);
		return status;
	}

	private asRepeated(notification: Notification): Notification {
		const { addedOn } = notification.body;
		if (this.plan.addedOnAgain === 'same' || addedOn === undefined) return notification;
		const now = this.world.now();
		const changed = typeof addedOn === 'string' ? new Date(now).toISOString() : now;
		return { ...notification, body: { ...notification.body, addedOn: changed } };
	}

	private async withTimeout(work: Promise<number | undefined>): Promise<number | undefined> {
		return await new Promise((resolve) => {
			const clock = setTimeout(() => resolve(undefined), this.plan.timeLimit);
			const end = (status?: number) => {
				clearTimeout(clock);
				resolve(status);
			};
			work.then(end, () => end());
		});
	}
}

function titleOf({ notification: { event, about } }: Delivery): string {
	return `${event} of ${about}`;
}
