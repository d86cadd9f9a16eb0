import { Value } from '@sinclair/typebox/value';
import {
	type Document,
	DocumentSchema,
	type LogEntry,
	type Signatory,
	type SignatoryField,
} from '../schemas';
import type { StaticSignPosition } from '../schemas/requests';
import type { DocumentRecord } from '../state/records';
import { newId, sha256 } from '../util/ids';
import { accountName } from './account';
import type { Links } from './links';
import { withId } from './templates';

/** All fields in the same order as in the schema, each with an empty value of its type. */
const empty = Value.Create(DocumentSchema);

/** The data that a Document resource is created from. */
export interface DocumentParts {
	record: DocumentRecord;
	userId: string;
	links: Links;
}

/**
 * Creates the Document resource in its current state, with every field that docs/dev/service.md#document
 * lists. A field is empty if the sandbox has no data for it. The fields that only certain events contain
 * (`webhookData` and the three links) are not included.
 */
export function toDocument({ record, userId, links }: DocumentParts): Document {
	const { documentID, signatories, template, title } = record;
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
			fullName: accountName,
			emailID: 'owner@sandbox.example',
			isSigned: '0',
		},
		computedFields: computedFields(record),
		documentHash: record.documentHash,
		// How a service calculates this hash isn't documented.
		nomHash: done ? sha256(`nom ${record.documentHash}`) : '',
		title,
		documentType: 'OTHERS',
		status: done ? 'COMPLETED' : 'PENDING',
		country: record.country,
		documentSignType: 'ELECTRONIC_SIGNATURE',
		isTemplateV2: template.version === 'v2',
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

/** Formats a size in a readable unit: `12.3 KB`. */
function humanSize(bytes: number): string {
	return bytes < 1_000_000
		? `${(bytes / 1000).toFixed(1)} KB`
		: `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Creates the Signatory resource in its current state, with every field that docs/dev/service.md#signatory
 * lists.
 * @param index The signatory's zero-based index.
 */
export function toSignatory(record: DocumentRecord, index: number, links: Links): Signatory {
	const signatory = record.signatories[index];
	if (!signatory) throw new RangeError(`Document does not have a signatory ${index}`);
	const { email, mark } = signatory;
	return {
		signing: { url: links.signing(signatory.token), expiry: signatory.linkExpiresAt },
		forceBiometric: {
			forcedPhotoID: false,
			forcedID: false,
			forcedFaceID: false,
			forcedBackgroundCheck: false,
			forcedFaceLogin: false,
			forcedOcr: false,
		},
		signatoryID: signatory.signatoryID,
		_id: signatory.id,
		name: signatory.name,
		emailID: email,
		phone: '',
		verificationCode: '',
		password: '',
		signatureType: mark === undefined ? '' : mark.kind === 'typed' ? 'TEXT' : 'DRAW',
		title: '',
		message: '',
		invalidSignatureReason: '',
		identitySessionId: '',
		order: index,
		isSigned: signatory.signedAt === undefined ? 0 : 1,
		photo: [],
		signature: [],
		attachment: [],
		signatureArray:
			mark === undefined
				? []
				: [
						{
							// The drawing is part of the document's file and has no separate URL.
							url: null,
							imageName: mark.kind === 'drawn' ? 'signature.png' : '',
							svgCoordinates: null,
						},
					],
		fieldArray: record.positions
			.filter(({ user }) => user.email.toLowerCase() === email.toLowerCase())
			.map((position) => toField(position, mark?.kind === 'typed' ? mark.text : '')),
		isInvalidSignature: false,
		biometricApprovedByUser: false,
		hasBiometricDocument: false,
		biometric: null,
		attachmentUrl: null,
	};
}

function toField(position: StaticSignPosition, value: string): SignatoryField {
	return {
		left: position.coordinates.x,
		top: position.coordinates.y,
		pageY: position.pageY,
		pageYv2: position.pageYv2,
		width: position.imageSize.width,
		height: position.imageSize.height,
		fontSize: 12,
		page: position.page,
		type: 'SIGNATURE',
		viewport: { ...position.viewport },
		extraData: {},
		value,
	};
}
