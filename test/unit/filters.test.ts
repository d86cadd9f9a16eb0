import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { passesFilters, readFilters } from '../../nodes/SignVerify/trigger/form';
import { readParameter } from '../support/parameters';

const signatory = [
	{ signatoryID: '1', emailID: 'Ana@Example.com' },
	{ signatoryID: '2', emailID: 'ben@example.com' },
];
const createdBy = { fullName: 'Eve', emailID: 'Eve@Example.com ' };
const document = { templateID: 'lease', title: 'The LEASE of 2026', signatory, createdBy };
const completed = { Document: document };
const signedByBen = { Document: { ...document, webhookData: { signatory: signatory[1] } } };
const identity = { validationId: 'v', emailId: 'ana@example.com' };
const identities = [
	...[identity, { email: 'Ana@example.com' }, { data: { emailId: 'ana@example.com' } }],
	{ responseData: { emailId: 'ana@example.com' } },
];

const read = (form: IDataObject) =>
	readFilters({
		getNodeParameter: ((name: string, fallback: unknown) =>
			readParameter(form, name, fallback)) as never,
	});
const passes = (form: IDataObject, body: IDataObject) =>
	passesFilters(read(form), readNotification('completedDocument', body));
const title = (titleContains: string) => ({ filters: { titleContains } });

describe('filters', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['no filters', {}, completed],
		['empty filters', { templates: [], signatory: '', sentBy: ' ', ...title(' ') }, completed],
		['the template', { templates: ['other', 'lease'] }, completed],
		['the template, from an expression', { templates: 'other, lease' }, completed],
		['a part of the title', title('lease'), completed],
		['one of the signatories', { signatory: 'x@example.com, ANA@example.com ' }, completed],
		['one with what nobody sees', { signatory: '\u200Bana@example.com%0d%0a' }, completed],
		['whoever signed', { signatory: 'ben@example.com' }, signedByBen],
		['the sender', { sentBy: 'x@example.com; EVE@example.com' }, signedByBen],
		['what has no document', { templates: ['lease'], ...title('x') }, identity],
		[
			'a document of which nothing is told',
			{ templates: ['lease'], ...title('x') },
			{ Document: {} },
		],
		['what names nobody', { signatory: 'ana@example.com' }, { Document: {} }],
	])('let through %s', (_name, form, body) => {
		expect(passes(form, body)).toBe(true);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['another template', { templates: ['other'] }, completed],
		['a document of no template', { templates: ['lease'] }, { Document: { templateID: '' } }],
		['a document with an empty title', title('x'), { Document: { title: '' } }],
		['another title', title('rent'), completed],
		['other signatories', { signatory: 'x@example.com' }, completed],
		['another sender', { sentBy: 'ana@example.com' }, completed],
		[
			'an empty sender',
			{ sentBy: 'eve@example.com' },
			{ Document: { createdBy: { emailID: '' } } },
		],
		['a sender of another shape', { sentBy: 'eve@example.com' }, { Document: { createdBy: [] } }],
		['what says nothing of a sender', { sentBy: 'eve@example.com' }, identity],
		['one that does not fit of several', { templates: ['lease'], ...title('rent') }, completed],
	])('hold back %s', (_name, form, body) => {
		expect(passes(form, body)).toBe(false);
	});

	test.each(identities)('look at the person of an identity event: %j', (body) => {
		expect(passes({ signatory: 'ana@example.com' }, body)).toBe(true);
		expect(passes({ signatory: 'ben@example.com' }, body)).toBe(false);
	});

	test.each(['Ana', 'Ana <ana@example.com>', 'a\u200Bna@example.com', ['ana@example.com; Ben']])(
		'that could match nobody are refused: %j',
		(email) => {
			expect(() => read({ signatory: email, sentBy: email })).toThrow(/Signatory: .*Sent By: /);
		},
	);

	test.each([
		...[undefined, 'x@example.com,ben@example.com', 'x@example.com; ben@example.com'],
		...['x@example.com\r\nben@example.com\u200B\n', 'x@example.com ben@example.com ,'],
		['x@example.com', 'y@example.com;ben@example.com'],
	])('take addresses as people write them: %j', (signatory) => {
		expect(passes(signatory === undefined ? {} : { signatory }, signedByBen)).toBe(true);
	});
});
