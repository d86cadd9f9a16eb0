import { Type, type Static } from '@sinclair/typebox';
import { exactly, observed } from './common';

/** An identity verification request (docs/dev/service.md#identity-verification-request). */
export const IdentityRequestSchema = exactly({
	userId: Type.String(),
	emailId: Type.String(),
	/**
	 * Only CREATED is documented. IN_PROGRESS and COMPLETED are made up for the sandbox, which needs values
	 * for the later states.
	 */
	status: observed('CREATED', 'IN_PROGRESS', 'COMPLETED'),
	createdAt: Type.String({ description: 'ISO 8601' }),
	sessionId: Type.String(),
	/** null until the person has finished the verification, because there is no customer before that. */
	customerId: Type.Union([Type.String(), Type.Null()]),
	url: Type.String(),
	backgroundCheck: Type.Boolean(),
});

const ScoreStatus = observed('OK', '');
const Scored = exactly(
	{
		value: Type.Union([Type.Number(), Type.Literal('')]),
		status: ScoreStatus,
	},
	'Score',
);
const StatusOnly = exactly({ status: ScoreStatus }, 'ScoreStatus');

/** `results.score` (docs/dev/service.md#identity-verification-results). */
export const IdentityScoreSchema = exactly({
	idValidation: exactly({ overall: Scored }),
	liveness: exactly({
		livenessScore: Scored,
		digitalAttack: StatusOnly,
		evasionAttack: StatusOnly,
		overall: Scored,
	}),
	faceRecognition: exactly({
		maskCheck: Scored,
		lensesCheck: StatusOnly,
		faceBrightness: StatusOnly,
		nameMatch: StatusOnly,
		overall: Scored,
	}),
	overall: Scored,
});

/** `results.ocr` (docs/dev/service.md#identity-verification-results). */
export const IdentityOcrSchema = exactly(
	{
		name: exactly({
			fullName: Type.String(),
			lastName: Type.String(),
			firstName: Type.String(),
			paternalLastName: Type.String(),
			maternalLastName: Type.String(),
		}),
		address: Type.String(),
		addressFields: exactly({
			street: Type.String(),
			colony: Type.String(),
			postalCode: Type.String(),
			city: Type.String(),
			state: Type.String(),
			stateCode: Type.String(),
		}),
		exteriorNumber: Type.String(),
		interiorNumber: Type.String(),
		typeOfId: Type.String(),
		gender: Type.String(),
		claveDeElector: Type.String(),
		curp: Type.String(),
		numeroEmisionCredencial: Type.String(),
		cic: Type.String(),
		ocr: Type.String(),
		documentNumber: Type.String(),
		permissionType: Type.String(),
		expireAt: Type.String(),
		expirationDate: Type.String(),
		issueDate: Type.String(),
		registrationDate: Type.String(),
		issuingCountry: Type.String(),
		birthPlace: Type.String(),
		nationality: Type.String(),
		documentNumberCheckDigit: Type.String(),
		dateOfBirthCheckDigit: Type.String(),
		expirationDateCheckDigit: Type.String(),
		/** Milliseconds since 1970; negative for an earlier date. */
		birthDate: Type.Integer(),
	},
	'IdentityOcr',
);

/** `responseData` of `GET /identity/session/results/{sessionId}`. */
export const IdentityResultsSchema = exactly(
	{
		results: exactly({ score: IdentityScoreSchema, ocr: IdentityOcrSchema }),
		customerId: Type.String(),
	},
	'IdentityResults',
);

export type IdentityRequest = Static<typeof IdentityRequestSchema>;
export type IdentityResults = Static<typeof IdentityResultsSchema>;
