import { Type, type Static } from '@sinclair/typebox';
import { Count, EpochMs, exactly } from './common';
import { SignatorySchema } from './signatory';

/** An element of `logsStatus` (interface: LogEntry). */
export const LogEntrySchema = exactly({
	operationData: exactly({
		documentID: Type.String(),
		signatoryID: Type.String(),
		biometricID: Type.String(),
		endorsementID: Type.String(),
	}),
	operationBy: exactly({ name: Type.String(), emailID: Type.String() }),
	operationType: Type.String(),
	sourceIP: Type.String(),
	addedOn: EpochMs,
	_id: Type.String(),
});

const DocumentFileObjSchema = exactly({
	url: Type.String(),
	key: Type.String(),
	originalKey: Type.String(),
	version: Type.String(),
	pendingForBlockChain: Type.String(),
	size: Type.String(),
});

/** Who made a document (interface: Document, `createdBy`). */
export const CreatedBySchema = exactly({
	userID: Type.String(),
	adminID: Type.String(),
	fullName: Type.String(),
	emailID: Type.String(),
	/** A string here, an integer in a Signatory: so the interface says. */
	isSigned: Type.String(),
});

const ComputedFieldsSchema = exactly({
	signatoryCount: Count,
	pendingSignatoryCount: Count,
	biometricCount: Count,
	validBiometricCount: Count,
	pendingBiometricCount: Count,
	signatoryCountLessOne: Count,
	isAllSignatoryPending: Type.Boolean(),
	isAllValidBiometric: Type.Boolean(),
	search: Type.Array(Type.Unknown()),
});

/** `webhookData` of a signDocument notification (interface: Notification body). */
export const SignWebhookDataSchema = exactly({ signatory: SignatorySchema });

/** `webhookData` of a sendDocument notification (interface: Notification body). */
export const SendWebhookDataSchema = exactly({
	signatory: exactly({ emailID: Type.String() }),
	pscUrl: Type.String(),
	documentURL: Type.String(),
	certificateURL: Type.String(),
});

const list = Type.Array(Type.Unknown());

/** The Document resource, field by field in the order of the interface's table. */
export const DocumentSchema = exactly({
	_id: Type.String(),
	documentID: Type.String(),
	documentFileObj: DocumentFileObjSchema,
	createdBy: CreatedBySchema,
	savedDocument: Type.Object({}),
	computedFields: ComputedFieldsSchema,
	documentHash: Type.String(),
	nomHash: Type.String(),
	apiNomFileName: Type.String(),
	pdfNomFileName: Type.String(),
	title: Type.String(),
	signatoryMessage: Type.String(),
	signatoryTitle: Type.String(),
	documentType: Type.String(),
	verificationType: Type.String(),
	status: Type.Union([Type.Literal('PENDING'), Type.Literal('COMPLETED')]),
	country: Type.String(),
	documentSignType: Type.String(),
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
	processingStatus: Type.String(),
	voBoStatus: Type.String(),
	language: Type.String(),
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
	splitNumber: Type.Null(),
	formAnswer: Type.Null(),
	endorsementsCount: Type.Integer(),
	source: Type.String(),
	providerSdkDocumentType: Type.Optional(Type.String()),
	providerSdkDefaultCountry: Type.Optional(Type.String()),
	providerSdkResidentPermit: Type.Optional(Type.Boolean()),
	logsStatus: Type.Array(LogEntrySchema),
	webhookData: Type.Optional(Type.Union([SignWebhookDataSchema, SendWebhookDataSchema])),
	documentURL: Type.Optional(Type.String()),
	certificateURL: Type.Optional(Type.String()),
	pscCertificateURL: Type.Optional(Type.String()),
});

/** An element of a document's log. */
export type LogEntry = Static<typeof LogEntrySchema>;
/** A document, as notifications and answers carry it. */
export type Document = Static<typeof DocumentSchema>;
