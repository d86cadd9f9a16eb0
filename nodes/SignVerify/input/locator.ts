import { isObject } from '../util/values';
import { type EnteredText, type Field, readNamed } from './field';
import type { ItemContext } from './item';
import { onlyText } from './parameters';

/**
 * Returns the value chosen or entered in a resource locator, without checking its format. Reads nothing else
 * of the parameter: the editor also saves the chosen entry's name, and n8n would run a name that begins with
 * "=" as an expression.
 * @n8n
 */
function locatorValue(item: ItemContext, name: string): unknown {
	const path = isObject(item.rawParameter(name)) ? `${name}.value` : name;
	return item.context.getNodeParameter(path, item.itemIndex, '');
}

export function savedChoice(item: Pick<ItemContext, 'rawParameter'>, name: string): unknown {
	const saved = item.rawParameter(name);
	return isObject(saved) ? saved.value : saved;
}

export function chosenText(item: ItemContext, { name, label }: Field): EnteredText {
	const value = readNamed(
		() => locatorValue(item, name),
		() => label,
	);
	return { label, value: onlyText(value), saved: savedChoice(item, name) };
}
