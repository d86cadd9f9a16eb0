import type { Rows } from '../../http/callProblems';

export const identityProblems = {
	noResults: (status: string) => ({
		message: `There are no results, although the verification is over (status ${status})`,
		description:
			'If it ended only just now, try again in a moment. Otherwise, request a new verification.',
	}),
	noResultsYet: (status: string) => ({
		message: `The results aren't ready yet (status ${status})`,
		description:
			'The person has to finish the verification first. Use the Wait until identity is verified action, or try again later.',
	}),
} satisfies Rows;
