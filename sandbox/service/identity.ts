import type { IdentityRequest, IdentityResults } from '../schemas';
import type { IdentityRecord } from '../state/records';
import type { Store } from '../state/store';
import type { IdentityOutcome, IdentityRequestView } from '../types';
import type { Clock } from '../util/clock';
import { newId, newSecret } from '../util/ids';
import type { Account } from './account';
import { isEmail } from './createChecks';
import type { Events } from './events';
import { identityResults } from './identityResults';
import type { Links } from './links';
import { PageRefusal, ServiceRefusal } from './refusal';

/** What identity checks need from the rest of the sandbox. */
export interface IdentityDeps {
	store: Store;
	account: Account;
	links: Links;
	events: Events;
	clock: Clock;
}

/**
 * The identity verification requests. A request is CREATED, IN_PROGRESS once the person opened the
 * link, COMPLETED once they ended the check; the session of a request has its validationId.
 */
export class Identity {
	/** Link's secret -> validationId. */
	private readonly byToken = new Map<string, string>();

	constructor(private readonly deps: IdentityDeps) {
		for (const { token, validationId } of this.deps.store.identityRequests.all()) {
			this.byToken.set(token, validationId);
		}
	}

	/**
	 * Makes a request (docs/dev/service.md#create-an-identity-verification-request).
	 * @throws ServiceRefusal (400) when the email is not one.
	 */
	create(given: { email: string; type: string; backgroundCheck: boolean }): IdentityRecord {
		if (!isEmail(given.email))
			throw new ServiceRefusal(400, 'email has invalid format or is empty');
		const record: IdentityRecord = {
			validationId: newId(),
			token: newSecret(),
			...given,
			status: 'CREATED',
			createdAt: this.deps.clock.now(),
			customerId: null,
		};
		this.deps.store.identityRequests.put(record.validationId, record);
		this.byToken.set(record.token, record.validationId);
		return record;
	}

	/** @throws ServiceRefusal (404) when there is no such request. */
	existing(validationId: string): IdentityRecord {
		const record = this.deps.store.identityRequests.get(validationId);
		if (!record) throw new ServiceRefusal(404, 'Identity validation request not found');
		return record;
	}

	/** Oldest first. */
	all(): IdentityRequestView[] {
		return this.deps.store.identityRequests.all().map((record) => this.view(record));
	}

	/** The request as the service answers it (docs/dev/service.md#identity-verification-request). */
	resource(record: IdentityRecord): IdentityRequest {
		return {
			userId: this.deps.account.userId,
			emailId: record.email,
			status: record.status,
			createdAt: new Date(record.createdAt).toISOString(),
			sessionId: record.validationId,
			customerId: record.customerId,
			url: this.deps.links.identity(record.token),
			backgroundCheck: record.backgroundCheck,
		};
	}

	/** The request as tools see it. */
	view(record: IdentityRecord): IdentityRequestView {
		const { validationId, type, outcome } = record;
		return {
			...this.resource(record),
			validationId,
			type,
			...(outcome === undefined ? {} : { outcome }),
		};
	}

	/**
	 * What the check found (docs/dev/service.md#get-identity-verification-results).
	 * @throws ServiceRefusal (404) before the person is done: until then there is no such thing.
	 */
	results(sessionId: string): IdentityResults {
		const record = this.deps.store.identityRequests.get(sessionId);
		if (!record?.outcome || record.status !== 'COMPLETED' || record.customerId === null) {
			throw new ServiceRefusal(404, 'Session results not found');
		}
		return identityResults(record.outcome, record.customerId);
	}

	/** What a person's link leads to. */
	byLink(token: string): IdentityRecord | undefined {
		return this.deps.store.identityRequests.get(this.byToken.get(token) ?? '');
	}

	/** The person opened the link. */
	opened(record: IdentityRecord): void {
		if (record.status === 'CREATED') this.change(record, { status: 'IN_PROGRESS' });
	}

	/**
	 * The person ended the check. `manualReview` leaves it in progress, to be ended later.
	 * @throws PageRefusal when it was finished before.
	 */
	complete(record: IdentityRecord, outcome: IdentityOutcome): void {
		if (record.status === 'COMPLETED') {
			throw new PageRefusal('This identity check has already been finished.');
		}
		if (outcome === 'manualReview') {
			this.change(record, { outcome, status: 'IN_PROGRESS' });
			return;
		}
		this.change(record, { outcome, status: 'COMPLETED', customerId: newId() });
		this.deps.events.identityFinished(record);
	}

	private change(record: IdentityRecord, changes: Partial<IdentityRecord>): void {
		Object.assign(record, changes);
		this.deps.store.identityRequests.put(record.validationId, record);
	}
}
