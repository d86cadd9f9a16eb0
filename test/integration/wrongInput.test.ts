import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../support/contexts';
import { linked } from '../support/links';
import { byId, failureOf, useService } from '../support/service';

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
			['a number for files', { files: 5 }, 'Files: none is chosen'],
			['a text for files', { files: 'document' }, 'Files: none is chosen'],
			['an unknown file', { files: ['photo'] }, 'Files: there is no file "photo"'],
			['no address', { documentUrl: '' }, 'Document URL: it is empty'],
			['an address of null', { documentUrl: null }, 'Document URL: it is empty'],
			['an object for an address', { documentUrl: { a: 1 } }, 'Document URL: it is empty'],
			['half an address', { documentUrl: 'example.com/x.pdf' }, 'Document URL: it is not a URL'],
			[
				'a path of the computer',
				{ documentUrl: 'file:///etc/passwd' },
				'Document URL: it is not a URL',
			],
			[
				'another scheme',
				{ documentUrl: 'ftp://example.com/x.pdf' },
				'Document URL: it is not a URL',
			],
			['two addresses', { documentUrl: `${address} ${address}` }, 'Document URL: it is not a URL'],
			[
				'an endless address',
				{ documentUrl: `${address}?${long}` },
				'Document URL: it is longer than 2048 characters',
			],
			[
				'one address of two',
				{ files: ['document', 'certificate'] },
				'Certificate URL: it is empty',
			],
			['an item without addresses', { documentUrl: undefined }, 'Document URL: it is empty'],
			[
				'a limit of 0',
				{ options: { maxFileSize: 0 } },
				'Max File Size (MB): it must be a number above 0 and at most 2000',
			],
			[
				'a limit in words',
				{ options: { maxFileSize: 'big' } },
				'Max File Size (MB): it must be a number above 0 and at most 2000',
			],
			[
				'a limit beyond all',
				{ options: { maxFileSize: 1e6 } },
				'Max File Size (MB): it must be a number above 0 and at most 2000',
			],
		],
	},
	'template get': {
		right: { templateVersion: 'v2', templateId: byId(id) },
		cases: [
			['no template', { templateId: byId('') }, 'Template: none is chosen'],
			['a template of null', { templateId: byId(null as never) }, 'Template: none is chosen'],
			[
				'an unknown template',
				{ templateId: byId('nothing') },
				/^Template: the account has no v2 template/,
			],
			[
				'one of the other version',
				{ templateVersion: 'v1' },
				/^Template: the account has no v1 template/,
			],
			[
				'an unknown version',
				{ templateVersion: 'v9' },
				'Template Version: there is no such version',
			],
		],
	},
	'template getAll': {
		right: { templateVersion: 'v2' },
		cases: [
			[
				'an unknown version',
				{ templateVersion: 'both' },
				'Template Version: there is no such version',
			],
			['a limit below 1', { limit: -1 }, 'Limit: it must be a whole number of at least 1'],
			['half a result', { limit: 1.5 }, 'Limit: it must be a whole number of at least 1'],
			['a limit in words', { limit: 'ten' }, 'Limit: it must be a whole number of at least 1'],
		],
	},
	'webhook create': {
		right: { event: 'signDocument', webhookUrl: address },
		cases: [
			['an unknown event', { event: 'opened' }, 'Event: there is no event "opened"'],
			['an event of null', { event: '' }, 'Event: none is chosen'],
			['a list of events', { event: ['signDocument'] }, 'Event: none is chosen'],
			['no address', { webhookUrl: ' ' }, 'Webhook URL: it is empty'],
			['an address of null', { webhookUrl: null }, 'Webhook URL: it is empty'],
			['a list of addresses', { webhookUrl: [address] }, 'Webhook URL: it is empty'],
			['half an address', { webhookUrl: '/webhook/1' }, 'Webhook URL: it is not a URL'],
			['a scheme alone', { webhookUrl: 'https://' }, 'Webhook URL: it is not a URL'],
			['a mail address', { webhookUrl: 'mailto:a@example.com' }, 'Webhook URL: it is not a URL'],
			[
				'an endless address',
				{ webhookUrl: `${address}/${long}` },
				'Webhook URL: it is longer than 2048 characters',
			],
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
		cases: [
			['a limit of 0', { limit: 0 }, 'Limit: it must be a whole number of at least 1'],
			['an unknown event', { filters: { event: 'opened' } }, 'Event: there is no event "opened"'],
		],
	},
	'webhook delete': {
		right: { webhookId: byId(id) },
		cases: [
			['no webhook', { webhookId: byId('') }, 'Webhook: it is empty'],
			['a webhook of null', { webhookId: byId(null as never) }, 'Webhook: it is empty'],
			['an address for an ID', { webhookId: byId(address) }, /^Webhook: ".*" is not an ID$/],
			['an endless ID', { webhookId: byId(long) }, 'Webhook: it is too long for an ID'],
		],
	},
	'identity request': {
		right: { email: 'ada@example.com' },
		cases: [
			['no e-mail', { email: '' }, 'Email: it is empty'],
			['an e-mail of null', { email: null }, 'Email: it is empty'],
			['a list of e-mails', { email: ['ada@example.com'] }, 'Email: it is empty'],
			['no e-mail address', { email: 'ada' }, 'Email: "ada" is not an e-mail address'],
			['two addresses', { email: 'a@x.com;b@x.com' }, /^Email: .* is not an e-mail address$/],
			[
				'an endless e-mail',
				{ email: `${long}@example.com` },
				/^Email: .* is not an e-mail address$/,
			],
			['no type', { verificationType: ' ' }, 'Verification Type: it is empty'],
			['a list for a type', { verificationType: ['FACE'] }, 'Verification Type: it is empty'],
			[
				'a check that is neither on nor off',
				{ backgroundCheck: 'maybe' },
				'Background Check: it is neither on nor off',
			],
		],
	},
	'identity get': {
		right: { validationId: id },
		cases: [
			['no ID', { validationId: '' }, 'Validation ID: it is empty'],
			['an ID of null', { validationId: null }, 'Validation ID: it is empty'],
			['an object for an ID', { validationId: { id } }, 'Validation ID: it is empty'],
			['a way to another call', { validationId: '..' }, 'Validation ID: ".." is not an ID'],
			['a path', { validationId: 'a/b' }, 'Validation ID: "a/b" is not an ID'],
			['an endless ID', { validationId: long }, 'Validation ID: it is too long for an ID'],
		],
	},
	'identity getResults': {
		right: { sessionId: id },
		cases: [
			['no ID', { sessionId: ' ' }, 'Session ID: it is empty'],
			['an ID of null', { sessionId: null }, 'Session ID: it is empty'],
			['a query', { sessionId: 'a?b=c' }, 'Session ID: "a?b=c" is not an ID'],
			['an endless ID', { sessionId: long }, 'Session ID: it is too long for an ID'],
			[
				'personal data, perhaps',
				{ includePersonalData: 'yes please' },
				'Include Personal Data (OCR): it is neither on nor off',
			],
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
		expect(error.description).toMatch(/^[A-Z].*\. More: https:\/\/\S+#[\w-]+$/s);
		expect(created()).toEqual(before);
		// Nothing but, for a template, the list that it is looked for in.
		const paths = service.sandbox.requests.map((each) => each.path);
		expect(paths.filter((path) => !/^\/(access|templates)/.test(path))).toEqual([]);
	});
});

test('there are enough of them, with the 39 of createFromTemplate.input.test.ts', () => {
	const count = Object.values(tables).flatMap(({ cases }) => cases).length;
	expect(count + 39).toBeGreaterThanOrEqual(60);
});

test('with "continue on error" a wrong item spoils no other', async () => {
	const before = service.sandbox.identityRequests().length;
	const output = await runAction(service.credential(), {
		parameters: { resource: 'identity', operation: 'request' },
		items: [{}, {}, {}, {}],
		perItem: [
			{ email: 'ada@example.com' },
			{ email: 'nobody' },
			{ email: null },
			{ email: 'bob@example.com' },
		],
		continueOnFail: true,
	});
	expect(output.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
		['ada@example.com', { item: 0 }],
		[undefined, { item: 1 }],
		[undefined, { item: 2 }],
		['bob@example.com', { item: 3 }],
	]);
	expect(output[2]?.json).toEqual({
		error: {
			message: 'Email: it is empty',
			description: linked('Enter an e-mail address.', 'a-field-of-the-form'),
			itemIndex: 2,
		},
	});
	expect(service.sandbox.identityRequests()).toHaveLength(before + 2);
});
