import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { actionSteps, lineOf } from '../../host/workflow';
import { root } from '../../scripts/tools';
import { screenshot, useStage } from './support/stage';

const stage = useStage('editor');
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(async () => await browser?.close());

function templateNamed(name: string) {
	const found = stage.sandbox.templates().find((each) => each.name.startsWith(name));
	if (!found) throw new Error(`The sandbox has no template "${name}".`);
	return found;
}

const oneByOne = {
	signatoriesFrom: 'form',
	country: { __rl: true, mode: 'name', value: 'United States' },
};

/** A workflow with a node that has just been dropped on the canvas, with these parameters set. */
async function emptyWorkflow(parameters: INodeParameters = {}): Promise<string> {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	return (await api.createWorkflow(lineOf('Made by hand', [action('SignVerify', parameters)]))).id;
}

/** Has the service list a template under another name, which anybody can give it there. */
function rename({ templateID }: { templateID: string }, name: string): void {
	const templates = stage.sandbox
		.templates()
		.filter(({ generation }) => generation === 'v2')
		.map((each) => ({
			templateID: each.templateID,
			name: each.templateID === templateID ? name : each.name,
			status: each.status,
			form: each.fields,
			signatories: each.slots,
		}));
	const body = { success: true, responseCode: 200, responseData: { templates } };
	stage.sandbox.faults.set({ endpoint: 'GET /templates/v2', answer: { status: 200, body } });
}

test('a person chooses a template, sees its fields, fills them in, runs the node and sees the document', async () => {
	// n8n would run this name as an expression if it began like this in the list.
	const name = '={{ 1+1 }}';
	rename(templateNamed('Mutual non-disclosure'), name);
	const page = await openEditor(browser, stage);
	await page.goto(
		`${stage.n8n.url}/workflow/${await emptyWorkflow({ country: oneByOne.country })}`,
	);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	const { byTestId, input, list } = nodePanel(page);

	// Before a template is chosen there are no fields, and no complaint about that.
	await list('templateId').waitFor();
	expect(await byTestId('resource-mapper-container').count()).toBe(0);

	await list('templateId').click();
	await byTestId('rlc-item')
		.filter({ hasText: /Employment contract/ })
		.click();
	await input('employee_name').waitFor();
	// Optional fields are under "Add field".
	expect(await input('workplace').count()).toBe(0);
	// Another template brings its own fields in place of these.
	await list('templateId').click();
	await byTestId('rlc-item').filter({ hasText: name }).click();
	await input('purpose').waitFor();
	const shown = await byTestId('resource-locator-templateId').locator('input').all();
	expect(await Promise.all(shown.map(async (each) => await each.inputValue()))).toContain(
		`'${name}`,
	);
	const { fields, templateID } = templateNamed('Mutual non-disclosure');
	const values: Record<string, string> = {};
	for (const { key, label } of fields) {
		values[key] = `The ${label}`;
		await input(key).fill(values[key]);
	}
	expect(await input('employee_name').count()).toBe(0);
	await input('first_party.email').fill('ada@example.com');
	await input('first_party.name').fill('Ada Lovelace');
	// Another role can stay empty, and who was entered stays.
	await byTestId('parameter-input-leaveLastRolesEmpty').click();
	await page.screenshot({ path: screenshot('editor-fields') });

	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').waitFor();
	await page.screenshot({ path: screenshot('editor-output') });

	const creation = stage.sandbox.requests.find((each) => each.path.includes('createDocument'));
	expect(creation?.body).toEqual({
		templateID,
		country: 'United States',
		inputs: values,
		signatories: [{ email: 'ada@example.com', name: 'Ada Lovelace' }],
	});
	expect(stage.sandbox.documents()).toHaveLength(1);
	stage.sandbox.faults.clear();
	await page.close();
});

test('a node that is opened again has the fields and roles of the template as it is now, and keeps what is filled in', async () => {
	const mapped = (entries: Record<string, string>) => ({
		mappingMode: 'defineBelow',
		value: entries,
		matchingColumns: [],
		schema: Object.keys(entries).map((id) => ({
			...{ id, displayName: id, type: 'string', required: true, display: true },
			...{ defaultMatch: false, canBeUsedToMatch: false },
		})),
	});
	const workflow = await emptyWorkflow({
		templateId: { __rl: true, mode: 'id', value: templateNamed('Employment contract').templateID },
		signatoryRoles: mapped({ 'employee.name': 'Ada Lovelace', 'former.name': 'Grace' }),
		fields: mapped({ employee_name: 'Ada', former: 'Clerk' }),
	});
	const page = await openEditor(browser, stage);
	await page.goto(`${stage.n8n.url}/workflow/${workflow}`);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	const { input } = nodePanel(page);
	for (const name of ['role', 'employee.email']) await input(name).waitFor();
	expect(await input('employee_name').inputValue()).toBe('Ada');
	expect(await input('employee.name').inputValue()).toBe('Ada Lovelace');
	for (const name of ['former', 'former.name']) expect(await input(name).count()).toBe(0);
	await page.close();
});

test('the credential asks for one URL, which is the only one that its token goes to', async () => {
	const page = await openEditor(browser, stage);
	await page.goto(`${stage.n8n.url}/home/credentials`);
	await page.getByText('SignVerify sandbox').first().click();
	const form = page.locator('#app-modals');
	await form.getByText('Requests per Second').first().waitFor();
	expect(await form.innerText()).not.toMatch(/domains/i);
	await page.close();
});

test('an input that is wrong is shown as an error that names the field and what to do', async () => {
	const page = await openEditor(browser, stage);
	await page.goto(
		`${stage.n8n.url}/workflow/${await emptyWorkflow({ ...oneByOne, templateId: { __rl: true, mode: 'id', value: 'no-such-id' }, signatories: { signatory: [{ email: 'ada@example.com', name: 'Ada' }] } })}`,
	);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const panel = page.locator('[data-test-id="output-panel"]');
	await panel
		.getByText('Template: the account has no template with the ID "no-such-id"')
		.first()
		.waitFor();
	await panel
		.getByText(/Choose one from the list, or check the ID/)
		.first()
		.waitFor();
	await page.close();
});

describe('before the first run', () => {
	/** A schema as n8n serves it to its editor. */
	async function served(node: string, version: string, file: string): Promise<unknown> {
		const address = `${stage.n8n.url}/schemas/n8n-nodes-signverify.${node}/${version}${file}.json`;
		const answer = await fetch(address);
		return answer.ok ? await answer.json() : answer.status;
	}

	test('n8n serves the schema of what each operation and the trigger put out', async () => {
		const folder = path.join(root, 'nodes/SignVerify/__schema__');
		const files = readdirSync(folder, { recursive: true })
			.map((file) => String(file).replaceAll(path.sep, '/'))
			.filter((file) => file.endsWith('.json'));
		expect(files).toHaveLength(13);
		for (const file of files) {
			const [, version = '', rest = ''] = /^v(\d+\.\d+\.\d+)(.*)\.json$/.exec(file) ?? [];
			const node = rest ? 'signVerify' : 'signVerifyTrigger';
			const schema: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
			expect([file, await served(node, version, rest)]).toEqual([file, schema]);
		}
		expect(await served('signVerify', '1.0.0', '/document/none')).toBe(404);
	});

	test('the node after them shows what they usually put out', async () => {
		const { api } = stage.n8n;
		const action = await actionSteps(api);
		const next = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
		const line = lineOf('Not run yet', [action('SignVerify', { operation: 'sendAndWait' }), next]);
		const page = await openEditor(browser, stage);
		await page.goto(`${stage.n8n.url}/workflow/${(await api.createWorkflow(line)).id}`);
		await page.locator('[data-test-id="canvas-node"][data-node-name="Next"]').dblclick();
		const panel = page.locator('[data-test-id="ndv-input-panel"]');
		await panel.getByText('Usually outputs the following fields').first().waitFor();
		await panel.getByText('certificateUrl', { exact: true }).first().waitFor();
		await page.screenshot({ path: screenshot('editor-output-fields') });
		await page.close();
	});
});

test('of three items of which the second is wrong nothing is sent, and the person reads which one, with all that is wrong in it', async () => {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const parameters = {
		templateId: { __rl: true, mode: 'id', value: templateNamed('Employment contract').templateID },
		fields: {
			mappingMode: 'defineBelow',
			value: { employee_name: 'Ada', role: '={{ $json.role }}', start_date: '2027-01-11' },
		},
		country: { __rl: true, mode: 'name', value: '={{ $json.country }}' },
		signatoriesFrom: 'form',
		signatories: { signatory: [{ email: '={{ $json.email }}', name: 'Ada Lovelace' }] },
	};
	const workflow = lineOf('Three items', [action('SignVerify', parameters)]);
	const right = { country: 'Mexico', email: 'bob@example.com', role: 'Analyst' };
	const wrong = { country: '', email: 'ada' };
	workflow.pinData = { Start: [right, wrong, right].map((json) => ({ json })) };
	const before = stage.sandbox.documents().length;
	const { id } = await api.createWorkflow(workflow);
	const page = await openEditor(browser, stage);
	await page.goto(`${stage.n8n.url}/workflow/${id}`);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const error = page.locator('[data-test-id="output-panel"] .node-error-view').first();
	await error
		.getByText(/^Nothing was sent, because 1 of 3 items is wrong\.$/)
		.first()
		.waitFor();
	await page.screenshot({ path: screenshot('editor-error') });
	const shown = (await error.innerText()).replace(/\s+/g, ' ');
	expect(shown).toMatch(
		/Item 2: Signatory 1, Email: "ada" is not an e-mail address; Country: [a-z ]+; Fields: Job title: the template requires/,
	);
	expect(shown).not.toMatch(/\bitem 0\b/i);
	const link = error.getByRole('link', { name: 'More about this error' });
	expect(await link.getAttribute('href')).toMatch(/docs\/errors\.md#nothing-was-sent$/);
	expect(stage.sandbox.documents()).toHaveLength(before);
	await page.close();
});
