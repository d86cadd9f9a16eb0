import type { IDataObject } from 'n8n-workflow';

import { cutText, groupBy, objectOf, searchName, withoutEnd } from '../util/values';

/* The names of columns: those that the node looks for, and those in its messages. */

/**
 * A field that needs a column. The field's key is unique in the form, but its label may be empty or shared
 * with other fields.
 */
export interface Wanted {
	key: string;
	label: string;
	/** The label in the form, if it differs from `label`. A column can have this name as well. */
	formLabel?: string;
}

/** Returns a single field's name: its label, or its key if it has no label. */
export function labelOfVariable({ key, label }: Wanted): string {
	return label || key;
}

/**
 * Returns the fields' names in the form and in messages, by key: each field's label, or its key if it has no label. If
 * another field has the same label, or has it as its key, the field's own key follows in parentheses.
 */
export function shownNames(wanted: Wanted[]): Map<string, string> {
	const names = wanted.flatMap(({ key, label }) => [...new Set([key, label])]);
	const byName = groupBy(names, (name) => name);
	return new Map(
		wanted.map((variable) => {
			const { key, label } = variable;
			const isAlone = label === '' || byName.get(label)?.length === 1;
			return [key, isAlone ? labelOfVariable(variable) : `${label} (${key})`];
		}),
	);
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

/** A column in a table of people and field values: one for a person, for a field, or for both. */
interface Column<Person, Field> {
	name: string;
	person?: Person;
	field?: Field;
}

/**
 * Returns the columns for a table of people and field values. A person's columns get their names from
 * {@link columnNames}, and a field's column is named after the field's key. If exactly one field has the same
 * name as a person's column, the two share the column. If several fields have that name, the person's column
 * is named after its own key instead.
 * @returns The columns, each with a different name.
 */
export function columnsFor<Person extends Wanted, Field extends Wanted>(
	people: Person[],
	fields: Field[],
): Array<Column<Person, Field>> {
	const names = columnNames(people);
	const shared = new Set<Field>();
	const fieldsByName = new Map<string, Set<Field>>();
	for (const field of fields) {
		for (const name of [field.key, field.label].filter(Boolean).map(foldedName)) {
			fieldsByName.set(name, (fieldsByName.get(name) ?? new Set()).add(field));
		}
	}
	const columns = people.map((person, index): Column<Person, Field> => {
		const name = names[index] ?? person.key;
		const fitting = [...(fieldsByName.get(foldedName(name)) ?? [])];
		if (fitting.length > 1) return { name: person.key, person };
		for (const field of fitting) shared.add(field);
		return { name, person, ...(fitting[0] ? { field: fitting[0] } : {}) };
	});
	const byName = new Map(columns.map((column) => [column.name, column]));
	for (const field of fields.filter((one) => !shared.has(one))) {
		byName.set(field.key, { ...byName.get(field.key), name: field.key, field });
	}
	return [...byName.values()];
}

/** The column in which n8n's Google Sheets node counts the rows. It isn't in the sheet itself. */
export const rowColumn = 'row_number';

/** Lists columns for a message. */
export function listOfColumns(columns: Iterable<string>): string {
	return shortList([...columns].filter((name) => name !== rowColumn)) || 'none';
}

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

/** Joins up to `maxListed` names for a message, and then says how many more there are. */
export function shortList(names: string[], maxListed = 20): string {
	const shown = names.slice(0, maxListed).map((name) => cutText(name, 60));
	const unshownCount = names.length - shown.length;
	return shown.join(', ') + (unshownCount > 0 ? ` and ${unshownCount} more` : '');
}

/**
 * Removes what people often write differently in column and field names: accents, spaces, separators such as
 * "_", and trailing asterisks.
 */
export function foldedName(name: string): string {
	return withoutEnd(searchName(name).replace(/[\s_.:-]+/g, ''), '*');
}
