import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { readSignatories, passesFilters } from '../../nodes/SignVerify/trigger/filters';

const signatory = [
	{ signatoryID: '1', emailID: 'Ana@Example.com' },
	{ signatoryID: '2', emailID: 'ben@example.com' },
];
const document = { templateID: 'lease', title: 'The LEASE of 2026', signatory };
const completed = { Document: document };
const signedByBen = { Document: { ...document, webhookData: { signatory: signatory[1] } } };
const identity = { validationId: 'v', emailId: 'ana@example.com' };
const identities = [
	...[identity, { email: 'Ana@example.com' }, { data: { emailId: 'ana@example.com' } }],
	{ responseData: { emailId: 'ana@example.com' } },
];

const passes = (filters: unknown, body: IDataObject) =>
	passesFilters(filters, readNotification('completedDocument', body));

describe('filters', () => {
	test.each([
		['empty filters', { templateIds: [], titleContains: ' ', signatoryEmails: '' }, completed],
		['the template', { templateIds: ['other', 'lease'] }, completed],
		['the template, from an expression', { templateIds: 'other, lease' }, completed],
		['a part of the title', { titleContains: 'lease' }, completed],
		['one of the signatories', { signatoryEmails: 'x@example.com, ANA@example.com ' }, completed],
		['one with what nobody sees', { signatoryEmails: '\u200Bana@example.com%0d%0a' }, completed],
		['whoever signed', { signatoryEmails: 'ben@example.com' }, signedByBen],
		['what has no document', { templateIds: ['lease'], titleContains: 'x' }, identity],
		[
			'a document of which nothing is told',
			{ templateIds: ['lease'], titleContains: 'x' },
			{ Document: {} },
		],
		['what names nobody', { signatoryEmails: 'ana@example.com' }, { Document: {} }],
	])('let through %s', (_name, filters, body) => {
		expect(passes(filters, body)).toBe(true);
	});

	test.each([
		['another template', { templateIds: ['other'] }, completed],
		['a document of no template', { templateIds: ['lease'] }, { Document: { templateID: '' } }],
		['a document with an empty title', { titleContains: 'x' }, { Document: { title: '' } }],
		['another title', { titleContains: 'rent' }, completed],
		['other signatories', { signatoryEmails: 'x@example.com' }, completed],
		[
			'one that does not fit of several',
			{ templateIds: ['lease'], titleContains: 'rent' },
			completed,
		],
	])('hold back %s', (_name, filters, body) => {
		expect(passes(filters, body)).toBe(false);
	});

	test.each(identities)('look at the person of an identity event: %j', (body) => {
		expect(passes({ signatoryEmails: 'ana@example.com' }, body)).toBe(true);
		expect(passes({ signatoryEmails: 'ben@example.com' }, body)).toBe(false);
	});

	test.each(['Ana', 'Ana <ana@example.com>', 'a\u200Bna@example.com', ['ana@example.com; Ben']])(
		'that could match nobody are refused: %j',
		(signatoryEmails) => {
			expect(() => readSignatories({ signatoryEmails })).toThrow(/Signatory Emails: /);
		},
	);

	test.each([
		...[undefined, 'x@example.com,ben@example.com', 'x@example.com; ben@example.com'],
		...['x@example.com\r\nben@example.com\u200B\n', 'x@example.com ben@example.com ,'],
		['x@example.com', 'y@example.com;ben@example.com'],
	])('take addresses as people write them: %j', (signatoryEmails) => {
		expect(() => readSignatories({ signatoryEmails })).not.toThrow();
		expect(passes({ signatoryEmails }, signedByBen)).toBe(true);
	});
});
