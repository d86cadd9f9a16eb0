import { isExpression } from 'n8n-workflow';

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

/** Returns what is chosen or entered in a resource locator as saved in the workflow, possibly an expression. */
export function savedChoice(item: Pick<ItemContext, 'rawParameter'>, name: string): unknown {
	const saved = item.rawParameter(name);
	return isObject(saved) ? saved.value : saved;
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
	if (isBlank(chosen)) {
		const problem = isExpression(savedChoice(item, name))
			? 'the expression returns no value'
			: 'nothing is selected';
		throw new MissingValue(label, problem, remedy);
	}
	item.checkTyped(chosen, label);
	return readText(chosen, label, remedy);
}
