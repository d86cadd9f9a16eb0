import type { InputProblem } from './inputProblems';

/**
 * How certain it is that a value is a mistake. An item with a certain mistake is not sent. An item with any other
 * mistake is sent with a warning, unless the form has Stop on Warnings: then an item with a likely mistake is not
 * sent, while one with a possible mistake still is.
 */
export type Severity = 'certain' | 'likely' | 'possible';

export interface Finding extends InputProblem {
	severity: Severity;
}
