import type { EpochMs, Open } from './values';

/** Body of `POST /identity/validation/request`. Values of `type` other than FACE are not known. */
export interface IdentityRequestBody {
	email: string;
	type: string;
	backgroundCheck: boolean;
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
