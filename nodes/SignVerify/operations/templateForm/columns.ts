import type { IDataObject } from 'n8n-workflow';

import { InputError, readEach } from '../../input/inputError';
import { checkTextLength } from '../../input/parameters';
import { cutText, isEmpty, normalName, objectOf, searchName, withoutEnd } from '../../util/values';

/*
 * Finds the item's column for each template field, and for each person's name and email. The node does this
 * if the user selects the "Map automatically" mode in a form that n8n loads for a template.
 */

/**
 * A field that needs a column. The field's key is unique in the form, but its label may be empty or shared
 * with other fields.
 */
export interface Wanted {
	key: string;
	label: string;
}

/** Returns a field's name for messages: its label, or its key if it has no label. */
export function labelOfVariable({ key, label }: Wanted): string {
	return label || key;
}

/**
 * Returns the column values by field key: null for a column without a value, undefined for a missing column.
 */
export function valuesIn(
	json: IDataObject,
	columns: Map<string, string | undefined>,
): Map<string, unknown> {
	return new Map(
		[...columns].map(([key, column]) => [
			key,
			column === undefined ? undefined : (json[column] ?? null),
		]),
	);
}

/**
 * Returns human-readable names for the columns: each field's label, or its key if it has no label or shares
 * the label with another field.
 */
export function columnNames(wanted: Wanted[]): string[] {
	const count = new Map<string, number>();
	for (const { label } of wanted)
		count.set(foldedName(label), (count.get(foldedName(label)) ?? 0) + 1);
	return wanted.map(({ key, label }) =>
		label && count.get(foldedName(label)) === 1 ? label : key,
	);
}

/**
 * Returns the column names for a table of people and field values. A person's columns get their names from
 * {@link columnNames}, and a field's column is named after the field's key. If exactly one field has the same
 * name as a person's column, the two share the column. If several fields have that name, the person's column
 * is named after its own key instead.
 * @returns The names, without duplicates.
 */
export function columnsFor(people: Wanted[], fields: Wanted[]): string[] {
	const names = columnNames(people);
	const shared = new Set<string>();
	const named = people.map(({ key }, index) => {
		const name = names[index] ?? key;
		const fitting = fields.filter((field) =>
			[field.key, field.label].some((text) => text && foldedName(text) === foldedName(name)),
		);
		if (fitting.length > 1) return key;
		for (const field of fitting) shared.add(field.key);
		return name;
	});
	const keys = fields.map(({ key }) => key);
	return [...new Set([...named, ...keys.filter((key) => !shared.has(key))])];
}

/** The advice in an error about a missing column. */
export const remedyForColumns = 'Rename or add the columns, or select Map Each Column Manually.';

/**
 * Returns the advice for an item without any matching columns. If the data is nested in the item, for
 * instance under "body", the advice mentions that name.
 */
export function remedyWithoutColumns(json: IDataObject, wanted: Wanted[]): string {
	const folded = new Set(wanted.flatMap(({ key, label }) => [key, label]).map(foldedName));
	const fits = (value: unknown) =>
		Object.keys(objectOf(value)).some((name) => folded.has(foldedName(name)));
	const isWebhook = 'body' in json && 'headers' in json;
	const holder =
		Object.keys(json).find((name) => [json[name]].flat().some(fits)) ??
		(isWebhook ? 'body' : undefined);
	if (holder === undefined) return remedyForColumns;
	const where = isWebhook
		? `A Webhook node puts the data into "${cutText(holder, 60)}".`
		: `The data is in "${cutText(holder, 60)}".`;
	const way = Array.isArray(json[holder])
		? `Before this node, add a Split Out node that splits "${cutText(holder, 60)}".`
		: 'Select Map Each Column Manually and drag the values from there, or move them to the top level of the item with an Edit Fields node.';
	return `${where} ${way}`;
}

/** The maximum number of names in a message. */
const maxListed = 20;

/** Joins up to {@link maxListed} names for a message, and then says how many more there are. */
export function shortList(names: string[]): string {
	const shown = names.slice(0, maxListed).map((name) => cutText(name, 60));
	const unshownCount = names.length - shown.length;
	return shown.join(', ') + (unshownCount > 0 ? ` and ${unshownCount} more` : '');
}

/**
 * Removes what people often write differently in column and field names: accents, spaces, separators such as
 * "_", and trailing asterisks.
 */
function foldedName(name: string): string {
	return withoutEnd(searchName(name).replace(/[\s_.:-]+/g, ''), '*');
}

/**
 * Returns the columns that "Map automatically" uses, by field key. Each field gets the first of these columns
 * that exists:
 * - the column whose name is exactly the field's key, unless that column is empty
 * - a column named after the field's key or label ({@link normalName})
 * - a column whose name matches the field's key or label after {@link foldedName}
 * @param section The name of the fields' form, for errors: Fields or Signatories.
 * @returns Each field's column, which may be empty, or undefined if no column matches the field.
 * @throws InputError if columns with different values match a field, if one column matches two fields, or if
 * a column's name is too long ({@link checkTextLength}).
 */
export function columnsOf(
	json: IDataObject,
	wanted: Wanted[],
	section: string,
): Map<string, string | undefined> {
	const keys = new Set(wanted.map(({ key }) => key));
	const columns = Object.keys(json);
	for (const column of columns) {
		checkTextLength(column, `${section}: the column ${cutText(column, 60)}`);
	}
	const names = new Map(columns.map((column) => [column, normalName(column)]));
	const columnsByName = new Map<string, string[]>();
	for (const [column, name] of names) {
		const sameName = columnsByName.get(name) ?? [];
		sameName.push(column);
		columnsByName.set(name, sameName);
	}
	const fieldsByColumn = new Map<string, Wanted>();

	/**
	 * Returns the columns whose name is the field's exact key, or equals its key or label after
	 * {@link normalName}.
	 */
	const namedLike = ({ key, label }: Wanted): string[] => {
		const [keyName, labelName] = [key, label].map((name) => normalName(name) || undefined);
		const hasOwnColumn = Object.hasOwn(json, key);
		const sameName = [keyName, labelName].flatMap((name) =>
			name === undefined ? [] : (columnsByName.get(name) ?? []),
		);
		return [...new Set([...(hasOwnColumn ? [key] : []), ...sameName])].filter((column) => {
			if (column === key || !keys.has(column)) return true;
			// This column's name is the key of a different field. It can still match this field's label, but
			// only if no column has this field's key as its name.
			return names.get(column) === labelName && !hasOwnColumn;
		});
	};
	const named = new Map(wanted.map((variable) => [variable, namedLike(variable)]));
	const used = new Set([...named.values()].flat());

	/**
	 * Returns the columns that match a field by {@link foldedName}. Columns that {@link namedLike} found for
	 * any field are left out.
	 */
	const foldedLike = lazy(() => {
		const byName = new Map<string, string[]>();
		for (const column of columns.filter((column) => !used.has(column))) {
			const name = foldedName(column);
			const sameName = byName.get(name) ?? [];
			sameName.push(column);
			byName.set(name, sameName);
		}
		return ({ key, label }: Wanted) => {
			const folded = new Set([key, label].map(foldedName).filter(Boolean));
			return [...folded].flatMap((name) => byName.get(name) ?? []);
		};
	});

	const fittingOf = (variable: Wanted): string[] => {
		const { key } = variable;
		const byItsName = named.get(variable) ?? [];
		const found = byItsName.length > 0 ? byItsName : foldedLike()(variable);
		if (found.includes(key) && !isEmpty(json[key])) return [key];
		const filled = found.filter((column) => !isEmpty(json[column]));
		return filled.length > 0 ? filled : found.slice(0, 1);
	};
	return new Map(
		readEach(wanted, (variable) => {
			const fitting = fittingOf(variable);
			const values = new Set(fitting.map((column) => json[column]));
			if (values.size > 1) {
				throw new InputError(
					`${section}: ${labelOfVariable(variable)}`,
					`several columns match: ${fitting.join(', ')}`,
					'Rename or remove all but one of them.',
					'several-columns-fit-it',
				);
			}
			for (const column of fitting) {
				const firstField = fieldsByColumn.get(column) ?? variable;
				fieldsByColumn.set(column, firstField);
				// Two fields may share a column if they have the same key, as in some templates, or if the
				// column is empty.
				if (firstField.key === variable.key || isEmpty(json[column])) continue;
				const both = [firstField, variable].map(
					(field) => `"${labelOfVariable(field)}" (${field.key})`,
				);
				throw new InputError(
					section,
					`the column ${column} matches two fields, ${both.join(' and ')}`,
					'Name the columns after the keys, which are shown in parentheses.',
					'one-column-fits-two-fields',
				);
			}
			return [variable.key, fitting[0]];
		}),
	);
}

/** Creates a value on first use and caches it. */
function lazy<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}
