import type { ValueProblemTable } from '../errors/problem';
import { quoted } from '../util/redact';

/* What can be wrong with the item's columns. */

const ifWrongColumn =
	'If this is the wrong column, rename or remove it, or select Map Each Column Manually.';

export const columnProblems = {
	/** The rest of the sentence is the reason. */
	partMissing: { problem: 'a part of the text is missing' },
	/** The rest of the sentence is the reason. @param isAll Whether no part of the text comes from this item. */
	emptyPart: (read: string, isAll: boolean) => ({
		problem: isAll ? 'nothing in it comes from this item' : 'a part of it is missing',
		remedy: `Fill in the column for this item, because another item may have the same key, and only the first of them is sent.${isAll ? '' : ` If the cell may be empty, write {{ ${read} ?? '' }} instead.`}`,
	}),
	partsEmpty: {
		problem:
			'only the text beside the {{ }} of the expression is left, because what is in them returned no value',
		remedy:
			"Check whether the cell is empty for this item, or whether the expression calculates with text, such as 1.200,00. If there may be no value, write {{ $json.text ?? '' }}.",
	},
	/** A reason. */
	missing: (name: string, columns: string) => ({
		problem: `there is no column ${quoted(name)}. The columns are ${columns}`,
		remedy: 'Drag the column onto the field again, or give it its old name.',
	}),
	/** A reason. */
	otherCharacters: (name: string) => ({
		problem: `the name of the column ${quoted(name)} contains an invisible character or another space`,
		remedy:
			'If the list is a CSV file, add the Exclude Byte Order Mark (BOM) option in the Extract From File node. Otherwise, drag the column onto the field again.',
	}),
	severalMatch: (columns: string) => ({
		problem: `several columns match: ${columns}`,
		remedy: 'Rename or remove all but one of them.',
	}),
	matchesTwoFields: (column: string, fields: string[]) => ({
		problem: `the column ${column} matches two fields, ${fields.join(' and ')}`,
		remedy: 'Name the columns after the keys, which are shown in parentheses.',
	}),
	onlySimilarFilled: (chosen: string, similar: string) => ({
		problem: `the column "${chosen}" is empty, but the similar column "${similar}" isn't`,
		remedy: 'If the similar column is the right one, rename or remove the empty one.',
	}),
	otherDiffers: (chosen: string, other: string) => ({
		problem: `the value comes from the column "${chosen}", not from the column "${other}", which has a different value`,
		remedy: ifWrongColumn,
	}),
	otherIsEmpty: (chosen: string, other: string) => ({
		problem: `the value comes from the column "${chosen}", because the column "${other}" is empty`,
		remedy: ifWrongColumn,
	}),
	noneMatchesAnyField: (fields: string, columns: string) => ({
		problem: `none of the columns matches a field. The fields are ${fields}; the columns are ${columns}`,
	}),
	noneForPeople: (wanted: string, columns: string) => ({
		problem: `there is no column for ${wanted}. The columns are ${columns}`,
	}),
	noneForField: (columns: string) => ({
		problem: `there is no matching column. The columns are ${columns}`,
	}),
	noneForOptionalFields: (fields: string) => ({
		problem: `no column with a value matches ${fields}`,
	}),
	/** @param column A column that has a value, and that nothing reads. */
	otherAccents: (column: string) => ({
		problem: `there is no matching column, but the name of the column ${quoted(column)}, which nothing uses, differs only in its accents`,
		remedy: 'Give the column the name of the field, or remove it if it contains something else.',
	}),
	accentMissing: (column: string) => ({
		problem: `the value comes from the column "${column}", whose name differs in its accents`,
		remedy: ifWrongColumn,
	}),
	allEmpty: (columns: string) => ({
		problem: `all columns are empty for this item: ${columns}`,
		remedy: 'Check the step that should fill in these columns.',
	}),
} satisfies ValueProblemTable;
