import type { DocsAnchor } from '../../http/docs';

/** How sure a check is: an item with a certain mistake is not sent, and one with a likely mistake is sent with a warning. */
export type Severity = 'certain' | 'likely';

/** A mistake in a value that a person or a workflow has entered. */
export interface Finding {
	severity: Severity;
	/** Describes the mistake as the rest of a sentence that begins with the field's name. */
	problem: string;
	/** Tells the person what to do, in whole sentences. */
	remedy: string;
	/** Names the part of docs/errors.md that explains the mistake. */
	docsAnchor: DocsAnchor;
}

/** The text to send for a value, and the mistake found in the value, if any. */
export interface CheckedText {
	text: string;
	finding?: Finding;
}

/** A message shows at most this many characters of a wrong value. */
const maxQuotedLength = 60;

/** Puts a value into quotation marks for a message, and cuts a long one. */
export function quoted(text: string): string {
	const trimmed = text.trim();
	const isLong = trimmed.length > maxQuotedLength;
	return `"${isLong ? `${trimmed.slice(0, maxQuotedLength)}…` : trimmed}"`;
}
