import { signaturePlacesOf, variablesOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { columnsFor, type Wanted } from './columns';

/** A role in the signatories' form. */
interface FormRole {
	label: string;
	/** The IDs of the role's two entries in the form: the name (`nameId`) and the email (`emailId`). */
	nameId: string;
	emailId: string;
	isNeeded: boolean;
}

/** The number of people that the form has entries for if the template doesn't list its roles. */
const numberedRolesCount = 5;

/**
 * Returns the form's roles, with the IDs of their entries. If the template does not list its roles, the form
 * has numbered roles ("Signatory 1"), and only the first role needs a person.
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
		isNeeded: places.length > 0 || index === 0,
	}));
}

/** Returns the two columns that "Map automatically" needs for a role: the person's name and email. */
export function columnsOfRole({ label, nameId, emailId }: FormRole): Wanted[] {
	return [
		{ key: nameId, label: `${label} name` },
		{ key: emailId, label: `${label} email` },
	];
}

/** Returns the columns for all roles that need a person. */
export function columnsOfPeople(template: Template): Wanted[] {
	return formRolesOf(template)
		.filter(({ isNeeded }) => isNeeded)
		.flatMap(columnsOfRole);
}

/** Returns the header of a CSV file for "Map automatically": one column per field, and two per person. */
export function csvHeader(template: Template): string {
	return columnsFor(columnsOfPeople(template), variablesOf(template))
		.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
		.join(',');
}
