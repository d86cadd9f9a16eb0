import type { IDataObject } from 'n8n-workflow';

import { InputError, readEach } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { checkTextLength, isSameValue, isUnfilled } from '../input/parameters';
import { cutText, groupBy, normalName, objectOf, searchName, withoutEnd } from '../util/values';

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
			column === undefined ? undefined : cellOf(json, column),
		]),
	);
}

/** Returns null for an empty cell, even if the item doesn't have the column, unlike other items. */
function cellOf(json: IDataObject, column: string): unknown {
	return Object.hasOwn(json, column) ? (json[column] ?? null) : null;
}

/**
 * Returns human-readable names for the columns: each field's label, or its key if it has no label or shares
 * the label with another field.
 */
export function columnNames(wanted: Wanted[]): string[] {
	const byLabel = groupBy(wanted, ({ label }) => foldedName(label));
	const alone = new Set(
		[...byLabel.values()].flatMap((group) => (group.length === 1 ? group : [])),
	);
	return wanted.map((variable) => (alone.has(variable) ? labelOfVariable(variable) : variable.key));
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
	const foldedFields = fields.map((field) => ({
		field,
		folded: [field.key, field.label].filter(Boolean).map(foldedName),
	}));
	const named = people.map(({ key }, index) => {
		const name = names[index] ?? key;
		const foldedPerson = foldedName(name);
		const fitting = foldedFields
			.filter(({ folded }) => folded.includes(foldedPerson))
			.map(({ field }) => field);
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

/** The columns that match a field, grouped by how well they match. The first group matches best. */
interface Ranks {
	/** The columns named after the field's label ({@link normalName}), unless other fields share the label. */
	label: string[];
	/** The columns named after the field's key ({@link normalName}). The exact key matches best. */
	key: string[];
}

/**
 * Returns the columns that "Map automatically" uses, by field key. A field gets its value from the first of
 * these columns that has one:
 * - a column named after the field's label
 * - a column named after the field's key
 * - if the item has neither of these columns, a column whose name matches after {@link foldedName}
 *
 * The columns are those of all items in the run, because some nodes leave out a row's empty cells. Warns
 * if the field's label and its key both match a column, and that makes a difference.
 * @param section The name of the fields' form, for errors: Fields or Signatories.
 * @returns Each field's column, which may be empty, or undefined if no column matches the field.
 * @throws InputError if columns that match equally well have different values, if one column matches two
 * fields, or if a column's name is too long ({@link checkTextLength}).
 */
export function columnsOf(
	item: ItemContext,
	wanted: Wanted[],
	section: string,
): Map<string, string | undefined> {
	const { json } = item.input;
	for (const column of Object.keys(json)) {
		checkTextLength(column, `${section}: the column ${cutText(column, 60)}`);
	}
	// Normalize each name only once for all items.
	const index = item.remember('columns', () => columnIndexOf(columnsOfRun(item)));
	const ranks = ranksOf(wanted, index);
	const used = new Set([...ranks.values()].flatMap(({ label, key }) => [...label, ...key]));
	const fieldsByColumn = new Map<string, Wanted>();
	return new Map(
		readEach(wanted, (variable) => {
			const { label = [], key = [] } = ranks.get(variable) ?? {};
			const groups = [label, key].some((columns) => columns.length > 0)
				? [label, key.filter((column) => column === variable.key), key]
				: [nearColumns(variable, index).filter((column) => !used.has(column))];
			const chosen = chosenColumns(json, groups);
			const field = `${section}: ${labelOfVariable(variable)}`;
			checkSameValue(json, chosen, field);
			checkOneField(json, chosen, { variable, section, fieldsByColumn });
			warnOfKeyColumn(item, chosen, { label, key, field });
			return [variable.key, chosen[0]];
		}),
	);
}

/** The columns of a run's items by their names in two notations. */
interface ColumnIndex {
	all: Set<string>;
	byName: Map<string, string[]>;
	/** Created on first use, because most items have a column for each field. */
	byFoldedName: () => Map<string, string[]>;
}

/**
 * Returns the columns that occur in any of the run's items, without duplicates. An item may lack some of them,
 * because n8n's spreadsheet nodes leave out empty cells.
 */
function columnsOfRun({ execute }: ItemContext): string[] {
	return [...new Set(execute.getInputData().flatMap(({ json }) => Object.keys(json)))];
}

function columnIndexOf(columns: readonly string[]): ColumnIndex {
	return {
		all: new Set(columns),
		byName: groupBy(columns, normalName),
		byFoldedName: lazy(() => groupBy(columns, foldedName)),
	};
}

/**
 * Finds the columns named after each field's label or key. A column whose name is exactly another field's key
 * belongs to that field, unless that field's label has a column of its own.
 */
function ranksOf(wanted: Wanted[], index: ColumnIndex): Map<Wanted, Ranks> {
	const fieldsByLabel = groupBy(wanted, ({ label }) => normalName(label));
	const fieldsByKey = new Map(wanted.map((variable) => [variable.key, variable]));
	const labelColumns = ({ key, label }: Wanted): string[] => {
		const name = normalName(label);
		// Several fields may have the same label, and then only their keys tell them apart.
		const isShared = new Set(fieldsByLabel.get(name)?.map((field) => field.key)).size > 1;
		if (!name || isShared) return [];
		const named = index.byName.get(name) ?? [];
		// If several columns have the label, the key says which column belongs to the field.
		const others = named.filter((column) => column !== key);
		return others.length > 1 && index.all.has(key) ? [] : others.length > 0 ? others : named;
	};
	const hasOwnLabelColumn = (variable: Wanted) =>
		labelColumns(variable).some((column) => !fieldsByKey.has(column));
	const byLabel = new Map(
		wanted.map((variable) => [
			variable,
			labelColumns(variable).filter((column) => {
				const owner = fieldsByKey.get(column);
				return owner === undefined || owner.key === variable.key || hasOwnLabelColumn(owner);
			}),
		]),
	);
	const labelOwners = new Map(
		[...byLabel].flatMap(([{ key }, columns]) => columns.map((column) => [column, key] as const)),
	);
	const keyColumns = ({ key }: Wanted): string[] => {
		const isFree = (column: string) => (labelOwners.get(column) ?? key) === key;
		const named = (index.byName.get(normalName(key) || key) ?? []).filter(
			(column) => column === key || !fieldsByKey.has(column),
		);
		return (index.all.has(key) ? [key, ...named.filter((column) => column !== key)] : named).filter(
			isFree,
		);
	};
	return new Map(
		wanted.map((variable) => [
			variable,
			{ label: byLabel.get(variable) ?? [], key: keyColumns(variable) },
		]),
	);
}

/** Returns the columns that match a field's key or label after {@link foldedName}. */
function nearColumns({ key, label }: Wanted, index: ColumnIndex): string[] {
	const names = new Set([key, label].map(foldedName).filter(Boolean));
	return [...names].flatMap((name) => index.byFoldedName().get(name) ?? []);
}

/**
 * Returns the filled columns of the first group that has any. If all are empty, returns the first column.
 */
function chosenColumns(json: IDataObject, groups: string[][]): string[] {
	for (const columns of groups) {
		const filled = columns.filter((column) => !isUnfilled(cellOf(json, column)));
		if (filled.length > 0) return filled;
	}
	return groups.flat().slice(0, 1);
}

/** @throws InputError if the columns have different values. */
function checkSameValue(json: IDataObject, columns: string[], field: string): void {
	const [first = '', ...others] = columns;
	if (others.every((column) => isSameValue(cellOf(json, first), cellOf(json, column)))) return;
	throw new InputError(
		field,
		`several columns match: ${shortList(columns)}`,
		'Rename or remove all but one of them.',
		'several-columns-fit-it',
	);
}

/** @throws InputError if a filled column has already been used for a field with a different key. */
function checkOneField(
	json: IDataObject,
	columns: string[],
	{
		variable,
		section,
		fieldsByColumn,
	}: { variable: Wanted; section: string; fieldsByColumn: Map<string, Wanted> },
): void {
	for (const column of columns) {
		const firstField = fieldsByColumn.get(column) ?? variable;
		fieldsByColumn.set(column, firstField);
		if (firstField.key === variable.key || isUnfilled(cellOf(json, column))) continue;
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
}

/**
 * Warns if one column is named after the field's label, and a different one after its key, and the value
 * depends on which of them is used.
 */
function warnOfKeyColumn(
	item: ItemContext,
	[chosen = '']: string[],
	{ label, key, field }: Ranks & { field: string },
): void {
	const { json } = item.input;
	const valueOf = (column: string) => cellOf(json, column);
	const [other] = (label.includes(chosen) ? key : label).filter((column) => {
		if (label.includes(column) === label.includes(chosen)) return false;
		return !isSameValue(valueOf(column), valueOf(chosen));
	});
	// An empty column that is named after the key is no reason to doubt the label's column.
	if (other === undefined || (label.includes(chosen) && isUnfilled(valueOf(other)))) return;
	const reason = label.includes(chosen)
		? `not from the column "${other}", which has a different value`
		: `because the column "${other}" is empty`;
	item.judge(field, {
		severity: 'likely',
		problem: `the value comes from the column "${chosen}", ${reason}`,
		remedy: 'If this is the wrong column, rename or remove it, or select Map Each Column Manually.',
		docsAnchor: 'several-columns-fit-it',
	});
}

/** Creates a value on first use and caches it. */
function lazy<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}
