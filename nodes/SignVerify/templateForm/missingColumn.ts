import { isExpression } from 'n8n-workflow';

import type { ItemContext } from '../input/item';
import { settleSync, valueOf } from '../util/async';
import { MissingValue } from '../input/inputError';
import { quoted } from '../util/redact';
import { listOfColumns } from './columnNames';

/** Finds the columns that an expression reads from the item: `$json.date`, `$json['Start date']`. */
const columnPattern =
	/\$json\??(?:\.([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$(])|\.?\[(?:'([^'\\]{1,200})'|"([^"\\]{1,200})")\])/gu;

/**
 * Explains why an expression returned nothing if it reads a column that the item doesn't have.
 * @param saved The field's value as saved in the workflow, which may be an expression.
 * @returns The rest of a sentence, with the columns that there are; '' if no column is missing.
 */
export function missingColumn({ input }: Pick<ItemContext, 'input'>, saved: unknown): string {
	if (!isExpression(saved)) return '';
	const names = [...saved.matchAll(columnPattern)].map((found) => found.slice(1).join(''));
	const missing = names.find((name) => !Object.hasOwn(input.json, name));
	if (missing === undefined) return '';
	return `, because the item has no column ${quoted(missing)}. The columns are ${listOfColumns(input.json)}`;
}

/**
 * Reads a value. If it is missing, adds to the error which column its expression reads in vain.
 * @throws the errors of `read`.
 */
export function withMissingColumn<Value>(
	item: Pick<ItemContext, 'input'>,
	saved: unknown,
	read: () => Value,
): Value {
	const reading = settleSync(read);
	if (reading.ok || !(reading.error instanceof MissingValue)) return valueOf(reading);
	const { field, problem, description } = reading.error;
	throw new MissingValue(field, problem + missingColumn(item, saved), description);
}
