import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readLimit } from '../../nodes/SignVerify/input/form';
import { type ItemContext, readSwitch } from '../../nodes/SignVerify/input/item';
import { operations } from '../../nodes/SignVerify/operations';
import type { Operation } from '../../nodes/SignVerify/operations/types';
import { runAction } from '../support/contexts';
import { ada, byId, failureOf, mapped, useService, v2 } from '../support/service';

// With the inputs of createFromTemplate.input.test.ts, which are wrong in ways of their own.
const service = useService();

const address = 'https://example.com/events';
const id = '65f1c0de0000000000000201';
const long = 'x'.repeat(5000);

/** An operation with inputs that are right, and what is wrong with them: by name, change, message. */
type Case = [name: string, wrong: IDataObject, message: RegExp | string];

const tables: Record<string, { right: IDataObject; cases: Case[] }> = {
	'document download': {
		right: { files: ['document'], documentUrl: 'https://example.com/x.pdf' },
		cases: [
			['no file', { files: [] }, 'Files: none is chosen'],
			['an unknown file', { files: ['photo'] }, 'Files: there is no such choice'],
			['no address', { documentUrl: '' }, 'Document URL: it is empty'],
			['half an address', { documentUrl: 'example.com/x.pdf' }, 'Document URL: it is not a URL'],
			[
				'another scheme',
				{ documentUrl: 'ftp://example.com/x.pdf' },
				'Document URL: it is not a URL',
			],
			[
				'one address of two',
				{ files: ['document', 'certificate'] },
				'Certificate URL: it is empty',
			],
			['an item without addresses', { documentUrl: undefined }, 'Document URL: it is empty'],
		],
	},
	'template get': {
		right: { templateId: byId(id) },
		cases: [
			['no template', { templateId: byId('') }, 'Template: none is chosen'],
			[
				'an unknown template',
				{ templateId: byId('nothing') },
				/^Template: the account has no template with the ID "nothing"$/,
			],
		],
	},
	'template getAll': {
		right: {},
		cases: [
			[
				'an unknown generation',
				{ filters: { generation: 'v9' } },
				'Generation: there is no such choice',
			],
			['a limit below 1', { limit: -1 }, 'Limit: it must be a whole number of at least 1'],
		],
	},
	'webhook create': {
		right: { event: 'signDocument', webhookUrl: address },
		cases: [
			['an unknown event', { event: 'opened' }, 'Event: there is no such choice'],
			['no address', { webhookUrl: ' ' }, 'Webhook URL: it is empty'],
			['half an address', { webhookUrl: '/webhook/1' }, 'Webhook URL: it is not a URL'],
			[
				'the identity event without a name',
				{ event: 'VERIFICATION_REQUEST_FINISHED' },
				'Name: it is empty',
			],
			[
				'a name of blanks',
				{ event: 'VERIFICATION_REQUEST_FINISHED', name: '  ' },
				'Name: it is empty',
			],
		],
	},
	'webhook getAll': {
		right: {},
		cases: [['a limit of 0', { limit: 0 }, 'Limit: it must be a whole number of at least 1']],
	},
	'webhook delete': {
		right: { webhookId: byId(id) },
		cases: [
			['no webhook', { webhookId: byId('') }, 'Webhook: it is empty'],
			['an address for an ID', { webhookId: byId(address) }, /^Webhook: ".*" is not an ID$/],
			['an endless ID', { webhookId: byId(long) }, /^Webhook: "x{79}…" is not an ID$/],
		],
	},
	'identity request': {
		right: { email: 'ada@example.com' },
		cases: [
			['no e-mail', { email: '' }, 'Email: it is empty'],
			['no e-mail address', { email: 'ada' }, 'Email: "ada" is not an e-mail address'],
			[
				'an endless e-mail',
				{ email: `${long}@example.com` },
				/^Email: .* is not an e-mail address$/,
			],
			['no type', { verificationType: ' ' }, 'Verification Type: it is empty'],
		],
	},
	'identity get': {
		right: { validationId: id },
		cases: [
			['no ID', { validationId: '' }, 'Validation ID: it is empty'],
			['a way to another call', { validationId: '..' }, 'Validation ID: ".." is not an ID'],
			[
				'an ID with a direction of writing',
				{ validationId: 'a\u202Eb' },
				'Validation ID: it has an invisible character inside',
			],
		],
	},
	'identity getResults': {
		right: { sessionId: id },
		cases: [
			['no ID', { sessionId: ' ' }, 'Validation ID: it is empty'],
			['a query', { sessionId: 'a?b=c' }, 'Validation ID: "a?b=c" is not an ID'],
		],
	},
};

const created = () => [
	service.sandbox.documents().length,
	service.sandbox.webhooks().length,
	service.sandbox.identityRequests().length,
];

describe.each(Object.entries(tables))('%s', (name, { right, cases }) => {
	const [resource, operation] = name.split(' ');
	const parameters = { resource, operation, ...right };

	test.each(cases)('%s', async (_name, wrong, message) => {
		const before = created();
		const error = await failureOf(
			runAction(service.credential(), { parameters: { ...parameters, ...wrong } }),
		);
		if (typeof message === 'string') expect(error.message).toBe(message);
		else expect(error.message).toMatch(message);
		expect(error.description).toMatch(
			/^[A-Z].*\. <a href="https:\/\/\S+#[\w-]+" target="_blank">More about this error<\/a>$/s,
		);
		expect(created()).toEqual(before);
		// Nothing but, for a template, the list that it is looked for in.
		const paths = service.sandbox.requests.map((each) => each.path);
		expect(paths.filter((path) => !/^\/(access|templates)/.test(path))).toEqual([]);
	});
});

// What the service refuses. Refused documents are in createFromTemplate.test.ts.
const refuse = (endpoint: string, message: unknown) =>
	service.sandbox.faults.set({
		endpoint,
		answer: { status: 400, body: { success: false, message } },
	});

test('a refused identity request names the fields as the form does', async () => {
	refuse('POST /identity/validation/request', [
		{ msg: 'must be an email', path: 'email' },
		{ msg: 'Invalid value', param: 'type' },
	]);
	const parameters = { resource: 'identity', operation: 'request', email: 'ada@example.com' };
	const error = await failureOf(runAction(service.credential(), { parameters }));
	expect(error.message).toBe(
		'The service refused the request (HTTP 400: Email: must be an email; Verification Type: Invalid value)',
	);
});

test.each([
	['signDocument', 'POST /webhooks'],
	['VERIFICATION_REQUEST_FINISHED', 'POST /webhooks/verify'],
])(
	'a refused webhook for %s names the fields, and does not quote the URL',
	async (event, endpoint) => {
		const webhookUrl = 'https://example.com/events?secret=0123456789abcdef';
		refuse(endpoint, [
			{ msg: `must be shorter than 20 characters, but is ${webhookUrl}`, path: 'url' },
		]);
		const parameters = {
			resource: 'webhook',
			operation: 'create',
			event,
			webhookUrl,
			name: 'Checks',
		};
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toBe(
			'The service refused the request (HTTP 400: Webhook URL: must be shorter than 20 characters, but is …)',
		);
		expect(JSON.stringify([error.message, error.description])).not.toContain('0123456789abcdef');
	},
);

/** The switches of a form, by their paths. */
function switchesOf(fields: INodeProperties[], path = ''): Array<[path: string, name: string]> {
	return fields.flatMap(({ type, name, displayName, options = [] }) => {
		if (type === 'boolean') return [[`${path}${name}`, displayName] as [string, string]];
		if (type !== 'collection') return [];
		return switchesOf(options as INodeProperties[], `${path}${name}.`);
	});
}

/** Each switch of each operation once, though a form may have it for each of its variants. */
const switches = operations.flatMap((operation) =>
	[...new Map(switchesOf(operation.fields))].map(
		([path, name]) => [`${operation.resource} ${operation.value}`, name, path] as const,
	),
);

const right: Partial<Record<Operation['resource'], IDataObject>> = {
	document: {
		...v2,
		signatoriesFrom: 'role',
		signatoryRoles: mapped({ 'employee.name': ada.name, 'employee.email': ada.email }),
	},
	identity: {
		verification: 'new',
		email: 'ada@example.com',
		sessionId: '65f1c0de0000000000000201',
	},
};

/** A form with a value at a path. */
function formWith(operation: string, path: string, value: unknown): IDataObject {
	const [resource = '', name = ''] = operation.split(' ');
	const [first = '', inner] = path.split('.');
	return {
		...right[resource as Operation['resource']],
		resource,
		operation: name,
		[first]: inner ? { [inner]: value } : value,
	} as IDataObject;
}

describe.each(switches)('%s, %s', (operation, name, path) => {
	test.each(['maybe', 1, [true]])('is not %j', async (value) => {
		const parameters = formWith(operation, path, value);
		const error = await failureOf(runAction(service.credential(), { parameters }));
		expect(error.message).toBe(`${name}: it is neither on nor off`);
	});

	test('is not off because its expression gives nothing', async () => {
		const parameters = formWith(operation, path, '={{ $json.wanted }}');
		const perItem = [formWith(operation, path, null)];
		const error = await failureOf(runAction(service.credential(), { parameters, perItem }));
		expect(error.message).toBe(`${name}: it is neither on nor off`);
	});
});

/** An item whose form has these values, saved as such or as expressions. */
const itemWith = (values: Record<string, unknown>, form: IDataObject = {}) =>
	({
		parameter: (name: string) => values[name],
		rawParameter: (name: string) => form[name],
	}) as unknown as ItemContext;

test.each([
	[true, true],
	[false, false],
	['true', true],
	['false', false],
	[' True ', true],
])('a switch that is %j is %j', (wanted, read) => {
	expect(readSwitch(itemWith({ wanted }), 'wanted', 'Wanted')).toBe(read);
});

test('a switch that the form does not have is off', () => {
	expect(readSwitch(itemWith({}), 'wanted', 'Wanted')).toBe(false);
});

test('Return All as a text is what it says', () => {
	expect(readLimit(itemWith({ returnAll: 'true', limit: 5 }))).toBe(Infinity);
	expect(readLimit(itemWith({ returnAll: 'false', limit: 5 }))).toBe(5);
});
