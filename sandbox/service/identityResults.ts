import type { IdentityResults } from '../schemas';
import type { IdentityOutcome } from '../types';

/** The scores for each check and for the entire verification, by outcome. */
const pointsByOutcome = {
	pass: { idValidation: 97.5, liveness: 98.4, faceRecognition: 96.8, overall: 97.6 },
	fail: { idValidation: 31, liveness: 25.7, faceRecognition: 18.2, overall: 25 },
};

/**
 * Makes up the results of a finished identity verification (docs/dev/service.md#identity-verification-results). No
 * real check took place, so the data on the ID card is made to look fake.
 * @param outcome If it is `fail`, the scores are low and have the status FAIL instead of OK.
 */
export function identityResults(outcome: IdentityOutcome, customerId: string): IdentityResults {
	const isPass = outcome === 'pass';
	const status = isPass ? 'OK' : 'FAIL';
	const points = pointsByOutcome[isPass ? 'pass' : 'fail'];
	const score = (check: keyof typeof points) => ({ value: points[check], status });
	return {
		results: {
			score: {
				idValidation: { overall: score('idValidation') },
				liveness: {
					livenessScore: score('liveness'),
					digitalAttack: { status },
					evasionAttack: { status },
					overall: score('liveness'),
				},
				faceRecognition: {
					maskCheck: { value: '', status: 'OK' },
					lensesCheck: { status: 'OK' },
					faceBrightness: { status: 'OK' },
					nameMatch: { status },
					overall: score('faceRecognition'),
				},
				overall: score('overall'),
			},
			ocr: madeUpId,
		},
		customerId,
	};
}

/** The data on an ID card that does not exist. */
const madeUpId: IdentityResults['results']['ocr'] = {
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
