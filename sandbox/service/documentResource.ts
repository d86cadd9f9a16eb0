import { Value } from '@sinclair/typebox/value';
import type { SandboxTemplate } from '../documents/types';
import { type Document, DocumentSchema, type LogEntry } from '../schemas';
import type { DocumentRecord } from '../state/records';
import { newId } from '../util/ids';
import { ACCOUNT_NAME } from './account';
import type { Links } from './links';
import { toSignatory } from './signatoryResource';
import { withId } from './templates';

/** Every field with an empty value of its type, in the order of the schema. */
const empty = Value.Create(DocumentSchema);

/** What a Document resource is made from. */
export interface DocumentParts {
	record: DocumentRecord;
	template: SandboxTemplate;
	userId: string;
	links: Links;
}

/**
 * The Document resource as of now, with every field of the page (docs/dev/service.md#document): empty if
 * the sandbox knows nothing for it. What
 * belongs to single events (`webhookData`, the three links) is not in it.
 */
export function toDocument({ record, template, userId, links }: DocumentParts): Document {
	const { documentID, signatories, title } = record;
	const done = record.completedAt !== undefined;
	const key = `documents/${documentID}/document.pdf`;
	return {
		...structuredClone(empty),
		_id: documentID,
		documentID,
		documentFileObj: {
			url: links.file(documentID, 'document'),
			key,
			originalKey: key,
			version: '1',
			pendingForBlockChain: done ? '0' : '1',
			size: done ? humanSize(record.signedBytes) : '',
		},
		createdBy: {
			userID: userId,
			adminID: userId,
			fullName: ACCOUNT_NAME,
			emailID: 'owner@sandbox.example',
			isSigned: '0',
		},
		computedFields: computedFields(record),
		documentHash: record.documentHash,
		title,
		documentType: 'OTHERS',
		status: done ? 'COMPLETED' : 'PENDING',
		country: record.country,
		documentSignType: 'ELECTRONIC_SIGNATURE',
		isTemplateV2: template.generation === 'v2',
		isSignatureText: signatories.some(({ mark }) => mark?.kind === 'typed'),
		formSignatory: template.questions.map((field) =>
			withId(field, template.templateID, 'question'),
		),
		signatory: signatories.map((_, index) => toSignatory(record, index, links)),
		processingStatus: done ? 'COMPLETED' : 'IMAGE_PROCESSING_COMPLETED',
		voBoStatus: 'INITIAL',
		language: 'es',
		addedOn: record.createdAt,
		modifiedOn: record.modifiedAt,
		lastUpdatedAt: record.modifiedAt,
		computedAt: new Date(record.modifiedAt).toISOString(),
		version: 2,
		__v: record.log.length,
		templateID: template.templateID,
		splitNumber: null,
		formAnswer: null,
		source: 'DOCUMENT',
		providerSdkDocumentType: '',
		providerSdkDefaultCountry: '',
		providerSdkResidentPermit: false,
		logsStatus: structuredClone(record.log),
	};
}

/** A new entry of a document's log. */
export function logEntry(
	documentID: string,
	operationType: string,
	by: { name: string; email: string; signatoryID?: string; sourceIP?: string },
	addedOn: number,
): LogEntry {
	return {
		operationData: {
			documentID,
			signatoryID: by.signatoryID ?? '',
			biometricID: '',
			endorsementID: '',
		},
		operationBy: { name: by.name, emailID: by.email },
		operationType,
		sourceIP: by.sourceIP ?? '',
		addedOn,
		_id: newId(),
	};
}

function computedFields({ signatories, title }: DocumentRecord): Document['computedFields'] {
	const pending = signatories.filter(({ signedAt }) => signedAt === undefined).length;
	return {
		signatoryCount: signatories.length,
		pendingSignatoryCount: pending,
		biometricCount: 0,
		validBiometricCount: 0,
		pendingBiometricCount: 0,
		signatoryCountLessOne: signatories.length - 1,
		isAllSignatoryPending: pending === signatories.length,
		isAllValidBiometric: false,
		search: [title, ...signatories.flatMap(({ name, email }) => [name, email])].map((text) =>
			text.toLowerCase(),
		),
	};
}

/** A size for people: `12.3 KB`. */
function humanSize(bytes: number): string {
	return bytes < 1_000_000
		? `${(bytes / 1000).toFixed(1)} KB`
		: `${(bytes / 1_000_000).toFixed(1)} MB`;
}
