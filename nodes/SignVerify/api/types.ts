/**
 * The contract's requests and resources, field by field, with what was seen in the field
 * (docs/service.md#resources). Unions of observed values stay open: nobody has shown the full sets.
 * The compiler holds these types to the schemas of the sandbox (test/types/interface.ts).
 */

/** A union of observed string values that accepts any other, too. */
type Open<Observed extends string> = Observed | (string & Record<never, never>);

/** Integer milliseconds since the Unix epoch. */
export type EpochMs = number;

/** Response envelope. */
export interface Envelope<Data = unknown> {
	/** Absent in some answers to a creation (docs/service.md#seen-documents). */
	responseData?: Data;
	/** Absent in template lists; a list of `{ msg }` in some errors (docs/service.md#errors). */
	message?: string | Array<{ msg?: string }>;
	success?: boolean;
	responseCode?: number;
}

/** Document event types (docs/service.md#document-event-types). */
export type DocumentEventType =
	| 'sendDocument'
	| 'completedDocument'
	| 'signDocument'
	| 'pendingBiometric'
	| 'failedBiometric'
	| 'failedBiometricRequest';

/** Identity event type (docs/service.md#identity-event-type). */
export type IdentityEventType = 'VERIFICATION_REQUEST_FINISHED';

/** Any of the seven. */
export type EventType = DocumentEventType | IdentityEventType;

/** Webhook registration. */
export interface WebhookRegistration {
	webHookID: string;
	type: Open<EventType>;
	/** Present for document webhooks. */
	addedOn?: EpochMs;
	webHookUrl: string;
	/** Present for identity webhooks. */
	name?: string;
	/** Empty in all shown responses; the shape of an element is not shown. */
	options?: unknown[];
}

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

/** A variable of a template: `inputs` (v1). */
export interface TemplateVariable {
	key: string;
	type: Open<'text'>;
	isRequired: boolean;
	label: string;
}

/** The same in version 2: `form`, `formSignatory`. */
export interface TemplateFormField extends TemplateVariable {
	_id: string;
}

/** Template, version 1 (list entry). */
export interface TemplateV1 {
	_id: string;
	templateID: string;
	userID: string;
	name: string;
	description: string;
	inputs: TemplateVariable[];
}

/** Template, version 2 (list entry). */
export interface TemplateV2 {
	_id: string;
	templateID: string;
	name: string;
	description: string;
	key: string;
	status: Open<'ACTIVE'>;
	/** The signature slots. */
	signatories: Array<{ key: string; type: Open<'signature'>; _id: string }>;
	/** The variables to fill when creating the document. */
	form: TemplateFormField[];
	/** Questions put to each signatory before signing. */
	formSignatory: TemplateFormField[];
}

/** Element of `staticSignPositions` (docs/service.md#where-the-signatures-go). */
export interface StaticSignPosition {
	user: { email: string };
	coordinates: { x: number; y: number };
	page: number;
	pageY: number;
	pageYv2: number;
	/** Hex colour. */
	color: string;
	imageSize: PageSize;
	parentImageSize: PageSize;
	viewport: PageSize;
}

/** Body of both creating calls; `staticSignPositions` belongs to version 1. */
export interface CreateDocumentBody {
	templateID: string;
	country: string;
	inputs: Record<string, string>;
	signatories: Array<{ email: string; name: string }>;
	staticSignPositions?: StaticSignPosition[];
}

/** Body of `POST /identity/validation/request`. Values of `type` other than FACE are not known. */
export interface IdentityRequestBody {
	email: string;
	type: string;
	backgroundCheck: boolean;
}

/** Body of `POST /webhooks/verify`. */
export interface IdentityWebhookBody {
	name: string;
	type: string;
	url: string;
}

/** Query of `POST /webhooks`. */
export interface DocumentWebhookQuery {
	url: string;
	type: string;
}

/** Identity verification request. */
export interface IdentityRequest {
	userId: string;
	emailId: string;
	/** Statuses besides CREATED are assumed by clients in the field. */
	status: Open<'CREATED' | 'IN_PROGRESS' | 'COMPLETED'>;
	/** ISO 8601 */
	createdAt: string;
	/** Equals the `validationId` of the creation; may be missing until the person is done. */
	sessionId?: string | null;
	/** For signing by selfie alone (face login); may be missing until the person is done. */
	customerId?: string | null;
	/** For the person to register an ID and a selfie. */
	url: string;
	backgroundCheck: boolean;
}

/** A scored check; empty strings where there is no result. */
export interface Score {
	value: number | '';
	status: Open<'OK' | ''>;
}

/** Identity verification results. Personal data: treat as sensitive. */
export interface IdentityResults {
	results: {
		score: {
			idValidation: { overall: Score };
			liveness: {
				livenessScore: Score;
				digitalAttack: Pick<Score, 'status'>;
				evasionAttack: Pick<Score, 'status'>;
				overall: Score;
			};
			faceRecognition: {
				maskCheck: Score;
				lensesCheck: Pick<Score, 'status'>;
				faceBrightness: Pick<Score, 'status'>;
				nameMatch: Pick<Score, 'status'>;
				overall: Score;
			};
			overall: Score;
		};
		ocr: IdentityOcr;
	};
	customerId: string;
}

/** What was read from the official ID. Personal data. */
export interface IdentityOcr {
	name: {
		fullName: string;
		lastName: string;
		firstName: string;
		paternalLastName: string;
		maternalLastName: string;
	};
	/** May contain line breaks. */
	address: string;
	addressFields: {
		street: string;
		colony: string;
		postalCode: string;
		city: string;
		state: string;
		stateCode: string;
	};
	exteriorNumber: string;
	interiorNumber: string;
	typeOfId: string;
	gender: string;
	claveDeElector: string;
	curp: string;
	numeroEmisionCredencial: string;
	cic: string;
	ocr: string;
	documentNumber: string;
	permissionType: string;
	expireAt: string;
	expirationDate: string;
	issueDate: string;
	registrationDate: string;
	issuingCountry: string;
	birthPlace: string;
	nationality: string;
	documentNumberCheckDigit: string;
	dateOfBirthCheckDigit: string;
	expirationDateCheckDigit: string;
	birthDate: EpochMs;
}

/** Notification body for document events (docs/service.md#notification-body). */
export interface DocumentNotification {
	type: Open<DocumentEventType>;
	Document: ServiceDocument;
	/** Moment of the notification. */
	addedOn: EpochMs;
}
