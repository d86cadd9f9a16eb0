import { type INodeProperties, jsonParse } from 'n8n-workflow';

import { nameOf, slotsOf } from '../../api/templates';
import type { Template } from '../../api/types';
import { textField } from '../../input/form';
import { InputError, readAll, readEach } from '../../input/inputError';
import { type ItemContext, readSwitch } from '../../input/item';
import { isBlank, readEmail, readText } from '../../input/parameters';
import { isObject, listOf, objectOf } from '../../util/values';
import { checkNames, loadedWithTemplate } from '../template/fields';

/** The form for who signs in which role of a template. */
const rolesField: INodeProperties = {
	displayName: 'Signatories',
	name: 'signatoryRoles',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	description: 'Who signs in which role. Each gets an e-mail with a link of their own.',
	builderHint: { propertyHint: 'For each slot of the template, "<key>.name" and "<key>.email".' },
	displayOptions: {
		show: { signatoriesFrom: ['role'] },
		hide: { templateId: [''] },
	},
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			...loadedWithTemplate,
			resourceMapperMethod: 'getSignatoryRoles',
			valuesLabel: 'Signatories',
			supportAutoMap: false,
			addAllFields: true,
		},
	},
};

/** Beside the signatories: whether there may be fewer of them than roles. */
const lastRolesField: INodeProperties = {
	displayName: 'Leave Last Roles Empty',
	name: 'leaveLastRolesEmpty',
	type: 'boolean',
	default: false,
	displayOptions: { hide: { templateId: [''] } },
	description:
		'Whether the last roles of the template may have nobody. If it is off, each role needs a person.',
};

/** The form for who signs: by the template's roles, one by one, or as an expression. */
export const signatoryFields: INodeProperties[] = [
	{
		displayName: 'Specify Signatories',
		name: 'signatoriesFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'By Role',
				value: 'role',
				description: "The first person signs as the template's first role",
			},
			{
				name: 'One by One',
				value: 'form',
				description: 'Enter each person who signs',
			},
			{
				name: 'Using an Expression',
				value: 'expression',
				description: 'For a number of signatories that is known only when the workflow runs',
			},
		],
		default: 'role',
		builderHint: {
			propertyHint:
				'Use form unless the roles of the template are known: then role, with signatoryRoles. A template of version 1 has no roles.',
		},
	},
	rolesField,
	{
		displayName: 'Signatories',
		name: 'signatories',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Signatory',
		default: { signatory: [{ email: '', name: '' }] },
		required: true,
		displayOptions: { show: { signatoriesFrom: ['form'] } },
		description: 'Who signs. Each gets an e-mail with a link of their own.',
		options: [
			{
				displayName: 'Signatory',
				name: 'signatory',
				values: [
					textField({
						displayName: 'Name',
						name: 'name',
						placeholder: 'e.g. Nathan Smith',
						description: 'Full name, as it appears in the document',
					}),
					textField({
						displayName: 'Email',
						name: 'email',
						placeholder: 'e.g. name@email.com',
						description: 'Where the signing link is sent',
					}),
				],
			},
		],
	},
	{
		displayName: 'Signatories',
		name: 'signatoriesList',
		type: 'json',
		default: '={{ [{ "name": $json.name, "email": $json.email }] }}',
		required: true,
		displayOptions: { show: { signatoriesFrom: ['expression'] } },
		description: 'A list of objects, each with an email and a name',
	},
	lastRolesField,
];

/** A signatory as the form has it, before it is checked. */
interface GivenSignatory {
	name?: unknown;
	email?: unknown;
	/** What the form calls the person. */
	who: string;
}

/** Who signs, and what the form calls each of them: "Signatory 2", or a role. */
export interface Signatories {
	signatories: Array<{ email: string; name: string }>;
	roles: string[];
}

/**
 * Reads who signs.
 * @throws InputError if the expression gives no list, for wrong people, and if there are more or fewer of
 * them than places to sign.
 */
export function readSignatories(item: ItemContext, template: Template): Signatories {
	const { name, displayName } = lastRolesField;
	const mayBeFewer = readSwitch(item, name, displayName);
	const from = item.parameter('signatoriesFrom');
	if (from === 'role') return checkSignatories(item, peopleByRole(item, template, mayBeFewer));
	const entries =
		from === 'expression'
			? fromExpression(item)
			: listOf(objectOf(item.parameter('signatories')).signatory);
	const read = checkSignatories(
		item,
		entries.map(objectOf).map((entry, index) => ({ ...entry, who: `Signatory ${index + 1}` })),
	);
	checkCount(template, entries.length, mayBeFewer);
	return read;
}

/** How many people the form offers to enter if the template does not say how many sign. */
const unnamedRoles = 5;

/** The roles of the form: those of the template, or numbered ones, of which only the first needs a person. */
export function rolesOf(template: Template) {
	const slots = slotsOf(template).map((slot) => ({ ...slot, isNeeded: true }));
	if (slots.length > 0) return slots;
	return Array.from({ length: unnamedRoles }, (_, index) => ({
		id: String(index + 1),
		label: `Signatory ${index + 1}`,
		isNeeded: index === 0,
	}));
}

/** The ID of an entry of a role in the form. */
export function roleEntryId(role: string, entry: 'name' | 'email'): string {
	return `${role}.${entry}`;
}

/**
 * The people of the form, in the order of the template's roles. They are not checked yet.
 * @throws InputError for a role that the template does not have.
 */
function peopleByRole(
	item: ItemContext,
	template: Template,
	mayBeFewer: boolean,
): GivenSignatory[] {
	const roles = rolesOf(template);
	const given = item.mapped('signatoryRoles', 'Signatories');
	const ids = roles.flatMap(({ id }) => [roleEntryId(id, 'name'), roleEntryId(id, 'email')]);
	checkNames('Signatories', given, ids, template);
	const people = roles.map(({ id, label, isNeeded }) => ({
		name: given.get(roleEntryId(id, 'name')),
		email: given.get(roleEntryId(id, 'email')),
		who: label,
		isNeeded: isNeeded && !mayBeFewer,
	}));
	// Only the last ones: the service gets no roles, only their order, so a gap would move those behind it.
	const isWanted = people.map(
		({ name, email, isNeeded }) => isNeeded || !isBlank(name) || !isBlank(email),
	);
	return people.slice(0, isWanted.lastIndexOf(true) + 1);
}

function fromExpression(item: ItemContext): unknown[] {
	const value = item.parameter('signatoriesList');
	item.checkTyped(value, 'Signatories');
	const list: unknown =
		typeof value === 'string' ? jsonParse(value, { fallbackValue: null }) : value;
	if (Array.isArray(list) && list.every(isObject)) return list;
	throw new InputError(
		'Signatories',
		'the expression does not give a list of people',
		'Let it give a list such as [{ "email": "name@email.com", "name": "Nathan Smith" }].',
	);
}

/**
 * @throws InputError if there is nobody, an e-mail address is empty, malformed or used twice (in upper
 * or lower case), or a name is empty or a typed expression.
 */
function checkSignatories(item: ItemContext, given: GivenSignatory[]): Signatories {
	if (given.length === 0) {
		throw new InputError('Signatories', 'there is none', 'Add at least one person who signs.');
	}
	const seen = new Map<string, string>();
	const signatories = readEach(given, ({ name, email, who }) => {
		const signatory = readAll({
			email: () => readEmail(email, `${who}, Email`),
			name: () => {
				item.checkTyped(name, `${who}, Name`);
				return readText(name, `${who}, Name`, 'Enter the full name of the person.');
			},
		});
		const key = signatory.email.toLowerCase();
		const first = seen.get(key);
		if (first !== undefined) {
			throw new InputError(
				`${who}, Email`,
				`"${signatory.email}" is the e-mail of ${first}, too`,
				'Give each signatory an e-mail address of their own.',
				'is-the-e-mail-of-another-signatory',
			);
		}
		seen.set(key, who);
		return signatory;
	});
	return { signatories, roles: given.map(({ who }) => who) };
}

/** @throws InputError naming the roles, if there are more people than places to sign, or too few. */
function checkCount(template: Template, count: number, mayBeFewer: boolean): void {
	const slots = slotsOf(template);
	if (slots.length === 0 || slots.length === count) return;
	if (mayBeFewer && count < slots.length) return;
	const roles = slots.map(({ label }) => label).join(', ');
	const people = count === 1 ? 'one person is' : `${count} people are`;
	throw new InputError(
		'Signatories',
		`the template "${nameOf(template)}" is signed by ${roles}, but ${people} named`,
		`Name one person for each role. If fewer can sign, turn on "${lastRolesField.displayName}".`,
		'the-template-is-signed-by',
	);
}
