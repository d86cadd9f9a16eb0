import type { DocumentEventType, EpochMs, Open } from './values';

/** Document, as notifications carry it. */
export interface ServiceDocument {
	_id: string;
	documentID: string;
	documentFileObj: {
		url: string;
		key: string;
		originalKey: string;
		version: string;
		pendingForBlockChain: string;
		/** For people: a number with its unit. */
		size: string;
	};
	createdBy: DocumentCreator;
	/** Empty in all shown payloads. */
	savedDocument: Record<string, unknown>;
	computedFields: {
		signatoryCount: number;
		pendingSignatoryCount: number;
		biometricCount: number;
		validBiometricCount: number;
		pendingBiometricCount: number;
		signatoryCountLessOne: number;
		isAllSignatoryPending: boolean;
		isAllValidBiometric: boolean;
		search: unknown[];
	};
	documentHash: string;
	nomHash: string;
	apiNomFileName: string;
	pdfNomFileName: string;
	title: string;
	signatoryMessage: string;
	signatoryTitle: string;
	documentType: Open<'OTHERS'>;
	verificationType: string;
	status: Open<'PENDING' | 'COMPLETED'>;
	country: string;
	documentSignType: Open<'ELECTRONIC_SIGNATURE'>;
	isForceID: boolean;
	hasOrder: boolean;
	disableMailing: boolean;
	isVoBo: boolean;
	isCanceled: boolean;
	isActiveGeolocation: boolean;
	isBiometricIDEnabled: boolean;
	isBiometricFaceIDEnabled: boolean;
	isBiometricBackgroundCheckEnabled: boolean;
	isTemplateV2: boolean;
	isSignatureText: boolean;
	hasLegalPrivacyPolicy: boolean;
	isEndorsement: boolean;
	isHiddenCreated: boolean;
	autocaptureSDKEnabled: boolean;
	isRatification: boolean;
	documentFiles: unknown[];
	signatureArray: unknown[];
	formSignatory: unknown[];
	documentImage: unknown[];
	voBo: unknown[];
	forwardings: unknown[];
	/** A trailing entry shaped like `createdBy` can also appear. */
	signatory: Array<Signatory | DocumentCreator>;
	processingStatus: Open<'IMAGE_PROCESSING_COMPLETED' | 'COMPLETED'>;
	voBoStatus: Open<'INITIAL'>;
	language: Open<'es'>;
	addedOn: EpochMs;
	modifiedOn: EpochMs;
	lastUpdatedAt: EpochMs;
	/** ISO 8601 */
	computedAt: string;
	isDeleted: number;
	isInactive: number;
	version: number;
	__v: number;
	templateHistoryID: string;
	templateID: string;
	splitOriginDocumentId: string;
	splitChildDocumentId: string;
	splitPage: string;
	nickname: string;
	endorsementId: string;
	formStatus: string;
	identityProvider: string;
	splitNumber: unknown;
	formAnswer: unknown;
	endorsementsCount: number;
	source: Open<'DOCUMENT'>;
	providerSdkDocumentType?: string;
	providerSdkDefaultCountry?: string;
	providerSdkResidentPermit?: boolean;
	logsStatus: LogEntry[];
	/** Present only in some notifications (docs/service.md#notification-body). */
	webhookData?: SignWebhookData | SendWebhookData;
	/** The three addresses are pre-signed and expire; present in `completedDocument`. */
	documentURL?: string;
	certificateURL?: string;
	pscCertificateURL?: string;
}

/** Whoever created a document. */
export interface DocumentCreator {
	userID: string;
	adminID: string;
	fullName: string;
	emailID: string;
	/** Arrives as a string here. */
	isSigned: string;
}

/** `Document.webhookData` of a `signDocument` notification: who has just signed. */
export interface SignWebhookData {
	signatory: Signatory;
}

/** `Document.webhookData` of a `sendDocument` notification: to whom it was sent. */
export interface SendWebhookData {
	signatory: { emailID: string };
	pscUrl: string;
	documentURL: string;
	certificateURL: string;
}

/** Somebody who signs. */
export interface Signatory {
	signing: {
		url: string;
		/** null: never (docs/service.md#seen-documents). */
		expiry: EpochMs | null;
	};
	forceBiometric: {
		forcedPhotoID: boolean;
		forcedID: boolean;
		forcedFaceID: boolean;
		forcedBackgroundCheck: boolean;
		forcedFaceLogin: boolean;
		forcedOcr: boolean;
	};
	signatoryID: string;
	_id: string;
	name: string;
	emailID: string;
	phone: string;
	verificationCode: string;
	password: string;
	signatureType: string;
	title: string;
	message: string;
	invalidSignatureReason: string;
	identitySessionId: string;
	order: number;
	/** 1 for a signed signatory; a string in some notifications (docs/service.md#seen-documents). */
	isSigned: number | string;
	photo: unknown[];
	signature: unknown[];
	attachment: unknown[];
	signatureArray: Array<{ url: string | null; imageName: string; svgCoordinates: unknown }>;
	fieldArray: SignatureField[];
	isInvalidSignature: boolean;
	biometricApprovedByUser: boolean;
	hasBiometricDocument: boolean;
	biometric: unknown;
	attachmentUrl: unknown;
}

/** Where on a page a signatory signs. */
export interface SignatureField {
	left: number;
	top: number;
	pageY: number;
	pageYv2: number;
	width: number;
	height: number;
	fontSize: number;
	page: number;
	type: Open<'SIGNATURE'>;
	viewport: PageSize;
	extraData: Record<string, unknown>;
	value: string;
}

/** In PDF points. */
export interface PageSize {
	width: number;
	height: number;
}

/** Element of `Document.logsStatus`. */
export interface LogEntry {
	operationData: {
		documentID: string;
		signatoryID: string;
		biometricID: string;
		endorsementID: string;
	};
	operationBy: { name: string; emailID: string };
	/** Besides these, `STORED_IN_PSC_<PROVIDER>`. */
	operationType: Open<'CREATED' | 'SENT_FOR_SIGNATURE' | 'SIGNED' | 'STORED_BLOCKCHAIN'>;
	/** May be empty, may carry a port. */
	sourceIP: string;
	addedOn: EpochMs;
	_id: string;
}

/** Notification body for document events (docs/service.md#notification-body). */
export interface DocumentNotification {
	type: Open<DocumentEventType>;
	Document: ServiceDocument;
	/** Moment of the notification. */
	addedOn: EpochMs;
}
