import fc from 'fast-check';

import type { World } from '../world';
import type { Notification } from './contract';

/** How one notification is delivered. */
interface DeliveryWay {
	/**
	 * `soon`: when it gets its turn. `before`: at once, so that it can be there before the answer to
	 * the call that brings it about. `held`: when it is released. A number: so many milliseconds late.
	 */
	when: 'soon' | 'before' | 'held' | 'never' | number;
	/** Milliseconds after the first delivery began that a second one begins; null means none. */
	again: number | null;
}

/** How a service delivers. Nothing of it is documented. */
export interface DeliveryPlan {
	/** Of the first notification, the second, and so on; then from the start again. */
	ways: DeliveryWay[];
	/** Pauses (ms) before the tries after the first one, which follow any answer but 2xx. */
	retries: number[];
	/** Milliseconds that a receiver has for its answer. */
	timeLimit: number;
	/** Whether a second delivery or a further try says another moment (`addedOn`) than the first. */
	addedOnAgain: 'same' | 'new';
	/** Whether what is under way to a registration is delivered after its deletion. */
	toDeleted: boolean;
}

/** Each notification once, when it gets its turn, with a few tries. */
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

/** Plans, shrinking towards the plain one. */
export const deliveryPlanArbitrary: fc.Arbitrary<DeliveryPlan> = fc.record({
	ways: fc.array(way, { minLength: 1, maxLength: 4 }),
	retries: fc.constantFrom(plainPlan.retries, manyRetries, []),
	timeLimit: fc.constantFrom(plainPlan.timeLimit, 3000),
	addedOnAgain: fc.constantFrom<DeliveryPlan['addedOnAgain'][]>('same', 'same', 'same', 'new'),
	toDeleted: fc.constantFrom(false, true),
});

/** Milliseconds after which a notification that is not held has been delivered or given up. */
export function maxDeliveryTime({ ways, retries, timeLimit }: DeliveryPlan): number {
	const lateness = ways.map(
		({ when, again }) => (typeof when === 'number' ? when : 0) + (again ?? 0),
	);
	const pauses = retries.reduce((sum, pause) => sum + pause, 0);
	return Math.max(...lateness) + pauses + timeLimit * (retries.length + 1);
}

/** A notification, and how it is delivered. */
interface Delivery {
	readonly notification: Notification;
	readonly way: DeliveryWay;
}

/** Hands a notification to its receiver; gives the status answered, undefined if there is none. */
export type Post = (notification: Notification) => Promise<number | undefined>;

/**
 * Delivers notifications as a plan says. The sandbox's own deliveries keep to an order, and so would not
 * find what goes wrong without one.
 */
export class Deliveries {
	/** How many notifications came up. */
	private count = 0;

	private readonly running = new Set<Promise<void>>();

	private held: Array<() => void> = [];

	/** @param isRegistered Whether a webhook is there, by its webHookID. */
	constructor(
		private readonly world: World,
		private readonly plan: DeliveryPlan,
		private readonly post: Post,
		private readonly isRegistered: (webHookID: string) => boolean = () => true,
	) {}

	/** How many deliveries are not over, those that are held among them. */
	get pending(): number {
		return this.running.size;
	}

	/** Begins to deliver. What goes out `before` is posted by the time this returns. */
	send(notifications: readonly Notification[]): void {
		for (const notification of notifications) {
			const { ways } = this.plan;
			const way = ways[this.count++ % ways.length] ?? { when: 'soon', again: null };
			if (way.when !== 'never') this.run(this.deliver({ notification, way }));
		}
	}

	/** Lets those go out that are held. */
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
		this.world.note(`${titleOf(delivery)}: ${status ?? 'no answer'}`);
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
