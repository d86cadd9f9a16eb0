import type { INodeProperties } from 'n8n-workflow';

import { signaturePlacesOf, variablesOf } from '../api/templates';
import type { Template, TemplateVariable } from '../api/types';
import { columnsFor, type Wanted } from '../columns/columnNames';
import { fieldOf } from '../form/field';
import { remember } from '../util/singleFlight';
import { loadedField } from './templateChoice';

export const rolesField = loadedField(
	{
		displayName: 'Signatories',
		name: 'signatoryRoles',
		required: true,
		description: 'Who signs in each role. Everyone gets an email with their own signing link.',
		builderHint: {
			propertyHint: 'Load the keys with the loadOptions method getTemplateKeys.',
		},
		displayOptions: { show: { specifySignatories: ['byRole'] } },
	},
	// Show only the required roles. Users add the other roles with "Add field".
	{ resourceMapperMethod: 'getSignatoryRoles', supportAutoMap: true, addAllFields: false },
);

export const lastRolesOption: INodeProperties = {
	displayName: 'Leave Last Roles Empty',
	name: 'leaveLastRolesEmpty',
	type: 'boolean',
	default: true,
	description:
		"Whether the template's last roles can stay empty. Without this option, each role needs a person.",
	// @n8n n8n does not reload the form of the roles while the node is open.
	hint: 'To update the form, close the node and open it again',
};

/** Where a node's parameters contain {@link lastRolesOption}. */
export const lastRolesField = fieldOf(lastRolesOption, 'options');

interface FormRole {
	label: string;
	/** The IDs of the role's two entries in the form: the name (`nameId`) and the email (`emailId`). */
	nameId: string;
	emailId: string;
	/** The labels of these entries ({@link labelsOfPerson}). */
	nameLabel: string;
	emailLabel: string;
	isNeeded: boolean;
}

/**
 * Returns the labels of a person's name and email, in the form and in messages. They begin with the word that differs,
 * because the editor cuts off the end of a long label.
 * @param who The person's role, or "Signatory 2".
 */
export function labelsOfPerson(who: string): { nameLabel: string; emailLabel: string } {
	return { nameLabel: `Name (${who})`, emailLabel: `Email (${who})` };
}

/** The number of people that the form has entries for if the template doesn't list its roles. */
const numberedRolesCount = 5;

/**
 * If the template does not list its roles, the form has numbered roles ("Signatory 1"), and only the first
 * role needs a person.
 */
export function formRolesOf(template: Template): FormRole[] {
	const places = signaturePlacesOf(template);
	const numberedRoles = Array.from({ length: numberedRolesCount }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
	}));
	return (places.length > 0 ? places : numberedRoles).map(({ id, label }, index) => ({
		label,
		nameId: `${id}.name`,
		emailId: `${id}.email`,
		...labelsOfPerson(label),
		isNeeded: places.length > 0 || index === 0,
	}));
}

export function columnsOfRole(role: FormRole): Array<Required<Wanted>> {
	const { label, nameId, emailId, nameLabel, emailLabel, isNeeded: isRequired } = role;
	return [
		{ key: nameId, label: `${label} name`, formLabel: nameLabel, isRequired },
		{ key: emailId, label: `${label} email`, formLabel: emailLabel, isRequired },
	];
}

export function columnsOfPeople(template: Template): Wanted[] {
	return formRolesOf(template)
		.filter(({ isNeeded }) => isNeeded)
		.flatMap(columnsOfRole);
}

type TemplateColumns = ReturnType<typeof columnsFor<Required<Wanted>, TemplateVariable>>;

/** Every item of a run needs its template's columns, and an item of Template: Get needs them three times. */
const columnsByTemplate = new WeakMap<Template, TemplateColumns>();

export function columnsOfTemplate(template: Template): TemplateColumns {
	return remember(columnsByTemplate, template, () =>
		columnsFor(formRolesOf(template).flatMap(columnsOfRole), variablesOf(template)),
	);
}

/**
 * Returns the header of a CSV file for "Map automatically": one column per field, and two per person. A role that
 * doesn't need a person has columns only if a field shares one of them.
 */
export function csvHeader(template: Template): string {
	const columns = columnsOfTemplate(template);
	const ofFields = new Set(
		columns.flatMap(({ person, field }) => (person && field ? [person.key] : [])),
	);
	const people = formRolesOf(template)
		.map(columnsOfRole)
		.filter((pair) => pair.some(({ key, isRequired }) => isRequired || ofFields.has(key)))
		.flatMap((pair) => pair.map(({ key }) => key));
	return columns
		.filter(({ person, field }) => field || (person && people.includes(person.key)))
		.map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
		.join(',');
}
