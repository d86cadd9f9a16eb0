/**
 * How certain it is that a value is a mistake. An item with a certain mistake is not sent; an item with a
 * likely mistake is sent with a warning.
 */
export type Severity = 'certain' | 'likely';

/** A mistake in a value from a user or a workflow. */
export interface Finding {
	severity: Severity;
	/** The mistake, as the rest of a sentence that begins with the field's name: "contains …". */
	problem: string;
	/** Instructions for the user, in full sentences. */
	remedy: string;
}
