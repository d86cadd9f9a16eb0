import type { Problem } from '../errors/problem';

/**
 * How certain it is that a value is a mistake. An item with a certain mistake is not sent. One with a likely mistake is
 * sent, with a warning, only with Send Despite Warnings. One with a possible mistake is always sent with a warning.
 */
export type Severity = (typeof severities)[number];

const severities = ['certain', 'likely', 'possible'] as const;

export interface Finding extends Problem {
	severity: Severity;
}

/** Returns the first of the most certain findings. */
export function mostCertain(findings: Array<Finding | undefined>): Finding | undefined {
	return severities
		.map((severity) => findings.find((finding) => finding?.severity === severity))
		.find((finding) => finding !== undefined);
}
