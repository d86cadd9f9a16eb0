import type { IDataObject } from 'n8n-workflow';

import { variablesOf } from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import { textOfDate } from '../../input/content/dates';
import { checkFieldText } from '../../input/content/fieldValue';
import { columnsRead } from '../../input/columnsRead';
import type { CheckedText, Finding } from '../../input/content/finding';
import { InputError, readAll, readEach } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { noValues } from '../../input/mapper';
import { enteredText, isBlank, onlyText } from '../../input/parameters';
import { cutText, isEmpty, normalName, objectOf, searchName } from '../../util/values';
import { checkNames, loadedField } from '../template/fields';

/** The form for a template's variables, loaded when the template is chosen. */
export const variablesField = loadedField(
	{
		displayName: 'Fields',
		name: 'fields',
		description:
			'What to fill into the template. Texts are sent as they are: write a date as the contract should say it.',
		builderHint: {
			propertyHint: 'The keys are those that template / get gives in "form" or "inputs".',
		},
	},
	// Optional fields are under "Add field".
	{ resourceMapperMethod: 'getTemplateFields', supportAutoMap: true, addAllFields: false },
);

/**
 * Reads what to fill into the template, by key (docs/dev/service.md#create-a-document-version-1,
 * #create-a-document-version-2). "Map automatically" uses the item's columns ({@link columnsOf}).
 * @returns Only texts: numbers and booleans as written, dates as {@link textOfDate} says, and of a list of one its
 * text. A field without a value is left out.
 * @throws InputError for a field that the template does not have, a required one without a value, a value that
 * is another list or an object, or certainly a mistake, and a form that cannot be understood.
 */
export function readVariables(item: ItemContext, template: Template): Record<string, string> {
	const variables = variablesOf(template);
	const form = item.mapped('fields', 'Fields');
	if (form.isMissing && variables.length > 0) throw noValues('Fields');
	const automatic = form.mode === 'autoMapInputData';
	const given = automatic ? fromItem(item, template) : form.values;
	const keys = variables.map(({ key }) => key);
	// Where the workflow writes dates.
	const zoneOfWorkflow = () => item.execute.getTimezone();
	const explained = ({ key }: TemplateVariable, text: string, finding: Finding): Finding => {
		if (automatic) return finding;
		const saved = objectOf(objectOf(item.rawParameter('fields')).value)[key];
		return { ...finding, problem: finding.problem + columnsRead(item, saved, text) };
	};
	const { inputs } = readAll({
		names: () => checkNames('Fields', given, keys, template),
		inputs: () =>
			readEach(variables, (variable) => {
				const field = `Fields: ${fieldLabel(variable)}`;
				if (!automatic) item.checkTyped(given.get(variable.key), field);
				const read = readVariable(given.get(variable.key), variable, automatic);
				const { text, finding } = checkFieldText(variable, read, zoneOfWorkflow);
				item.judge(field, finding && explained(variable, read.text, finding));
				return [variable.key, text] as const;
			}),
	});
	return Object.fromEntries(inputs.filter(([, text]) => text !== ''));
}

function fieldLabel({ key, label }: TemplateVariable): string {
	return label || key;
}

/** What the item's columns fill, by the keys of the fields. @throws InputError as {@link columnsOf}. */
function fromItem(item: ItemContext, template: Template): Map<string, unknown> {
	const variables = variablesOf(template);
	const { json } = item.input;
	const names = Object.keys(json);
	const columns = columnsOf(json, variables);
	const without = variables.filter(({ key }) => columns.get(key) === undefined);
	const labels = (fields: TemplateVariable[]) => shortList(fields.map(fieldLabel));
	if (variables.length > 0 && without.length === variables.length) {
		throw new InputError(
			'Fields',
			`no column of the item fits any field. The fields are ${labels(variables)}; the columns are ${shortList(names) || 'none'}`,
			remedyWithoutColumns(json, variables),
			'no-column-of-the-item-fits-any-field',
		);
	}
	const optional = without.filter(({ isRequired }) => !isRequired);
	if (optional.length > 0) {
		item.warnOnce(
			`Fields: no column fits ${labels(optional)}. The columns are ${shortList(names)}. These fields stay empty for all items without such a column.`,
		);
	}
	return new Map(
		variables.map(({ key }) => {
			const column = columns.get(key);
			// Empty is something else than missing.
			return [key, column === undefined ? undefined : (json[column] ?? null)];
		}),
	);
}

/** What to do if no column of an item fits any field. The data may be deeper in the item. */
function remedyWithoutColumns(json: IDataObject, variables: TemplateVariable[]): string {
	const wanted = new Set(variables.flatMap(({ key, label }) => [key, label]).map(foldedName));
	const fits = (value: unknown) =>
		Object.keys(objectOf(value)).some((name) => wanted.has(foldedName(name)));
	const isWebhook = 'body' in json && 'headers' in json;
	const holder =
		Object.keys(json).find((name) => [json[name]].flat().some(fits)) ??
		(isWebhook ? 'body' : undefined);
	if (holder === undefined) return 'Rename the columns, or choose Map Each Column Manually.';
	const where = `The data${isWebhook ? ' of a Webhook node' : ''} is in "${cutText(holder, 60)}".`;
	const way = Array.isArray(json[holder])
		? `Split "${cutText(holder, 60)}" with a Split Out node before this one.`
		: 'Choose Map Each Column Manually and drag the values from there, or move them to the top of the item with an Edit Fields node.';
	return `${where} ${way}`;
}

/** How many names a message lists. */
const maxListed = 20;

function shortList(names: string[]): string {
	const shown = names.slice(0, maxListed).map((name) => cutText(name, 60));
	const left = names.length - shown.length;
	return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

/** A name of a column or a field without what people write in different ways: gaps, accents, and a mark for "required". */
function foldedName(name: string): string {
	return searchName(name.replace(/[\s*]+$/, '')).replace(/[\s_-]+/g, '');
}

/**
 * The columns that "Map automatically" uses, by the keys of the fields. A field uses the column of its key. If there
 * is none, or it is empty, it uses the one with the name of its key or its label ({@link normalName}). If the item has
 * no such column, it uses the one whose name differs only in what {@link foldedName} takes away.
 * @returns undefined for a field that no column fits. A column that fits may be empty.
 * @throws InputError if columns with different values fit a field, or one column fits two fields.
 */
function columnsOf(
	json: IDataObject,
	variables: TemplateVariable[],
): Map<string, string | undefined> {
	const keys = new Set(variables.map(({ key }) => key));
	const columns = Object.keys(json);
	const names = new Map(columns.map((column) => [column, normalName(column)]));
	const users = new Map<string, TemplateVariable>();

	/** The columns for a field by its exact key, or by the names of its key and its label. */
	const namedLike = ({ key, label }: TemplateVariable): string[] => {
		const [keyName, labelName] = [key, label].map((name) => normalName(name) || undefined);
		return columns.filter((column) => {
			if (column === key) return true;
			const name = names.get(column);
			if (!keys.has(column)) return name === keyName || name === labelName;
			// It is the column of another field. It may be meant for this one, too, if this has none.
			return name === labelName && !Object.hasOwn(json, key);
		});
	};
	const named = new Map(variables.map((variable) => [variable, namedLike(variable)]));
	const used = new Set([...named.values()].flat());

	/** The columns for a field that are written in another way, of those that no other field has by its name. */
	const foldedLike = lazy(() => {
		const byName = new Map<string, string[]>();
		for (const column of columns.filter((column) => !used.has(column))) {
			byName.set(foldedName(column), [...(byName.get(foldedName(column)) ?? []), column]);
		}
		return ({ key, label }: TemplateVariable) => {
			const folded = new Set([key, label].map(foldedName).filter(Boolean));
			return [...folded].flatMap((name) => byName.get(name) ?? []);
		};
	});

	const fittingOf = (variable: TemplateVariable): string[] => {
		const { key } = variable;
		const byItsName = named.get(variable) ?? [];
		const found = byItsName.length > 0 ? byItsName : foldedLike()(variable);
		if (found.includes(key) && !isEmpty(json[key])) return [key];
		const filled = found.filter((column) => !isEmpty(json[column]));
		return filled.length > 0 ? filled : found.slice(0, 1);
	};
	return new Map(
		readEach(variables, (variable) => {
			const fitting = fittingOf(variable);
			const values = new Set(fitting.map((column) => json[column]));
			if (values.size > 1) {
				throw new InputError(
					`Fields: ${fieldLabel(variable)}`,
					`several columns fit it: ${fitting.join(', ')}`,
					'Rename or remove all but one of them.',
					'several-columns-fit-it',
				);
			}
			for (const column of fitting) {
				const user = users.get(column) ?? variable;
				users.set(column, user);
				// A template can have a key twice, and an empty column fills nothing.
				if (user.key === variable.key || isEmpty(json[column])) continue;
				const both = [user, variable].map((field) => `"${fieldLabel(field)}" (${field.key})`);
				throw new InputError(
					'Fields',
					`one column fits two fields, ${both.join(' and ')}: ${column}`,
					'Name your columns by the keys, which are in parentheses.',
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

/**
 * A value as the service accepts it: a text; empty if there is none.
 * @param automatic Whether it was looked for among the columns of the item.
 */
function readVariable(
	entered: unknown,
	variable: TemplateVariable,
	automatic: boolean,
): CheckedText {
	const value = onlyText(entered);
	const field = `Fields: ${fieldLabel(variable)}`;
	if (variable.isRequired && automatic && entered === undefined) {
		throw new InputError(
			field,
			'no column of the item fits',
			'Name the columns as the fields are named, or choose Map Each Column Manually.',
			'no-column-of-the-item-fits-any-field',
		);
	}
	if (variable.isRequired && isBlank(value)) {
		throw new InputError(
			field,
			'the template requires a value, and there is none',
			automatic
				? 'Fill in its column for this item.'
				: 'Enter one, or check what its expression returns for this item.',
			'the-template-requires-a-value-and-there-is-none',
		);
	}
	if (Array.isArray(value)) {
		throw new InputError(
			field,
			`it is a list of ${value.length} values and not a text, as the choices of a checkbox are`,
			automatic
				? 'Make one text of it before this node: in an Edit Fields node, with .join(", ") behind the list.'
				: 'Make one text of it: write .join(", ") behind the list in the expression.',
			'it-is-a-list-of-values',
		);
	}
	const date = textOfDate(value);
	if (date) return date;
	const text = enteredText(
		typeof value === 'boolean' ? String(value) : value,
		field,
		'Let the expression give a text or a number, for example one property of the object.',
	);
	return { text };
}
