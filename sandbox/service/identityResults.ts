import type { IdentityResults } from '../schemas';
import { IDENTITY_CHECKS, type IdentityOutcome, type IdentityScores } from '../types';
import type { CheckScores } from '../views';

/** A check with fewer points fails. */
export const ENOUGH_POINTS = 50;

const POINTS = {
	pass: { idValidation: 97.5, liveness: 98.4, faceRecognition: 96.8 },
	fail: { idValidation: 31, liveness: 25.7, faceRecognition: 18.2 },
};

/** The points of each check: those that were set, else those that fit the outcome. */
export function checkScores(outcome: IdentityOutcome, set: IdentityScores = {}): CheckScores {
	const points = { ...POINTS[outcome === 'pass' ? 'pass' : 'fail'], ...set };
	const score = (value: number) => ({ value, isEnough: value >= ENOUGH_POINTS });
	return {
		idValidation: score(points.idValidation),
		liveness: score(points.liveness),
		faceRecognition: score(points.faceRecognition),
	};
}

/**
 * What a finished identity check found (docs/dev/service.md#identity-verification-results). Nothing was
 * checked and nobody is described: every text says that it is made up.
 * @param outcome `fail` gives low scores whose status is FAIL in place of OK.
 * @param set Points of single checks, in place of those that fit the outcome.
 */
export function identityResults(
	outcome: IdentityOutcome,
	customerId: string,
	set?: IdentityScores,
): IdentityResults {
	const scores = checkScores(outcome, set);
	const statusOf = (isOk: boolean) => (isOk ? 'OK' : 'FAIL');
	const ofCheck = (check: keyof CheckScores) => {
		const { value, isEnough } = scores[check];
		const status = statusOf(isEnough);
		return { status, scored: { value, status } };
	};
	const idValidation = ofCheck('idValidation');
	const liveness = ofCheck('liveness');
	const face = ofCheck('faceRecognition');
	const sum = IDENTITY_CHECKS.reduce((total, check) => total + scores[check].value, 0);
	const overall = Math.round((sum / IDENTITY_CHECKS.length) * 10) / 10;
	return {
		results: {
			score: {
				idValidation: { overall: idValidation.scored },
				liveness: {
					livenessScore: liveness.scored,
					digitalAttack: { status: liveness.status },
					evasionAttack: { status: liveness.status },
					overall: liveness.scored,
				},
				faceRecognition: {
					maskCheck: { value: '', status: 'OK' },
					lensesCheck: { status: 'OK' },
					faceBrightness: { status: 'OK' },
					nameMatch: { status: face.status },
					overall: face.scored,
				},
				overall: { value: overall, status: statusOf(outcome === 'pass') },
			},
			ocr: MADE_UP_ID,
		},
		customerId,
	};
}

/** What is written on an ID that nobody has. */
const MADE_UP_ID: IdentityResults['results']['ocr'] = {
	name: {
		fullName: 'SAMPLE PERSON FICTITIOUS',
		lastName: 'SAMPLE PERSON',
		firstName: 'FICTITIOUS',
		paternalLastName: 'SAMPLE',
		maternalLastName: 'PERSON',
	},
	address: '1 INVENTED STREET\nMADE UP QUARTER 00000\nNOWHERE, SANDBOX',
	addressFields: {
		street: 'INVENTED STREET',
		colony: 'MADE UP QUARTER',
		postalCode: '00000',
		city: 'NOWHERE',
		state: 'SANDBOX',
		stateCode: 'SB',
	},
	exteriorNumber: '1',
	interiorNumber: '',
	typeOfId: 'SAMPLE',
	gender: 'X',
	claveDeElector: 'SAMPLE000000000000',
	curp: 'SAMPLE000000000000',
	numeroEmisionCredencial: '00',
	cic: '000000000',
	ocr: '0000000000000',
	documentNumber: 'SAMPLE-0000',
	permissionType: '',
	expireAt: '2099',
	expirationDate: '2099-12-31',
	issueDate: '2000-01-01',
	registrationDate: '2000',
	issuingCountry: 'SANDBOX',
	birthPlace: 'NOWHERE',
	nationality: 'FICTITIOUS',
	documentNumberCheckDigit: '0',
	dateOfBirthCheckDigit: '0',
	expirationDateCheckDigit: '0',
	birthDate: Date.UTC(1990, 0, 1),
};
