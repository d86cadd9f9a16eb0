import type { CallProblemTable } from '../http/callProblems';

/** What an ID in the form belongs to, for the error if there is no such thing. */
export interface LookedUpObject {
	/** The label of the field with the ID. */
	label: string;
	/** Without an article: "identity request". */
	noun: string;
	/** Where the right ID comes from, as a sentence without a period. */
	source: string;
}

export const lookUpProblems = {
	/** @param refusal What the service returned, such as "(HTTP 404)"; may be empty. */
	notFound: ({ label, noun, source }: LookedUpObject, id: string, refusal: string) => ({
		problem: `${label}: your account has no ${noun} with the ID "${id}"${refusal && ` ${refusal}`}`,
		remedy: `${source}, and a credential for the same account.`,
	}),
} satisfies CallProblemTable;
