import type { CreateDocumentBody } from '../../../nodes/SignVerify/api/types';
import type { LogEntry, QuirkyDocument, QuirkySignatory } from '../../../sandbox/schemas';
import { signingLink } from './addresses';
import { userId } from './tokens';
import type { ServiceVariants } from './variants';
const month = 30 * 24 * 60 * 60 * 1000;

/** The Document resource as of now, with the fields that matter to a client. */
export function documentOf(
	record: DocumentRecord,
	variants: ServiceVariants,
): Partial<QuirkyDocument> {
	const { documentID, _id, signatories, createdAt, modifiedAt } = record;
	const isDone = record.status === 'COMPLETED';
	const signatory: QuirkyDocument['signatory'] = signatories.map((each, index) =>
		signatoryOf(record, each, index, variants),
	);
	if (variants.trailingCreator) signatory.push(creator);
	return {
		_id,
		documentID,
		documentHash: isDone ? `hash-of-${documentID}` : '',
		title: record.title,
		documentType: 'OTHERS',
		status: record.status,
		country: record.body.country,
		isCanceled: false,
		isTemplateV2: record.version === 'v2',
		signatory,
		processingStatus: isDone ? 'COMPLETED' : 'IMAGE_PROCESSING_COMPLETED',
		addedOn: createdAt,
		modifiedOn: modifiedAt,
		lastUpdatedAt: modifiedAt,
		version: 2,
		templateID: variants.templateIdGiven ? record.body.templateID : '',
		createdBy: creator,
		logsStatus: logOf(record),
		...(variants.unknownFields ? unknownFields : {}),
	};
}

/** The Signatory resource as of now. */
export function signatoryOf(
	{ createdAt }: DocumentRecord,
	{ signatoryID, _id, name, email, signedAt }: SignatoryRecord,
	order: number,
	{ isSigned, signingExpiry }: ServiceVariants,
): QuirkySignatory {
	const signed = signedAt === undefined ? 0 : 1;
	return {
		signing: {
			url: signingLink(signatoryID),
			expiry: signingExpiry === 'null' ? null : createdAt + month,
		},
		signatoryID,
		_id,
		name,
		emailID: email,
		phone: '',
		verificationCode: '',
		password: '',
		title: '',
		order,
		isSigned: isSigned === 'text' ? String(signed) : signed,
	} as Partial<QuirkySignatory> as QuirkySignatory;
}

/** What a service may send beside what the interface names. */
export const unknownFields = { notInTheInterface: { list: [1, 'two', null] } };

const creator: QuirkyDocument['createdBy'] = {
	userID: userId,
	adminID: userId,
	fullName: 'Sandbox account',
	emailID: 'owner@sandbox.example',
	isSigned: '0',
};

const stored = ['STORED_IN_PSC_SANDBOX', 'STORED_BLOCKCHAIN'];
const nobody = { signatoryID: '', _id: '', name: '', email: '' };

function logOf({
	documentID,
	createdAt,
	modifiedAt,
	signatories,
	signers,
	status,
}: DocumentRecord): LogEntry[] {
	const entry = (operationType: string, addedOn: number, by?: SignatoryRecord): LogEntry => ({
		operationData: {
			documentID,
			signatoryID: by?.signatoryID ?? '',
			biometricID: '',
			endorsementID: '',
		},
		operationBy: { name: by?.name ?? userId, emailID: by?.email ?? '' },
		operationType,
		sourceIP: '',
		addedOn,
		_id: `${documentID}${operationType}${by?._id ?? ''}`,
	});
	return [
		entry('CREATED', createdAt),
		...signatories.map((each) => entry('SENT_FOR_SIGNATURE', createdAt, each)),
		...signers.map((each) => entry('SIGNED', each.signedAt ?? createdAt, each)),
		...(status === 'COMPLETED' ? stored.map((each) => entry(each, modifiedAt, nobody)) : []),
	];
}

/** Somebody who signs. */
export interface SignatoryRecord {
	readonly signatoryID: string;
	readonly _id: string;
	readonly name: string;
	readonly email: string;
	/** epoch-ms */
	signedAt?: number;
}

/** A document that was created. */
export interface DocumentRecord {
	readonly documentID: string;
	readonly _id: string;
	readonly version: 'v1' | 'v2';
	/** The creation's body, as it came. */
	readonly body: CreateDocumentBody;
	readonly title: string;
	/** epoch-ms */
	readonly createdAt: number;
	modifiedAt: number;
	readonly signatories: SignatoryRecord[];
	/** Those who have signed, in the order in which they did. */
	readonly signers: SignatoryRecord[];
	/** How many have signed. */
	signed: number;
	status: 'PENDING' | 'COMPLETED';
	/** Whether a face check of it failed. */
	hasFailedCheck: boolean;
}
