import type { IdentityResults } from '../../../sandbox/schemas';

type Results = IdentityResults['results'];
type Score = Results['score']['overall'];

/** Stands in every text that was read from a person's ID: it must leave a node only when asked for. */
export const personalMark = 'PERSONAL-DATA';

function resultsWith(score: Score, text: string): Results {
	const { status } = score;
	return {
		score: {
			idValidation: { overall: score },
			liveness: {
				livenessScore: score,
				digitalAttack: { status },
				evasionAttack: { status },
				overall: score,
			},
			faceRecognition: {
				maskCheck: { value: '', status },
				lensesCheck: { status },
				faceBrightness: { status },
				nameMatch: { status },
				overall: score,
			},
			overall: score,
		},
		// Not all of it: nodes pass it on whole, and look into none of it but the date of birth.
		ocr: {
			name: {
				fullName: text,
				lastName: text,
				firstName: text,
				paternalLastName: text,
				maternalLastName: text,
			},
			address: text,
			documentNumber: text,
			...(text ? { birthDate: Date.UTC(1990, 0, 1) } : {}),
		} as Partial<Results['ocr']> as Results['ocr'],
	};
}

const results = {
	pass: resultsWith({ value: 97.6, status: 'OK' }, personalMark),
	fail: resultsWith({ value: 24.3, status: 'FAIL' }, personalMark),
};

/** What a check found (docs/dev/service.md#identity-verification-results). */
export function resultsOf(score: 'pass' | 'fail'): Results {
	return results[score];
}

/** The form of results before there are any. */
export const emptyResults: Results = resultsWith({ value: '', status: '' }, '');
