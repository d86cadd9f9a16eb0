import { isExpression } from 'n8n-workflow';

import { isEmpty, textOf } from '../util/values';
import { quoted } from './content/finding';
import type { ItemContext } from './item';

/** The parts of an expression that read a column: `$json.date`, `$('Form').item.json['Start date']`. */
const column =
	/(?:\$json|\$\((?:'[^'\\]{1,200}'|"[^"\\]{1,200}")\)\.item\.json)(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$(])|\[(?:'[^'\\]{1,200}'|"[^"\\]{1,200}")\])+/gu;

/** The results of an expression that failed. None of them shows the value that the expression was given. */
const failed =
	/(?<![\p{L}\p{N}_])(?:Invalid Date(?:Time)?|NaN|undefined|null)(?![\p{L}\p{N}_])|^$/u;

/** How many columns a message shows. */
const maxShown = 3;

/**
 * Says what the columns of an expression are, if it failed: "Invalid DateTime" does not show which text is no date.
 * @param saved The value of the field as the workflow has saved it.
 * @param text What the expression returned, as text.
 * @returns The rest of a sentence, such as `, because $json.date is "soon"`; '' if there is nothing to say.
 */
export function columnsRead(
	{ execute, itemIndex }: Pick<ItemContext, 'execute' | 'itemIndex'>,
	saved: unknown,
	text: string,
): string {
	if (!isExpression(saved) || !failed.test(text)) return '';
	const columns = [...new Set(saved.match(column))].slice(0, maxShown);
	const parts = columns.map(
		(name) => `${name} ${shown(execute.evaluateExpression(`{{ ${name} }}`, itemIndex))}`,
	);
	return parts.length > 0 ? `, because ${parts.join(' and ')}` : '';
}

function shown(value: unknown): string {
	if (isEmpty(value)) return 'is empty';
	if (Array.isArray(value)) return 'is a list';
	return typeof value === 'object' ? 'is an object' : `is ${quoted(textOf(value))}`;
}
