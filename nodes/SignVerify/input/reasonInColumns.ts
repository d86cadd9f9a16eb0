import { isExpression } from 'n8n-workflow';

import { settleSync } from '../util/async';
import { isEmpty, textOf } from '../util/values';
import { quoted } from '../util/redact';
import { noDate } from './dates';
import type { ItemContext } from './item';

/** Finds the parts of an expression that read a column: `$json.date`, `$('Form').item.json['Start date']`. */
const columnPattern =
	/(?:\$json|\$\((?:'[^'\\]{1,200}'|"[^"\\]{1,200}")\)\.item\.json)(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$(])|\[(?:'[^'\\]{1,200}'|"[^"\\]{1,200}")\])+/gu;

/**
 * Matches the result of a failed expression, such as "Invalid DateTime". Such a result doesn't show which
 * value the expression read.
 */
const failedResult = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:${noDate}|NaN|undefined|null)(?![\\p{L}\\p{N}])|^$`,
	'u',
);

/** The maximum number of columns whose values a message shows. */
const maxShownColumns = 3;

/**
 * Explains a failed expression by listing the values of the columns that it reads. For instance, "Invalid
 * DateTime" alone does not show which string could not be read as a date.
 * @param saved The field's value as saved in the workflow, which may be an expression.
 * @param text The result of the expression, as a string.
 * @returns The rest of a sentence, such as `, because $json.date is "soon"`, or '' if the expression did not
 * fail or reads no column. Leaves out a column that n8n cannot read.
 */
export function reasonInColumns(
	{ execute, itemIndex }: Pick<ItemContext, 'execute' | 'itemIndex'>,
	saved: unknown,
	text: string,
): string {
	if (!isExpression(saved) || !failedResult.test(text)) return '';
	const columns = [...new Set(saved.match(columnPattern))].slice(0, maxShownColumns);
	const parts = columns.flatMap((column) => {
		// n8n may be unable to read a column that the expression never reached, for instance one after `??`.
		const reading = settleSync(() => execute.evaluateExpression(`{{ ${column} }}`, itemIndex));
		return reading.ok ? [`${column} ${valueInWords(reading.value)}`] : [];
	});
	return parts.length > 0 ? `, because ${parts.join(' and ')}` : '';
}

function valueInWords(value: unknown): string {
	if (isEmpty(value)) return 'is empty';
	if (Array.isArray(value)) return 'is a list';
	return typeof value === 'object' ? 'is an object' : `is ${quoted(textOf(value))}`;
}
