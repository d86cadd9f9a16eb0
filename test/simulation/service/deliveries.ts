import type { World } from '../world';
import type { Notification } from './contract';
import type { DeliveryPlan, DeliveryWay } from './deliveryPlan';

/** A notification, and what has become of it. */
export interface DeliveryRecord {
	readonly notification: Notification;
	readonly way: DeliveryWay;
	/** epoch-ms, when it came up. */
	readonly at: number;
	/** `dropped`: its registration was gone before anybody had answered 2xx. */
	state: 'pending' | 'delivered' | 'givenUp' | 'dropped' | 'never';
}

/** One attempt, once it is over. */
export interface DeliveryAttempt {
	readonly notification: Notification;
	/** Whether it is of the second delivery. */
	readonly isRepetition: boolean;
	/** From 1, in each of the two deliveries. */
	readonly attempt: number;
	/** epoch-ms */
	readonly from: number;
	readonly to: number;
	/** undefined: no answer within the time. */
	readonly status: number | undefined;
}

/** Hands a notification to its receiver; gives the status answered, undefined if there is none. */
export type Post = (notification: Notification, attempt: number) => Promise<number | undefined>;

/** Delivers notifications as a plan says. */
export class Deliveries {
	/** Every attempt, in the order in which they ended. */
	readonly log: DeliveryAttempt[] = [];

	/** Every notification, in the order in which they came up. */
	readonly records: DeliveryRecord[] = [];

	private readonly running = new Set<Promise<void>>();

	private held: Array<() => void> = [];

	/** @param isRegistered Whether a registration is there, by its webHookID. */
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
			const state = way.when === 'never' ? 'never' : 'pending';
			const record = { notification, way, at: this.world.now(), state } as DeliveryRecord;
			this.records.push(record);
			if (state === 'pending') this.run(this.deliver(record));
		}
	}

	/** Lets those go out that are held. */
	release(): void {
		for (const each of this.held.splice(0)) each();
	}

	/**
	 * Releases what is held. Time must pass for the rest (`maxDeliveryTime`).
	 * @returns When nothing is pending any more.
	 */
	async flush(): Promise<void> {
		while (this.running.size > 0) {
			this.release();
			await Promise.all(this.running);
		}
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
		for (let attempt = 1; ; attempt++) {
			if (!toDeleted && !this.isRegistered(record.notification.webHookID)) {
				settle(record, 'dropped');
				return;
			}
			const status = await this.tryOnce(record, isRepetition, attempt);
			if (status !== undefined && status >= 200 && status < 300) {
				record.state = 'delivered';
				return;
			}
			const pause = retries[attempt - 1];
			if (pause === undefined) {
				settle(record, 'givenUp');
				return;
			}
			await this.world.sleep(pause);
			await this.world.step(`${titleOf(record)} once more`);
		}
	}

	private async tryOnce(
		record: DeliveryRecord,
		isRepetition: boolean,
		attempt: number,
	): Promise<number | undefined> {
		const from = this.world.now();
		const isFirst = attempt === 1 && !isRepetition;
		const notification = isFirst ? record.notification : this.asRepeated(record.notification);
		const status = await this.withTimeout(this.post(notification, attempt));
		const to = this.world.now();
		this.log.push({ notification, isRepetition, attempt, from, to, status });
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

/** What one of two deliveries achieved, the other does not undo. */
function settle(record: DeliveryRecord, state: 'givenUp' | 'dropped'): void {
	if (record.state === 'pending') record.state = state;
}

function titleOf({ notification: { event, about } }: DeliveryRecord): string {
	return `${event} of ${about}`;
}
