import type { DocsAnchor } from './docs';

/*
 * What can be wrong with a value in a form, apart from its words (contentMistakes.ts). Other folders have tables of
 * their own, in this form. Tests name the rows instead of repeating the words.
 */

export interface InputProblem {
	/** The mistake, as the rest of a sentence that begins with the field's name: "contains …". */
	problem: string;
	/** What the user should do, in full sentences. */
	remedy: string;
	/** The row of docs/troubleshooting.md about the mistake, if users need more than the remedy. */
	docsAnchor?: DocsAnchor | undefined;
}
