import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { savedParameters } from '../../nodes/SignVerify/input/savedForm';
import { passesFilters } from '../../nodes/SignVerify/trigger/filters';
import { readFilters } from '../../nodes/SignVerify/trigger/form';
import { readParameter } from '../support/parameters';
import '../support/newProcess';
import { standIn } from '../support/standIn';

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

const read = (filters: IDataObject) =>
	readFilters({
		...savedParameters(() => ({ filters })),
		parameter: (name) => readParameter({ filters }, name, null) ?? undefined,
	});
const passes = async (
	form: IDataObject,
	body: IDataObject,
	{ context } = standIn(() => ({ body: { success: true, responseData: [] } })),
) => await passesFilters(read(form), readNotification('completedDocument', body), context, 'e');
const titled = (title: string) => ({ Document: { ...document, title } });
const title = (titleContains: string) => ({ titleContains });

describe('filters', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['no filters', {}, completed],
		['empty filters', { templates: [], signatory: '', sentBy: ' ', ...title(' ') }, completed],
		['the template', { templates: ['other', 'lease'] }, completed],
		['the template, from an expression', { templates: 'other, lease' }, completed],
		['the template, with semicolons', { templates: 'other; lease' }, completed],
		['the template, in lines', { templates: 'other\r\nlease\n' }, completed],
		['the template, as JSON', { templates: '["other", "lease"]' }, completed],
		['a part of the title', title('lease'), completed],
		['a title with another white space', title('lease of'), titled('LEASE\u00a0\nof 2026')],
		['a title with what nobody sees', title('le\u200base'), titled('LEA\u00adSE')],
		['a title in another Unicode form', title('Caf\u00e9'), titled('CAFE\u0301')],
		['a title, with nothing that can be seen', title(' \u200b'), completed],
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
	])('let through %s', async (_name, form, body) => {
		expect(await passes(form, body)).toBe(true);
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
	])('hold back %s', async (_name, form, body) => {
		expect(await passes(form, body)).toBe(false);
	});

	test.each(identities)('look at the person of an identity event: %j', async (body) => {
		expect(await passes({ signatory: 'ana@example.com' }, body)).toBe(true);
		expect(await passes({ signatory: 'ben@example.com' }, body)).toBe(false);
	});

	test.each(['Employment contract', '{"id":"lease"}', '"lease"', 'https://example.com/lease'])(
		'that are no IDs of templates are refused: %s',
		(templates) => {
			expect(() => read({ templates })).toThrow(
				/^Template Names or IDs: (?:.* isn't an ID|must be text)$/,
			);
		},
	);

	test('that somebody typed as expressions are refused', () => {
		const typed = '{{ $json.text }}';
		expect(() => read({ titleContains: typed })).toThrow(
			'this expression was entered as plain text',
		);
		expect(() => read({ templates: [typed] })).toThrow('this expression was entered as plain text');
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
	])('take addresses as people write them: %j', async (signatory) => {
		expect(await passes(signatory === undefined ? {} : { signatory }, signedByBen)).toBe(true);
	});

	describe('know a template by both of its IDs', () => {
		const lease = { templateID: 'lease', _id: 'b' };
		const rent = { templateID: 'b', _id: 'c' };
		const sale = { _id: 'sale' };
		const lists = (url: string) => (url.endsWith('/v2') ? [lease] : [rent, sale]);
		const listing = (status = 200, credential: IDataObject = {}) =>
			standIn(
				({ options: { url } }) => ({
					status,
					body: { success: status === 200, responseData: lists(url) },
				}),
				credential,
			);
		const passesBy = async (chosen: string[], templateID: string, list = listing()) =>
			await passes({ templates: chosen }, { Document: { templateID } }, list);

		test.each<[string, string[], string, boolean]>([
			['its _id is chosen', ['x', 'c'], 'b', true],
			['its _id is in the event', ['b'], 'c', true],
			['it has only one', ['sale'], 'sale', true],
			['its _id is the templateID of another one', ['b'], 'lease', true],
			['the templateID of another one is its _id', ['lease'], 'b', true],
			['nobody knows the one in the event', ['lease'], 'y', false],
			['the event has none', ['lease'], '', false],
		])('%s', async (_name, chosen, ofEvent, isPassed) => {
			expect(await passesBy(chosen, ofEvent)).toBe(isPassed);
		});

		test('and ask the service only if the event is not excluded anyway', async () => {
			const list = listing();
			const body = { Document: { templateID: 'b', title: 'Sale' } };
			expect(await passes({ templates: ['c'], ...title('lease') }, body, list)).toBe(false);
			expect(await passesBy(['b'], 'b', list)).toBe(true);
			expect(list.calls).toEqual([]);
			expect(await passesBy(['c'], 'x', list)).toBe(false);
			expect(await passesBy(['c'], 'y', list)).toBe(false);
			expect(list.calls).toHaveLength(2);
		});

		test('and lose no event if the service does not answer now, but exclude it if it never does', async () => {
			await expect(passesBy(['c'], 'b', listing(502))).rejects.toThrow('(HTTP 502');
			// It may be for a moment only.
			const forbidden = async () => await passesBy(['c'], 'b', listing(403));
			await expect(forbidden()).rejects.toThrow('(HTTP 403');
			await expect(forbidden()).rejects.toThrow('(HTTP 403');
			expect(await forbidden()).toBe(false);
			const page = standIn(() => ({ body: '<html>Down for maintenance</html>' }));
			await expect(passesBy(['c'], 'b', page)).rejects.toThrow('with a web page');
		});

		test('also if the credential limits the calls, which load one list after the other', async () => {
			expect(await passesBy(['c'], 'b', listing(200, { requestsPerSecond: 10 }))).toBe(true);
		});
	});
});
