import { mistakeInName } from './content/leftovers';
import { mistakeInMailDomain } from './content/mailDomains';
import type { ItemContext } from './item';
import { readName, readNamedEmail } from './parameters';

/**
 * Reads the name of a person to whom something is sent.
 * @throws InputError as {@link readName} does, for an expression that was typed as plain text, and for a text that is
 * certainly not a name.
 */
export function readPersonName(item: ItemContext, value: unknown, field: string): string {
	item.checkTyped(value, field);
	const name = readName(value, field);
	item.judge(field, mistakeInName(name));
	return name;
}

/**
 * Reads the email address of a person to whom something is sent. The value may contain the name as well, as in
 * "Ana Gil <ana@example.com>". A misspelled domain of a large mail provider adds a warning.
 * @returns The address alone.
 * @throws InputError as {@link readNamedEmail} does.
 */
export function readPersonEmail(item: ItemContext, value: unknown, field: string): string {
	const { email } = readNamedEmail(value, field);
	item.judge(field, mistakeInMailDomain(email));
	return email;
}
