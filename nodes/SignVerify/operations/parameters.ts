import { isWebAddress } from '../util/values';
import { InputError } from './inputError';
import { isEmpty, objectOf, textOf } from '../util/values';
import type { ItemContext } from './types';

/** Some servers refuse longer URLs. */
const longestAddress = 2048;
const longestId = 200;

/**
 * Reads an ID that becomes part of a call.
 * @param source Where to find the ID, as a sentence.
 * @throws InputError if it is empty or has characters that would change the path of the call.
 */
export function readId(value: unknown, field: string, source: string): string {
	const id = readText(value, field, source);
	if (id.length > longestId) throw new InputError(field, 'it is too long for an ID', source);
	if (!/[\s/\\?#]|^\.+$/.test(id)) return id;
	throw new InputError(field, `"${id}" is not an ID`, `Enter the ID alone. ${source}`);
}

/** @throws InputError if it is empty. */
export function readText(value: unknown, field: string, remedy: string): string {
	const text = textOf(value).trim();
	if (text) return text;
	throw new InputError(field, 'it is empty', remedy);
}

/** @throws InputError if it is empty or not an e-mail address. */
export function readEmail(value: unknown, field: string): string {
	const email = readText(value, field, 'Enter an e-mail address.');
	if (
		email.length <= 254 &&
		/^[^\s@<>(),;:"[\]]+@[^\s@<>(),;:"[\]]+\.[^\s@.<>(),;:"[\]]+$/.test(email)
	)
		return email;
	const shown = email.length > 80 ? `${email.slice(0, 80)}…` : email;
	throw new InputError(
		field,
		`"${shown}" is not an e-mail address`,
		'Enter one address, such as name@email.com.',
	);
}

/**
 * Reads a whole URL. It may have secrets, so no error shows it.
 * @throws InputError if it is empty, not an http(s) URL, or too long.
 */
export function readWebAddress(value: unknown, field: string, remedy: string): string {
	const address = readText(value, field, remedy);
	if (!isWebAddress(address)) {
		throw new InputError(field, 'it is not a URL', 'Enter a whole URL that begins with https://.');
	}
	if (address.length <= longestAddress) return address;
	throw new InputError(
		field,
		`it is longer than ${longestAddress} characters`,
		'Enter a shorter URL.',
	);
}

/** Whether the workflow has saved a parameter, also if its expression gives nothing for an item. */
export function isInForm(item: ItemContext, name: string): boolean {
	return textOf(item.rawParameter(name)).trim() !== '';
}

/**
 * Reads a switch: true, false, or a text of an expression for them.
 * @param name The parameter, by its path.
 * @param field Its name in the form.
 * @param byDefault What it is if the form does not have it.
 * @throws InputError for anything else. An expression that gives nothing is not "off", because the user
 * may have wanted "on".
 */
export function readSwitch(
	item: ItemContext,
	name: string,
	field: string,
	byDefault = false,
): boolean {
	const value = item.parameter(name);
	if (value === undefined && !isInForm(item, name)) return byDefault;
	const text = textOf(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new InputError(field, 'it is neither on nor off', 'Let the expression give true or false.');
}

/**
 * Reads the values of a form that is loaded ("resource mapper"), by the IDs of its fields. The parameter
 * is read whole, because for its `value` alone n8n has its own error for the first missing value.
 */
export function readMapped(item: ItemContext, name: string): Map<string, unknown> {
	const { value } = objectOf(item.parameter(name));
	return new Map<string, unknown>(Object.entries(objectOf(value)));
}

/**
 * Checks the names in a form that was loaded with a template.
 * @param field What the form calls itself.
 * @throws InputError for a value under a name that the template does not have.
 */
export function checkNames(
	field: string,
	given: Map<string, unknown>,
	known: string[],
	template: { name: string },
): void {
	const unknown = [...given.keys()].filter(
		(key) => !known.includes(key) && !isEmpty(given.get(key)),
	);
	if (unknown.length === 0) return;
	throw new InputError(
		field,
		`the template "${template.name}" has no ${unknown.map((key) => `"${key}"`).join(', ')}`,
		`It has ${known.length ? known.join(', ') : 'none'}. Refresh the list if the template was changed.`,
	);
}
