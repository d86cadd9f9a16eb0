import { mistakeInName } from './content/leftovers';
import { mistakeInMailDomain } from './content/mailDomains';
import type { ItemContext } from './item';
import { readName, readNamedEmail } from './parameters';

/**
 * Reads the name of a person who will receive something.
 * @throws InputError for an expression typed as plain text, for a string that is definitely not a name, or
 * for the same reasons as {@link readName}.
 */
export function readPersonName(item: ItemContext, value: unknown, field: string): string {
	item.checkTyped(value, field);
	const name = readName(value, field);
	item.judge(field, mistakeInName(name));
	return name;
}

/**
 * Reads the email address of a person who will receive something. The value may include the name, as in "Ana
 * Gil <ana@example.com>". If the domain looks like a misspelling of a large email provider's domain, a
 * warning is added.
 * @returns The address without the name.
 * @throws InputError for an expression typed as plain text, or for the same reasons as
 * {@link readNamedEmail}.
 */
export function readPersonEmail(item: ItemContext, value: unknown, field: string): string {
	// Braces are valid before the @, so {{$json.user}}@example.com would be accepted as an address.
	item.checkTyped(value, field);
	const { email } = readNamedEmail(value, field);
	item.judge(field, mistakeInMailDomain(email));
	return email;
}
