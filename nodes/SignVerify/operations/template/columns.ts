import type { IDataObject } from 'n8n-workflow';

import { InputError, readEach } from '../../input/inputError';
import { cutText, isEmpty, normalName, objectOf, searchName } from '../../util/values';

/*
 * "Map automatically" in a form that is loaded with a template: what is wanted, a field of the template or the name or
 * email of a person, takes a column of the item.
 */

/** What a column is looked for: its key is its own in the form, its label may be empty or that of others, too. */
export interface Wanted {
	key: string;
	label: string;
}

/** What a person calls it. */
export function labelOf({ key, label }: Wanted): string {
	return label || key;
}

/** What the columns hold, by the keys. An empty column gives null, and a missing one undefined. */
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
 * The names that columns should have, as a person would write them: the labels, and the key of what has none, or
 * shares it with others.
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
 * The columns of a list for people and fields: people by {@link columnNames}, fields by their keys. A person's column is
 * that of the field with this name, too. If several fields have it, the person's column is named by its key.
 * @returns Each name once.
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

/** What to do without a column. */
export const remedyForColumns = 'Rename or add the columns, or choose Map Each Column Manually.';

/** What to do if no column of an item fits. The data may be deeper in the item. */
export function remedyWithoutColumns(json: IDataObject, wanted: Wanted[]): string {
	const folded = new Set(wanted.flatMap(({ key, label }) => [key, label]).map(foldedName));
	const fits = (value: unknown) =>
		Object.keys(objectOf(value)).some((name) => folded.has(foldedName(name)));
	const isWebhook = 'body' in json && 'headers' in json;
	const holder =
		Object.keys(json).find((name) => [json[name]].flat().some(fits)) ??
		(isWebhook ? 'body' : undefined);
	if (holder === undefined) return remedyForColumns;
	const where = `The data${isWebhook ? ' of a Webhook node' : ''} is in "${cutText(holder, 60)}".`;
	const way = Array.isArray(json[holder])
		? `Put a Split Out node for "${cutText(holder, 60)}" before this one.`
		: 'Choose Map Each Column Manually and drag the values from there, or move them to the top of the item with an Edit Fields node.';
	return `${where} ${way}`;
}

/** How many names a message lists. */
const maxListed = 20;

/** Names for a message, as many as a person reads. */
export function shortList(names: string[]): string {
	const shown = names.slice(0, maxListed).map((name) => cutText(name, 60));
	const left = names.length - shown.length;
	return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

/** A longer name is compared as it is. */
const maxFoldedLength = 1000;

/** A name of a column or a field without what people write in different ways: gaps, accents, and a mark for "required". */
function foldedName(name: string): string {
	// Normalizing a megabyte takes a second, and the service may send it. No column has such a name.
	if (name.length > maxFoldedLength) return name;
	return searchName(name.replace(/[\s*]+$/, '')).replace(/[\s_.:-]+/g, '');
}

/**
 * The columns that "Map automatically" uses, by the keys of the fields. A field uses the column of its key. If there
 * is none, or it is empty, it uses the one with the name of its key or its label ({@link normalName}). If the item has
 * no such column, it uses the one whose name differs only in what {@link foldedName} takes away.
 * @param section What the form that these fields are of calls itself.
 * @returns undefined for a field that no column fits. A column that fits may be empty.
 * @throws InputError if columns with different values fit a field, or one column fits two fields.
 */
export function columnsOf(
	json: IDataObject,
	wanted: Wanted[],
	section: string,
): Map<string, string | undefined> {
	const keys = new Set(wanted.map(({ key }) => key));
	const columns = Object.keys(json);
	const names = new Map(columns.map((column) => [column, normalName(column)]));
	const users = new Map<string, Wanted>();

	/** The columns for a field by its exact key, or by the names of its key and its label. */
	const namedLike = ({ key, label }: Wanted): string[] => {
		const [keyName, labelName] = [key, label].map((name) => normalName(name) || undefined);
		return columns.filter((column) => {
			if (column === key) return true;
			const name = names.get(column);
			if (!keys.has(column)) return name === keyName || name === labelName;
			// It is the column of another field. It may be meant for this one, too, if this has none.
			return name === labelName && !Object.hasOwn(json, key);
		});
	};
	const named = new Map(wanted.map((variable) => [variable, namedLike(variable)]));
	const used = new Set([...named.values()].flat());

	/** The columns for a field that are written in another way, of those that no other field has by its name. */
	const foldedLike = lazy(() => {
		const byName = new Map<string, string[]>();
		for (const column of columns.filter((column) => !used.has(column))) {
			byName.set(foldedName(column), [...(byName.get(foldedName(column)) ?? []), column]);
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
					`${section}: ${labelOf(variable)}`,
					`several columns match: ${fitting.join(', ')}`,
					'Rename or remove all of them but one.',
					'several-columns-fit-it',
				);
			}
			for (const column of fitting) {
				const user = users.get(column) ?? variable;
				users.set(column, user);
				// A template can have a key twice, and an empty column fills nothing.
				if (user.key === variable.key || isEmpty(json[column])) continue;
				const both = [user, variable].map((field) => `"${labelOf(field)}" (${field.key})`);
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

/** A value that is made when it is first needed. */
function lazy<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}
