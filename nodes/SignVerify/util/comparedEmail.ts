import { normalForm } from './text';
import { textOf } from './values';

/** Normalizes an email address for comparisons; '' if there is none. The same letter may be one character or two. */
export function comparedEmail(email: unknown): string {
	const text = textOf(email).trim();
	return text && normalForm(text, 'NFC').toLowerCase();
}
