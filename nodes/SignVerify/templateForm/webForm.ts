import { variablesOf } from '../api/templates';
import type { Template } from '../api/types';
import { columnNames, labelOfVariable } from './columnNames';
import { columnsOfTemplate } from './roles';
import type { TemplateEntry } from './templateEntries';

/*
 * The pages of a web form, as JSON for n8n's Form node ("Define Form: Using JSON"). On the first page, people
 * choose a template. On the second, they enter its people and fields.
 */

/** A field of n8n's Form node. */
interface WebFormField {
	/** The name of the answer in the Form node's output. */
	fieldName: string;
	/** The question that people see. */
	fieldLabel: string;
	/** Not 'email', because n8n then refuses addresses such as josé@example.com. The node itself checks them. */
	fieldType: 'text' | 'dropdown';
	requiredField: boolean;
	fieldOptions?: { values: Array<{ option: string }> };
}

/**
 * Returns the page that asks for a template's people and fields. Each answer is named after a column that "Map
 * automatically" finds ({@link columnsOfTemplate}). People who aren't required come last, because a version 1
 * template doesn't say how many people sign.
 * @returns null if an answer's name has an angle bracket, which the Form node can't output.
 */
export function detailsPage(template: Template): string | null {
	const variables = variablesOf(template);
	const labels = columnNames(variables);
	const questions = new Map(variables.map(({ key }, index) => [key, labels[index]]));
	const columns = columnsOfTemplate(template);
	if (columns.some(({ name }) => /[<>]/.test(name))) return null;
	const isOptionalPerson = ({ person, field }: (typeof columns)[number]) =>
		person?.isRequired === false && field === undefined;
	const sorted = [
		...columns.filter((column) => !isOptionalPerson(column)),
		...columns.filter(isOptionalPerson),
	];
	return jsonOf(
		sorted.map(({ name, person, field }) => ({
			fieldName: name,
			fieldLabel: person ? labelOfVariable(person) : (questions.get(field?.key ?? '') ?? name),
			fieldType: 'text',
			requiredField: person?.isRequired === true || field?.isRequired === true,
		})),
	);
}

/** Returns the page on which people choose one of the templates. The answer is the entry's name. */
export function choicePage(entries: TemplateEntry[]): string {
	return jsonOf([
		{
			fieldName: 'template',
			fieldLabel: 'Document',
			fieldType: 'dropdown',
			requiredField: true,
			fieldOptions: { values: entries.map(({ name }) => ({ option: name })) },
		},
	]);
}

/**
 * Returns a page's JSON. Two characters need care, because the page must show them as they are: n8n inserts
 * the JSON with `String.replace`, to which "$&" and "$'" mean something, and it escapes the angle brackets of a
 * label twice.
 * @n8n
 */
function jsonOf(fields: WebFormField[]): string {
	const shown = fields.map((field) => ({
		...field,
		fieldLabel: field.fieldLabel.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
	}));
	return JSON.stringify(shown).replaceAll('$', '\\u0024');
}
