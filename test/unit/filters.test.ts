import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { InputError } from '../../nodes/SignVerify/errors/inputError';
import { savedParameters } from '../../nodes/SignVerify/form/savedForm';
import { readEvents, triggerForm, triggerProblems } from '../../nodes/SignVerify/trigger/form';
import { filterProblems, readEventFilter } from '../../nodes/SignVerify/trigger/templateFilter';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { settleSync } from '../../nodes/SignVerify/util/async';
import { readParameter } from '../support/parameters';

const completed = { Document: { templateID: 'lease', title: 'The LEASE of 2026' } };
const identity = { validationId: 'v', emailId: 'ana@example.com' };

const read = (filters: IDataObject) =>
	readEventFilter(
		triggerForm({
			getNode: () => ({ parameters: { filters } }),
			getNodeParameter: (name: string) => readParameter({ filters }, name, null),
		} as unknown as IHookFunctions),
	);
const passes = (filters: IDataObject, body: IDataObject) =>
	read(filters)(readNotification('completedDocument', body));

describe('Trigger filters', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['any event if no filters are set', {}, completed],
		['any event if the filter is empty', { templates: [] }, completed],
		['any event if the filter is an empty string', { templates: '' }, completed],
		['a document from a chosen template', { templates: ['other', 'lease'] }, completed],
		['a template from a comma-separated list', { templates: 'other, lease' }, completed],
		['a template from a list separated by semicolons', { templates: 'other; lease' }, completed],
		[
			'a template from a list separated by line breaks',
			{ templates: 'other\r\nlease\n' },
			completed,
		],
		['a template from a JSON list', { templates: '["other", "lease"]' }, completed],
		['an identity event, which has no template', { templates: ['lease'] }, identity],
		['a document without a template', { templates: ['lease'] }, { Document: {} }],
		[
			'a document whose template is null, which means unknown',
			{ templates: ['lease'] },
			{ Document: { templateID: null } },
		],
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
	])('exclude %s', (_name, form, body) => {
		expect(passes(form, body)).toBe(false);
	});

	// Without these filters, the workflow would start for every document in the account.
	test.each([
		['an earlier name', { sentBy: 'ana@example.com' }, ['sentBy']],
		['a name beside a known one', { templates: ['lease'], titleContains: 'x' }, ['titleContains']],
		['another spelling', { Templates: ['lease'] }, ['Templates']],
		['several names', { template: 'lease', from: '={{ $vars.from }}' }, ['template', 'from']],
		['a value that means no', { signatory: false }, ['signatory']],
	])('refuse a filter that the form does not have: %s', (_what, filters, unknown) => {
		const reading = settleSync(() => read(filters));
		const { parts, description } = (reading.ok ? {} : reading.error) as InputError;
		expect(parts.map(({ field, problem }) => [field, problem])).toEqual(
			unknown.map((name) => ['Filters', filterProblems.unknownFilter(name).problem]),
		);
		expect(description).toBe(filterProblems.unknownFilter('').remedy);
	});

	test.each(['', ' ', null, []])(
		'accept a filter that the form does not have if it is empty: %j',
		(sentBy) => {
			expect(passes({ templates: ['lease'], sentBy }, completed)).toBe(true);
		},
	);

	test.each(['Employment contract', '{"id":"lease"}', '"lease"', 'https://example.com/lease'])(
		'reject a template that is not an ID: %s',
		(templates) => {
			const reading = () => read({ templates });
			expect(reading).toThrow(/^Template Names or IDs: /);
			const description: unknown = expect.stringContaining('Select templates from the list.');
			expect(reading).toThrow(expect.objectContaining({ description }) as Error);
		},
	);

	test('reject an expression that was entered as plain text', () => {
		const typed = '{{ $json.text }}';
		expect(() => read({ templates: [typed] })).toThrow(valueProblems.typedExpression.problem);
	});

	test.each([',', ' ; ', ',\n,', '[]', '[""]', [','], [' ; ', '']])(
		'reject a list without an entry, which would let everything pass: %j',
		(list) => {
			expect(() => read({ templates: list })).toThrow(InputError);
		},
	);

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
		['filters.templates', 'Template Names or IDs'],
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
