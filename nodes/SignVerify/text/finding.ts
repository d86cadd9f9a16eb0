import type { Problem } from '../errors/problem';

/**
 * How certain it is that a value is a mistake. A certain one is wrong, so its item is never sent. A likely one looks
 * wrong, so its item is sent only with Send Despite Warnings. A possible one is a warning, and its item is always sent.
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
