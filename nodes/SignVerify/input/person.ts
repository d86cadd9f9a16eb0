import { onOneLine } from '../util/values';
import { mistakeInAddress } from './addresses';
import { mistakeInAddressText, mistakeInName } from './content';
import type { ItemContext } from './item';
import { readName, readNamedEmail } from './parameters';

/**
 * Reads the name of a person who will receive something. A name with a line break, which a spreadsheet cell
 * may contain, is put on one line, with a warning.
 * @param person The name, and the person's address, if known. A name that only repeats the address causes a
 * warning.
 * @throws InputError for an expression typed as plain text, for a string that is certainly not a name, or for
 * the same reasons as {@link readName}.
 */
export function readPersonName(
	item: ItemContext,
	{ name: entered, email }: { name: unknown; email: string | undefined },
	label: string,
): string {
	item.checkTyped(entered, label);
	const written = readName(entered, label);
	item.judge(label, mistakeInName(written, email));
	const name = onOneLine(written);
	if (name !== written) {
		item.judge(label, {
			severity: 'likely',
			problem: 'contains a line break or a tab',
			remedy: 'The name is sent on one line.',
		});
	}
	return name;
}

/**
 * Reads the email address of a person who will receive something. The value may include the name, as in "Ana
 * Gil <ana@example.com>". If the address has dots in unusual places, a warning is added.
 * @returns The address without the name.
 * @throws InputError for an expression typed as plain text, or for the same reasons as
 * {@link readNamedEmail}.
 */
export function readPersonEmail(item: ItemContext, value: unknown, label: string): string {
	// Braces are valid before the @, so {{$json.user}}@example.com is an address.
	item.checkTyped(value, label);
	const { email } = readNamedEmail(value, label);
	item.judge(label, mistakeInAddressText(email) ?? mistakeInAddress(email));
	return email;
}
