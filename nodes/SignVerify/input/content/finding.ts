import type { DocsAnchor } from '../../http/docs';

/** How sure a check is: a certain mistake is never sent, and a likely one is sent with a warning. */
export type Severity = 'certain' | 'likely';

/** A mistake that was found in what a person or a workflow has entered. */
export interface Finding {
	severity: Severity;
	/** What is wrong, as the rest of a sentence that begins with the field's name. */
	problem: string;
	/** What to do, as whole sentences. */
	remedy: string;
	/** The part of docs/errors.md that explains it. */
	docsAnchor: DocsAnchor;
}

/** What is sent for a value, and what is found in it. */
export interface CheckedText {
	text: string;
	finding?: Finding;
}

/** How many characters of a wrong value a message shows. */
const maxShown = 60;

/** A value in quotation marks, as a message shows it. */
export function quoted(text: string): string {
	const shown = text.trim();
	return `"${shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown}"`;
}
