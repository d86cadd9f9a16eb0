import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	activityOf,
	findTemplate,
	idOf,
	nameOf,
	slotsOf,
	statusOf,
	variablesOf,
} from '../../api/templates';
import type { Template, TemplateVariable } from '../../api/types';
import { locatorField } from '../../input/form';
import { type Output } from '../../input/parameters';
import { InputError } from '../../input/inputError';
import { type ItemContext, readChosen } from '../../input/item';
import { settle } from '../../util/async';
import { isEmpty } from '../../util/values';
import { columnsFor, type Wanted } from './columns';

export const templateLocator = locatorField(
	{
		displayName: 'Template',
		name: 'templateId',
		description: 'The template to use',
		builderHint: { propertyHint: 'Choose one from the list of the account. Never make up an ID.' },
	},
	'Choose a template…',
	'searchTemplates',
);

/**
 * A form that is loaded when a template is chosen. Without a template, there is nothing to fill in.
 * @param loading How it is loaded, as far as that is its own.
 */
export function loadedField(
	field: Omit<INodeProperties, 'type' | 'default'>,
	loading: { resourceMapperMethod: string; supportAutoMap: boolean; addAllFields: boolean },
): INodeProperties {
	return {
		...field,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		displayOptions: { ...field.displayOptions, hide: { templateId: [''] } },
		typeOptions: {
			loadOptionsDependsOn: ['templateId.value'],
			resourceMapper: {
				mode: 'add',
				valuesLabel: field.displayName,
				fieldWords: { singular: 'field', plural: 'fields' },
				refreshStaleSchemaOnOpen: true,
				...loading,
			},
		},
	};
}

/**
 * The template that is chosen for the item, looked up once for all items.
 * @throws InputError if none is chosen, or the account has none with that ID. ServiceError if a list could
 * not be loaded.
 */
export async function chosenTemplate(item: ItemContext): Promise<Template> {
	const id = chosenId(item);
	const template = await item.memoize(
		`template ${id}`,
		async () => await findTemplate(item.service, id),
	);
	if (template) return template;
	throw new InputError(
		'Template',
		`your account has no template with the ID "${id}"`,
		'Choose one from the list, or check the ID.',
		'the-account-has-no-template-with-the-id',
	);
}

/**
 * The chosen template's own ID, however it was chosen. If it is not found, the ID that was chosen:
 * {@link chosenTemplate} then throws when the item is prepared, because both share one look-up.
 */
export async function chosenTemplateId(item: ItemContext): Promise<string> {
	const template = await settle(chosenTemplate(item));
	return template.ok ? idOf(template.value) : chosenId(item);
}

function chosenId(item: ItemContext): string {
	const remedy = 'Choose one from the list, or enter its ID.';
	return readChosen(item, 'templateId', 'Template', remedy);
}

/**
 * Warns of a template that may be refused: the interface knows only the status ACTIVE.
 * @throws InputError for one that is certainly not active.
 */
export function checkActive(item: ItemContext, template: Template): void {
	const activity = activityOf(template);
	if (activity === 'active') return;
	const name = nameOf(template);
	const status = statusOf(template);
	const docsAnchor = 'is-not-active';
	item.judge(
		templateLocator.displayName,
		activity === 'inactive'
			? {
					severity: 'certain',
					problem: `"${name}" is not active (its status is ${status})`,
					remedy: "Activate it in your provider's account, or choose another template.",
					docsAnchor,
				}
			: {
					severity: 'likely',
					problem: `"${name}" has the status ${status}`,
					remedy:
						'Your provider may refuse it. Documents are usually made from a template that is ACTIVE.',
					docsAnchor,
				},
	);
}

/**
 * Checks the names in a form that was loaded with a template.
 * @param field What the form calls itself.
 * @throws InputError for a value under a name that the template does not have.
 */
export function checkNames(
	field: string,
	given: Map<string, unknown>,
	known: string[],
	template: Template,
): void {
	const names = new Set(known);
	const unknown = [...given.keys()].filter((key) => !names.has(key) && !isEmpty(given.get(key)));
	if (unknown.length === 0) return;
	throw new InputError(
		field,
		`the template "${nameOf(template)}" has no ${unknown.map((key) => `"${key}"`).join(', ')}`,
		`It has ${known.length ? known.join(', ') : 'none'}. Close the node, open it again, and fill in the fields of this template.`,
		'the-template-has-no',
	);
}

/**
 * What to output of a template; simplified, what it takes to choose it and to fill it in, and what people are asked
 * before they sign (docs/dev/service.md#template-version-2).
 */
export function outputOfTemplate(output: Output, template: Template): IDataObject {
	const { templateVersion, ...raw } = template;
	if (output === 'raw') return raw;
	const { name, description, status } = template;
	return {
		templateId: idOf(template),
		name,
		description,
		...(isEmpty(status) ? {} : { status }),
		templateVersion,
		fields: variablesOf(template).map(described),
		roles: slotsOf(template).map(({ id, label }) => ({ key: id, label })),
		questions: (template.formSignatory ?? []).map(described),
	};
}

function described({ key, label, isRequired }: TemplateVariable): IDataObject {
	return { key, label, isRequired };
}

/** A role of the form for signatories. */
export interface FormRole {
	label: string;
	/** The IDs of its entries. */
	nameId: string;
	emailId: string;
	/** Whether it needs a person. */
	isNeeded: boolean;
}

/** How many people the form offers to enter if the template does not say how many sign. */
const unnamedRoles = 5;

/**
 * The roles of the form, with the IDs of their entries: those of the template, or numbered ones, of which only
 * the first needs a person.
 */
export function rolesOf(template: Template): FormRole[] {
	const slots = slotsOf(template);
	const numbered = Array.from({ length: unnamedRoles }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
	}));
	return (slots.length > 0 ? slots : numbered).map(({ id, label }, index) => ({
		label,
		nameId: `${id}.name`,
		emailId: `${id}.email`,
		isNeeded: slots.length > 0 || index === 0,
	}));
}

/** What "Map automatically" looks for to fill a role. */
export function columnsOfRole({ label, nameId, emailId }: FormRole): Wanted[] {
	return [
		{ key: nameId, label: `${label} name` },
		{ key: emailId, label: `${label} email` },
	];
}

/** The names of the columns for all roles that need a person. */
export function columnsOfPeople(template: Template): Wanted[] {
	return rolesOf(template)
		.filter(({ isNeeded }) => isNeeded)
		.flatMap(columnsOfRole);
}

/** The header of a CSV file that "Map automatically" understands: a column for each field, and two for each person. */
export function csvHeader(template: Template): string {
	return columnsFor(columnsOfPeople(template), variablesOf(template))
		.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
		.join(',');
}
