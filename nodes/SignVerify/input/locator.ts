import { isObject } from '../util/values';
import { readNamed, type RequiredField } from './field';
import { MissingValue } from './inputError';
import type { ItemContext } from './item';
import { isBlank, onlyText, readText } from './parameters';

/**
 * Returns the value chosen or entered in a resource locator, without checking its format. Reads nothing else
 * of the parameter: the editor also saves the chosen entry's name, and n8n would run a name that begins with
 * "=" as an expression.
 */
function locatorValue(item: ItemContext, name: string): unknown {
	const path = isObject(item.rawParameter(name)) ? `${name}.value` : name;
	return item.execute.getNodeParameter(path, item.itemIndex, '');
}

/**
 * Reads the ID or name chosen or entered in a resource locator.
 * @returns The ID or name, trimmed.
 * @throws InputError if nothing is chosen, or if the value is neither a string nor a list with a single
 * string.
 */
export function readChosen(item: ItemContext, { name, label, remedy }: RequiredField): string {
	const chosen = onlyText(
		readNamed(
			() => locatorValue(item, name),
			() => label,
		),
	);
	if (isBlank(chosen)) throw new MissingValue(label, 'nothing is selected', remedy);
	item.checkTyped(chosen, label);
	return readText(chosen, label, remedy);
}
