import { Type, type Static } from '@sinclair/typebox';
import {
	Count,
	emptyObjectSoFar,
	emptySoFar,
	EpochMs,
	exactly,
	nullSoFar,
	observed,
} from './common';
import { SignatorySchema } from './signatory';

/** An element of `logsStatus` (docs/dev/service.md#logentry). */
export const LogEntrySchema = exactly(
	{
		operationData: exactly({
			documentID: Type.String(),
			signatoryID: Type.String(),
			biometricID: Type.String(),
			endorsementID: Type.String(),
		}),
		operationBy: exactly({ name: Type.String(), emailID: Type.String() }),
		/** Other values start with `STORED_IN_PSC_`, followed by the name of a provider. */
		operationType: observed('CREATED', 'SENT_FOR_SIGNATURE', 'SIGNED', 'STORED_BLOCKCHAIN'),
		sourceIP: Type.String({ description: 'Can be empty or end with a port' }),
		addedOn: EpochMs,
		_id: Type.String(),
	},
	'LogEntry',
);

const DocumentFileObjSchema = exactly({
	url: Type.String(),
	key: Type.String(),
	originalKey: Type.String(),
	version: Type.String(),
	pendingForBlockChain: Type.String(),
	size: Type.String({ description: 'A human-readable number with its unit' }),
});

/** Who created a document (docs/dev/service.md#document). */
export const CreatedBySchema = exactly(
	{
		userID: Type.String(),
		adminID: Type.String(),
		fullName: Type.String(),
		emailID: Type.String(),
		/** According to the API's documentation, this is a string here but an integer in a Signatory. */
		isSigned: Type.String(),
	},
	'DocumentCreator',
);

const ComputedFieldsSchema = exactly({
	signatoryCount: Count,
	pendingSignatoryCount: Count,
	biometricCount: Count,
	validBiometricCount: Count,
	pendingBiometricCount: Count,
	signatoryCountLessOne: Count,
	isAllSignatoryPending: Type.Boolean(),
	isAllValidBiometric: Type.Boolean(),
	search: emptySoFar(),
});

/** `webhookData` of a signDocument notification (docs/dev/service.md#signdocument). */
export const SignWebhookDataSchema = exactly({ signatory: SignatorySchema });

/** `webhookData` of a sendDocument notification (docs/dev/service.md#senddocument). */
export const SendWebhookDataSchema = exactly(
	{
		signatory: exactly({ emailID: Type.String() }),
		pscUrl: Type.String(),
		documentURL: Type.String(),
		certificateURL: Type.String(),
	},
	'SendWebhookData',
);

const list = emptySoFar();

/** The Document resource. Its fields are in the same order as in the docs (docs/dev/service.md#document). */
export const DocumentSchema = exactly({
	_id: Type.String(),
	documentID: Type.String(),
	documentFileObj: DocumentFileObjSchema,
	createdBy: CreatedBySchema,
	savedDocument: emptyObjectSoFar(),
	computedFields: ComputedFieldsSchema,
	documentHash: Type.String(),
	nomHash: Type.String(),
	apiNomFileName: Type.String(),
	pdfNomFileName: Type.String(),
	title: Type.String(),
	signatoryMessage: Type.String(),
	signatoryTitle: Type.String(),
	documentType: observed('OTHERS'),
	verificationType: Type.String(),
	status: observed('PENDING', 'COMPLETED'),
	country: Type.String(),
	documentSignType: observed('ELECTRONIC_SIGNATURE'),
	isForceID: Type.Boolean(),
	hasOrder: Type.Boolean(),
	disableMailing: Type.Boolean(),
	isVoBo: Type.Boolean(),
	isCanceled: Type.Boolean(),
	isActiveGeolocation: Type.Boolean(),
	isBiometricIDEnabled: Type.Boolean(),
	isBiometricFaceIDEnabled: Type.Boolean(),
	isBiometricBackgroundCheckEnabled: Type.Boolean(),
	isTemplateV2: Type.Boolean(),
	isSignatureText: Type.Boolean(),
	hasLegalPrivacyPolicy: Type.Boolean(),
	isEndorsement: Type.Boolean(),
	isHiddenCreated: Type.Boolean(),
	autocaptureSDKEnabled: Type.Boolean(),
	isRatification: Type.Boolean(),
	documentFiles: list,
	signatureArray: list,
	formSignatory: list,
	documentImage: list,
	voBo: list,
	forwardings: list,
	signatory: Type.Array(SignatorySchema),
	processingStatus: observed('IMAGE_PROCESSING_COMPLETED', 'COMPLETED'),
	voBoStatus: observed('INITIAL'),
	language: observed('es'),
	addedOn: EpochMs,
	modifiedOn: EpochMs,
	lastUpdatedAt: EpochMs,
	computedAt: Type.String({ description: 'ISO 8601' }),
	isDeleted: Type.Integer(),
	isInactive: Type.Integer(),
	version: Type.Integer(),
	__v: Type.Integer(),
	templateHistoryID: Type.String(),
	templateID: Type.String(),
	splitOriginDocumentId: Type.String(),
	splitChildDocumentId: Type.String(),
	splitPage: Type.String(),
	nickname: Type.String(),
	endorsementId: Type.String(),
	formStatus: Type.String(),
	identityProvider: Type.String(),
	splitNumber: nullSoFar(),
	formAnswer: nullSoFar(),
	endorsementsCount: Type.Integer(),
	source: observed('DOCUMENT'),
	providerSdkDocumentType: Type.Optional(Type.String()),
	providerSdkDefaultCountry: Type.Optional(Type.String()),
	providerSdkResidentPermit: Type.Optional(Type.Boolean()),
	logsStatus: Type.Array(LogEntrySchema),
	webhookData: Type.Optional(Type.Union([SignWebhookDataSchema, SendWebhookDataSchema])),
	documentURL: Type.Optional(Type.String()),
	certificateURL: Type.Optional(Type.String()),
	pscCertificateURL: Type.Optional(Type.String()),
});

export type LogEntry = Static<typeof LogEntrySchema>;
export type Document = Static<typeof DocumentSchema>;
