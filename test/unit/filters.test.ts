import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { InputError } from '../../nodes/SignVerify/text/inputError';
import { savedParameters } from '../../nodes/SignVerify/form/savedForm';
import { passesFilters, readFilters } from '../../nodes/SignVerify/trigger/filters';
import { readEvents, triggerForm, triggerProblems } from '../../nodes/SignVerify/trigger/form';
import { valueProblems } from '../../nodes/SignVerify/text/problems';
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
	identity,
	{ email: 'Ana@example.com' },
	{ data: { emailId: 'ana@example.com' } },
	{ responseData: { emailId: 'ana@example.com' } },
];

const read = (filters: IDataObject) =>
	readFilters(
		triggerForm({
			getNode: () => ({ parameters: { filters } }),
			getNodeParameter: (name: string) => readParameter({ filters }, name, null),
		} as unknown as IHookFunctions),
	);
const passes = (form: IDataObject, body: IDataObject) =>
	passesFilters(read(form), readNotification('completedDocument', body));
const titled = (title: string) => ({ Document: { ...document, title } });
const title = (titleContains: string) => ({ titleContains });

describe('Trigger filters', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['any event if no filters are set', {}, completed],
		[
			'any event if all filters are empty',
			{ templates: [], signatory: '', sentBy: ' ', ...title(' ') },
			completed,
		],
		['a document from a chosen template', { templates: ['other', 'lease'] }, completed],
		['a template from a comma-separated list', { templates: 'other, lease' }, completed],
		['a template from a list separated by semicolons', { templates: 'other; lease' }, completed],
		[
			'a template from a list separated by line breaks',
			{ templates: 'other\r\nlease\n' },
			completed,
		],
		['a template from a JSON list', { templates: '["other", "lease"]' }, completed],
		['a title that contains the text', title('lease'), completed],
		['a title with different whitespace', title('lease of'), titled('LEASE\u00a0\nof 2026')],
		['a title with invisible characters', title('le\u200base'), titled('LEA\u00adSE')],
		['a title in a different Unicode form', title('Caf\u00e9'), titled('CAFE\u0301')],
		['a title with an accent', title('Nomina'), titled('Nómina 2026')],
		['a title without the accent of the filter', title('nómina'), titled('NOMINA 2026')],
		['any title if the filter contains only invisible characters', title(' \u200b'), completed],
		['a title without the apostrophes of the filter', title("' lease '"), completed],
		['a title with an apostrophe if the filter is one', title("'"), titled("Driver's license")],
		['a chosen signatory', { signatory: 'x@example.com, ANA@example.com ' }, completed],
		[
			'a chosen signatory whose address was entered with invisible characters',
			{ signatory: '\u200Bana@example.com%0d%0a' },
			completed,
		],
		['a chosen signatory who has just signed', { signatory: 'ben@example.com' }, signedByBen],
		['a chosen sender', { sentBy: 'x@example.com; EVE@example.com' }, signedByBen],
		[
			'an identity event, which has neither a template nor a title',
			{ templates: ['lease'], ...title('x') },
			identity,
		],
		[
			'a document without a template or a title',
			{ templates: ['lease'], ...title('x') },
			{ Document: {} },
		],
		[
			'a document whose template and title are null, which means unknown',
			{ templates: ['lease'], ...title('x') },
			{ Document: { templateID: null, title: null } },
		],
		['a document without signatories', { signatory: 'ana@example.com' }, { Document: {} }],
	])('accept %s', (_name, form, body) => {
		expect(passes(form, body)).toBe(true);
	});

	test.each<[string, IDataObject, IDataObject]>([
		['a document from a different template', { templates: ['other'] }, completed],
		[
			'a document with an empty template ID',
			{ templates: ['lease'] },
			{ Document: { templateID: '' } },
		],
		['a document with an empty title', title('x'), { Document: { title: '' } }],
		['a document with a different title', title('rent'), completed],
		...["'", '’', '´', '`', '\u0301', "' '", "'’"].map(
			(text): [string, IDataObject, IDataObject] => [
				`a title without the only character of the filter: ${text}`,
				title(text),
				completed,
			],
		),
		['a document with different signatories', { signatory: 'x@example.com' }, completed],
		[
			'a document with different signatories, one of whom signed it but has no address',
			{ signatory: 'x@example.com' },
			{ Document: { ...document, webhookData: { signatory: { signatoryID: '2' } } } },
		],
		['a document from a different sender', { sentBy: 'ana@example.com' }, completed],
		[
			'a document with an empty sender',
			{ sentBy: 'eve@example.com' },
			{ Document: { createdBy: { emailID: '' } } },
		],
		[
			'a document with a malformed sender',
			{ sentBy: 'eve@example.com' },
			{ Document: { createdBy: [] } },
		],
		['an event without a sender', { sentBy: 'eve@example.com' }, identity],
		[
			'a document that passes only one of two filters',
			{ templates: ['lease'], ...title('rent') },
			completed,
		],
	])('exclude %s', (_name, form, body) => {
		expect(passes(form, body)).toBe(false);
	});

	test.each(identities)('match the person in an identity event: %j', (body) => {
		expect(passes({ signatory: 'ana@example.com' }, body)).toBe(true);
		expect(passes({ signatory: 'ben@example.com' }, body)).toBe(false);
	});

	test.each(['Employment contract', '{"id":"lease"}', '"lease"', 'https://example.com/lease'])(
		'reject a template that is not an ID: %s',
		(templates) => {
			const reading = () => read({ templates });
			expect(reading).toThrow(/^Template Names or IDs: /);
			const description: unknown = expect.stringContaining('Select templates from the list.');
			expect(reading).toThrow(expect.objectContaining({ description }) as Error);
		},
	);

	test.each([['Ana Gil <ana@example.com>'], [['ben@example.com', 'Ana Gil <ana@example.com>']]])(
		'report a name next to an address as a single mistake: %j',
		(signatory) => {
			expect(() => read({ signatory })).toThrow(
				`Signatory: ${valueProblems.nameInAddress('Ana Gil <ana@example.com>').problem}`,
			);
		},
	);

	test('reject an expression that was entered as plain text', () => {
		const typed = '{{ $json.text }}';
		expect(() => read({ titleContains: typed })).toThrow(valueProblems.typedExpression.problem);
		expect(() => read({ templates: [typed] })).toThrow(valueProblems.typedExpression.problem);
	});

	test.each([',', ' ; ', ',\n,', '[]', '[""]', [','], [' ; ', '']])(
		'reject a list without an entry, which would let everything pass: %j',
		(list) => {
			const all = { templates: list, signatory: list, sentBy: list };
			for (const name of Object.keys(all)) expect(() => read({ [name]: list })).toThrow(InputError);
		},
	);

	test.each(['Ana', 'Ana <ana@example.com>', 'a\u200Bna@example.com', ['ana@example.com; Ben']])(
		'reject an address that cannot match anyone: %j',
		(email) => {
			expect(() => read({ signatory: email, sentBy: email })).toThrow(/Signatory, Sent By: /);
		},
	);

	test.each([
		undefined,
		'x@example.com,ben@example.com',
		'x@example.com; ben@example.com',
		'x@example.com\r\nben@example.com\u200B\n',
		'x@example.com ben@example.com ,',
		['x@example.com', 'y@example.com;ben@example.com'],
	])('accept addresses in every format that users enter: %j', (signatory) => {
		expect(passes(signatory === undefined ? {} : { signatory }, signedByBen)).toBe(true);
	});

	test.each<[string, unknown, string, boolean]>([
		['accept every ID in an entry from the list', ['lease,b,c'], 'c', true],
		['accept every ID in text that was copied into an expression', 'lease,b, rent', 'rent', true],
		['exclude another ID', ['lease,b'], 'c', false],
		['exclude a document without a template', ['lease,b'], '', false],
	])('that compare template IDs %s', (_name, templates, templateID, isPassed) => {
		expect(passes({ templates } as IDataObject, { Document: { templateID } })).toBe(isPassed);
	});
});

describe("A field in the trigger's form", () => {
	const form = triggerForm({
		getNode: () => ({ parameters: {} }),
		getNodeParameter: (name: string) => {
			if (name.startsWith('filters')) throw new Error('$json is not defined');
			return name === 'events' ? ['signDocument', 'signed', 'signDocument'] : undefined;
		},
	} as never);

	test.each([
		['filters.sentBy', 'Sent By'],
		['filters', 'Filters'],
		['filters.later', 'Filters'],
	])('is named in the error if its expression fails: %s', (name, label) => {
		const read = () => form.parameter(name);
		expect(read).toThrow(
			`${label}: ${triggerProblems.failingExpression('$json is not defined').problem}`,
		);
		expect(read).toThrow(
			expect.objectContaining({
				description: expect.stringContaining('Use $vars') as string,
			}) as Error,
		);
		expect(form.parameter('output')).toBeUndefined();
	});

	test('rejects an unknown event', () => {
		expect(() => readEvents(form)).toThrow(
			`Trigger On: ${triggerProblems.unknownEvent('signed').problem}`,
		);
		expect(() => readEvents(form)).toThrow(
			expect.objectContaining({
				description: 'Select at least one event from the list.',
			}) as Error,
		);
		const known = { ...form, parameter: () => ['signDocument', 'sendDocument', 'signDocument'] };
		expect(readEvents(known)).toEqual(['signDocument', 'sendDocument']);
	});

	test('is named in the error if it contains an expression that was entered as plain text', () => {
		const typed = '{{ $vars.event }}';
		const checkTyped = savedParameters(() => ({ events: [typed] })).checkTyped;
		const filled = { ...form, checkTyped, parameter: () => [typed] };
		expect(() => readEvents(filled)).toThrow(
			`Trigger On: ${valueProblems.typedExpression.problem}`,
		);
	});
});
