import type { IDataObject } from 'n8n-workflow';
import { accentedName, normalName, searchName } from '../util/names';
import { quoted } from '../util/redact';
import { cutText, withoutEnd } from '../util/text';
import { groupBy, objectOf } from '../util/values';

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
	isRequired?: boolean;
}

export function labelOfVariable({ key, label }: Wanted): string {
	return label || key;
}

/**
 * Returns each field's name in the form and in messages, by key. If another field has the same label, or has
 * it as its key, the field's own key follows in parentheses.
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

function foldedNames({ key, label }: Wanted): string[] {
	return [...new Set([key, label].filter(Boolean).map(foldedName))];
}

/** A field's column is named after its key if another field has its label as a label or key. */
export function columnNames(wanted: Wanted[], wantedByName = groupByNames(wanted)): string[] {
	return wanted.map((variable) => {
		const isAlone = wantedByName.get(foldedName(variable.label))?.length === 1;
		return isAlone ? labelOfVariable(variable) : variable.key;
	});
}

function groupByNames<One extends Wanted>(wanted: One[]): Map<string, One[]> {
	const named = wanted.flatMap((one) => foldedNames(one).map((name) => ({ name, one })));
	const groups = groupBy(named, ({ name }) => name);
	return new Map([...groups].map(([name, group]) => [name, group.map(({ one }) => one)]));
}

/** A column that users are promised: one for a person, for a field, or for both. */
interface Column<Person, Field> {
	name: string;
	person?: Person;
	field?: Field;
}

/**
 * Returns the columns for a list or a web form with people and field values, from which "Map automatically"
 * then reads them. A person's columns get their names from {@link columnNames}, and a field's column is named
 * after the field's key. A person and a field with the same name share the column if nothing else has a name
 * of theirs. Otherwise, the person's column is named after its own key instead. A name that n8n's form uses
 * itself ({@link columnsOfForm}) gets "_" behind it.
 */
export function columnsFor<Person extends Wanted, Field extends Wanted>(
	people: Person[],
	fields: Field[],
): Array<Column<Person, Field>> {
	const peopleByName = groupByNames(people);
	const names = columnNames(people, peopleByName);
	const fieldsByName = groupByNames(fields);
	const isAlone = (group: Wanted[] | undefined) => group === undefined || group.length === 1;
	const shared = new Set<Field>();
	const columns = people.map((person, index): Column<Person, Field> => {
		const name = names[index] ?? person.key;
		const [field, ...others] = fieldsByName.get(foldedName(name)) ?? [];
		if (!field) return { name, person };
		const isOnlyForBoth = foldedNames(field).every(
			(one) =>
				isAlone(fieldsByName.get(one)) &&
				(peopleByName.get(one) ?? [person]).every((other) => other === person),
		);
		// In a list with these two names, each has its own column.
		const isOther = others.length > 0 || accentsOf(field, name) === 'other';
		if (isOther || !isOnlyForBoth) return { name: person.key, person };
		shared.add(field);
		return { name, person, field };
	});
	const byName = new Map(columns.map((column) => [column.name, column]));
	for (const field of fields.filter((one) => !shared.has(one))) {
		byName.set(field.key, { ...byName.get(field.key), name: field.key, field });
	}
	const taken = new Set(
		[...people, ...fields].flatMap(({ key, label }) => [key, label]).map(normalName),
	);
	return [...byName.values()].map((column) => {
		if (!columnsOfForm.includes(column.name)) return column;
		let name = `${column.name}_`;
		while (taken.has(normalName(name))) name += '_';
		return { ...column, name };
	});
}

/** The column in which n8n's Google Sheets node counts the rows. It isn't in the sheet itself. */
export const rowColumn = 'row_number';

/** The columns that n8n's form adds to the answers. It overwrites an answer with such a name. @n8n */
export const columnsOfForm = ['submittedAt', 'formMode', 'user'];

export function ownColumns(json: IDataObject): IDataObject {
	if (!isFromForm(json)) return json;
	return Object.fromEntries(
		Object.entries(json).filter(([column]) => !columnsOfForm.includes(column)),
	);
}

/** Only the form adds both of these columns. Anything else may have a column "user" of its own. */
export function isFromForm(json: IDataObject): boolean {
	return Object.hasOwn(json, 'submittedAt') && Object.hasOwn(json, 'formMode');
}

/** @returns '' unless a field without a column has the name of one that n8n's form has added to the item. */
export function adviceForForm(json: IDataObject, wanted: Wanted[]): string {
	if (!isFromForm(json)) return '';
	const added = new Set(columnsOfForm.map(foldedName));
	if (!wanted.flatMap(foldedNames).some((name) => added.has(name))) return '';
	return `n8n's form adds ${columnsOfForm.join(', ')} by itself, so Map Automatically doesn't use them. If you need one of them, such as the time of submission, select Map Each Column Manually.`;
}

export function listOfColumns(columns: Iterable<string>): string {
	return shortList([...columns].filter((name) => name !== rowColumn)) || 'none';
}

export const remedyForColumns = 'Rename or add the columns, or select Map Each Column Manually.';

export function remedyForCell(column: string): string {
	return `Fill in the column ${quoted(column)} for this item.`;
}

/** If the data is nested in the item, for instance under "body", the advice mentions that name. */
export function remedyWithoutColumns(json: IDataObject, wanted: Wanted[]): string {
	const advice = adviceForForm(json, wanted);
	if (advice) return advice;
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
export function shortList(names: string[], maxListed = 20, maxLength = 60): string {
	const shown = names.slice(0, maxListed).map((name) => cutText(name, maxLength));
	const unshownCount = names.length - shown.length;
	return shown.join(', ') + (unshownCount > 0 ? ` and ${unshownCount} more` : '');
}

/** Removes spaces, separators such as "_", and trailing asterisks. */
function withoutSeparators(name: string): string {
	return withoutEnd(name.replace(/[\s_.:-]+/g, ''), '*');
}

/** Removes what people often write differently in column and field names: accents and {@link withoutSeparators}. */
export function foldedName(name: string): string {
	return withoutSeparators(searchName(name));
}

export function comparedNames({ key, label, formLabel = '' }: Wanted): string[] {
	return [...new Set([key, label, formLabel].filter(Boolean).map(comparedColumnName))];
}

const accent = /[\u0300-\u036f]/;

/** The letters of {@link foldedName}, each with its accents. */
function accentedLettersOf(name: string): string[] {
	return withoutSeparators(accentedName(name)).split(/(?![\u0300-\u036f])/u);
}

/**
 * Compares the accents of a column's name with those of a field's name that is otherwise the same, as
 * {@link comparedColumnName} writes it. People often leave accents out, but a letter with another accent makes another
 * word: in "Tiền thuế" (tax) and "Tiền thuê" (rent), or "Län" and "Lån".
 * @returns "other" if a letter has another accent, and "missing" if it has one in only one of the names. If the field has
 * several such names, one with the same accents is enough, and one with another accent is too much: the key `lan` doesn't
 * make "Län" the column of "Lån".
 */
export function accentsOf(
	{ key, label, formLabel = '' }: Wanted,
	column: string,
): 'same' | 'missing' | 'other' {
	const letters = accentedLettersOf(column);
	const compared = comparedColumnName(column);
	const differences = [key, label, formLabel]
		.filter((name) => comparedColumnName(name) === compared)
		.map((name) =>
			accentedLettersOf(name)
				.map((letter, index) => [letter, letters[index] ?? ''])
				.filter(([letter, other]) => letter !== other),
		);
	if (differences.some(({ length }) => length === 0)) return 'same';
	const isOther = differences.flat().some((pair) => pair.every((letter) => accent.test(letter)));
	return isOther ? 'other' : 'missing';
}

/** A name of nothing but separators has only its own columns. */
export function comparedColumnName(name: string): string {
	return foldedName(name) || normalName(name) || name;
}
