import type { Live } from './live';
import {
	anything,
	bool,
	each,
	either,
	epochMs,
	exactShape,
	type FieldRows,
	fieldRows,
	filled,
	integer,
	list,
	nothing,
	number,
	object,
	oneOf,
	optional,
	type Row,
	text,
	webAddress,
} from './shapes';
import { resourceTable } from './servicePage';

const size = object({ width: number, height: number });

const LOG_ENTRY: FieldRows = [
	[
		'operationData',
		{ operationData: object(each('documentID, signatoryID, biometricID, endorsementID', text)) },
	],
	['operationBy', { operationBy: object(each('name, emailID', text)) }],
	[
		'operationType',
		{
			operationType: either(
				oneOf('CREATED', 'SENT_FOR_SIGNATURE', 'SIGNED', 'STORED_BLOCKCHAIN'),
				(value, at) => (/^STORED_IN_PSC_\w+$/.test(String(value)) ? [] : [`${at} is unknown`]),
			),
		},
	],
	['sourceIP', { sourceIP: text }],
	['addedOn', { addedOn: epochMs }],
	['_id', { _id: filled }],
];

const SIGNATORY = resourceTable('Signatory', {
	signing: object({ url: webAddress, expiry: epochMs }),
	forceBiometric: object(
		each(
			'forcedPhotoID, forcedID, forcedFaceID, forcedBackgroundCheck, forcedFaceLogin, forcedOcr',
			bool,
		),
	),
	'signatoryID, _id': filled,
	isSigned: oneOf(0, 1),
	signatureArray: list(
		object({ url: either(text, nothing), imageName: text, svgCoordinates: nothing }),
	),
	fieldArray: list(
		object({
			...each('left, top, pageY, pageYv2, width, height', number),
			...each('fontSize, page', integer),
			type: oneOf('SIGNATURE'),
			viewport: size,
			extraData: object({}),
			value: text,
		}),
	),
});

const signatory = exactShape(SIGNATORY);

const DOCUMENT = resourceTable('Document', {
	'_id, documentID': filled,
	documentFileObj: object({
		...each('url, key, originalKey, version, pendingForBlockChain', filled),
		size: text,
	}),
	createdBy: object({ ...each('userID, adminID, fullName, emailID', filled), isSigned: text }),
	savedDocument: object({}),
	computedFields: object({
		...each(
			'signatoryCount, pendingSignatoryCount, biometricCount, validBiometricCount, pendingBiometricCount, signatoryCountLessOne',
			integer,
		),
		...each('isAllSignatoryPending, isAllValidBiometric', bool),
		search: list(),
	}),
	country: filled,
	signatory: list(signatory),
	'isDeleted, isInactive': oneOf(0),
	version: oneOf(2),
	logsStatus: list(exactShape(LOG_ENTRY)),
	webhookData: optional(anything),
	'documentURL, certificateURL, pscCertificateURL': optional(webAddress),
});

/** The whole Document, and nothing beyond it. */
export const documentShape = exactShape(DOCUMENT);
/** The whole Signatory, and nothing beyond it. */
export const signatoryShape = signatory;

/** Every Document that the client has seen: of answers and of notifications. */
export function documentsOf({ calls, notifications }: Live): unknown[] {
	return [
		...Object.values(calls)
			.map(({ body }) => body.responseData as object)
			.filter((data) => 'documentID' in data),
		...Object.values(notifications).flatMap((bodies) =>
			bodies.flatMap(({ Document }) => Document ?? []),
		),
	];
}

const signatoriesOf = (live: Live) => partsOf(live, 'signatory');
const logOf = (live: Live) => partsOf(live, 'logsStatus');

function partsOf(live: Live, name: string): unknown[] {
	return documentsOf(live).flatMap((one) => (one as Record<string, unknown[]>)[name] ?? []);
}

/** The tables of the Document, the Signatory and the LogEntry. */
export const documentRows: Row[] = [
	...fieldRows('Document', documentsOf, DOCUMENT),
	...fieldRows('Signatory', signatoriesOf, SIGNATORY),
	...fieldRows('LogEntry', logOf, LOG_ENTRY),
];
