import '../support/shortPauses';

import type { IDataObject } from 'n8n-workflow';

import { action, loadContext, runAction, trigger } from '../support/contexts';
import { withDocsLink } from '../support/errors';
import { byId, creationsAt, failureOf, useService, v2 } from '../support/service';
import { newProcess } from '../support/newProcess';
import { otherTemplate, wordsWith } from '../support/problemWords';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';

const service = useService();
const lists = { v2: 'GET /templates/v2', v1: 'GET /templates' } as const;
type Version = keyof typeof lists;

const seeds = (version: Version) =>
	service.sandbox.templates().filter((template) => template.version === version);
const idsOf = (version: Version) => seeds(version).map((template) => template.templateID);

/** The requests for lists of templates, in order. */
const listed = () =>
	service.sandbox.requests
		.map(({ method, path }) => `${method} ${path}`)
		.filter((endpoint) => endpoint.startsWith('GET /templates'));

const respondToList = (version: Version, status: number, body: IDataObject = {}) => {
	newProcess();
	service.sandbox.faults.set({ endpoint: lists[version], response: { status, body } });
};

const run = async (parameters: IDataObject) =>
	await runAction(service.credential(), { parameters: { resource: 'template', ...parameters } });

describe('Template: Get', () => {
	test.each(['v2', 'v1'] as const)('returns the entire template (%s)', async (version) => {
		for (const templateID of idsOf(version)) {
			newProcess();
			service.sandbox.forgetRequests();
			const form = { operation: 'get', templateId: byId(templateID) };
			const output = await run({ ...form, output: 'raw' });
			// The node reads both lists, because they can contain the same ID.
			expect(listed().sort()).toEqual([lists.v1, lists.v2]);
			expect(output).toHaveLength(1);
			const [item] = output;
			expect(item?.json.templateID).toBe(templateID);
			expect(item?.json).not.toHaveProperty('templateVersion');
			const parts = version === 'v2' ? ['form', 'formSignatory', 'signatories'] : ['inputs'];
			for (const part of parts) expect(Array.isArray(item?.json[part])).toBe(true);
			expect(item?.pairedItem).toEqual({ item: 0 });
			const [simplified] = await run(form);
			expect(simplified?.json).toMatchObject({
				templateId: templateID,
				templateVersion: version,
				fields: seeds(version)
					.find((template) => template.templateID === templateID)
					?.fields.map(({ key, label, isRequired }) => ({ key, label, isRequired })),
				questions: seeds(version)
					.find((template) => template.templateID === templateID)
					?.questions.map(({ key, label, isRequired }) => ({ key, label, isRequired })),
			});
		}
	});

	test('finds the template that was chosen in a web form', async () => {
		const [page] = await run({ operation: 'getAll', returnAll: true, output: 'webForm' });
		const fields = JSON.parse(String(page?.json.formFields)) as Array<{
			fieldName: string;
			fieldOptions: { values: Array<{ option: string }> };
		}>;
		expect(fields).toEqual([expect.objectContaining({ fieldName: 'template' })]);
		const options = fields.flatMap(({ fieldOptions }) => fieldOptions.values);
		const active = service.sandbox
			.templates()
			.filter(({ version, status }) => version === 'v1' || status === 'ACTIVE');
		expect(options).toHaveLength(active.length);
		const found = new Set<unknown>();
		for (const { option } of options) {
			const [item] = await run({ operation: 'get', templateId: { mode: 'name', value: option } });
			found.add(item?.json.templateId);
		}
		expect(found).toEqual(new Set(active.map(({ templateID }) => templateID)));
	});

	test('accepts a name only if exactly one template has it', async () => {
		const named = async (value: string) =>
			await run({ operation: 'get', templateId: { mode: 'name', value } });
		const [first] = seeds('v2').filter(({ status }) => status === 'ACTIVE');
		expect(await named(String(first?.name))).toMatchObject([
			{ json: { templateId: first?.templateID } },
		]);
		await expect(failureOf(named('No such contract'))).resolves.toMatchObject({
			message: expect.stringMatching(
				wordsWith(templateProblems.noneWithName('No such contract', '…').problem),
			),
		});
		respondToList('v2', 200, {
			success: true,
			responseCode: 200,
			responseData: {
				templates: ['a', 'b'].map((id) => ({
					_id: id,
					templateID: `the-lease-${id}`,
					name: 'Lease',
				})),
			},
		});
		await expect(failureOf(named('Lease'))).resolves.toMatchObject({
			message: expect.stringMatching(
				wordsWith(templateProblems.severalWithName('Lease', '…').problem),
			),
		});
		expect(await named('Lease (ID …ease-b)')).toMatchObject([
			{ json: { templateId: 'the-lease-b' } },
		]);
	});

	test('offers all templates in a web form, whatever the limit of the list is', async () => {
		const templates = Array.from({ length: 60 }, (_, index) => ({
			templateID: `lease-${index}`,
			name: `Lease ${index}`,
			status: 'ACTIVE',
			form: [],
		}));
		respondToList('v2', 200, { success: true, responseCode: 200, responseData: { templates } });
		respondToList('v1', 200, { success: true, responseCode: 200, responseData: { templates: [] } });
		const [page] = await run({ operation: 'getAll', output: 'webForm' });
		for (const { name } of templates) expect(page?.json.formFields).toContain(`"${name}"`);
	});

	test('refuses an empty list of templates for a web form, and blames the filter only if there is one', async () => {
		const form = { operation: 'getAll', output: 'webForm' };
		const filtered = { ...form, filters: { name: 'nowhere' } };
		await expect(failureOf(run(filtered))).resolves.toMatchObject({
			message: `Name Contains: ${templateProblems.noneActiveWithText.problem}`,
		});
		const templates = [{ templateID: 'lease', name: 'Lease', status: 'INACTIVE', form: [] }];
		respondToList('v2', 200, { success: true, responseCode: 200, responseData: { templates } });
		respondToList('v1', 200, { success: true, responseCode: 200, responseData: { templates: [] } });
		await expect(failureOf(run(form))).resolves.toMatchObject({
			message: `Output: ${templateProblems.noneActive.problem}`,
		});
	});
});

test("an ID that two templates share is refused before anything is sent, and the template's other ID works", async () => {
	const lease = { templateID: 'shared', _id: 'lease', name: 'Lease' };
	const sale = { templateID: 'sale', _id: 'shared', name: 'Sale' };
	const templates = [lease, sale].map((template) => ({ ...template, status: 'ACTIVE', form: [] }));
	respondToList('v2', 200, { success: true, responseCode: 200, responseData: { templates } });
	const parameters = { ...v2, templateId: byId('shared') };
	const names = ['"Lease" (version 2)', '"Sale" (version 2)'];
	const { problem, remedy, docsAnchor } = templateProblems.severalWithId('shared', names);
	expect(await failureOf(runAction(service.credential(), { parameters }))).toMatchObject({
		message: `Template: ${problem}`,
		description: withDocsLink(`${remedy} Nothing was sent.`, docsAnchor),
	});
	expect(creationsAt(service)).toEqual([]);
	const raw = await run({ operation: 'getAll', returnAll: true, output: 'raw' });
	expect(raw.map(({ json }) => [json.templateID, json._id])).toEqual(
		expect.arrayContaining([
			['shared', 'lease'],
			['sale', 'shared'],
		]),
	);
	expect(await run({ operation: 'get', templateId: byId('lease') })).toMatchObject([
		{ json: { name: 'Lease' } },
	]);
});

test("template / get returns the fields for the template's version even if the template also contains an empty list for the other version", async () => {
	const variable = { key: 'rent', type: 'text', isRequired: true, label: 'Rent' };
	const template = { templateID: 'lease', name: 'Lease' };
	const templates = {
		v1: { ...template, inputs: [variable], form: null },
		v2: { ...template, form: [variable], inputs: [] },
	};
	for (const version of ['v1', 'v2'] as const) {
		const other = version === 'v1' ? 'v2' : 'v1';
		respondToList(other, 200, { success: true, responseData: [] });
		respondToList(version, 200, { success: true, responseData: [templates[version]] });
		const [item] = await run({ operation: 'get', templateId: byId('lease') });
		expect(item?.json.fields).toEqual([{ key: 'rent', label: 'Rent', isRequired: true }]);
		service.sandbox.faults.clear();
	}
});

describe('Template: Get Many', () => {
	const getAll = { operation: 'getAll', returnAll: true };

	test("returns one item for each template of either version, with the template's fields", async () => {
		const output = await run(getAll);
		expect(listed().sort()).toEqual([lists.v1, lists.v2]);
		expect(output.map(({ json }) => json.templateId)).toEqual([...idsOf('v2'), ...idsOf('v1')]);
		const versions = [...seeds('v2').map(() => 'v2'), ...seeds('v1').map(() => 'v1')];
		expect(output.map(({ json }) => json.templateVersion)).toEqual(versions);
		expect(output.flatMap(({ json }) => json.questions)).not.toEqual([]);
		for (const { json, pairedItem } of output) {
			expect(json).toMatchObject({ name: expect.any(String) as string });
			expect(Array.isArray(json.fields)).toBe(true);
			expect(Array.isArray(json.roles)).toBe(true);
			expect(pairedItem).toEqual({ item: 0 });
		}
		const [found, ...others] = await run({
			...getAll,
			filters: { name: 'mployment\u00a0CONTR\u200b' },
		});
		expect(found?.json.name).toBe('Employment contract');
		expect(others).toEqual([]);
		const accented = await run({ ...getAll, filters: { name: 'émployment' } });
		expect(accented).toHaveLength(1);
		// Without case, accents, and apostrophes, nothing is left of this filter.
		expect(await run({ ...getAll, filters: { name: "'" } })).toEqual([]);
	});

	test('finds a template without a name by its ID, as the web form does', async () => {
		const templates = [{ templateID: 'lease-7', name: '', status: 'ACTIVE', form: [] }];
		respondToList('v2', 200, { success: true, responseCode: 200, responseData: { templates } });
		respondToList('v1', 200, { success: true, responseCode: 200, responseData: { templates: [] } });
		const form = { ...getAll, filters: { name: 'lease' } };
		expect(await run(form)).toMatchObject([{ json: { templateId: 'lease-7' } }]);
		const [page] = await run({ ...form, output: 'webForm' });
		expect(String(page?.json.formFields)).toContain('lease-7');
	});
});

describe('the list in the "Template" field', () => {
	const search = async (filter?: string) => {
		const form = { resource: 'document', operation: 'send' };
		const context = loadContext(service.credential(), form);
		return (await action.methods.listSearch.searchTemplates.call(context, filter)).results;
	};
	const loadTriggerTemplates = async () =>
		await trigger.methods.loadOptions.getTemplates.call(loadContext(service.credential(), {}));
	const namesOf = async (filter?: string) => (await search(filter)).map(({ name }) => name);

	test('shows the templates from both versions sorted by name, with inactive templates marked and listed last', async () => {
		const results = await search();
		expect(results.map((entry) => entry.value).sort()).toEqual(
			[...idsOf('v1'), ...idsOf('v2')].sort(),
		);
		const names = results.map(({ name }) => name);
		expect(names).toContain('Employment contract – Full-time employment, signed by the new hire.');
		const idle = seeds('v2').filter(({ status }) => status !== 'ACTIVE').length;
		const [active, inactive] = [names.slice(0, -idle), names.slice(-idle)];
		for (const part of [active, inactive]) {
			expect(part).toEqual([...part].sort((a, b) => a.localeCompare(b)));
		}
		expect(names.filter((name) => name.includes(' (status '))).toEqual(inactive);
		// The version is shown only if two templates could be mistaken for each other.
		expect(names.join()).not.toContain('version');
	});

	test('shows every status except ACTIVE', async () => {
		const statuses = ['ACTIVE', 'draft', 'Disabled', 'PAUSED', ''];
		const templates = statuses.map((status, index) => ({
			name: `Loan ${index}`,
			templateID: `t${index}`,
			form: [],
			status,
		}));
		respondToList('v2', 200, { success: true, responseData: { templates } });
		expect(await namesOf('loan')).toEqual([
			'Loan 0',
			'Loan 4',
			'Loan 1 (status DRAFT)',
			'Loan 2 (status DISABLED)',
			'Loan 3 (status PAUSED)',
		]);
	});

	test("shows a status without the account's key and tokens", async () => {
		const { apiKey } = service.credential().stored as { apiKey: string };
		const status = `Locked ${apiKey}`;
		const templates = [{ name: 'Loan K', templateID: 'k', form: [], status }];
		respondToList('v2', 200, { success: true, responseData: { templates } });
		expect(await namesOf('loan')).toEqual(['Loan K (status LOCKED …)']);
	});

	test('distinguishes two templates with the same name but shows a template only once if it is in both lists', async () => {
		// The two names look the same, but one of them contains a no-break space.
		const same = { name: 'Employment\u00a0contract', inputs: [] };
		const templates = [
			{ ...same, templateID: 'older' },
			{ ...same, templateID: v2.templateId.value },
		];
		respondToList('v1', 200, { success: true, responseData: { templates } });
		expect((await namesOf('employment contract')).slice(0, 2)).toEqual([
			'Employment contract – Full-time employment, signed by the new hire.',
			'Employment\u00a0contract (version 1)',
		]);
	});

	test('distinguishes templates with the same name and version by the end of their IDs', async () => {
		const same = { name: 'Lease', inputs: [] };
		const templates = ['65f1aaaaaa111111', '65f1aaaaaa222222', 'ab'].map((templateID) => ({
			...same,
			templateID,
		}));
		respondToList('v1', 200, { success: true, responseData: { templates } });
		expect(await namesOf('lease (')).toEqual([
			'Lease (ID …111111)',
			'Lease (ID …222222)',
			'Lease (ID ab)',
		]);
	});

	test('ignores accents in a search', async () => {
		const templates = [{ name: 'Contrato de año', templateID: 'a', inputs: [] }];
		respondToList('v1', 200, { success: true, responseData: { templates } });
		expect(await namesOf('ANO')).toEqual(['Contrato de año']);
	});

	test('searches names and descriptions', async () => {
		expect((await search(' NEW\u00a0HI\u200bRE ')).map((entry) => entry.value)).toEqual([
			v2.templateId.value,
		]);
		expect(await search('no such thing')).toEqual([]);
	});

	test('of the trigger shows the templates from both versions, even if two have the same ID, and saves all IDs of each', async () => {
		const same = { templateID: v2.templateId.value, name: 'Employment contract', inputs: [] };
		const templates = [
			{ ...same, _id: 'older' },
			{ ...same, name: 'Another' },
			{ _id: 'nameless', name: '' },
		];
		respondToList('v1', 200, { success: true, responseData: { templates } });
		const list = await loadTriggerTemplates();
		const ids = [...idsOf('v2'), same.templateID, 'nameless'];
		expect(list.map(({ value }) => String(value).split(',')[0]).sort()).toEqual(ids.sort());
		expect(list).toContainEqual({ name: 'nameless', value: 'nameless' });
		expect(list.filter(({ value }) => String(value).endsWith(',older'))).toHaveLength(1);
		const names = list.map(({ name }) => name);
		expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right)));
	});

	test.each([403, 500])(
		'fails rather than showing only one version if the other cannot be read (HTTP %d)',
		async (status) => {
			for (const version of ['v1', 'v2'] as const) {
				respondToList(version, status);
				expect((await failureOf(search())).message).toContain(`(HTTP ${status}`);
				expect((await failureOf(loadTriggerTemplates())).message).toContain(`(HTTP ${status}`);
				service.sandbox.faults.clear();
			}
		},
	);

	test('leaves out a version that the service does not offer, and explains an empty list', async () => {
		respondToList('v1', 404);
		expect(await namesOf()).toHaveLength(seeds('v2').length);
		respondToList('v2', 200, { success: true, responseCode: 200, responseData: [] });
		// The editor shows only the message, so it includes the remedy.
		expect((await failureOf(search())).message).toBe(
			`Template: ${valueProblems.nothingToSelect('template').problem}. Create one in your provider's account.`,
		);
		service.sandbox.faults.clear();
		respondToList('v1', 404);
		respondToList('v2', 404);
		expect((await failureOf(search())).message).toContain('check the path in the Base URL');
	});
});

describe.each(['v2', 'v1'] as const)('a discontinued template version (%s, HTTP 410)', (ended) => {
	const other = ended === 'v2' ? 'v1' : 'v2';
	// The node remembers which lists it has read for an account, but a 410 means that a list no longer
	// exists.
	test.each([
		['both lists already read', true],
		['no list read yet', false],
	])('does not affect the other version in the form (%s)', async (_name, wasRead) => {
		const context = (templateId = '') =>
			loadContext(service.credential(), { templateId: byId(templateId) });
		newProcess();
		if (wasRead) await action.methods.listSearch.searchTemplates.call(context(), '');
		service.sandbox.faults.set({
			endpoint: lists[ended],
			response: { status: 410, body: { success: false, responseCode: 410, message: 'Gone' } },
		});
		// Simulate that ten seconds have passed: the lists are read again, but the process still
		// remembers that there were two.
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
		const { results } = await action.methods.listSearch.searchTemplates.call(context(), '');
		expect(results.map(({ value }) => value).sort()).toEqual([...new Set(idsOf(other))].sort());
		const [id = ''] = idsOf(other);
		const { getTemplateFields, getSignatoryRoles } = action.methods.resourceMapping;
		const { fields } = await getTemplateFields.call(context(id));
		const [template] = seeds(other).filter(({ templateID }) => templateID === id);
		expect(fields.map((field) => field.id)).toEqual(template?.fields.map(({ key }) => key));
		const { fields: people } = await getSignatoryRoles.call(context(id));
		expect(people.length).toBeGreaterThan(1);
	});

	afterEach(() => jest.restoreAllMocks());
});

describe('a template', () => {
	/**
	 * Sends a document from a template with this status, or only checks the document, depending on the
	 * options. By default, the template has its usual fields.
	 */
	const send = async (status: string, options: IDataObject = {}, form?: IDataObject[]) => {
		const { templateID, name, fields, signaturePlaces } = seeds('v2').find(
			(template) => template.templateID === v2.templateId.value,
		)!;
		const template = {
			templateID,
			name,
			status,
			form: form ?? fields,
			signatories: signaturePlaces,
		};
		respondToList('v2', 200, { success: true, responseData: { templates: [template] } });
		return await runAction(service.credential(), { parameters: { ...v2, options } });
	};
	const created = () => service.sandbox.requests.filter(({ path }) => path.includes('create'));

	test('without fields causes an error before anything is sent if the form still contains fields', async () => {
		const error = await failureOf(send('ACTIVE', {}, []));
		expect(error.message.startsWith(`${otherTemplate}: `)).toBe(true);
		expect(error.description).toContain('Nothing was sent.');
		expect(created()).toEqual([]);
	});

	test('whose status makes the service refuse the document causes an error that nothing was sent', async () => {
		service.sandbox.faults.set({
			endpoint: 'POST /templates/createDocumentByTemplateV2',
			response: { status: 400, body: { success: false, message: 'Template is not active' } },
		});
		const error = await failureOf(send('Draft'));
		expect(error.message).toContain('Template is not active');
		expect(`${error.message} ${error.description}`).not.toContain('may have been created');
	});

	test.each([false, true])(
		'with an unknown status causes a warning (Never Send: %s)',
		async (on) => {
			const [item] = await send('Paused', { neverSend: on });
			expect(item?.json.warnings).toEqual([
				`Template: ${templateProblems.inactive('Employment contract', 'PAUSED').problem}. ${templateProblems.inactive('', '').remedy}`,
			]);
		},
	);

	test.each(['active', ''])('with the status "%s" does not cause a warning', async (status) => {
		const [item] = await send(status);
		expect(item?.json.warnings).toEqual([]);
	});
});

describe('the mapped fields', () => {
	const load = async (id: string) =>
		await action.methods.resourceMapping.getTemplateFields.call(
			loadContext(service.credential(), { templateId: byId(id) }),
		);

	test.each(['v1', 'v2'] as const)(
		'are shown by label, identified by key, and marked if required (%s template)',
		async (version) => {
			for (const template of seeds(version)) {
				const { fields } = await load(template.templateID);
				expect(fields.map(({ id, displayName, required }) => [id, displayName, required])).toEqual(
					template.fields.map(({ key, label, isRequired }) => [key, label, isRequired]),
				);
			}
		},
	);

	test.each(['', 'nothing'])(
		'are replaced by a notice if no template has the ID "%s"',
		async (id) => {
			expect(await load(id)).toEqual({
				fields: [],
				emptyFieldsNotice: 'Your account has no template with this ID or name.',
			});
		},
	);
});
