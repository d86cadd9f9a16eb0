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

export interface IdentityDeps {
	store: Store;
	account: Account;
	links: Links;
	events: Events;
	clock: Clock;
}

/**
 * Creates identity verification requests and tracks them until they are completed. A request starts as
 * CREATED, becomes IN_PROGRESS when the person opens the link, and becomes COMPLETED when the person finishes
 * the verification. The validationId also serves as the session ID.
 */
export class Identity {
	/** Maps the secret in each person's link to a validationId. */
	private readonly byToken = new Map<string, string>();
	/**
	 * The results of the checks that are part of signing, by session ID. They're kept only in memory, because
	 * the signing page has no such check: only events that are sent on demand refer to one.
	 */
	private readonly ofSignatories = new Map<string, IdentityResults>();

	constructor(private readonly deps: IdentityDeps) {
		for (const { token, validationId } of this.deps.store.identityRequests.all()) {
			this.byToken.set(token, validationId);
		}
	}

	/**
	 * Creates a request (docs/dev/service.md#create-an-identity-verification-request).
	 * @throws ServiceRefusal with status 400 if the email address is invalid.
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

	/** @throws ServiceRefusal with status 404 if the request does not exist. */
	existing(validationId: string): IdentityRecord {
		const record = this.deps.store.identityRequests.get(validationId);
		if (!record) throw new ServiceRefusal(404, 'Identity validation request not found');
		return record;
	}

	/** Returns all identity requests, oldest first. */
	all(): IdentityRequestView[] {
		return this.deps.store.identityRequests.all().map((record) => this.view(record));
	}

	/** Returns the request in the service's shape (docs/dev/service.md#identity-verification-request). */
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

	/** Returns the request in the shape that tools get. */
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
	 * Returns the results of a verification, or of a signatory's identity check
	 * (docs/dev/service.md#get-identity-verification-results).
	 * @throws ServiceRefusal with status 404 until there are results.
	 */
	results(sessionId: string): IdentityResults {
		const ofSignatory = this.ofSignatories.get(sessionId);
		if (ofSignatory) return ofSignatory;
		const record = this.deps.store.identityRequests.get(sessionId);
		if (!record?.outcome || record.status !== 'COMPLETED' || record.customerId === null) {
			throw new ServiceRefusal(404, 'Session results not found');
		}
		return identityResults(record.outcome, record.customerId);
	}

	/**
	 * Simulates an identity check that is part of signing.
	 * @returns The ID of the check's session, which has results unless someone still has to review it.
	 */
	checkSignatory(outcome: IdentityOutcome): string {
		const sessionId = newId();
		if (outcome !== 'manualReview') {
			this.ofSignatories.set(sessionId, identityResults(outcome, newId()));
		}
		return sessionId;
	}

	byLink(token: string): IdentityRecord | undefined {
		return this.deps.store.identityRequests.get(this.byToken.get(token) ?? '');
	}

	opened(record: IdentityRecord): void {
		if (record.status === 'CREATED') this.change(record, { status: 'IN_PROGRESS' });
	}

	/**
	 * Finishes a verification with the outcome that the person chose. `manualReview` leaves the verification
	 * in progress so that it can be finished later.
	 * @throws PageRefusal if the verification has already been finished.
	 */
	complete(record: IdentityRecord, outcome: IdentityOutcome): void {
		if (record.status === 'COMPLETED') {
			throw new PageRefusal('This identity verification has already been finished.');
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
