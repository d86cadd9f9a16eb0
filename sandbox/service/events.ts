import type {
	Document,
	DocumentEventType,
	IdentityEventType,
	IdentityNotification,
	IdentityResultsNotification,
	Signatory,
} from '../schemas';
import type { DocumentRecord, IdentityRecord } from '../state/records';
import type { Delivery } from '../types';
import type { Clock } from '../util/clock';
import type { Account } from './account';
import type { Deliveries } from './deliveries';
import { toDocument, toSignatory } from './documentResource';
import { identityResults } from './identityResults';
import type { Links } from './links';
import type { Registrations } from './registrations';
import type { Settings } from './settings';

/** A signatory's identity check: whose it is, and its fields in the Signatory. */
interface SignatoryCheck extends Pick<
	Signatory,
	'identitySessionId' | 'isInvalidSignature' | 'invalidSignatureReason'
> {
	/** The signatory's zero-based index. */
	index: number;
}

/**
 * Creates notifications (docs/dev/service.md#events) and starts delivering them to the registered webhooks. A
 * notification has the same timestamp as the matching entry in the document's log, or the current time if it
 * is sent on demand. A body is created only if a webhook is registered for the event, and it reflects the
 * state at that moment.
 */
export class Events {
	constructor(
		private readonly registrations: Registrations,
		private readonly deliveries: Deliveries,
		private readonly account: Account,
		private readonly links: Links,
		private readonly settings: Settings,
		private readonly clock: Clock,
	) {}

	/** Reports that the document was sent to one signatory. */
	sent(record: DocumentRecord, index: number, at = this.clock.now()): Delivery[] {
		return this.aboutDocument('sendDocument', record, at, (Document) => {
			Document.webhookData = {
				signatory: { emailID: record.signatories[index]?.email ?? '' },
				pscUrl: this.links.file(record.documentID, 'psc'),
				documentURL: this.links.file(record.documentID, 'document'),
				certificateURL: this.links.file(record.documentID, 'certificate'),
			};
		});
	}

	/** Reports that one signatory has signed. */
	signed(record: DocumentRecord, index: number, at = this.clock.now()): Delivery[] {
		return this.aboutDocument('signDocument', record, at, (Document) => {
			Document.webhookData = { signatory: toSignatory(record, index, this.links) };
		});
	}

	/** Reports that all signatories have signed. */
	completed(record: DocumentRecord, at = this.clock.now()): Delivery[] {
		return this.aboutDocument('completedDocument', record, at, (Document) => {
			Document.documentURL = this.links.file(record.documentID, 'document');
			Document.certificateURL = this.links.file(record.documentID, 'certificate');
			Document.pscCertificateURL = this.links.file(record.documentID, 'psc');
		});
	}

	/**
	 * Reports on the identity check of one signatory. The real body is not known, so the sandbox sends the
	 * body of an event about a signatory, with a Signatory's fields about a check.
	 */
	checked(
		type: DocumentEventType,
		record: DocumentRecord,
		{ index, ...check }: SignatoryCheck,
	): Delivery[] {
		return this.aboutDocument(type, record, this.clock.now(), (Document) => {
			const signatory = { ...toSignatory(record, index, this.links), ...check };
			Document.signatory[index] = signatory;
			Document.webhookData = { signatory };
		});
	}

	/** Reports that an identity request was processed. */
	identityFinished(record: IdentityRecord): Delivery[] {
		return this.aboutIdentity('VERIFICATION_REQUEST_FINISHED', record);
	}

	/** Sends any identity event. */
	aboutIdentity(type: IdentityEventType, record: IdentityRecord): Delivery[] {
		const { validationId, customerId, email, status, outcome } = record;
		return this.notify(type, validationId, () => {
			if (this.settings.current.identityEventsHaveResults && outcome && customerId !== null) {
				const results: IdentityResultsNotification = {
					responseData: identityResults(outcome, customerId),
					message: 'Obtained reuslts successfully',
					success: true,
					responseCode: 200,
				};
				return results;
			}
			const body: IdentityNotification = {
				type,
				addedOn: this.clock.now(),
				validationId,
				sessionId: validationId,
				customerId,
				emailId: email,
				status,
			};
			return body;
		});
	}

	/** Sends any document event. By default, its body contains nothing but the document. */
	aboutDocument(
		type: DocumentEventType,
		record: DocumentRecord,
		addedOn = this.clock.now(),
		complete: (document: Document) => void = () => undefined,
	): Delivery[] {
		return this.notify(type, record.documentID, () => {
			const { links } = this;
			const document = toDocument({ record, userId: this.account.userId, links });
			complete(document);
			return { type, Document: document, addedOn };
		});
	}

	private notify(type: string, subjectId: string, makeBody: () => object): Delivery[] {
		const registrations = this.registrations.for(type);
		if (registrations.length === 0) return [];
		const json = JSON.stringify(makeBody());
		return registrations.map((one) => this.deliveries.send(one, subjectId, json));
	}
}
