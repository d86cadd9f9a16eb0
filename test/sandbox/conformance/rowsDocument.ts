import type { Live } from './live';
import { exactShape, type FieldRows, fieldRows, type Row } from './row';
import {
	anything,
	bool,
	each,
	either,
	epochMs,
	filled,
	integer,
	isoTime,
	list,
	nothing,
	number,
	object,
	oneOf,
	optional,
	text,
	webAddress,
	type Shape,
} from './shapes';

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

const SIGNATORY: FieldRows = [
	['signing', { signing: object({ url: webAddress, expiry: epochMs }) }],
	[
		'forceBiometric',
		{
			forceBiometric: object(
				each(
					'forcedPhotoID, forcedID, forcedFaceID, forcedBackgroundCheck, forcedFaceLogin, forcedOcr',
					bool,
				),
			),
		},
	],
	['signatoryID, _id', each('signatoryID, _id', filled)],
	named(
		'name, emailID, phone, verificationCode, password, signatureType, title, message, invalidSignatureReason, identitySessionId',
		text,
	),
	['order', { order: integer }],
	['isSigned', { isSigned: oneOf(0, 1) }],
	named('photo, signature, attachment', list()),
	[
		'signatureArray',
		{
			signatureArray: list(
				object({ url: either(text, nothing), imageName: text, svgCoordinates: nothing }),
			),
		},
	],
	[
		'fieldArray',
		{
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
		},
	],
	named('isInvalidSignature, biometricApprovedByUser, hasBiometricDocument', bool),
	named('biometric, attachmentUrl', nothing),
];

const signatory = exactShape(SIGNATORY);

const DOCUMENT: FieldRows = [
	named('_id, documentID', filled),
	[
		'documentFileObj',
		{
			documentFileObj: object({
				...each('url, key, originalKey, version, pendingForBlockChain', filled),
				size: text,
			}),
		},
	],
	[
		'createdBy',
		{
			createdBy: object({ ...each('userID, adminID, fullName, emailID', filled), isSigned: text }),
		},
	],
	['savedDocument', { savedDocument: object({}) }],
	[
		'computedFields',
		{
			computedFields: object({
				...each(
					'signatoryCount, pendingSignatoryCount, biometricCount, validBiometricCount, pendingBiometricCount, signatoryCountLessOne',
					integer,
				),
				...each('isAllSignatoryPending, isAllValidBiometric', bool),
				search: list(),
			}),
		},
	],
	named('documentHash, nomHash, apiNomFileName, pdfNomFileName', text),
	named('title, signatoryMessage, signatoryTitle', text),
	['documentType', { documentType: oneOf('OTHERS') }],
	['verificationType', { verificationType: text }],
	['status', { status: oneOf('PENDING', 'COMPLETED') }],
	['country', { country: filled }],
	['documentSignType', { documentSignType: oneOf('ELECTRONIC_SIGNATURE') }],
	named(
		'isForceID, hasOrder, disableMailing, isVoBo, isCanceled, isActiveGeolocation, isBiometricIDEnabled, isBiometricFaceIDEnabled, isBiometricBackgroundCheckEnabled, isTemplateV2, isSignatureText, hasLegalPrivacyPolicy, isEndorsement, isHiddenCreated, autocaptureSDKEnabled, isRatification',
		bool,
	),
	named('documentFiles, signatureArray, formSignatory, documentImage, voBo, forwardings', list()),
	['signatory', { signatory: list(signatory) }],
	['processingStatus', { processingStatus: oneOf('IMAGE_PROCESSING_COMPLETED', 'COMPLETED') }],
	['voBoStatus', { voBoStatus: oneOf('INITIAL') }],
	['language', { language: oneOf('es') }],
	named('addedOn, modifiedOn, lastUpdatedAt', epochMs),
	['computedAt', { computedAt: isoTime }],
	named('isDeleted, isInactive', oneOf(0)),
	['version', { version: oneOf(2) }],
	['__v', { __v: integer }],
	named(
		'templateHistoryID, templateID, splitOriginDocumentId, splitChildDocumentId, splitPage, nickname, endorsementId, formStatus, identityProvider',
		text,
	),
	named('splitNumber, formAnswer', nothing),
	['endorsementsCount', { endorsementsCount: integer }],
	['source', { source: oneOf('DOCUMENT') }],
	named('providerSdkDocumentType, providerSdkDefaultCountry', optional(text)),
	['providerSdkResidentPermit', { providerSdkResidentPermit: optional(bool) }],
	['logsStatus', { logsStatus: list(exactShape(LOG_ENTRY)) }],
	['webhookData', { webhookData: optional(anything) }],
	named('documentURL, certificateURL, pscCertificateURL', optional(webAddress)),
];

/** The whole Document, and nothing beyond it. */
export const documentShape = exactShape(DOCUMENT);
/** The whole Signatory, and nothing beyond it. */
export const signatoryShape = signatory;

/** Every Document that the client has seen: of answers and of notifications. */
export function documentsOf({ calls, notifications }: Live): unknown[] {
	return [
		calls.createV1.body.responseData,
		calls.createV2.body.responseData,
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

function named(names: string, one: Shape): FieldRows[number] {
	return [names, each(names, one)];
}

/** The tables of the Document, the Signatory and the LogEntry. */
export const documentRows: Row[] = [
	...fieldRows('Document', documentsOf, DOCUMENT),
	...fieldRows('Signatory', signatoriesOf, SIGNATORY),
	...fieldRows('LogEntry', logOf, LOG_ENTRY),
];
