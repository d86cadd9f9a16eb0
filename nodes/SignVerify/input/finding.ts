import type { InputProblem } from './inputProblems';

/**
 * How certain it is that a value is a mistake. An item with a certain mistake is not sent. One with a likely mistake is
 * sent, with a warning, only with Send Despite Warnings. One with a possible mistake is always sent with a warning.
 */
export type Severity = 'certain' | 'likely' | 'possible';

export interface Finding extends InputProblem {
	severity: Severity;
}
