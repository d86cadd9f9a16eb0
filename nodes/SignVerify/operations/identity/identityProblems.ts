import type { CallProblemTable } from '../../http/callProblems';

export const identityProblems = {
	noResults: (status: string) => ({
		problem: `There are no results, although the verification is over (status ${status})`,
		remedy:
			'If it ended only just now, try again in a moment. Otherwise, request a new verification.',
	}),
	noResultsYet: (status: string) => ({
		problem: `The results aren't ready yet (status ${status})`,
		remedy:
			'The person has to finish the verification first. Use the Wait until identity is verified action, or try again later.',
	}),
} satisfies CallProblemTable;
