import { type INodeProperties, jsonParse } from 'n8n-workflow';

import { nameOf, slotsOf, type Template } from '../../api/templates';
import { InputError, readAll, readEach } from '../../input/inputError';
import type { ItemContext } from '../../input/item';
import { readEmail, readText } from '../../input/parameters';
import { isObject, listOf, objectOf } from '../../util/values';
import { lastRolesField, mayLeaveRolesEmpty, peopleByRole, rolesField } from './roles';

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
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						placeholder: 'e.g. Nathan Smith',
						default: '',
						required: true,
						description: 'Full name, as it appears in the document',
					},
					{
						displayName: 'Email',
						name: 'email',
						type: 'string',
						placeholder: 'e.g. name@email.com',
						default: '',
						required: true,
						description: 'Where the signing link is sent',
					},
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

/**
 * Reads who signs.
 * @returns The signatories, and what the form calls each of them: "Signatory 2", or a role.
 * @throws InputError if the expression gives no list, for wrong people, and if there are more or fewer of
 * them than places to sign.
 */
export function readSignatories(item: ItemContext, template: Template) {
	const from = item.parameter('signatoriesFrom');
	if (from === 'role') return checkSignatories(peopleByRole(item, template));
	const entries =
		from === 'expression'
			? fromExpression(item)
			: listOf(objectOf(item.parameter('signatories')).signatory);
	const read = checkSignatories(
		entries.map(objectOf).map((each, index) => ({ ...each, who: `Signatory ${index + 1}` })),
	);
	checkCount(template, entries.length, mayLeaveRolesEmpty(item));
	return read;
}

function fromExpression(item: ItemContext): unknown[] {
	const value = item.parameter('signatoriesList');
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
 * or lower case), or a name is empty.
 */
function checkSignatories(given: Array<{ name?: unknown; email?: unknown; who: string }>) {
	if (given.length === 0) {
		throw new InputError('Signatories', 'there is none', 'Add at least one person who signs.');
	}
	const seen = new Map<string, string>();
	const signatories = readEach(given, ({ name, email, who }) => {
		const signatory = readAll({
			email: () => readEmail(email, `${who}, Email`),
			name: () => readText(name, `${who}, Name`, 'Enter the full name of the person.'),
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
