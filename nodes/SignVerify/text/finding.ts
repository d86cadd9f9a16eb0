import type { Problem } from '../errors/problem';

/**
 * What a finding means for its item: with what is wrong, it's never sent, with what looks wrong, only with Send Despite
 * Warnings, and with a warning always.
 */
export type Severity = (typeof severities)[number];

const severities = ['wrong', 'looksWrong', 'warning'] as const;

export interface Finding extends Problem {
	severity: Severity;
}

/** Returns the first of the most severe findings. */
export function mostSevere(findings: Array<Finding | undefined>): Finding | undefined {
	return severities
		.map((severity) => findings.find((finding) => finding?.severity === severity))
		.find((finding) => finding !== undefined);
}
