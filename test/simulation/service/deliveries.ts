import type { World } from '../world';
import type { Notification } from './contract';
import type { DeliveryPlan, DeliveryWay } from './deliveryPlan';

/** A notification, and the status with which each try was answered; undefined: no answer in time. */
export interface DeliveryRecord {
	readonly notification: Notification;
	readonly way: DeliveryWay;
	readonly statuses: Array<number | undefined>;
}

/** Hands a notification to its receiver; gives the status answered, undefined if there is none. */
export type Post = (notification: Notification) => Promise<number | undefined>;

/**
 * Delivers notifications as a plan says. The sandbox's own deliveries keep to an order, and so would not
 * find what goes wrong without one.
 */
export class Deliveries {
	/** Every notification, in the order in which they came up. */
	readonly records: DeliveryRecord[] = [];

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
			const way = ways[this.records.length % ways.length] ?? { when: 'soon', again: null };
			const record = { notification, way, statuses: [] };
			this.records.push(record);
			if (way.when !== 'never') this.run(this.deliver(record));
		}
	}

	/** Lets those go out that are held. */
	release(): void {
		for (const each of this.held.splice(0)) each();
	}

	private run(work: Promise<void>): void {
		this.running.add(work);
		void work.finally(() => this.running.delete(work));
	}

	private async deliver(record: DeliveryRecord): Promise<void> {
		const { when, again } = record.way;
		if (when === 'held') await new Promise<void>((resolve) => this.held.push(resolve));
		if (typeof when === 'number') await this.world.sleep(when);
		if (when !== 'before') await this.world.step(titleOf(record));
		if (again !== null) this.run(this.deliverAgain(record, again));
		await this.tryAll(record, false);
	}

	private async deliverAgain(record: DeliveryRecord, after: number): Promise<void> {
		if (after > 0) await this.world.sleep(after);
		await this.world.step(`${titleOf(record)} again`);
		await this.tryAll(record, true);
	}

	private async tryAll(record: DeliveryRecord, isRepetition: boolean): Promise<void> {
		const { retries, toDeleted } = this.plan;
		for (let attempt = 0; ; attempt++) {
			if (!toDeleted && !this.isRegistered(record.notification.webHookID)) return;
			const status = await this.tryOnce(record, isRepetition || attempt > 0);
			const pause = retries[attempt];
			if ((status !== undefined && status >= 200 && status < 300) || pause === undefined) return;
			await this.world.sleep(pause);
			await this.world.step(`${titleOf(record)} once more`);
		}
	}

	private async tryOnce(record: DeliveryRecord, isAgain: boolean): Promise<number | undefined> {
		const { notification } = record;
		const posted = this.post(isAgain ? this.asRepeated(notification) : notification);
		const status = await this.withTimeout(posted);
		record.statuses.push(status);
		this.world.note(`${titleOf(record)}: ${status ?? 'no answer'}`);
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

function titleOf({ notification: { event, about } }: DeliveryRecord): string {
	return `${event} of ${about}`;
}
