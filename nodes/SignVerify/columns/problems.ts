import type { InputRows } from '../text/problems';
import { quoted } from '../util/redact';

/* What can be wrong with the choice of a template, and with the item's columns. */

export const templateProblems = {
	severalWithId: (id: string, names: string[]) => ({
		problem: `several templates have the ID "${id}": ${names.join(', ')}`,
		remedy:
			"Enter your template's other ID (templateID or _id). If it doesn't have another ID, open your provider's account and delete whichever template you no longer need.",
		docsAnchor: 'several-templates-with-the-id',
	}),
	noneWithId: (id: string) => ({
		problem: `your account has no template with the ID "${id}"`,
		remedy: 'Select one from the list, or check the ID.',
	}),
	/** @param shownName The name that the form shows for the ID. */
	noneWithShownName: (id: string, shownName: string) => ({
		problem: `your account has no template with the ID "${id}", which the form shows as ${quoted(shownName)}`,
		remedy:
			'Select the template again. In another account, a template has another ID, so choose it By Name if you use the workflow with several accounts.',
	}),
	/** @param names The names of these templates in the list. */
	severalWithName: (name: string, names: string) => ({
		problem: `several templates have the name ${quoted(name)}: ${names}`,
		remedy: 'Enter one of these names as it is here, or select the template from the list.',
	}),
	/** @param names The names of all templates, the closest first. */
	noneWithName: (name: string, names: string) => ({
		problem: `your account has no template with the name ${quoted(name)}. The names are ${names}`,
		remedy: 'Enter one of these names, or select the template from the list.',
	}),
	noneActive: {
		problem: 'your account has no active templates to choose from',
		remedy: "Create a template in your provider's account, or activate one.",
	},
	noneActiveWithText: {
		problem: 'your account has no active templates with this text in their names',
		remedy: "Change the filter, or activate a template in your provider's account.",
	},
	inactive: (name: string, status: string) => ({
		problem: `"${name}" has the status ${status}`,
		remedy:
			"Your provider may reject the document, because ACTIVE is the only template status that we've seen so far.",
	}),
} satisfies InputRows;

const ifWrongColumn =
	'If this is the wrong column, rename or remove it, or select Map Each Column Manually.';

export const columnProblems = {
	/** The rest of the sentence is the reason. */
	partMissing: { problem: 'a part of the text is missing' },
	/** The rest of the sentence is the reason. @param isAll Whether no part of the text comes from this item. */
	emptyPart: (read: string, isAll: boolean) => ({
		problem: isAll ? 'nothing in it comes from this item' : 'a part of it is missing',
		remedy: `Fill in the column for this item, because another item may have the same key, and only the first of them is sent.${isAll ? '' : ` If the cell may be empty, write {{ ${read} ?? '' }} in this place.`}`,
	}),
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
	/** @param column A column with someone's address, whose role was probably taken out of the template. */
	noRole: (column: string) => ({
		problem: `the column ${quoted(column)} has an address, but the template has no such role, so this person doesn't sign`,
		remedy: "If the person has to sign, check the template's roles in your provider's account.",
	}),
	noneForOptionalFields: (fields: string) => ({
		problem: `no column with a value matches ${fields}`,
	}),
	/** @param column A column that has a value, and that nothing reads. */
	onlySimilarName: (column: string) => ({
		problem: `there is no matching column, but the column ${quoted(column)}, which nothing uses, has a similar name`,
		remedy: 'Give the column the name of the field, or remove it if it contains something else.',
	}),
	allEmpty: (columns: string) => ({
		problem: `all columns are empty for this item: ${columns}`,
		remedy: 'Check the step that should fill in these columns.',
	}),
} satisfies InputRows;
