import type { IdentityResults } from '../schemas';
import type { IdentityOutcome } from '../types';

/**
 * What a finished identity check found (docs/service.md#identity-verification-results). Nothing was
 * checked and nobody is described: every text says that it is made up, every number is a fixed one.
 * @param outcome `fail` gives low scores whose status is FAIL in place of OK.
 */
export function identityResults(outcome: IdentityOutcome, customerId: string): IdentityResults {
	const passed = outcome === 'pass';
	const status = passed ? 'OK' : 'FAIL';
	const scored = (good: number, bad: number) => ({ value: passed ? good : bad, status });
	return {
		results: {
			score: {
				idValidation: { overall: scored(97.5, 31) },
				liveness: {
					livenessScore: scored(99.1, 22.4),
					digitalAttack: { status },
					evasionAttack: { status },
					overall: scored(98.4, 25.7),
				},
				faceRecognition: {
					maskCheck: { value: '', status: 'OK' },
					lensesCheck: { status: 'OK' },
					faceBrightness: { status: 'OK' },
					nameMatch: { status },
					overall: scored(96.8, 18.2),
				},
				overall: scored(97.6, 24.3),
			},
			ocr: {
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
			},
		},
		customerId,
	};
}
