import type { QuirkyDocument } from '../../../sandbox/schemas';
import { refuse, type Outcome } from './answers';
import type { ServiceDeps } from './contract';
import { isCreation, wrongIn } from './creation';
import { documentOf, type SignatoryRecord, type DocumentRecord } from './documentOf';
import { usableTemplate } from './templates';
import type { ServiceVariants } from './variants';

/** The documents: made from templates, signed, completed. */
export class Documents {
	/** Oldest first. */
	readonly all: DocumentRecord[] = [];

	private readonly byId = new Map<string, DocumentRecord>();

	constructor(
		private readonly surroundings: ServiceDeps,
		private readonly variants: ServiceVariants,
	) {}

	/** Makes a document (docs/dev/service.md#endpoints), or says what is wrong. */
	create(version: 'v1' | 'v2', body: unknown): DocumentRecord | Outcome {
		if (!isCreation(body, version)) return refuse(400, 'The body is not that of a creation');
		const template = usableTemplate(version, body.templateID);
		const wrong = typeof template === 'string' ? template : wrongIn(body, template);
		if (typeof template === 'string' || wrong !== undefined) return refuse(400, wrong ?? '');
		const documentID = this.surroundings.id();
		const now = this.surroundings.now();
		const [{ name = '' } = {}] = body.signatories;
		const record: DocumentRecord = {
			documentID,
			_id: this.variants.sameIds ? documentID : derivedId(documentID, 0),
			version,
			body,
			title: `${template.name} – ${name}`,
			createdAt: now,
			modifiedAt: now,
			signatories: body.signatories.map((each, index) => ({
				...each,
				signatoryID: derivedId(documentID, 2 * index + 1),
				_id: derivedId(documentID, 2 * index + 2),
			})),
			signers: [],
			signed: 0,
			status: 'PENDING',
			hasFailedCheck: false,
		};
		this.all.push(record);
		this.byId.set(documentID, record);
		return record;
	}

	/** What a creation is answered with, which is not documented. */
	answer(record: DocumentRecord): Outcome {
		const { documentID, _id } = record;
		const message = 'OK';
		const envelope = (data: unknown): Outcome => ({ data, message });
		const whole = (): Partial<QuirkyDocument> => documentOf(record, this.variants);
		switch (this.variants.created) {
			case 'document':
				return envelope(whole());
			case 'documentID':
				return envelope({ documentID, status: record.status });
			case '_id':
				return envelope({ _id, status: record.status });
			case 'documentId':
				return envelope({ documentId: documentID });
			case 'list':
				return envelope([whole()]);
			case 'inDocument':
				return envelope({ document: whole() });
			case 'withoutEnvelope':
				return { raw: whole() };
			case 'onlySuccess':
				return { raw: { success: true, message } };
			case 'empty':
				return { raw: '' };
		}
	}

	/** @throws Error when there is none of this ID. */
	existing(documentID: string): DocumentRecord {
		const record = this.byId.get(documentID);
		if (!record) throw new Error(`There is no document ${documentID}`);
		return record;
	}

	/**
	 * Lets somebody sign.
	 * @returns Who signed; undefined if they had signed before.
	 * @throws Error when the document has no such signatory.
	 */
	sign(record: DocumentRecord, email: string): SignatoryRecord | undefined {
		const signatory = record.signatories.find(
			(each) => each.email.toLowerCase() === email.toLowerCase(),
		);
		if (!signatory) throw new Error(`${email} is no signatory of ${record.documentID}`);
		if (signatory.signedAt !== undefined) return undefined;
		signatory.signedAt = record.modifiedAt = this.surroundings.now();
		record.signers.push(signatory);
		record.signed++;
		return signatory;
	}

	/** Completes a document that all have signed. Says whether it did. */
	complete(record: DocumentRecord): boolean {
		const isBlocked = record.hasFailedCheck && this.variants.failedCheckBlocks;
		if (record.signed < record.signatories.length || isBlocked) return false;
		record.status = 'COMPLETED';
		return true;
	}
}

/** Another ID of 24 digits; spares the source of chance a call. */
function derivedId(id: string, number: number): string {
	return `${id.slice(0, 21)}${(0xa00 + number).toString(16)}`;
}
