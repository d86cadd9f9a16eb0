import type { DeliveryRecord, RegistrationRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Activity } from '../util/activity';
import type { Clock } from '../util/clock';
import { newId } from '../util/ids';
import type { Journal } from '../util/journal';
import { maskUrl } from '../util/mask';
import { Slots } from '../util/slots';
import { Waits } from '../util/waits';
import type { Delivery, DeliveryAttempt } from '../types';
import { attemptDelivery } from './deliveryAttempt';
import { isReceived, laneOf, toDelivery, type NewDelivery } from './deliveryRecords';
import { TroublePlanner } from './deliveryTrouble';
import { isLoopback } from './loopback';
import { ServiceRefusal } from './refusal';
import { delaysOf } from './retrySchedules';
import type { Settings } from './settings';

const KEPT_WHEN_DONE = 2000;
/** Of one address: a receiver that hangs keeps nobody else's notifications waiting. */
const AT_THE_SAME_TIME = 16;

/** How deliveries are tried. */
export interface DeliveryRules {
	/** Deliver to addresses beyond this machine, too. */
	allowRemote: boolean;
}

/**
 * Hands notifications to registered addresses. For one document and one address they go one after
 * the other, each waiting until the one before is delivered or given up, so that a receiver that
 * registered for several events gets them in the order in which they happened; all else goes at the
 * same time. What is pending is part of the state, and goes on after a restart.
 */
export class Deliveries {
	/** Pending ones, by document and address; the first of each lane is being tried. */
	private readonly lanes = new Map<string, DeliveryRecord[]>();
	private readonly done: string[] = [];
	private readonly underway = new Set<AbortController>();
	/** By receiver: the address without its query. */
	private readonly slots = new Slots(AT_THE_SAME_TIME);
	/** Late on purpose until the next one is done, by lane. */
	private readonly held = new Map<string, Set<string>>();
	private readonly planner = new TroublePlanner();
	private readonly waits: Waits;
	private closed = false;

	constructor(
		private readonly store: Store,
		private readonly activity: Activity,
		private readonly rules: DeliveryRules,
		private readonly settings: Settings,
		private readonly clock: Clock,
		private readonly journal: Journal,
	) {
		this.waits = new Waits(clock);
	}

	/**
	 * Forgets what is under way: other deliveries are in the store now. Those that were there when
	 * this is called are tried no more, and nothing of them is kept.
	 */
	forget(): void {
		for (const abort of this.underway) abort.abort();
		this.done.length = 0;
		this.waits.cutAllShort();
	}

	/** Goes on with what was pending when the data folder was last written. */
	resume(): void {
		for (const record of this.store.deliveries.all()) {
			if (record.state === 'pending') this.queue(record);
			else this.done.push(record.id);
		}
	}

	/** Oldest first. */
	all(): Delivery[] {
		return this.store.deliveries.all().map(toDelivery);
	}

	/**
	 * Starts handing a notification to one registration.
	 * @param subjectId The document or identity request that it is about.
	 * @param json The whole body.
	 */
	send(registration: RegistrationRecord, subjectId: string, json: string): Delivery {
		const { webHookID, type, webHookUrl: url } = registration;
		const plan = this.planner.plan(type, this.settings.current.delivery);
		const { twice, untilOvertaken, waitMs } = plan;
		const given = { webHookID, type, url, subjectId, json };
		if (plan.never) return this.lose(given);
		return this.start({
			...given,
			...(twice ? { twice } : {}),
			...(waitMs > 0 ? { notBefore: this.clock.now() + waitMs, untilOvertaken } : {}),
		});
	}

	/**
	 * Sends a delivery again: one that waits for its next attempt is tried now, one that is done
	 * gives a new delivery with the same body, even if its registration is gone.
	 * @throws ServiceRefusal (404) when there is none.
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

	/** Stops trying, at once; what is pending stays pending in the state. */
	close(): void {
		this.closed = true;
		this.waits.stop();
		for (const abort of this.underway) abort.abort();
	}

	private start(given: NewDelivery): Delivery {
		const record = this.newRecord(given);
		this.store.deliveries.put(record.id, record);
		this.queue(record);
		return toDelivery(record);
	}

	/** Keeps a notification that is never sent, on purpose. */
	private lose(given: NewDelivery): Delivery {
		const record = this.newRecord(given);
		this.note(record, {
			at: record.at,
			error: 'never sent: that is what the delivery trouble asks for',
			durationMs: 0,
		});
		this.settle(record, 'failed');
		return toDelivery(record);
	}

	private newRecord(given: NewDelivery): DeliveryRecord {
		return { id: newId(), ...given, at: this.clock.now(), attempts: [], state: 'pending' };
	}

	private queue(record: DeliveryRecord): void {
		this.activity.begin();
		// Others pass one that is late.
		const lane = record.notBefore ? record.id : laneOf(record);
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

	/** Waits with a notification that is late on purpose. */
	private async hold({ id, notBefore = 0, ...record }: DeliveryRecord): Promise<void> {
		const left = notBefore - this.clock.now();
		if (left <= 0 || record.attempts.length > 0) return;
		const lane = laneOf(record);
		const held = this.held.get(lane) ?? new Set();
		if (record.untilOvertaken) this.held.set(lane, held.add(id));
		await this.waits.pause(id, left);
		held.delete(id);
		if (held.size === 0) this.held.delete(lane);
	}

	private async deliver(record: DeliveryRecord): Promise<void> {
		await this.hold(record);
		while (!this.isOver(record) && record.state === 'pending') {
			const refused = this.whyNot(record);
			if (refused !== undefined) {
				this.note(record, { at: this.clock.now(), error: refused, durationMs: 0 });
				this.settle(record, 'failed');
				return;
			}
			const [receiver = ''] = record.url.split('?', 1);
			const tried = await this.slots.run(receiver, () => this.attempt(record));
			if (!tried) return;
			const { status = 0 } = record.attempts.at(-1) ?? {};
			const delay = delaysOf(this.settings.current.delivery)[record.attempts.length - 1];
			if (isReceived(status)) this.settle(record, 'delivered');
			else if (delay === undefined) this.settle(record, 'failed');
			else {
				this.store.deliveries.put(record.id, record);
				await this.waits.pause(record.id, delay);
			}
		}
	}

	/** Whether nothing is to be done for a delivery any more: the sandbox stopped, or has another state. */
	private isOver(record: DeliveryRecord): boolean {
		return this.closed || this.store.deliveries.get(record.id) !== record;
	}

	/** @returns false when it was over meanwhile: that attempt does not count. */
	private async attempt(record: DeliveryRecord): Promise<boolean> {
		if (this.isOver(record)) return false;
		const abort = new AbortController();
		this.underway.add(abort);
		const attempt = await attemptDelivery(record.url, this.bodyOf(record), abort, this.clock);
		this.underway.delete(abort);
		const isLost = this.store.deliveries.get(record.id) !== record;
		if (isLost || (this.closed && attempt.status === undefined)) return false;
		this.note(record, attempt);
		return true;
	}

	/** The body of the next attempt. */
	private bodyOf({ json, attempts, isRepeat }: DeliveryRecord): string {
		const isFirst = attempts.length === 0 && !isRepeat;
		if (isFirst || !this.settings.current.delivery.newAddedOn) return json;
		return JSON.stringify({ ...(JSON.parse(json) as object), addedOn: this.clock.now() });
	}

	private note(record: DeliveryRecord, attempt: DeliveryAttempt): void {
		record.attempts.push(attempt);
		const { type, subjectId, url, attempts } = record;
		const { status = 0, error } = attempt;
		const again = attempts.length > 1 ? `, attempt ${attempts.length}` : '';
		const text = `${type} about ${subjectId} to ${maskUrl(url)}: ${error ?? status}${again}`;
		this.journal.add('delivery', text, !isReceived(status));
	}

	private whyNot(record: DeliveryRecord): string | undefined {
		if (!this.rules.allowRemote && !isLoopback(record.url)) {
			return 'only loopback addresses are delivered to';
		}
		if (!record.manual && !this.store.registrations.get(record.webHookID)) {
			return 'the webhook was deleted';
		}
		return undefined;
	}

	private repeat({ webHookID, type, url, subjectId, json }: DeliveryRecord): void {
		this.start({ webHookID, type, url, subjectId, json, isRepeat: true });
	}

	private settle(record: DeliveryRecord, state: 'delivered' | 'failed'): void {
		record.state = state;
		for (const id of this.held.get(laneOf(record)) ?? []) {
			// IDs are in the order of creation: an older one that is done just now overtakes nobody.
			if (id < record.id) this.waits.cutShort(id);
		}
		if (state === 'delivered' && record.twice) this.repeat(record);
		this.store.deliveries.put(record.id, record);
		this.done.push(record.id);
		while (this.done.length > KEPT_WHEN_DONE) {
			this.store.deliveries.remove(this.done.shift() ?? '');
		}
	}
}
