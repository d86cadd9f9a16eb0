import type { IDataObject } from 'n8n-workflow';

import { InputError, readEach } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { checkTextLength, isSameValue, isUnfilled } from '../input/parameters';
import { cutText, groupBy, normalName, normalText, withoutEnd } from '../util/values';
import {
	columnsOfForm,
	foldedName,
	labelOfVariable,
	ownColumns,
	shortList,
	shownNames,
	type Wanted,
} from './columnNames';

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

/** Returns null for an empty cell, even if the item doesn't have the column, unlike other items. */
function cellOf(json: IDataObject, column: string): unknown {
	return Object.hasOwn(json, column) ? (json[column] ?? null) : null;
}

/**
 * Returns the columns that "Map automatically" uses, by field key. A field gets its value from the first of
 * these columns that has one:
 * - a column named after the field's label
 * - a column named after the field's key
 * - if the item has neither of these columns, a column of the item whose name matches after {@link foldedName}
 *
 * The first two are the columns of all items in the run, because some nodes leave out a row's empty cells. The
 * columns that n8n's form adds to the answers are never used ({@link ownColumns}). Warns if the field's label and
 * its key both match a column and that makes a difference, and if the field has no value although a column with a
 * similar name has one.
 * @param section The name of the fields' form, for errors: Fields or Signatories.
 * @param ofOtherForm What the other one of the two forms needs columns for.
 * @returns Each field's column, which may be empty, or undefined if no column matches the field.
 * @throws InputError if columns that match equally well have different values, if one column matches two
 * fields, or if a column's name is too long ({@link checkTextLength}).
 */
export function columnsOf(
	item: ItemContext,
	wanted: Wanted[],
	section: string,
	ofOtherForm: Wanted[],
): Map<string, string | undefined> {
	const json = ownColumns(item.input.json);
	for (const column of Object.keys(json)) {
		checkTextLength(column, `${section}: the column ${cutText(column, 60)}`);
	}
	const tiersByField = tiersOf({ wanted, ofOtherForm }, columnIndexOf(item), json);
	const names = shownNames(wanted);
	const fieldsByColumn = new Map<string, Wanted>();
	return new Map(
		readEach(wanted, (variable) => {
			const { tiers, similar } = tiersByField.get(variable) ?? { tiers: [], similar: [] };
			const filled = firstFilled(json, tiers);
			const field = `${section}: ${names.get(variable.key) ?? variable.key}`;
			checkSameValue(json, filled, field);
			for (const column of filled) {
				const firstField = fieldsByColumn.get(column);
				if (firstField) throw matchesTwo(section, column, [firstField, variable]);
				fieldsByColumn.set(column, variable);
			}
			const [chosen = tiers.flat()[0]] = filled;
			if (chosen !== undefined) warnOfOtherName(item, json, { chosen, tiers, field });
			const unused = similar.find((column) => !isUnfilled(cellOf(json, column)));
			if (chosen !== undefined && filled.length === 0 && unused !== undefined) {
				item.judge(field, {
					severity: 'likely',
					problem: `the column "${chosen}" is empty, but the similar column "${unused}" isn't`,
					remedy: 'If the similar column is the right one, rename or remove the empty one.',
				});
			}
			return [variable.key, chosen];
		}),
	);
}

/** The columns of a run's items by their names in two notations. */
interface ColumnIndex {
	all: Set<string>;
	byName: Map<string, string[]>;
	byFoldedName: Map<string, string[]>;
}

/**
 * Returns the columns that occur in any of the run's items. An item may lack some of them, because n8n's
 * spreadsheet nodes leave out empty cells.
 */
export function columnsOfRun(item: ItemContext): Set<string> {
	const read = () => item.context.getInputData().flatMap(({ json }) => Object.keys(json));
	return item.remember('columns', () => new Set(read()));
}

/** Normalizes each name only once for all items. */
function columnIndexOf(item: ItemContext): ColumnIndex {
	return item.remember('column index', () => {
		const items = item.context.getInputData();
		const all = new Set(items.flatMap(({ json }) => Object.keys(ownColumns(json))));
		const columns = [...all];
		return {
			all,
			byName: groupBy(columns, normalName),
			byFoldedName: groupBy(columns, foldedName),
		};
	});
}

/** Whether a column's name looks the same as the given one, but has invisible characters or other spaces. */
export function isSpelledLikeColumn(item: ItemContext, name: string): boolean {
	const similar = columnIndexOf(item).byName.get(normalName(name)) ?? [];
	return similar.some((column) => normalText(column) === normalText(name));
}

/**
 * The columns that match a field, best first: those named after its label, the one with its exact key, and
 * those with its key in another case. If there are none of these, the only tier has the columns with a similar
 * name.
 */
type Tiers = string[][];

/**
 * Finds the columns that match each field. Only a column with a similar name can match several fields.
 * @returns For each field, its tiers, and the item's columns with a similar name that are not among them.
 */
function tiersOf(
	{ wanted, ofOtherForm }: { wanted: Wanted[]; ofOtherForm: Wanted[] },
	index: ColumnIndex,
	json: IDataObject,
): Map<Wanted, { tiers: Tiers; similar: string[] }> {
	const labelColumns = labelColumnsOf(wanted, index);
	const keys = new Set(wanted.map(({ key }) => key));
	const otherKeys = new Set(ofOtherForm.map(({ key }) => key));
	// If a person and several fields have the same name, the CSV header contains a column for each of their keys.
	const isOfOtherForm = (column: string, { key }: Wanted) =>
		otherKeys.has(column) && column !== key && index.all.has(key);
	// The web form's question for a key that n8n's form has for itself is the key with "_" behind it.
	const questionsOf = (key: string) =>
		columnsOfForm.includes(key)
			? [...index.all].filter((column) => withoutEnd(column, '_') === key && !keys.has(column))
			: [];
	const fieldsByLabelColumn = new Map(
		[...labelColumns].flatMap(([field, columns]) => columns.map((column) => [column, field])),
	);
	const named = wanted.map((variable): [Wanted, Tiers] => {
		const { key } = variable;
		const isFree = (column: string) =>
			(fieldsByLabelColumn.get(column) ?? variable) === variable &&
			!isOfOtherForm(column, variable);
		const inOtherCase = (index.byName.get(normalName(key) || key) ?? []).filter(
			(column) => !keys.has(column),
		);
		return [
			variable,
			[
				(labelColumns.get(variable) ?? []).filter(isFree),
				(index.all.has(key) ? [key] : questionsOf(key)).filter(isFree),
				inOtherCase.filter(isFree),
			],
		];
	});
	const used = new Set(named.flatMap(([, tiers]) => tiers.flat()));
	return new Map(
		named.map(([variable, tiers]) => {
			const similar = similarColumns(variable, index).filter(
				(column) => !used.has(column) && !isOfOtherForm(column, variable),
			);
			const own = similar.filter((column) => Object.hasOwn(json, column));
			const columns = tiers.flat();
			if (
				columns.some((column) => Object.hasOwn(json, column)) ||
				(columns.length > 0 && own.length === 0)
			) {
				return [variable, { tiers, similar: own }];
			}
			return [variable, { tiers: [own.length > 0 ? own : similar], similar: [] }];
		}),
	);
}

/**
 * Finds the columns named after each field's label. A column whose name is exactly another field's key belongs
 * to that field, unless that field's label has a column of its own.
 */
function labelColumnsOf(wanted: Wanted[], index: ColumnIndex): Map<Wanted, string[]> {
	const fieldsByKey = new Map(wanted.map((variable) => [variable.key, variable]));
	const fieldsByLabel = groupBy(wanted, ({ label }) => normalName(label));
	const columnsByField = new Map(
		wanted.map((variable) => {
			const name = normalName(variable.label);
			// Several fields may have the same label, and then only their keys tell them apart.
			const isUnique = name !== '' && fieldsByLabel.get(name)?.length === 1;
			return [variable, isUnique ? labelColumnsIn(index, name, variable.key) : []];
		}),
	);
	const belongsToOther = (column: string, variable: Wanted) => {
		const owner = fieldsByKey.get(column) ?? variable;
		const ownerColumns = columnsByField.get(owner) ?? [];
		return owner !== variable && ownerColumns.every((own) => fieldsByKey.has(own));
	};
	return new Map(
		[...columnsByField].map(([variable, columns]) => [
			variable,
			columns.filter((column) => !belongsToOther(column, variable)),
		]),
	);
}

/**
 * Returns the columns named after a label. A column with the field's exact key is one of them only if no other
 * column has the label. If several others have it, the column with the key is used instead.
 */
function labelColumnsIn({ byName, all }: ColumnIndex, name: string, key: string): string[] {
	const named = byName.get(name) ?? [];
	const others = named.filter((column) => column !== key);
	if (others.length > 1 && all.has(key)) return [];
	return others.length > 0 ? others : named;
}

/** Returns the columns that match a field's key or one of its labels after {@link foldedName}. */
function similarColumns(
	{ key, label, formLabel = '' }: Wanted,
	{ byFoldedName }: ColumnIndex,
): string[] {
	const names = new Set([key, label, formLabel].map(foldedName).filter(Boolean));
	return [...names].flatMap((name) => byFoldedName.get(name) ?? []);
}

/** Returns the filled columns of the first tier that has any. */
function firstFilled(json: IDataObject, tiers: Tiers): string[] {
	const filled = tiers.map((columns) =>
		columns.filter((column) => !isUnfilled(cellOf(json, column))),
	);
	return filled.find((columns) => columns.length > 0) ?? [];
}

/** @throws InputError if the columns have different values. */
function checkSameValue(json: IDataObject, columns: string[], field: string): void {
	const [first = '', ...others] = columns;
	if (others.every((column) => isSameValue(cellOf(json, first), cellOf(json, column)))) return;
	throw new InputError(
		field,
		`several columns match: ${shortList(columns)}`,
		'Rename or remove all but one of them.',
	);
}

function matchesTwo(section: string, column: string, fields: Wanted[]): InputError {
	const both = fields.map((field) => `"${labelOfVariable(field)}" (${field.key})`);
	return new InputError(
		section,
		`the column ${column} matches two fields, ${both.join(' and ')}`,
		'Name the columns after the keys, which are shown in parentheses.',
	);
}

/**
 * Warns if one column is named after the field's label, and a different one after its key, and the value
 * depends on which of them is used.
 */
function warnOfOtherName(
	item: ItemContext,
	json: IDataObject,
	{ chosen, tiers, field }: { chosen: string; tiers: Tiers; field: string },
): void {
	const [byLabel = [], ...byKey] = tiers;
	const isByLabel = byLabel.includes(chosen);
	const cell = (column: string) => cellOf(json, column);
	const other = (isByLabel ? byKey.flat() : byLabel).find(
		(column) => byLabel.includes(column) !== isByLabel && !isSameValue(cell(column), cell(chosen)),
	);
	// An empty column that is named after the key is no reason to doubt the label's column.
	if (other === undefined || (isByLabel && isUnfilled(cell(other)))) return;
	const reason = isByLabel
		? `not from the column "${other}", which has a different value`
		: `because the column "${other}" is empty`;
	item.judge(field, {
		// With two different values, the contract may contain the wrong one.
		severity: isByLabel ? 'likely' : 'possible',
		problem: `the value comes from the column "${chosen}", ${reason}`,
		remedy: 'If this is the wrong column, rename or remove it, or select Map Each Column Manually.',
	});
}
