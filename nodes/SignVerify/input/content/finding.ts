import type { DocsAnchor } from '../../http/docsAnchors';

/**
 * How certain a check is. An item with a certain mistake is not sent; an item with a likely mistake is sent
 * with a warning.
 */
export type Severity = 'certain' | 'likely';

/** A mistake in a value from a user or a workflow. */
export interface Finding {
	severity: Severity;
	/** The mistake, as the rest of a sentence that begins with the field's name: "isn't a date". */
	problem: string;
	/** Instructions for the user, in full sentences. */
	remedy: string;
	/** The section of docs/errors.md that explains the mistake. */
	docsAnchor: DocsAnchor;
}

/** The string to send for a value, and the mistake found in the value, if any. */
export interface CheckedText {
	text: string;
	finding?: Finding;
}
