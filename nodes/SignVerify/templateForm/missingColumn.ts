import { isExpression } from 'n8n-workflow';

import type { Finding } from '../input/finding';
import { MissingValue } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { settleSync, valueOf } from '../util/async';
import { quoted } from '../util/redact';
import { listOf, textOf } from '../util/values';
import { listOfColumns } from './columnNames';
import { columnsOfRun, isSpelledLikeColumn } from './columns';

/** Finds the columns that an expression reads from the item: `$json.date`, `$json['Start date']`. */
const columnPattern =
	/\$json\??(?:\.([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$(])|\.?\[(?:'([^'\\]{1,200})'|"([^"\\]{1,200})")\])/gu;

/** Finds the parts of an expression that are only a column: `{{ $json.date }}`. */
const columnPart = new RegExp(`\\{\\{\\s*${columnPattern.source}\\s*\\}\\}`, 'gu');

/** An expression with one of these uses another value if a column has none. */
const alternative = /\?\?|\|\||\?(?![.?])/;

/** Why an expression returned nothing, as the rest of a sentence, and what to do about it. */
interface MissingColumn {
	name: string;
	reason: string;
	remedy: string;
}

/**
 * Finds the first column that an expression reads although no item of the run has it. Some nodes leave out a
 * row's empty cells, so a column that only this item lacks is not missing.
 * @param saved The field's value as saved in the workflow, which may be an expression.
 */
export function missingColumn(item: ItemContext, saved: unknown): MissingColumn | undefined {
	if (!isExpression(saved)) return undefined;
	const names = [...saved.matchAll(columnPattern)].map((found) => found.slice(1).join(''));
	const columns = columnsOfRun(item);
	if (alternative.test(saved) && names.some((name) => columns.has(name))) return undefined;
	return missingAmong(item, names);
}

/**
 * Checks an expression of several parts. If a part is a column that no item of the run has, n8n leaves it out without
 * an error, so the rest would be sent as if it were the whole text.
 * @param saved The field's value as saved in the workflow, which may be an expression.
 */
export function mistakeInParts(item: ItemContext, saved: unknown): Finding | undefined {
	if (!isExpression(saved)) return undefined;
	const parts = [...saved.matchAll(columnPart)].filter(([part]) => part !== saved.slice(1).trim());
	const partsByName = new Map(parts.map(([part, ...names]) => [names.join(''), part]));
	const missing = missingAmong(item, [...partsByName.keys()]);
	if (!missing) return undefined;
	const withDefault = partsByName.get(missing.name)?.replace(/\s*\}\}$/, " ?? '' }}");
	return {
		severity: 'likely',
		problem: `a part of the text is missing, because ${missing.reason}`,
		remedy: `${missing.remedy} If the cell may be empty, write ${withDefault} in this place.`,
	};
}

/** Returns why the first of the columns that no item of the run has is missing. */
function missingAmong(item: ItemContext, names: string[]): MissingColumn | undefined {
	const ofRun = columnsOfRun(item);
	if (names.every((name) => ofRun.has(name))) return undefined;
	// If the node is the tool of an AI agent, expressions don't read the node's input, but the agent's item.
	const read: unknown = item.execute.evaluateExpression('{{ Object.keys($json) }}', item.itemIndex);
	const columns = new Set([...ofRun, ...listOf(read).map(textOf)]);
	const name = names.find((wanted) => !columns.has(wanted));
	if (name === undefined) return undefined;
	if (isSpelledLikeColumn(item, name)) {
		return {
			name,
			reason: `the name of the column ${quoted(name)} contains an invisible character or another space`,
			remedy:
				'If the list is a CSV file, add the Exclude Byte Order Mark (BOM) option in the Extract From File node. Otherwise, drag the column onto the field again.',
		};
	}
	return {
		name,
		reason: `the item has no column ${quoted(name)}. The columns are ${listOfColumns(columns)}`,
		remedy: 'Drag the column onto the field again, or give it its old name.',
	};
}

/**
 * Reads a value. If it is missing, adds to the error which column its expression refers to, although the item doesn't have it.
 * @throws the errors of `read`.
 */
export function withMissingColumn<Value>(
	item: ItemContext,
	saved: unknown,
	read: () => Value,
): Value {
	const reading = settleSync(read);
	if (reading.ok || !(reading.error instanceof MissingValue)) return valueOf(reading);
	const missing = missingColumn(item, saved);
	if (!missing) throw reading.error;
	const { field, problem } = reading.error;
	throw new MissingValue(field, `${problem}, because ${missing.reason}`, missing.remedy);
}
