import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import {
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { canvasNode, nodePanel, openNodePanel, widenOutput } from '../../host/browser';
import { actionSteps, lineOf, toRealPeople } from '../../host/workflow';
import { derivedId } from '../../sandbox/util/ids';
import { root } from '../../scripts/tools';
import { signDocument } from '../operations/service';
import { allExamples } from '../support/exampleFiles';
import { filesIn } from '../support/files';
import { unknownIn } from '../support/parameters';
import { until } from '../support/until';
import { contentProblems } from '../../nodes/SignVerify/text/contentMistakes';
import { valueProblems } from '../../nodes/SignVerify/text/textProblems';
import { peopleProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { templateProblems } from '../../nodes/SignVerify/templateForm/templateProblems';
import { wordsWith } from '../support/problemWords';
import { useLoggedInBrowser } from './support/login';
import { screenshot } from './support/stage';
import { credentialId, loggedIn, republish, triggerName, triggerWorkflow } from './support/trigger';
import { untilEnded, sendAndWait, useWaiting, waitUntilVerified } from './support/wait';

// These tests check what only n8n's editor shows: lists, forms, errors, and what a node waits for.
const own = useWaiting('editor');
const { stage } = own;
const inBrowser = useLoggedInBrowser(stage);
// n8n reuses a list of templates for ten seconds, so import these before it loads one.
beforeAll(() => {
	const rent = { key: 'rent', type: 'text', isRequired: true, label: 'Rent' };
	const templates = [
		{ templateID: 'sale', name: 'Sale', form: [rent] },
		{ templateID: 'loan-a', name: 'Loan', form: [] },
		{ templateID: 'loan-b', name: 'Loan', form: [] },
	].map((template) => ({
		...{ _id: `_${template.templateID}`, status: 'ACTIVE', formSignatory: [] },
		...{ ...template, signatories: [{ key: 'tenant', type: 'signature' }] },
	}));
	expect(stage.sandbox.importTemplates(JSON.stringify(templates)).refused).toEqual([]);
});

function templateNamed(name: string) {
	const found = stage.sandbox.templates().find((template) => template.name.startsWith(name));
	if (!found) throw new Error(`The sandbox has no template "${name}".`);
	return found;
}

/** The calls that create a document, but not those whose token had expired, which the node repeats with a new one. */
const creations = () =>
	stage.sandbox.requests.filter(
		({ path: called, status }) => called.includes('createDocument') && status !== 401,
	);

async function edgesOf(element: Locator): Promise<{ left: number; right: number }> {
	const place = await element.boundingBox();
	if (!place) throw new Error('The element is not visible.');
	return { left: place.x, right: place.x + place.width };
}

const openWorkflow = async (id: string) => await inBrowser.show(`/workflow/${id}`);

async function storeNode(parameters: object, items?: IDataObject[]): Promise<string> {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const workflow = lineOf('Made by hand', [action('SignVerify', parameters as INodeParameters)]);
	if (items) workflow.pinData = { Start: items.map((json) => ({ json })) };
	return (await api.createWorkflow(workflow)).id;
}

/**
 * Opens a node in the editor. Without parameters, the node is like one that was just dropped on the canvas.
 */
async function openNode(parameters: object = {}, items?: IDataObject[]): Promise<Page> {
	const page = await openWorkflow(await storeNode(parameters, items));
	await openNodePanel(page, 'SignVerify');
	return page;
}

/** Counts what an open node asks: its credential, its fields, its options, and the list to add one from. */
async function controlsIn(page: Page): Promise<number> {
	const { byTestId } = nodePanel(page);
	const controls = ['node-credentials-select', 'collection-parameter-add'].map(byTestId);
	const fields = page.locator('[data-test-id="ndv"] [data-test-id^="parameter-input-"]');
	const all = [...controls, fields].map(
		async (found) => await found.filter({ visible: true }).count(),
	);
	return (await Promise.all(all)).reduce((sum, count) => sum + count, 0);
}

/** The value that the editor saves for a parameter whose fields come from the template. */
const mapped = (value: IDataObject) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: Object.keys(value).map((id) => ({
		id,
		displayName: id,
		type: 'string',
		required: true,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
	})),
});

/** A contract that can be sent, even in the editor. */
const contract = (employee: IDataObject = {}, fields: IDataObject = {}) => ({
	templateId: { __rl: true, mode: 'id', value: templateNamed('Employment contract').templateID },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
	signatoryRoles: mapped({
		'employee.name': 'Ada Lovelace',
		'employee.email': 'ada@example.com',
		...employee,
	}),
	fields: mapped({
		employee_name: 'Ada Lovelace',
		role: 'Analyst',
		start_date: '2027-02-01',
		...fields,
	}),
	...toRealPeople,
	options: {},
});

/** Renames a template in the service, as anyone in the account could. */
function rename({ templateID }: { templateID: string }, name: string): void {
	const templates = stage.sandbox
		.templates()
		.filter(({ version }) => version === 'v2')
		.map((template) => ({
			templateID: template.templateID,
			name: template.templateID === templateID ? name : template.name,
			status: template.status,
			form: template.fields,
			signatories: template.signaturePlaces,
		}));
	const body = { success: true, responseCode: 200, responseData: { templates } };
	stage.sandbox.faults.set({ endpoint: 'GET /templates/v2', response: { status: 200, body } });
}

test('a user can choose a template, fill in its fields and roles, check the document, send it, and see the output', async () => {
	// n8n would evaluate this name as an expression if the list contained it unchanged.
	const name = '={{ 1+1 }}';
	const { fields, signaturePlaces, templateID } = templateNamed('Mutual non-disclosure');
	rename({ templateID }, name);
	const page = await openNode();
	const { byTestId, input, list, openList } = nodePanel(page);
	const setSend = async (choice: string) => {
		await byTestId('parameter-input-inTestRuns').click();
		await page.getByRole('option', { name: new RegExp(`^${choice}`) }).click();
	};

	// Before a template is chosen, the form asks only for what a person can already answer.
	await list('templateId').waitFor();
	expect(await controlsIn(page)).toBeLessThanOrEqual(6);
	expect(await byTestId('resource-mapper-container').count()).toBe(0);

	await openList('templateId');
	await byTestId('rlc-item')
		.filter({ hasText: /Employment contract/ })
		.click();
	await input('employee_name').waitFor();
	// Optional fields are under "Add field".
	expect(await input('workplace').count()).toBe(0);
	// Choosing a different template replaces these fields.
	await openList('templateId');
	await byTestId('rlc-item').filter({ hasText: name }).click();
	await input('purpose').waitFor();
	const shown = await byTestId('resource-locator-templateId').locator('input').all();
	const texts = await Promise.all(shown.map(async (element) => await element.inputValue()));
	expect(texts).toContain(`'${name}`);
	expect(await input('employee_name').count()).toBe(0);

	// The form has a row for each role. The first one and what a test sends are visible without scrolling.
	const signer = signaturePlaces[0]?.key ?? '';
	for (const field of [input('inTestRuns'), input(`${signer}.name`)]) {
		const box = await field.boundingBox();
		expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThan(900);
	}
	const values: Record<string, string> = {};
	for (const { key, label } of fields) {
		values[key] = /date/i.test(label) ? '2027-03-01' : `The ${label}`;
		await input(key).fill(values[key]);
	}
	await input(`${signer}.email`).fill('ada@example.com');
	await input(`${signer}.name`).fill('Ada Lovelace');
	// This option allows the other role to be left empty. It does not remove the person who was entered.
	await byTestId('collection-parameter-add').first().click();
	await byTestId('collection-parameter-option').getByText('Leave Last Roles Empty').click();
	await byTestId('parameter-input-leaveLastRolesEmpty').waitFor();
	// n8n reloads the form with the roles when a user reopens the node.
	await byTestId('ndv-close-button').click();
	await openNodePanel(page, 'SignVerify');
	// No country is selected by default.
	// n8n can miss what is typed while it still loads the list.
	await openList('country');
	await byTestId('rlc-search').fill('cote d');
	await byTestId('rlc-item').filter({ hasText: 'Côte d’Ivoire' }).click();
	await page.screenshot({ path: screenshot('editor-fields') });

	// A new node only checks the document, so no one gets an email.
	const before = creations().length;
	const documents = stage.sandbox.documents().length;
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('nothing', { exact: true }).waitFor();
	await page.getByText('Nothing was sent, because this is a test.', { exact: true }).waitFor();
	expect(creations()).toHaveLength(before);
	expect(stage.sandbox.documents()).toHaveLength(documents);

	await setSend('Send to the Real People');
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').waitFor();
	await page.screenshot({ path: screenshot('editor-output') });
	expect(
		creations()
			.slice(before)
			.map(({ body }) => body),
	).toEqual([
		{
			templateID,
			country: 'Côte d’Ivoire',
			inputs: values,
			signatories: [{ email: 'ada@example.com', name: 'Ada Lovelace' }],
		},
	]);
	expect(stage.sandbox.documents()).toHaveLength(documents + 1);
});

test("a reopened node shows the template's current fields and roles, and keeps the values entered before", async () => {
	const page = await openNode({
		...contract(),
		signatoryRoles: mapped({ 'employee.name': 'Ada Lovelace', 'former.name': 'Grace' }),
		fields: mapped({ employee_name: 'Ada', former: 'Clerk' }),
	});
	const { input } = nodePanel(page);
	for (const name of ['role', 'employee.email']) await input(name).waitFor();
	expect(await input('employee_name').inputValue()).toBe('Ada');
	expect(await input('employee.name').inputValue()).toBe('Ada Lovelace');
	for (const name of ['former', 'former.name']) expect(await input(name).count()).toBe(0);
});

test('a node whose workflow maps all fields with one expression shows the expression, but not the choice, and does not report that it cannot load the fields', async () => {
	const values = { employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-02-01' };
	const templateId = contract().templateId.value;
	const items = [{ template: templateId, fields: values }];
	const template = { __rl: true, mode: 'id', value: '={{ $json.template }}' };
	const saved = { ...contract(), fields: {}, specifyFields: 'expression', templateId: template };
	const page = await openNode(saved, items);
	const { byTestId } = nodePanel(page);
	await byTestId('parameter-input-fieldsObject').waitFor();
	expect(await byTestId('parameter-input-specifyFields').count()).toBe(0);
	await page.waitForTimeout(1000);
	expect(await page.getByText(/Can't get/).count()).toBe(0);
	await page.screenshot({ path: screenshot('editor-fields-expression') });
	const before = creations().length;
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').waitFor();
	expect(creations().slice(before)).toMatchObject([{ body: { inputs: values } }]);
});

// If this test fails because the fields change, n8n reloads them after all, and the template's description can be shorter.
test("a node with an expression keeps the former template's fields until it is reopened, and the error names the next step", async () => {
	const { templateID: value, name: cachedResultName } = templateNamed('Employment contract');
	const page = await openNode({
		...contract(),
		templateId: { __rl: true, mode: 'list', value, cachedResultName },
		// Without input data, the editor can't evaluate this expression. The node can.
		options: { sendOnceKey: "={{ $json.number || 'C-1' }}" },
	});
	const { byTestId, input, openList } = nodePanel(page);
	await input('employee_name').waitFor();
	await openList('templateId');
	await byTestId('rlc-item')
		.filter({ hasText: /Mutual non-disclosure/ })
		.click();
	await page.waitForTimeout(3000);
	expect(await input('employee_name').count()).toBe(1);
	await page.screenshot({ path: screenshot('editor-other-template') });

	const before = creations().length;
	await byTestId('node-execute-button').click();
	const message = byTestId('node-error-message').first();
	await message.waitFor();
	expect(await message.innerText()).toBe(
		"The template doesn't have these fields: Name (employee), Email (employee)",
	);
	await page.screenshot({ path: screenshot('editor-other-template-error') });
	expect(creations()).toHaveLength(before);

	await page.keyboard.press('Escape');
	await openNodePanel(page, 'SignVerify');
	await input('purpose').waitFor();
	expect(await input('employee_name').count()).toBe(0);
});

// The examples' notes have users run the form first, so that the node doesn't have to be reopened.
test('a node with an expression shows the fields of a newly selected template right away if the nodes before it have data', async () => {
	const { templateID: value, name: cachedResultName } = templateNamed('Employment contract');
	const parameters = {
		...contract(),
		templateId: { __rl: true, mode: 'list', value, cachedResultName },
		options: { sendOnceKey: '={{ $json.number }}' },
	};
	const page = await openNode(parameters, [{ number: 'C-1' }]);
	const { byTestId, input, openList } = nodePanel(page);
	await input('employee_name').waitFor();
	await openList('templateId');
	await byTestId('rlc-item')
		.filter({ hasText: /Mutual non-disclosure/ })
		.click();
	await input('purpose').waitFor();
	expect(await input('employee_name').count()).toBe(0);
});

test("a template that a user selects in the trigger's filter is saved with all of its IDs, and the workflow can be published", async () => {
	const { api } = stage.n8n;
	const { templateID } = templateNamed('Employment contract');
	const all = `${templateID},${derivedId(templateID)}`;
	const form = { events: ['signDocument'], filters: { templates: [] } };
	const workflow = triggerWorkflow('Filtered', form, await credentialId(api));
	const { id } = await api.createWorkflow(workflow);
	const page = await openWorkflow(id);
	const loaded = page.waitForResponse((response) =>
		response.url().includes('dynamic-node-parameters'),
	);
	await openNodePanel(page, triggerName);
	await loaded;
	const field = nodePanel(page).byTestId('parameter-input-templates');
	await field.click();
	await page.getByRole('option', { name: /^Employment contract/ }).click();
	await page.keyboard.press('Escape');
	let templates: unknown;
	await until('n8n has saved the template', async () => {
		const { nodes } = await api.getWorkflow(id);
		const { filters } = nodes.find(({ name }) => name === triggerName)?.parameters ?? {};
		templates = (filters as IDataObject).templates;
		return [templates].flat().length > 0;
	});
	expect(templates).toEqual([all]);
	await page.screenshot({ path: screenshot('editor-template-filter') });
	await republish(api, id, { ...form, filters: { templates: [all] } });
	await api.deleteWorkflow(id);
	await until('the webhook is removed', () => stage.sandbox.webhooks().length === 0);
});

test('a user can paste an example file onto the empty canvas', async () => {
	const page = await inBrowser.show('/home/workflows');
	await page.getByRole('button', { name: 'Create workflow' }).click();
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const { text, workflow } = allExamples.find(({ name }) => name === 'check-webhooks')!;
	await page.getByText('Add first step').first().waitFor();
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.keyboard.press('ControlOrMeta+v');
	for (const { name, type } of workflow.nodes) {
		if (!type.endsWith('.stickyNote')) await canvasNode(page, name).waitFor();
	}
	expect(await page.locator('[data-test-id="sticky"]').count()).toBe(1);
	await page.screenshot({ path: screenshot('editor-pasted') });
});

test('the editor keeps every setting of the examples when a user opens them', async () => {
	const client = await loggedIn(stage.n8n.url, stage.owner);
	const types = await client.call<INodeTypeDescription[]>('GET', '/../types/nodes.json');
	const typeOf = ({ type, typeVersion }: INode) =>
		types.find(({ name, version }) => name === type && [version].flat().includes(typeVersion))!;
	// The editor leaves out parameters that the form doesn't show, such as a filter of a sheet that isn't selected.
	const lost = allExamples.flatMap(({ name: example, workflow }) =>
		workflow.nodes.flatMap((node) => {
			const type = typeOf(node);
			const shown = { ...node, parameters: { ...node.parameters } };
			const kept = NodeHelpers.getNodeParameters(
				type.properties,
				node.parameters,
				true,
				false,
				shown,
				type,
			);
			return unknownIn(node.parameters, kept, `${example}, ${node.name}`);
		}),
	);
	expect(lost).toEqual([]);
});

test('the credential form does not offer a field for allowed domains, because the token is sent only to the Base URL', async () => {
	const page = await inBrowser.show('/home/credentials');
	await page.getByText('SignVerify sandbox').first().click();
	const form = page.locator('#app-modals');
	await form.getByText('Requests per Second').first().waitFor();
	expect(await form.innerText()).not.toMatch(/domains/i);
});

// The messages themselves are tested in test/integration. This test checks how n8n displays one of them.
test('the editor reports invalid input with an error that names the field and the next step', async () => {
	const page = await openNode(contract({}, { role: '{{ $json.role }}' }));
	const { byTestId } = nodePanel(page);
	await byTestId('node-execute-button').click();
	const { problem, remedy } = valueProblems.typedExpression;
	const message = `Job title: ${problem}`;
	const toast = page.locator('.el-notification').filter({ hasText: 'SignVerify' }).first();
	await toast.waitFor();
	expect((await toast.innerText()).replace(/\n+/g, '\n')).toBe(
		`Problem in node ‘SignVerify‘\n${message}`,
	);
	const said = byTestId('output-panel').locator('[data-test-id="node-error-description"]').first();
	expect(await byTestId('node-error-message').first().innerText()).toBe(message);
	expect(await said.innerText()).toBe(`${remedy} Nothing was sent.`);
});

describe("a node's options", () => {
	const nodeIn = async (id: string, name: string) =>
		(await stage.n8n.api.getWorkflow(id)).nodes.find((node) => node.name === name);

	/** Waits until n8n has saved these options. Then a user reloads the page and opens the node again. */
	async function savedAndReopened(id: string, name: string, options: IDataObject): Promise<Page> {
		await until('n8n has saved the options', async () =>
			isDeepStrictEqual((await nodeIn(id, name))?.parameters.options, options),
		);
		const page = await openWorkflow(id);
		await page.reload();
		await openNodePanel(page, name);
		return page;
	}

	async function addOption(page: Page, name: string, label: string): Promise<void> {
		const { byTestId } = nodePanel(page);
		await byTestId('collection-parameter-add').last().click();
		await byTestId('collection-parameter-option').getByText(label).click();
		await byTestId(`parameter-input-${name}`).waitFor();
	}

	test('stay as they are if a user adds one, reloads the page, and selects another operation', async () => {
		const options = { sendOnceKey: "={{ 'C-1' }}" };
		const id = await storeNode({ ...contract(), options });
		const page = await openWorkflow(id);
		await openNodePanel(page, 'SignVerify');
		await addOption(page, 'includeInput', 'Include Input Fields');
		const all = { ...options, includeInput: true };
		const again = await savedAndReopened(id, 'SignVerify', all);
		const { byTestId } = nodePanel(again);
		for (const name of Object.keys(all)) await byTestId(`parameter-input-${name}`).waitFor();
		expect(await byTestId('collection-parameter-add').count()).toBe(1);

		const operation = byTestId('parameter-input-operation');
		await operation.click();
		await again.getByRole('option', { name: /^Send for Signature and Wait/ }).click();
		await byTestId('parameter-input-limitWaitTime').waitFor();
		await until(
			'n8n has saved the operation',
			async () => (await nodeIn(id, 'SignVerify'))?.parameters.operation === 'sendAndWait',
		);
		await savedAndReopened(id, 'SignVerify', all);
		for (const name of Object.keys(all)) await byTestId(`parameter-input-${name}`).waitFor();
	});

	test('stay as they are in the trigger, which offers only those that fit its output', async () => {
		const { api } = stage.n8n;
		const workflow = triggerWorkflow('Options', { options: {} }, await credentialId(api));
		const { id } = await api.createWorkflow(workflow);
		const page = await openWorkflow(id);
		await openNodePanel(page, triggerName);
		await addOption(page, 'oneItemPerPerson', 'One Item per Person');
		const options = { oneItemPerPerson: true };
		const again = await savedAndReopened(id, triggerName, options);
		const { byTestId } = nodePanel(again);
		await byTestId('parameter-input-oneItemPerPerson').waitFor();
		// One for the filters, and one for the options.
		expect(await byTestId('collection-parameter-add').count()).toBe(2);
		await addOption(again, 'output', 'Output');
		await byTestId('parameter-input-output').click();
		await again.getByRole('option', { name: /^Raw/ }).click();
		await byTestId('parameter-input-oneItemPerPerson').waitFor({ state: 'hidden' });
		await again.screenshot({ path: screenshot('trigger-raw') });
	});

	// n8n replaces such a value with an empty object before a node runs, so the options would be ignored without a word.
	test('are an error that names them if they are an expression, JSON text or a list, and so are filters', async () => {
		const { api } = stage.n8n;
		const before = creations().length;
		const neverSend = '={{ ({ neverSend: true }) }}';
		const page = await openNode({ ...contract(), options: neverSend });
		await nodePanel(page).byTestId('node-execute-button').click();
		const message = nodePanel(page).byTestId('node-error-message').first();
		await message.waitFor();
		expect(await message.innerText()).toMatch(/^Options: can't be /);
		await page.screenshot({ path: screenshot('options-expression') });

		const errorOf = async (parameters: object) =>
			(await untilEnded(api, await api.run(await storeNode(parameters), 'Start'))).error?.message;
		for (const options of ['{ "neverSend": true }', [{ neverSend: true }]])
			expect(await errorOf({ ...contract(), options })).toMatch(/^Options: can't be /);
		const templates = { resource: 'template', operation: 'getAll' };
		expect(await errorOf({ ...templates, filters: '={{ ({ name: "Sale" }) }}' })).toMatch(
			/^Filters: can't be /,
		);
		expect(creations()).toHaveLength(before);

		const form = { events: ['signDocument'], filters: '={{ ({ templates: ["lease"] }) }}' };
		const workflow = triggerWorkflow('Filtered', form, await credentialId(api));
		const { id } = await api.createWorkflow(workflow);
		await expect(api.publish(id)).rejects.toThrow(/Filters: can't be /);
	});
});

/**
 * Opens a new node and its list of templates until the list contains an element. For a few seconds, n8n still
 * has the list that it has loaded before.
 */
async function openedList(element: string): Promise<Page> {
	return await until(`the list contains ${element}`, async () => {
		const page = await openNode();
		const { byTestId, list } = nodePanel(page);
		await list('templateId').click();
		const isThere = await byTestId(element)
			.first()
			.waitFor({ timeout: 5000 })
			.then(
				() => true,
				() => false,
			);
		if (isThere) return page;
		return undefined;
	});
}

test("a user can type a template's name, and the form then shows the fields of this template, or why there is none", async () => {
	const names = '"Loan (ID loan-a)", "Loan (ID loan-b)"';
	const reason = templateProblems.severalWithName('Loan', names).problem;
	const page = await openNode({
		...contract(),
		templateId: { __rl: true, mode: 'name', value: '' },
		specifySignatories: 'oneByOne',
	});
	const { byTestId, input } = nodePanel(page);
	const typed = byTestId('resource-locator-templateId').locator('input').last();
	await typed.waitFor();
	expect(await byTestId('resource-mapper-container').count()).toBe(0);
	for (const [name, isFound] of [
		['SALE', true],
		['Loan', false],
		['sale', true],
	] as const) {
		await typed.fill(name);
		await input('rent').waitFor({ state: isFound ? 'visible' : 'detached' });
		if (!isFound) await byTestId('resource-mapper-container').getByText(reason).waitFor();
	}
});

test('a list that cannot be loaded shows the reason and the next step', async () => {
	const body = { success: true, responseCode: 200, responseData: { templates: [] } };
	const endpoints = ['GET /templates', 'GET /templates/v2'] as const;
	const undo = endpoints.map((endpoint) =>
		stage.sandbox.faults.set({ endpoint, response: { status: 200, body } }),
	);
	const page = await openedList('rlc-error-container');
	const shown = nodePanel(page).byTestId('rlc-error-container');
	const { problem } = valueProblems.nothingToSelect('template');
	expect(await shown.innerText()).toContain(`Template: ${problem}`);
	expect(await shown.innerText()).toContain("Create one in your provider's account.");
	await page.screenshot({ path: screenshot('editor-list-error') });
	undo.forEach((end) => end());
	await openedList('rlc-item');
});

test.each([
	[
		'Parameter "Template" is required.',
		() => ({ ...contract(), templateId: { __rl: true, mode: 'list', value: '' } }),
	],
	['Field "employee.name" is required', () => contract({ 'employee.name': '' })],
])('n8n itself rejects an empty required field: %s', async (words, parameters) => {
	const page = await openNode(parameters());
	const { byTestId } = nodePanel(page);
	// Once n8n has loaded the fields, it marks the required ones that are empty.
	await byTestId('parameter-issues').first().waitFor();
	await byTestId('node-execute-button').click();
	const toast = page.locator('.el-notification').first();
	await toast.waitFor();
	expect(await toast.innerText()).toContain(`The 'SignVerify' node has issues:`);
	expect(await toast.innerText()).toContain(words);
});

test('the editor shows all errors in the second of three items, and nothing is sent', async () => {
	const right = { country: 'Mexico', email: 'bob@example.com', role: 'Analyst' };
	const wrong = { country: '', email: 'ada' };
	const form = contract({ 'employee.email': '={{ $json.email }}' }, { role: '={{ $json.role }}' });
	const country = { __rl: true, mode: 'name', value: '={{ $json.country }}' };
	const before = creations().length;
	const other = { ...right, email: 'cyd@example.com' };
	const page = await openNode({ ...form, country }, [right, wrong, other]);
	await nodePanel(page).byTestId('node-execute-button').click();
	const error = page.locator('[data-test-id="output-panel"] .node-error-view').first();
	await error
		.getByText(/^Nothing was sent, because 1 of 3 items has a problem\.$/)
		.first()
		.waitFor();
	await page.screenshot({ path: screenshot('editor-error') });
	const shown = (await error.innerText()).replace(/\s+/g, ' ');
	expect(shown).toMatch(
		wordsWith(
			`Item 2: Country: … Item 2: Email (employee): ${valueProblems.notEmail('ada').problem}. … Item 2: Job title: `,
		),
	);
	const said = error.locator('[data-test-id="node-error-description"]').first();
	expect((await said.innerText()).split('\n')).toEqual([
		expect.stringMatching(/^Item 2: Country: /),
		expect.stringMatching(/^Item 2: Email \(employee\): /),
		expect.stringMatching(/^Item 2: Job title: .* More about this error$/),
	]);
	expect(await said.getByRole('link').getAttribute('href')).toMatch(
		/docs\/troubleshooting\.md#a-list-failed$/,
	);
	expect(shown).not.toMatch(/\bitem 0\b/i);
	expect(creations()).toHaveLength(before);
});

test('words in place of a date and a country that is not in the list are sent as they are, and "undefined" is not sent', async () => {
	const items = ['Upon signature', 'undefined'].map((start) => ({ start }));
	const country = { __rl: true, mode: 'name', value: 'State of Israel' };
	const before = creations().length;
	const form = {
		...contract({}, { start_date: '={{ $json.start }}', role: "={{ new Date('2027-02-01') }}" }),
		country,
	};
	const page = await openNode(form, items.slice(0, 1));
	await nodePanel(page).byTestId('node-execute-button').click();
	const output = page.locator('[data-test-id="output-panel"]');
	const { problem } = peopleProblems.unknownCountry('State of Israel');
	await output.getByText(problem).first().waitFor();
	const shown = (await output.innerText()).replace(/\s+/g, ' ');
	expect(shown).not.toContain('Item 1');
	expect(creations().slice(before)).toMatchObject([
		{
			body: {
				country: 'State of Israel',
				inputs: { start_date: 'Upon signature', role: '2027-02-01' },
			},
		},
	]);

	const refused = await openNode(form, items.slice(1));
	await nodePanel(refused).byTestId('node-execute-button').click();
	await refused
		.locator('[data-test-id="output-panel"] .node-error-view')
		.getByText('Start date: contains "undefined"')
		.first()
		.waitFor();
	expect(creations()).toHaveLength(before + 1);
});

describe('a list of ten people with four values that are wrong and two that look wrong', () => {
	const right = Array.from({ length: 10 }, (_, index) => ({
		name: `Person ${index + 1}`,
		email: `person-${index + 1}@example.com`,
		role: 'Analyst',
		start: '2027-02-01',
	}));
	const mistakes: Record<number, IDataObject> = {
		1: { name: 'Ana undefined' },
		3: { email: '"ana@example.com"' },
		4: { start: '46054' },
		6: { role: '#REF!' },
		7: { role: 'Analyst ${level}' },
		9: { start: 'Invalid DateTime' },
	};
	const people = right.map((person, index) => ({ ...person, ...mistakes[index] }));
	const form = () =>
		contract(
			{ 'employee.name': '={{ $json.name }}', 'employee.email': '={{ $json.email }}' },
			{ role: '={{ $json.role }}', start_date: '={{ $json.start }}' },
		);

	test('yields what looks wrong if the output of "Never Send" and "Send Despite Warnings" is filtered for warnings', async () => {
		const { api } = stage.n8n;
		const action = await actionSteps(api);
		const check = action('SignVerify', {
			...form(),
			options: { neverSend: true, sendDespiteWarnings: true },
		} as unknown as INodeParameters);
		const condition = {
			id: 'has-warnings',
			leftValue: '={{ $json.warnings?.length }}',
			rightValue: 0,
			operator: { type: 'number', operation: 'gt' },
		};
		const options = { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'loose' };
		const filter = {
			name: 'To check',
			type: 'n8n-nodes-base.filter',
			typeVersion: 2.2,
			parameters: {
				conditions: { options, combinator: 'and', conditions: [condition] },
				options: {},
			},
		};
		const workflow = lineOf('Ten people', [{ ...check, onError: 'continueRegularOutput' }, filter]);
		workflow.pinData = { Start: people.map((json) => ({ json })) };
		const before = creations().length;
		const page = await openWorkflow((await api.createWorkflow(workflow)).id);
		await openNodePanel(page, 'To check');
		await nodePanel(page).byTestId('node-execute-button').click();
		const output = page.locator('[data-test-id="output-panel"]');
		await output.getByText("looks like a spreadsheet's number for a date").first().waitFor();
		await page.screenshot({ path: screenshot('content-warnings') });
		const shown = (await output.innerText()).replace(/\s+/g, ' ');
		expect(shown).toContain('2 items');
		expect(shown).toContain(contentProblems.placeholder.problem('${level}'));

		const checked = await openNode({ ...form(), options: { neverSend: true } }, right);
		await nodePanel(checked).byTestId('node-execute-button').click();
		await checked.locator('[data-test-id="output-panel"]').getByText('warnings').first().waitFor();
		expect(creations()).toHaveLength(before);
	});

	test('begins in the output with the person and the values, which are visible in a window of 1,440 pixels once the output is wider', async () => {
		const options = { sendOnceKey: '={{ $json.email }}', neverSend: true };
		const page = await openNode({ ...form(), options }, right);
		await page.setViewportSize({ width: 1440, height: 900 });
		await nodePanel(page).byTestId('node-execute-button').click();
		const output = page.locator('[data-test-id="output-panel"]');
		await output.getByText('Table', { exact: true }).click();
		await output.getByText('person-1@example.com').first().waitFor();
		const headed = async (name: string) => await edgesOf(output.locator('th', { hasText: name }));
		for (const name of ['signatories', 'fields']) {
			expect((await headed(name)).left).toBeLessThan((await edgesOf(output)).right);
		}
		await widenOutput(page);
		await page.screenshot({ path: screenshot('list-at-1440') });
		expect((await headed('fields')).right).toBeLessThan((await edgesOf(output)).right);
	});

	test('is not sent if "On Error" is set to "Stop Workflow", and the error lists all mistakes', async () => {
		const before = creations().length;
		const page = await openNode(form(), people);
		await nodePanel(page).byTestId('node-execute-button').click();
		const error = page.locator('[data-test-id="output-panel"] .node-error-view').first();
		await error
			.getByText(/^Nothing was sent, because 6 of 10 items have a problem/)
			.first()
			.waitFor();
		await page.screenshot({ path: screenshot('content-errors') });
		const shown = (await error.innerText()).replace(/\s+/g, ' ');
		for (const words of [
			`Item 2: Name (employee): "Ana undefined" ${contentProblems.noValue.problem('undefined')}`,
			`Item 4: Email (employee): ${valueProblems.notEmail('"ana@example.com"').problem}`,
			`Item 5: Start date: `,
			`Item 7: Job title: ${contentProblems.spreadsheetError.problem('#REF!')}`,
			`Item 10: Start date: ${contentProblems.noValue.problem('Invalid DateTime')}`,
		]) {
			expect(shown).toContain(words);
		}
		expect(creations()).toHaveLength(before);
	});
});

describe('the output of a node that has not run yet', () => {
	/**
	 * Returns the schema that n8n serves to its editor. If the request fails, returns the status of the
	 * response.
	 */
	async function served(node: string, version: string, file: string): Promise<unknown> {
		const address = `${stage.n8n.url}/schemas/n8n-nodes-signverify.${node}/${version}${file}.json`;
		const response = await fetch(address);
		return response.ok ? await response.json() : response.status;
	}

	test('has a schema that n8n serves for each operation and for the trigger', async () => {
		const folder = path.join(root, 'nodes/SignVerify/__schema__');
		const files = filesIn(folder);
		expect(files).toHaveLength(13);
		for (const file of files) {
			const [, version = '', rest = ''] = /^v(\d+\.\d+\.\d+)(.*)\.json$/.exec(file) ?? [];
			const node = rest ? 'signVerify' : 'signVerifyTrigger';
			const schema: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
			expect([file, await served(node, version, rest)]).toEqual([file, schema]);
		}
		expect(await served('signVerify', '1.0.0', '/document/none')).toBe(404);
	});

	test('appears with its usual fields in the next node', async () => {
		const { api } = stage.n8n;
		const action = await actionSteps(api);
		const next = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
		const line = lineOf('Not run yet', [action('SignVerify', { operation: 'sendAndWait' }), next]);
		const page = await openWorkflow((await api.createWorkflow(line)).id);
		await openNodePanel(page, 'Next');
		const panel = page.locator('[data-test-id="ndv-input-panel"]');
		await panel.getByText('Usually outputs the following fields').first().waitFor();
		await panel.getByText('documentId', { exact: true }).first().waitFor();
	});
});

describe('a waiting node', () => {
	/** Runs a workflow in the editor until it waits, and opens the waiting node. */
	async function watch(parameters: INodeParameters) {
		const id = await storeNode(parameters);
		const page = await openWorkflow(id);
		await canvasNode(page, 'SignVerify').waitFor();
		await nodePanel(page).byTestId('execute-workflow-button').click();
		const execution = await until('the execution waits', async () => {
			const [latest] = await own.n8n.api.executions({ workflowId: id });
			return latest?.status === 'waiting' ? latest.id : undefined;
		});
		await openNodePanel(page, 'SignVerify');
		const output = page.locator('[data-test-id="output-panel"]');
		return { page, execution, shown: (text: string) => output.getByText(text, { exact: true }) };
	}

	test('shows the document and the people it is waiting for, and then the event', async () => {
		const { page, execution, shown } = await watch(sendAndWait(stage.sandbox));
		await shown('The workflow continues once everyone has signed').waitFor();
		const people = [0, 1].map((at) => `Person number ${at} (person-${at}@example.com)`).join(', ');
		const title = 'Mutual non-disclosure agreement';
		await shown(`Waiting for "${title}", to be signed by ${people}`).waitFor();
		await page.screenshot({ path: screenshot('wait-document') });
		await signDocument(stage.sandbox, own.lastDocument());
		await untilEnded(own.n8n.api, execution);
		await shown('completedDocument').waitFor();
	});

	test('shows the person whose verification it is waiting for, and then the result', async () => {
		const { execution, shown } = await watch(
			await waitUntilVerified(stage.sandbox, 'ana@example.com'),
		);
		await shown('The workflow continues once the result of the verification is in').waitFor();
		await shown('Waiting for the verification of ana@example.com').waitFor();
		const request = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
		await stage.sandbox.completeIdentity(request, 'pass');
		await untilEnded(own.n8n.api, execution);
		await shown(request).first().waitFor();
	});
});

/** Search terms from a user who knows neither the node's name nor the service's name. */
const officeWords = [
	'sign document',
	'sign pdf',
	'send document',
	'send contract',
	'signed',
	'document signed',
	'wait for signature',
	'download signed',
	'ID check',
	'electronic signature',
	'digital signature',
	'e-signature',
	'verify identity',
	'identity verification',
	'KYC',
	'lease',
	'send NDA',
	'send offer letter',
	'sign consent form',
	// The node picker shows a node and its trigger as one entry, and searches only the node's own words.
	'document signed trigger',
	'lease signed',
	'NDA trigger',
	// n8n finds only a word or phrase whose characters occur in this order in one of the node's aliases, so an alias is
	// a whole phrase.
	'send contract for signature',
	'send a document for signature',
	'sign a contract',
	'contract signed',
	'get contract signed',
	'when contract is signed',
	'request signature',
];

test('the node picker finds the nodes by everyday words for signing and verifying, and begins with sending', async () => {
	const { id } = await stage.n8n.api.createWorkflow(lineOf('Nothing in it yet', []));
	const page = await openWorkflow(id);
	const { byTestId } = nodePanel(page);
	await byTestId('node-creator-plus-button').first().click();
	const search = byTestId('node-creator-search-bar').first();
	const missed: string[] = [];
	await search.fill('SignVerify');
	// n8n shows the trigger's description for both nodes.
	await page.getByText(/^Send contracts for signature/).waitFor();
	for (const words of officeWords) {
		await search.fill(words);
		// The list is updated a moment after the user types.
		const found = byTestId('node-creator-item-name').getByText('SignVerify', { exact: true });
		const isThere = found.first().waitFor({ timeout: 5000 });
		await isThere.catch(() => missed.push(words));
		await search.fill('');
		await found.first().waitFor({ state: 'hidden' });
	}
	expect(missed).toEqual([]);
});
