import { isObject } from '../util/values';
import type { EnteredText, Field } from './field';
import type { SavedForm } from './savedForm';
import { onlyText } from './values';

export function savedChoice(item: Pick<SavedForm, 'rawParameter'>, name: string): unknown {
	const saved = item.rawParameter(name);
	return isObject(saved) ? saved.value : saved;
}

/**
 * Returns the value chosen or entered in a resource locator, without checking its format. Reads nothing else
 * of the parameter: the editor also saves the chosen entry's name, and n8n would run a name that begins with
 * "=" as an expression.
 * @n8n
 */
export function chosenText(item: SavedForm, { name, label }: Field): EnteredText {
	const path = isObject(item.rawParameter(name)) ? `${name}.value` : name;
	return { label, value: onlyText(item.parameter(path)), saved: savedChoice(item, name) };
}
