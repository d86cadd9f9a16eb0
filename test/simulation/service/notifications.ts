import type { QuirkySignatory } from '../../../sandbox/schemas';
import type { Files } from './addresses';
import type { Notification, ServiceDeps } from './contract';
import {
	documentOf,
	signatoryOf,
	unknownFields,
	type SignatoryRecord,
	type DocumentRecord,
} from './documentOf';
import type { IdentityRecord } from './identity';
import type { ServiceVariants } from './variants';
import { identityEvent, type Webhooks } from './webhooks';

/** Events whose bodies are not documented, except that of identity requests. */
export type BiometricEvent = 'pendingBiometric' | 'failedBiometric' | 'failedBiometricRequest';

/**
 * Makes the notifications of an event: one for each registration that is there
 * (docs/dev/service.md#events).
 */
export class Notifications {
	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
		private readonly webhooks: Webhooks,
		private readonly files: Files,
	) {}

	/** The document was mailed to its signatories. */
	sent(record: DocumentRecord): Notification[] {
		const { signatories } = record;
		const told = this.variants.sendDocument === 'once' ? signatories.slice(0, 1) : signatories;
		return told.flatMap(({ email }) =>
			this.aboutDocument('sendDocument', record, () => ({
				webhookData: {
					signatory: { emailID: email },
					pscUrl: this.files.address(record.documentID, 'psc'),
					documentURL: this.files.address(record.documentID, 'document'),
					certificateURL: this.files.address(record.documentID, 'certificate'),
				},
			})),
		);
	}

	/** Somebody signed. */
	signed(record: DocumentRecord, signatory: SignatoryRecord): Notification[] {
		return this.aboutDocument('signDocument', record, () => {
			const index = record.signatories.indexOf(signatory);
			const who: QuirkySignatory = signatoryOf(record, signatory, index, this.variants);
			return { webhookData: { signatory: who } };
		});
	}

	/** All have signed. */
	completed(record: DocumentRecord): Notification[] {
		return this.aboutDocument('completedDocument', record, () => ({
			documentURL: this.files.address(record.documentID, 'document'),
			certificateURL: this.files.address(record.documentID, 'certificate'),
			pscCertificateURL: this.files.address(record.documentID, 'psc'),
		}));
	}

	/** A check of somebody's face or ID within a signature. */
	biometric(event: BiometricEvent, record: DocumentRecord): Notification[] {
		const { documentID, body } = record;
		return this.notify(event, documentID, () => ({
			...this.undocumented(event),
			...(this.variants.biometricBody === 'document'
				? { Document: documentOf(record, this.variants) }
				: { documentID, reason: 'The face', emailID: body.signatories[0]?.email }),
		}));
	}

	/** An identity request was processed. */
	identityFinished({ validationId, customerId, body, status }: IdentityRecord): Notification[] {
		return this.notify(identityEvent, validationId, () => ({
			...this.undocumented(identityEvent),
			...this.nameOf(validationId),
			customerId,
			emailId: body.email,
			status,
		}));
	}

	private aboutDocument(type: string, record: DocumentRecord, more: () => object): Notification[] {
		return this.notify(type, record.documentID, () => ({
			type,
			Document: { ...documentOf(record, this.variants), ...more() },
			addedOn: this.surroundings.now(),
		}));
	}

	private undocumented(event: string): Record<string, unknown> {
		const { undocumentedType, undocumentedAddedOn } = this.variants;
		const now = this.surroundings.now();
		const type = undocumentedType === 'another' ? 'FACE' : event;
		const addedOn = undocumentedAddedOn === 'iso' ? new Date(now).toISOString() : now;
		return {
			...(undocumentedType === 'absent' ? {} : { type }),
			...(undocumentedAddedOn === 'absent' ? {} : { addedOn }),
		};
	}

	private nameOf(validationId: string): object {
		switch (this.variants.identityNames) {
			case 'both':
				return { validationId, sessionId: validationId };
			case 'sessionId':
				return { sessionId: validationId };
			case 'nested':
				return { data: { validationId } };
			case 'nothing':
				return {};
		}
	}

	/** The body is made only when somebody registered for the event, and is the same for all. */
	private notify(
		event: string,
		about: string,
		makeBody: () => Record<string, unknown>,
	): Notification[] {
		const registrations = this.webhooks.current(event);
		if (registrations.length === 0) return [];
		const { contentType } = this.variants;
		const body = { ...makeBody(), ...(this.variants.unknownFields ? unknownFields : {}) };
		return registrations.map(({ webHookID, url }) => ({
			webHookID,
			url,
			event,
			about,
			body,
			contentType,
		}));
	}
}
