import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { checkTextLength, isSameValue, isUnfilled } from '../form/valueReaders';
import { type ItemContext, rememberFor } from '../item/item';
import { InputError, readEach } from '../errors/inputError';
import { normalName, normalText } from '../util/names';
import { cutText } from '../util/text';
import { groupBy } from '../util/values';
import {
	accentsOf,
	columnsOfForm,
	comparedColumnName,
	comparedNames,
	labelOfVariable,
	listOfColumns,
	ownColumns,
	rowColumn,
	shortList,
	type Wanted,
} from './columnNames';
import { columnProblems } from './columnProblems';

/*
 * Finds the item's column for each template field, and for each person's name and email. The node does this
 * if the user selects the "Map automatically" mode in a form that n8n loads for a template.
 */

/**
 * Returns the column values by field key: null for a column without a value, undefined for a missing column.
 */
export function valuesIn(
	json: IDataObject,
	columns: Map<string, string | undefined>,
): Map<string, unknown> {
	const own = ownColumns(json);
	return new Map(
		[...columns].map(([key, column]) => [
			key,
			column === undefined ? undefined : cellOf(own, column),
		]),
	);
}

/** Whether an item is a row without any values, such as those that spreadsheets have below a list. */
export function isEmptyRow({ json, binary = {} }: INodeExecutionData): boolean {
	const columns = Object.keys(json).filter((name) => name !== rowColumn);
	const isEmpty = columns.every((name) => isUnfilled(json[name]));
	return columns.length > 0 && isEmpty && Object.keys(binary).length === 0;
}

/** Returns null for an empty cell, even if the item doesn't have the column, unlike other items. */
function cellOf(json: IDataObject, column: string): unknown {
	return Object.hasOwn(json, column) ? (json[column] ?? null) : null;
}

/** How the name of a column fits a field, best first. */
const ranks = { label: 0, key: 1, keyInOtherCase: 2, similar: 3, missingAccent: 4 };

interface ColumnMatch {
	column: string;
	rank: number;
}

/** The first three ranks are equally good if their columns have no value. */
function tierOf({ rank }: ColumnMatch): number {
	return Math.max(rank, ranks.keyInOtherCase);
}

/**
 * The columns that users are promised (`columnsFor`), each with the key of its field in this form; null for a column
 * of the other form.
 */
type Owners = ReadonlyMap<string, string | null>;

/** A form whose fields get their values from columns. Items with the same template share it. */
interface ColumnsForm {
	/** The form's name, for messages: Fields or Signatories. */
	section: string;
	/** The name of each field in messages, by key. */
	names: ReadonlyMap<string, string>;
	wanted: Wanted[];
	owners: Owners;
}

/**
 * Returns the columns that "Map automatically" uses, by field key. A field gets its value from the best of
 * its columns ({@link ranks}) that has one, but from a column with a similar name only if the item has no better one.
 * Without any of them, a better one of another item counts, because some nodes leave out a row's empty cells.
 * @returns Each field's column, which may be empty, or undefined if no column matches the field.
 * @throws InputError if columns that match equally well have different values, if one column matches two
 * fields, or if a column's name is too long.
 */
export function columnsOf(item: ItemContext, form: ColumnsForm): Map<string, string | undefined> {
	const { section, names, wanted } = form;
	const json = ownColumns(item.input.json);
	for (const column of Object.keys(json)) {
		checkTextLength(column, `${section}: the column ${cutText(column, 60)}`);
	}
	const isInItem = ({ column }: ColumnMatch) => Object.hasOwn(json, column);
	const isFilled = ({ column }: ColumnMatch) => !isUnfilled(cellOf(json, column));
	const matchesByKey = rememberFor(item, form, 'matches', () => matchesOf(item, form));
	const fieldsByColumn = new Map<string, Wanted>();
	return new Map(
		readEach(wanted, (variable) => {
			const matches = matchesByKey.get(variable.key) ?? [];
			const first = matches.find(isInItem) ?? matches[0];
			const used = matches.filter((match) => first && tierOf(match) === tierOf(first));
			const allFilled = used.filter(isFilled);
			const [best] = allFilled;
			const filled = allFilled.filter(({ rank }) => rank === best?.rank);
			const field = names.get(variable.key) ?? variable.key;
			checkSameValue(
				json,
				filled.map(({ column }) => column),
				field,
			);
			for (const { column } of filled) {
				const firstField = fieldsByColumn.get(column);
				if (firstField) throw matchesTwo(section, column, [firstField, variable]);
				fieldsByColumn.set(column, variable);
			}
			const chosen = best ?? used[0];
			if (chosen === undefined) return [variable.key, undefined];
			warnOfOtherName(item, json, { chosen, used, field });
			if (best?.rank === ranks.missingAccent) {
				// One item's warning is enough, because usually all items have the same columns.
				item.remember(`${field}: the accents of ${best.column}`, () =>
					item.judge(field, {
						severity: 'warning',
						...columnProblems.accentMissing(best.column),
					}),
				);
			}
			const unused = best === undefined ? matches.find(isFilled) : undefined;
			if (unused) {
				item.judge(field, {
					severity: 'looksWrong',
					...columnProblems.onlySimilarFilled(chosen.column, unused.column),
				});
			}
			return [variable.key, chosen.column];
		}),
	);
}

/**
 * Returns the columns that occur in any of the run's items. An item may lack some of them, because n8n's
 * spreadsheet nodes leave out empty cells.
 */
export function columnsOfRun(item: ItemContext): Set<string> {
	const read = () => item.context.getInputData().flatMap(({ json }) => Object.keys(json));
	return item.remember('columns', () => new Set(read()));
}

/** The columns of a run's items, also grouped by their names as {@link comparedColumnName} writes them. */
interface ColumnIndex {
	all: Set<string>;
	byName: Map<string, string[]>;
}

/** Normalizes each name only once for all items. */
function columnIndexOf(item: ItemContext): ColumnIndex {
	return item.remember('column index', () => {
		const items = item.context.getInputData();
		const all = new Set(items.flatMap(({ json }) => Object.keys(ownColumns(json))));
		return { all, byName: groupBy([...all], comparedColumnName) };
	});
}

/** The columns that occur in any of the run's items, without those that n8n's form adds. */
export function allColumns(item: ItemContext): Set<string> {
	return columnIndexOf(item).all;
}

/** Whether a column's name looks the same as the given one, but has invisible characters or other spaces. */
export function isSpelledLikeColumn(item: ItemContext, name: string): boolean {
	const similar = columnIndexOf(item).byName.get(comparedColumnName(name)) ?? [];
	return similar.some((column) => normalText(column) === normalText(name));
}

/** Returns the columns with a field's name, or with one that differs only in spaces, separators, or missing accents. */
export function columnsNamed(item: ItemContext, variable: Wanted): string[] {
	return columnsLike(item, variable).filter((column) => accentsOf(variable, column) !== 'other');
}

/** Returns the columns that would have a field's name if none of their letters had another accent. */
export function columnsWithOtherAccents(item: ItemContext, variable: Wanted): string[] {
	return columnsLike(item, variable).filter((column) => accentsOf(variable, column) === 'other');
}

function columnsLike(item: ItemContext, variable: Wanted): string[] {
	const { byName } = columnIndexOf(item);
	return comparedNames(variable).flatMap((name) => byName.get(name) ?? []);
}

/** Lists the run's columns for an error about fields without one. A column that could be meant is named again. */
export function columnsInWords(item: ItemContext, fields: Wanted[]): string {
	const all = listOfColumns(columnsOfRun(item));
	const others = fields.flatMap((field) => columnsWithOtherAccents(item, field));
	return others.length === 0 ? all : `${all}. Only the accents differ in ${shortList(others)}`;
}

/**
 * Finds the columns of each field, by its key, best first. A column belongs to the field to which it's promised, even
 * if it's named after another field's label, and otherwise to the field, or fields, whose names it fits best. A column
 * of the other form is used only for what is required and lacks its promised column: in a list that wasn't made from
 * the CSV header, a person and a field may share it.
 */
function matchesOf(item: ItemContext, { wanted, owners }: ColumnsForm): Map<string, ColumnMatch[]> {
	const fieldsByLabel = groupBy(wanted, ({ label }) => normalName(label));
	const promisedByKey = new Map([...owners].map(([column, key]) => [key, column]));
	const claims = wanted.flatMap((variable) => {
		const { key, label, isRequired = false } = variable;
		// Several fields may have the same label, and then only their keys tell them apart.
		const isUnique = fieldsByLabel.get(normalName(label))?.length === 1;
		const rankOf = (column: string): number => {
			if (column === key) return ranks.key;
			if (owners.get(column) === key && columnsOfForm.includes(key)) return ranks.key;
			if (isUnique && normalName(column) === normalName(label)) return ranks.label;
			if (normalName(column) === normalName(key)) return ranks.keyInOtherCase;
			const hasName = owners.get(column) === key || accentsOf(variable, column) === 'same';
			return hasName ? ranks.similar : ranks.missingAccent;
		};
		const mayUseOtherForm = isRequired && !allColumns(item).has(promisedByKey.get(key) ?? key);
		return columnsNamed(item, variable)
			.filter((column) => mayUseOtherForm || owners.get(column) !== null)
			.map((column) => ({ key, column, rank: rankOf(column) }));
	});
	const byRank = (left: ColumnMatch, right: ColumnMatch) => left.rank - right.rank;
	const kept = [...groupBy(claims.sort(byRank), ({ column }) => column)].flatMap(
		([column, rivals]) => {
			const owner = rivals.find(({ key }) => key === owners.get(column));
			return owner ? [owner] : rivals.filter(({ rank }) => rank === rivals[0]?.rank);
		},
	);
	return groupBy(kept.sort(byRank), ({ key }) => key);
}

function checkSameValue(json: IDataObject, columns: string[], field: string): void {
	const [first = '', ...others] = columns;
	if (others.every((column) => isSameValue(cellOf(json, first), cellOf(json, column)))) return;
	throw new InputError(field, columnProblems.severalMatch(shortList(columns)));
}

function matchesTwo(section: string, column: string, fields: Wanted[]): InputError {
	const both = fields.map((field) => `"${labelOfVariable(field)}" (${field.key})`);
	return new InputError(section, columnProblems.matchesTwoFields(column, both));
}

/**
 * Warns if one column is named after the field's label, and a different one after its key, and the value
 * depends on which of them is used.
 */
function warnOfOtherName(
	item: ItemContext,
	json: IDataObject,
	{ chosen, used, field }: { chosen: ColumnMatch; used: ColumnMatch[]; field: string },
): void {
	const isByLabel = chosen.rank === ranks.label;
	const cell = ({ column }: ColumnMatch) => cellOf(json, column);
	const other = used.find(
		(match) =>
			(match.rank === ranks.label) !== isByLabel && !isSameValue(cell(match), cell(chosen)),
	);
	// An empty column that is named after the key is no reason to doubt the label's column.
	if (other === undefined || (isByLabel && isUnfilled(cell(other)))) return;
	item.judge(field, {
		// With two different values, the contract may contain the wrong one.
		severity: isByLabel ? 'looksWrong' : 'warning',
		...columnProblems[isByLabel ? 'otherDiffers' : 'otherIsEmpty'](chosen.column, other.column),
	});
}
