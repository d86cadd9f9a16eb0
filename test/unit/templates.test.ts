import {
	findTemplate,
	idOf,
	listTemplates,
	nameOf,
	slotsOf,
	type Template,
	templateVersions,
	variablesOf,
} from '../../nodes/SignVerify/api/templates';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { standIn } from '../support/standIn';

const template = (fields: object) => fields as unknown as Template;

describe('the list of templates', () => {
	const list = [{ templateID: 'a' }, { templateID: 'b' }];
	const listIn = async (body: unknown, version: 'v1' | 'v2' = 'v2') => {
		const { context, calls } = standIn(() => ({ body }));
		const logged: string[] = [];
		Object.assign(context, { logger: { warn: (text: string) => logged.push(text) } });
		const found = await listTemplates(new ServiceClient(context), version);
		return { found, logged, calls: calls.map(({ options }) => `${options.method} ${options.url}`) };
	};

	test.each<[string, unknown]>([
		['templates of the response', { success: true, responseData: { templates: list } }],
		['the response', { success: true, responseData: list }],
	])('is found in %s', async (_name, body) => {
		expect((await listIn(body)).found).toMatchObject(list);
	});

	test("is made whole: text or left out, and n8n's log has the number", async () => {
		const odd = [
			'x',
			null,
			{ name: 'without an ID' },
			{ templateID: {}, _id: 7, name: { first: 'x' }, form: [null, { key: {} }], extra: [1] },
			{
				templateID: 'a',
				status: null,
				form: [
					{ key: 5, label: ['x'], isRequired: 'false' },
					{ key: 'k', label: 'K', isRequired: 1 },
				],
			},
			{ templateID: 'b', inputs: 'none' },
		];
		const { found, logged } = await listIn({ responseData: odd });
		const templateVersion = 'v2';
		expect(found).toEqual([
			{ templateVersion, templateID: '', _id: '7', name: '', form: [], extra: [1] },
			{
				templateVersion,
				templateID: 'a',
				status: '',
				form: [
					{ key: '5', label: '', isRequired: false },
					{ key: 'k', label: 'K', isRequired: true },
				],
			},
			{ templateVersion, templateID: 'b', inputs: [] },
		]);
		expect(found.map(nameOf)).toEqual(['7', 'a', 'b']);
		expect(logged).toEqual([expect.stringMatching(/^SignVerify: 5 templates or fields /)]);
	});

	test('has a path for each generation, the newer one being the default', async () => {
		const body = { responseData: [] };
		expect((await listIn(body, 'v1')).calls).toEqual([
			'GET https://sign.example.com/api/templates',
		]);
		expect((await listIn(body)).calls).toEqual(['GET https://sign.example.com/api/templates/v2']);
		expect(templateVersions).toEqual(['v2', 'v1']);
	});

	test.each<[string, unknown]>([
		['an answer without one', { success: true, responseData: { templates: {} } }],
		['an empty answer', { success: true }],
	])('is an error in %s', async (_name, body) => {
		await expect(listIn(body)).rejects.toMatchObject({
			message: expect.stringMatching(/ not an answer of the signing service$/) as string,
			description: 'Check the Base URL in the credential, its path included.',
		});
	});
});

describe('a template', () => {
	test('names its variables in form, or in inputs in the older generation', () => {
		expect(variablesOf(template({ form: [{ key: 'a' }] }))).toEqual([{ key: 'a' }]);
		expect(variablesOf(template({ inputs: [{ key: 'b' }] }))).toEqual([{ key: 'b' }]);
	});

	test('has one of two IDs, by which it is found', async () => {
		const both = template({ templateID: 'a', _id: '1' });
		const one = template({ templateID: '', _id: '2' });
		expect([both, one].map(idOf)).toEqual(['a', '2']);
		const { context } = standIn(({ options }) => ({
			body: { responseData: options.url.endsWith('/v2') ? [one] : [both] },
		}));
		const find = async (id: string) => (await findTemplate(new ServiceClient(context), id))?._id;
		expect([await find('a'), await find('1'), await find('2'), await find('b')]).toEqual([
			'1',
			'1',
			'2',
			undefined,
		]);
	});
});

describe('the places to sign', () => {
	test.each<[string, unknown, Array<[id: string, label: string]>]>([
		['have the words of their key', [{ key: 'employer' }], [['employer', 'Employer']]],
		[
			'without its hyphens',
			[{ key: 'the_new--tenant 2' }],
			[['the_new--tenant 2', 'The new tenant 2']],
		],
		['and spaces around it', [{ key: ' _owner_ ' }], [['_owner_', 'Owner']]],
		[
			'or their number',
			[{ key: '' }, {}, 'x'],
			[
				['1', 'Signatory 1'],
				['2', 'Signatory 2'],
				['3', 'Signatory 3'],
			],
		],
		[
			'where a key is there twice',
			[{ key: 'a' }, { key: 'a' }],
			[
				['a', 'A'],
				['2', 'Signatory 2'],
			],
		],
		[
			'which is not the key of another one',
			[{ key: 'a' }, { key: 'a' }, { key: '2' }, { key: '#2' }],
			[
				['a', 'A'],
				['##2', 'Signatory 2'],
				['2', '2'],
				['#2', '#2'],
			],
		],
		['where it has no words', [{ key: '--' }], [['--', 'Signatory 1']]],
		['are none in something else', 'employer', []],
	])('%s', (_name, signatories, slots) => {
		expect(slotsOf(template({ signatories }))).toEqual(slots.map(([id, label]) => ({ id, label })));
	});

	test('are read in no time, however many there are', () => {
		const signatories = Array.from({ length: 40_000 }, (_, index) => ({ key: `role ${index}` }));
		const begun = process.cpuUsage().user;
		expect(slotsOf(template({ signatories }))).toHaveLength(40_000);
		// 2.6 s when each key was looked for in the whole list.
		expect((process.cpuUsage().user - begun) / 1000).toBeLessThan(250);
	});

	test('are not listed by the older generation', () => {
		expect(slotsOf(template({ inputs: [] }))).toEqual([]);
	});
});
