import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { checkFilters, passesFilters } from '../../nodes/SignVerify/trigger/filters';

const signatory = [
	{ signatoryID: '1', emailID: 'Ana@Example.com' },
	{ signatoryID: '2', emailID: 'ben@example.com' },
];
const document = { templateID: 'lease', title: 'The LEASE of 2026', signatory };
const completed = { Document: document };
const signedByBen = { Document: { ...document, webhookData: { signatory: signatory[1] } } };
const identity = { validationId: 'v', emailId: 'ana@example.com' };

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
		['whom the identity request is about', { signatoryEmails: 'ana@example.com' }, identity],
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
		['an identity request about another', { signatoryEmails: 'ben@example.com' }, identity],
		[
			'one that does not fit of several',
			{ templateIds: ['lease'], titleContains: 'rent' },
			completed,
		],
	])('hold back %s', (_name, filters, body) => {
		expect(passes(filters, body)).toBe(false);
	});

	test.each(['ana@example.com; ben@example.com', 'Ana', 'a\u200Bna@example.com'])(
		'that could match nobody are refused: %j',
		(signatoryEmails) => {
			expect(() => checkFilters({ signatoryEmails })).toThrow(/^Signatory Emails: /);
		},
	);

	test('of the form are accepted', () => {
		for (const filters of [{}, { signatoryEmails: ' ana@example.com,ben@example.com ' }]) {
			expect(() => checkFilters(filters)).not.toThrow();
		}
	});
});
