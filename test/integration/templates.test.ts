import { action, loadContext, runAction } from '../support/contexts';
import { newProcess } from '../support/newProcess';
import { byId, failureOf, useService } from '../support/service';

const service = useService();
const getAll = { resource: 'template', operation: 'getAll', returnAll: true };

const seeds = (generation: 'v1' | 'v2') =>
	service.sandbox.templates().filter((each) => each.generation === generation);

describe('template / get', () => {
	test.each([
		['v2', '/templates/v2'],
		['v1', '/templates'],
	] as const)('%s gives the template with all that it has', async (version, path) => {
		for (const { templateID } of seeds(version)) {
			newProcess();
			service.sandbox.forgetRequests();
			const output = await runAction(service.credential(), {
				parameters: {
					resource: 'template',
					operation: 'get',
					templateVersion: version,
					templateId: byId(templateID),
				},
			});
			const call = service.sandbox.requests.at(-1);
			expect(call).toMatchObject({ method: 'GET', path, query: {}, body: undefined, status: 200 });
			expect(call?.headers.authorization).toBe(`Bearer ${call?.headers.token}`);
			expect(output).toHaveLength(1);
			const [item] = output;
			expect(item?.json).toMatchObject({ templateID, templateVersion: version });
			const lists = version === 'v2' ? ['form', 'formSignatory', 'signatories'] : ['inputs'];
			for (const list of lists) expect(Array.isArray(item?.json[list])).toBe(true);
			expect(item?.pairedItem).toEqual({ item: 0 });
		}
	});
});

describe('template / getAll', () => {
	test.each([
		['v2', '/templates/v2'],
		['v1', '/templates'],
	] as const)('%s gives one item for each template, with its fields', async (version, path) => {
		const output = await runAction(service.credential(), {
			parameters: { ...getAll, templateVersion: version },
		});
		const call = service.sandbox.requests.at(-1);
		expect(call).toMatchObject({ method: 'GET', path, query: {}, status: 200 });
		expect(call?.headers.authorization).toBe(`Bearer ${call?.headers.token}`);
		expect(output.map(({ json }) => json.templateID)).toEqual(
			seeds(version).map((each) => each.templateID),
		);
		for (const { json, pairedItem } of output) {
			expect(json).toMatchObject({ templateVersion: version, name: expect.any(String) as string });
			expect(Array.isArray(version === 'v2' ? json.form : json.inputs)).toBe(true);
			expect(pairedItem).toEqual({ item: 0 });
		}
	});

	test('both generations, marked', async () => {
		const output = await runAction(service.credential(), {
			parameters: { ...getAll, templateVersion: 'all' },
		});
		expect(output.map(({ json }) => json.templateVersion)).toEqual([
			...seeds('v2').map(() => 'v2'),
			...seeds('v1').map(() => 'v1'),
		]);
	});

	test('a limit, and filters by name and status', async () => {
		const run = async (parameters: object) =>
			(
				await runAction(service.credential(), {
					parameters: { ...getAll, templateVersion: 'all', ...parameters },
				})
			).map(({ json }) => json.name);
		expect(await run({ returnAll: false, limit: 2 })).toHaveLength(2);
		expect(await run({ filters: { name: 'EMPLOYMENT' } })).toEqual(['Employment contract']);
		const active = seeds('v2').filter((each) => each.status === 'ACTIVE');
		expect(active.length).toBeLessThan(seeds('v2').length);
		expect(await run({ filters: { status: 'ACTIVE' } })).toHaveLength(
			active.length + seeds('v1').length,
		);
	});
});

describe('the list of the "Template" field', () => {
	const search = async (templateVersion: string, filter?: string) =>
		(
			await action.methods.listSearch.searchTemplates.call(
				loadContext(service.credential(), {
					resource: 'document',
					operation: 'createFromTemplate',
					templateVersion,
				}),
				filter,
			)
		).results;

	test('shows names with descriptions, in order', async () => {
		const results = await search('v2');
		expect(results.map((each) => each.value).sort()).toEqual(
			seeds('v2')
				.map((each) => each.templateID)
				.sort(),
		);
		expect(results.map((each) => each.name)).toContain(
			'Employment contract – Permanent employment, signed by the new hire.',
		);
		expect(results.map((each) => each.name)).toEqual(
			results.map((each) => each.name).sort((a, b) => a.localeCompare(b)),
		);
	});

	test('says which templates are not active', async () => {
		const idle = seeds('v2').filter((each) => each.status !== 'ACTIVE');
		const found = await search('v2', '(not active)');
		expect(found.map(({ value }) => value)).toEqual(idle.map((each) => each.templateID));
	});

	test('says why it is empty', async () => {
		service.sandbox.faults.set({
			endpoint: 'GET /templates/v2',
			answer: { status: 200, body: { success: true, responseCode: 200, responseData: [] } },
		});
		expect((await failureOf(search('v2'))).message).toBe(
			'Template: the account has none of version 2; it may have some of version 1',
		);
		// A search that finds nothing explains itself.
		expect(await search('v2', 'lease')).toEqual([]);
	});

	test('lists the chosen version and filters', async () => {
		expect((await search('v1')).map((each) => each.value).sort()).toEqual(
			seeds('v1')
				.map((each) => each.templateID)
				.sort(),
		);
		expect((await search('v2', ' NEW HIRE ')).map((each) => each.value)).toEqual([
			'65f1c0de0000000000000201',
		]);
		expect(await search('v2', 'no such thing')).toEqual([]);
	});
});

describe('the mapped fields', () => {
	const load = async (templateVersion: string, id: string) =>
		await action.methods.resourceMapping.getTemplateFields.call(
			loadContext(service.credential(), {
				resource: 'document',
				operation: 'createFromTemplate',
				templateVersion,
				templateId: byId(id),
			}),
		);

	test.each(['v1', 'v2'] as const)(
		'of a %s template: label shown, key sent, required marked',
		async (version) => {
			for (const template of seeds(version)) {
				const { fields } = await load(version, template.templateID);
				expect(fields.map(({ id, displayName, required }) => [id, displayName, required])).toEqual(
					template.fields.map(({ key, label, isRequired }) => [key, label, isRequired]),
				);
			}
		},
	);

	test('without a template, or with one of the other version, the form says so', async () => {
		expect(await load('v2', '')).toEqual({
			fields: [],
			emptyFieldsNotice: 'Choose a template first.',
		});
		expect(await load('v1', '65f1c0de0000000000000201')).toEqual({
			fields: [],
			emptyFieldsNotice: 'The account has no v1 template with this ID.',
		});
	});
});
