import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	activityOf,
	findTemplate,
	idOf,
	nameOf,
	signaturePlacesOf,
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
 * A form that n8n loads when a template is chosen. The form is hidden until then, because it would be empty.
 * @param loading The settings in which the loaded forms differ.
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
 * Finds the template chosen for the item. Items with the same template share one look-up.
 * @throws InputError if no template is chosen, or if the account has no template with that ID. ServiceError if a list
 * of templates could not be loaded.
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
 * The chosen template's own ID, even if the form contains the template's other ID. If the template is not found, the
 * ID from the form is returned: {@link chosenTemplate} then throws when the item is prepared, because both functions
 * share one look-up.
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
 * Warns if the service may refuse the template: its interface documents only the status ACTIVE.
 * @throws InputError for a template that is certainly not active.
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
 * @param field The label of the form, for errors.
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
 * The output for a template. Simplified output contains only the values that a person needs to choose the template and
 * to fill it in, and the questions that people answer before they sign (docs/dev/service.md#template-version-2).
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
		roles: signaturePlacesOf(template).map(({ id, label }) => ({ key: id, label })),
		questions: (template.formSignatory ?? []).map(described),
	};
}

function described({ key, label, isRequired }: TemplateVariable): IDataObject {
	return { key, label, isRequired };
}

/** A role of the form for signatories. */
export interface FormRole {
	label: string;
	/** The IDs of the role's two entries in the form: the name (`nameId`) and the email (`emailId`). */
	nameId: string;
	emailId: string;
	/** Whether a person must be entered for the role. */
	isNeeded: boolean;
}

/** How many people the form has entries for if the template does not contain the roles. */
const unnamedRoles = 5;

/**
 * The roles of the form, with the IDs of their entries. If the template contains no roles, the form has numbered roles,
 * and only the first of them needs a person.
 */
export function rolesOf(template: Template): FormRole[] {
	const signaturePlaces = signaturePlacesOf(template);
	const numbered = Array.from({ length: unnamedRoles }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
	}));
	return (signaturePlaces.length > 0 ? signaturePlaces : numbered).map(({ id, label }, index) => ({
		label,
		nameId: `${id}.name`,
		emailId: `${id}.email`,
		isNeeded: signaturePlaces.length > 0 || index === 0,
	}));
}

/** The two columns that "Map automatically" needs for a role: the name and the email of the person. */
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
