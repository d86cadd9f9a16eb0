import type { DeliveryRecord, RegistrationRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Delivery } from '../types';
import { type Activity, Slots, Waits } from '../util/async';
import type { Clock } from '../util/clock';
import { newId } from '../util/ids';
import { attemptDelivery, isLoopback } from './deliveryAttempt';
import { ServiceRefusal } from './refusal';
import type { Settings } from './settings';

const keptWhenDone = 2000;
/**
 * The maximum number of concurrent deliveries to the same receiver. Because the limit applies to each
 * receiver separately, a receiver that hangs does not delay notifications to the others.
 */
const atTheSameTime = 16;

/** The properties that are needed to create a delivery. */
type NewDelivery = Omit<DeliveryRecord, 'id' | 'at' | 'attempts' | 'state'>;

/**
 * Delivers notifications to registered URLs. If several notifications about the same document or identity
 * request go to the same URL, each one waits until the previous one has been delivered or has failed. A
 * receiver therefore gets the events in the order in which they happened. All other deliveries run in
 * parallel. Pending deliveries are part of the stored state and resume after a restart.
 */
export class Deliveries {
	/**
	 * The pending deliveries, in a separate lane for each combination of subject and URL. The first delivery
	 * in a lane is the one in progress.
	 */
	private readonly lanes = new Map<string, DeliveryRecord[]>();
	private readonly done: string[] = [];
	private readonly underway = new Set<AbortController>();
	/**
	 * The slots for concurrent deliveries to each receiver. A receiver is identified by its URL without the
	 * query.
	 */
	private readonly slots = new Slots(atTheSameTime);
	private readonly waits: Waits;
	private closed = false;

	/** @param settings The settings that determine when a delivery is retried. */
	constructor(
		private readonly store: Store,
		private readonly activity: Activity,
		private readonly settings: Settings,
		private readonly clock: Clock,
	) {
		this.waits = new Waits(clock);
	}

	/** Resumes the deliveries that were pending when the data folder was last saved. */
	resume(): void {
		for (const record of this.store.deliveries.all()) {
			if (record.state === 'pending') this.queue(record);
			else this.done.push(record.id);
		}
	}

	/** Returns all deliveries, oldest first. */
	all(): Delivery[] {
		return this.store.deliveries.all().map(toDelivery);
	}

	/**
	 * Starts delivering a notification to one registered URL.
	 * @param subjectId The ID of the document or identity request.
	 * @param json The entire body.
	 */
	send(registration: RegistrationRecord, subjectId: string, json: string): Delivery {
		const { webHookID, type, webHookUrl: url } = registration;
		return this.start({ webHookID, type, url, subjectId, json });
	}

	/**
	 * Sends a delivery again. A pending delivery is tried immediately. For a finished delivery, a new
	 * delivery with the same body is started, even if the webhook has been removed.
	 * @throws ServiceRefusal with status 404 if no delivery has this ID.
	 */
	resend(id: string): Delivery {
		const record = this.store.deliveries.get(id);
		if (!record) throw new ServiceRefusal(404, 'Delivery not found');
		if (record.state === 'pending') {
			this.waits.cutShort(id);
			return toDelivery(record);
		}
		const { webHookID, type, url, subjectId, json } = record;
		return this.start({ webHookID, type, url, subjectId, json, manual: true });
	}

	/** Stops all attempts immediately. Pending deliveries remain pending in the stored state. */
	close(): void {
		this.closed = true;
		this.waits.stop();
		for (const abort of this.underway) abort.abort();
	}

	private start(given: NewDelivery): Delivery {
		const at = this.clock.now();
		const record: DeliveryRecord = { id: newId(), ...given, at, attempts: [], state: 'pending' };
		this.store.deliveries.put(record.id, record);
		this.queue(record);
		return toDelivery(record);
	}

	private queue(record: DeliveryRecord): void {
		this.activity.begin();
		const lane = `${record.subjectId} ${record.url}`;
		const queued = this.lanes.get(lane);
		if (queued) {
			queued.push(record);
			return;
		}
		this.lanes.set(lane, [record]);
		void this.run(lane);
	}

	private async run(lane: string): Promise<void> {
		const queued = this.lanes.get(lane) ?? [];
		for (let record = queued[0]; record && !this.closed; record = queued[0]) {
			await this.deliver(record);
			queued.shift();
			this.activity.end();
		}
		this.lanes.delete(lane);
	}

	private async deliver(record: DeliveryRecord): Promise<void> {
		while (!this.closed && record.state === 'pending') {
			const refused = this.whyNot(record);
			if (refused !== undefined) {
				record.attempts.push({ at: this.clock.now(), error: refused, durationMs: 0 });
				this.settle(record, 'failed');
				return;
			}
			const [receiver = ''] = record.url.split('?', 1);
			const tried = await this.slots.run(receiver, () => this.attempt(record));
			if (!tried) return;
			const { status = 0 } = record.attempts.at(-1) ?? {};
			const delay = this.settings.current.deliveryBackoffMs[record.attempts.length - 1];
			if (isReceived(status)) this.settle(record, 'delivered');
			else if (delay === undefined) this.settle(record, 'failed');
			else {
				this.store.deliveries.put(record.id, record);
				await this.waits.pause(record.id, delay);
			}
		}
	}

	/**
	 * @returns false if the sandbox stopped before the attempt was finished. In that case, the attempt is not
	 * recorded.
	 */
	private async attempt(record: DeliveryRecord): Promise<boolean> {
		if (this.closed) return false;
		const abort = new AbortController();
		this.underway.add(abort);
		const attempt = await attemptDelivery(record.url, record.json, abort, this.clock);
		this.underway.delete(abort);
		if (this.closed && attempt.status === undefined) return false;
		record.attempts.push(attempt);
		return true;
	}

	private whyNot(record: DeliveryRecord): string | undefined {
		if (!isLoopback(record.url)) {
			return 'the sandbox delivers only to this machine';
		}
		if (!record.manual && !this.store.registrations.get(record.webHookID)) {
			return 'the webhook was deleted';
		}
		return undefined;
	}

	private settle(record: DeliveryRecord, state: 'delivered' | 'failed'): void {
		record.state = state;
		this.store.deliveries.put(record.id, record);
		this.done.push(record.id);
		while (this.done.length > keptWhenDone) {
			this.store.deliveries.remove(this.done.shift() ?? '');
		}
	}
}

/** Whether a response with this status means that the receiver has accepted the notification. */
function isReceived(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Converts a delivery to the shape that tools get. The body is parsed only when the property is accessed,
 * because thousands of deliveries are stored.
 */
function toDelivery(record: DeliveryRecord): Delivery {
	const { id, webHookID, type, url, at, attempts, state, json } = record;
	return {
		id,
		webHookID,
		type,
		url,
		at,
		get body(): unknown {
			return JSON.parse(json) as unknown;
		},
		attempts: structuredClone(attempts),
		state,
	};
}
