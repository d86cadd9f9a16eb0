import { signaturePlacesOf, variablesOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { columnsFor, type Wanted } from './columns';

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
const numberedRolesCount = 5;

/**
 * The roles of the form, with the IDs of their entries. If the template contains no roles, the form has numbered roles,
 * and only the first of them needs a person.
 */
export function formRolesOf(template: Template): FormRole[] {
	const slots = signaturePlacesOf(template);
	const numberedRoles = Array.from({ length: numberedRolesCount }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
	}));
	return (slots.length > 0 ? slots : numberedRoles).map(({ id, label }, index) => ({
		label,
		nameId: `${id}.name`,
		emailId: `${id}.email`,
		isNeeded: slots.length > 0 || index === 0,
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
	return formRolesOf(template)
		.filter(({ isNeeded }) => isNeeded)
		.flatMap(columnsOfRole);
}

/** The header of a CSV file that "Map automatically" understands: a column for each field, and two for each person. */
export function csvHeader(template: Template): string {
	return columnsFor(columnsOfPeople(template), variablesOf(template))
		.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
		.join(',');
}
