import {
	documentNames,
	explainWith,
	identityNames,
	webhookNames,
} from '../../nodes/SignVerify/api/refusedFields';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import type { Complaint } from '../../nodes/SignVerify/http/envelope';

const body = {
	templateID: 't',
	country: 'Mexico',
	inputs: { start_date: 'soon', 'a.b': 'x' },
	signatories: [
		{ email: 'ada@example.com', name: 'Al' },
		{ email: 'bob@example.com', name: '𝒜𝒷' },
	],
	staticSignPositions: [{ coordinates: { x: 1, y: 2 }, page: 1 }],
};
const variables = new Map([['start_date', 'Start Date']]);
const told = (...given: Parameters<typeof explainWith>) => {
	const explained = explainWith(...given);
	return (complaint: string | Complaint) => {
		const found = explained(typeof complaint === 'string' ? { text: complaint } : complaint);
		return found && `${found.field}: ${found.reason}`;
	};
};
const explain = told(documentNames, body, { variables });

test.each([
	// class-validator
	[
		'signatories.0.name must be longer than or equal to 4 characters',
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	[
		'signatories.1.name must be longer than or equal to 4 and shorter than or equal to 100 characters',
		'Signatory 2, Name: the service wants 4 to 100 characters; this has 2',
	],
	[
		'signatories.0.name must be shorter than or equal to 100 characters',
		'Signatory 1, Name: the service wants at most 100 characters; this has 2',
	],
	[
		'signatories.1.email must be an email',
		'Signatory 2, Email: the service wants an e-mail address',
	],
	['country should not be empty', 'Country: the service wants a value'],
	['templateID must be a string', 'Template: the service wants a text'],
	[
		'signatories must contain at least 1 elements',
		'Signatories: the service wants at least 1 entry',
	],
	['inputs.start_date must be a string', 'Fields: Start Date: the service wants a text'],
	['inputs.a.b must be a string', 'Fields: a.b: the service wants a text'],
	[
		'staticSignPositions.0.coordinates.x must not be less than 0',
		'Signature Position 1, Left: the service wants a number of at least 0',
	],
	[
		'staticSignPositions.0.pageY must be a number',
		'Signature Position 1, Top: the service wants a number',
	],
	[
		'staticSignPositions.0.viewport.width must be a positive number',
		'Signature Position 1: the service says "must be a positive number"',
	],
	// Joi
	[
		'"signatories[0].name" length must be at least 4 characters long',
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	['"country" is not allowed to be empty', 'Country: the service wants a value'],
	['"country" must be one of [Mexico, Peru]', 'Country: the service wants one of: Mexico, Peru'],
	// Ajv, and the sandbox
	[
		'body/signatories/0/name must NOT have fewer than 4 characters',
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	["body must have required property 'country'", 'Country: the service wants a value'],
	[
		"body/signatories/1 must have required property 'email'",
		'Signatory 2, Email: the service wants a value',
	],
	[
		'signatories/0/name must have 4 to 100 characters',
		'Signatory 1, Name: the service wants 4 to 100 characters; this has 2',
	],
	[
		'inputs lacks a value for the required key: start_date',
		'Fields: Start Date: the service wants a value',
	],
	// Mongoose
	[
		'signatories.0.name: Path `name` (`Al`) is shorter than the minimum allowed length (4).',
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	// Seen, and of no library
	['Some emails are repeated', 'Signatories: the service wants another e-mail address for each'],
	[
		'Some emails has invalid format or are empty.',
		'Signatories: the service wants a valid e-mail address for each',
	],
	['Template not found', 'Template: the service says "not found"'],
	['Country is not supported', 'Country: the service says "is not supported"'],
	['signatories.0.name contains digits', 'Signatory 1, Name: the service says "contains digits"'],
])('%s', (text, words) => {
	expect(explain(text)).toBe(words);
});

test.each<[Complaint, string]>([
	// express-validator, in its two forms
	[
		{ text: 'must be at least 4 characters', path: 'signatories[0].name' },
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	[{ text: 'Invalid value', path: 'country' }, 'Country: the service says "Invalid value"'],
	// Zod
	[
		{ text: 'String must contain at least 4 character(s)', path: 'signatories.0.name' },
		'Signatory 1, Name: the service wants at least 4 characters; this has 2',
	],
	[{ text: 'Required', path: 'country' }, 'Country: the service wants a value'],
])('%j: the path stands beside the words', (complaint, words) => {
	expect(explain(complaint)).toBe(words);
});

test.each([
	'The quota of this account is used up',
	'Country clubs sign elsewhere',
	'name must be longer than or equal to 4 characters',
	'property color should not exist',
	'constructor must be a string',
	'signatories.0.constructor must be a string',
	'__proto__ must be a string',
	'inputs',
	'',
])('%j is left to the service', (text) => {
	expect(explain(text)).toBeUndefined();
});

test('a length is told only where there is a text, never the text', () => {
	const long = 'signatories.9.name must be longer than or equal to 4 characters';
	expect(explain(long)).toBe('Signatory 10, Name: the service wants at least 4 characters');
	const number = told(documentNames, { country: 5 });
	expect(number('country must be longer than or equal to 4 characters')).toBe(
		'Country: the service wants at least 4 characters',
	);
});

test('roles take the place of numbers', () => {
	const byRole = told(documentNames, body, { signatories: ['Buyer', 'Seller #2*'] });
	expect(byRole('signatories.1.email must be an email')).toBe(
		'Seller #2*, Email: the service wants an e-mail address',
	);
	expect(byRole('staticSignPositions.0.page must be an integer number')).toBe(
		'Signature Position 1, Page: the service wants a whole number',
	);
});

test('the same name means another field in another call', () => {
	const type = { text: 'type must be one of the following values: A, B' };
	expect(told(identityNames, {})(type)).toBe('Verification Type: the service wants one of: A, B');
	expect(told(webhookNames, {})(type)).toBe('Event: the service wants one of: A, B');
	expect(told(webhookNames, {})('webHookUrl must be a URL address')).toBe(
		'Webhook URL: the service wants a URL',
	);
	expect(told(identityNames, {})('backgroundCheck must be a boolean value')).toBe(
		'Background Check: the service wants true or false',
	);
	expect(told(identityNames, {})('Some emails are repeated')).toBeUndefined();
});

test('no word of it costs time, however it is put together', () => {
	const start = process.cpuUsage();
	for (const unit of ['a ', '[', '.', '"', 'at least ', 'one of ', '0/', 'not be ', "'"]) {
		explain(unit.repeat(2000));
		explain({ text: unit.repeat(2000), path: unit.repeat(2000) });
	}
	expect(process.cpuUsage(start).user).toBeLessThan(500_000);
});

test('the names are those of the form', () => {
	const names = JSON.stringify(new SignVerify().description.properties);
	const inForm = (name: string) =>
		names.includes(`"displayName":"${name}"`) ||
		// Entries of a list bear the name of one of them.
		['Signatory', 'Signature Position'].includes(name);
	const used = [documentNames, identityNames, webhookNames]
		.flatMap((each) => Object.values(each))
		.flatMap((name) => name.replace(/: \*$/, '').split(', '))
		.map((name) => name.replace(/ #$/, ''));
	expect(used.length).toBeGreaterThan(25);
	expect(used.filter((name) => !inForm(name))).toEqual([]);
});
