import { variablesOf } from '../api/templates';
import type { Template } from '../api/types';
import { columnNames, type Wanted } from '../columns/columnNames';
import { columnsOf, valuesIn } from '../columns/columnMatching';
import { onlyText } from '../form/valueReaders';
import type { ItemContext } from '../item/item';
import { textOfDate } from '../text/dates';
import { settleSync } from '../util/async';
import { maxTextLength } from '../util/text';
import { textOf } from '../util/values';
import { columnsOfRole, columnsOfTemplate, formRolesOf } from './roles';
import type { TemplateEntry } from './templateEntries';

/*
 * The pages of a web form, as JSON for n8n's Form node ("Define Form: Using JSON"). On the first page, people
 * choose a template. On the second, they enter its people and fields.
 */

interface WebFormField {
	/** The name of the answer in the Form node's output. */
	fieldName: string;
	/** The question that people see. */
	fieldLabel: string;
	/** Not 'email', because n8n then refuses addresses such as josé@example.com. The node itself checks them. */
	fieldType: 'text' | 'textarea' | 'dropdown';
	requiredField: boolean;
	/** The text in the question at first. A list is needed for what n8n would change ({@link filledWith}). */
	defaultValue?: string | string[];
	fieldOptions?: { values: Array<{ option: string }> };
}

/**
 * Returns the page that asks for a template's people and fields. Each answer is named after a column that "Map
 * automatically" finds ({@link columnsOfTemplate}). People who aren't required come last, because a version 1
 * template doesn't say how many people sign.
 * @param values The texts that the questions contain at first, by the keys of people and fields
 * ({@link valuesForPage}).
 * @returns null if an answer's name has an angle bracket, which the Form node can't output.
 */
export function detailsPage(template: Template, values = new Map<string, string>()): string | null {
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
			fieldLabel: person?.formLabel ?? questions.get(field?.key ?? '') ?? name,
			fieldType: 'text',
			requiredField: person?.isRequired === true || field?.isRequired === true,
			...filledWith(values.get(person?.key ?? '') || values.get(field?.key ?? '')),
		})),
	);
}

function filledWith(text = ''): Partial<WebFormField> {
	if (text === '') return {};
	return {
		// n8n escapes the angle brackets of a text twice, so people would see and send "&lt;", but not those of a list.
		defaultValue: /[<>]/.test(text) ? [text] : text,
		// A browser drops the line breaks in a question of one line.
		...(/[\r\n]/.test(text) ? { fieldType: 'textarea' } : {}),
	};
}

/**
 * Returns the item's texts for a template's people and fields, by key, as "Map automatically" finds them
 * ({@link columnsOf}). So a page can be shown again with the earlier answers, or filled in from a row. Whoever
 * fills in the page sees each text, so nothing is refused, and there are no warnings: where it isn't clear which
 * column is meant, the question stays empty.
 */
export function valuesForPage(item: ItemContext, template: Template): Map<string, string> {
	const silent = { ...item, judge: () => undefined };
	const promised = columnsOfTemplate(template);
	const read = (
		wanted: Wanted[],
		ownerIn: (column: (typeof promised)[number]) => Wanted | undefined,
	) => {
		const owners = new Map(promised.map((one) => [one.name, ownerIn(one)?.key ?? null] as const));
		const form = { section: 'Page', names: new Map<string, string>(), wanted, owners };
		const columns = settleSync(() => columnsOf(silent, form));
		return columns.ok ? [...valuesIn(item.input.json, columns.value)] : [];
	};
	const found = [
		...read(formRolesOf(template).flatMap(columnsOfRole), ({ person }) => person),
		...read(variablesOf(template), ({ field }) => field),
	];
	const texts = found.map(([key, value]) => {
		const only = onlyText(value);
		return [key, textOfDate(only)?.text ?? textOf(only)] as const;
	});
	return new Map(texts.filter(([, text]) => text.length <= maxTextLength));
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
