import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../host/browser';
import { actionSteps, lineOf, type Step } from '../../host/workflow';
import { screenshot, useStage } from './support/stage';

// The mistakes of a beginner, each in a node of its own, and what the editor then says, word for word.

const stage = useStage('mistakes');
let browser: Browser;
let page: Page;

/** What is different from a contract that could be sent, and the words of the error. */
interface Mistake {
	name: string;
	parameters?: () => IDataObject;
	message: string;
	description: string;
	heading: string;
}

/** As the editor saves what a person entered in a form that is loaded with the template. */
function mapped(ids: string[], value: IDataObject) {
	const schema = ids.map((id) => ({
		...{ id, displayName: id, type: 'string', required: true, display: true },
		...{ defaultMatch: false, canBeUsedToMatch: false },
	}));
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
}
const employee = (name: string, email = 'ada@example.com') => ({
	signatoryRoles: mapped(['employee.name', 'employee.email'], {
		...{ 'employee.name': name, 'employee.email': email },
	}),
});
const fields = (changed: IDataObject = {}) => ({
	fields: mapped(['employee_name', 'role', 'start_date'], {
		...{ employee_name: 'Ada Lovelace', role: 'Analyst', start_date: '2027-02-01' },
		...changed,
	}),
});

function employmentContract() {
	const found = stage.sandbox
		.templates()
		.find(({ name }) => name.startsWith('Employment contract'));
	if (!found) throw new Error('The sandbox has no employment contract.');
	return found;
}
const contract = () => ({
	templateId: { __rl: true, mode: 'id', value: employmentContract().templateID },
	country: { __rl: true, mode: 'name', value: 'Mexico' },
	...employee('Ada Lovelace'),
	...fields(),
});

/** Has the service say that its templates are not active. */
function deactivateTemplates(): void {
	const templates = [employmentContract()].map(({ templateID, name, fields: form, slots }) => ({
		...{ templateID, name, status: 'INACTIVE', form, signatories: slots },
	}));
	const body = { success: true, responseCode: 200, responseData: { templates } };
	stage.sandbox.faults.set({ endpoint: 'GET /templates/v2', answer: { status: 200, body } });
}

const rows: Step = {
	name: 'Three rows',
	type: 'n8n-nodes-base.code',
	parameters: {
		jsCode: `return ['a@example.com', 'b.example.com', 'c@example.com'].map((email) => ({ json: { email } }));`,
	},
};

const wrongCredential = 'A credential of another API key';
const threeRows = 'Three rows with the second wrong';
const inactive = 'Inactive template';

const mistakes: Mistake[] = [
	{
		name: 'Wrong e-mail',
		parameters: () => employee('Ada Lovelace', 'ada.example.com'),
		message: 'Employee, Email: "ada.example.com" is not an e-mail address',
		description: 'Enter one address, such as name@email.com. Nothing was sent.',
		heading: 'is-not-an-e-mail-address',
	},
	{
		name: 'Impossible date',
		parameters: () => fields({ start_date: '2027-02-30' }),
		message: 'Fields: Start date: "2027-02-30" is not a date',
		description: 'Write it as year-month-day, such as 2027-02-01. Nothing was sent.',
		heading: 'is-not-a-date',
	},
	{
		name: 'Text in a number',
		parameters: () => ({
			operation: 'sendAndWait',
			limitWaitTime: '={{ "soon" }}',
		}),
		message: 'Limit Wait Time: it must be a number above 0 and at most 3650',
		description: 'Enter such a number. Nothing was sent.',
		heading: 'it-must-be-a-number',
	},
	{
		name: 'More people than roles',
		parameters: () => ({
			signatoriesFrom: 'form',
			signatories: {
				signatory: [
					{ name: 'Ada Lovelace', email: 'ada@example.com' },
					{ name: 'Bob Builder', email: 'bob@example.com' },
				],
			},
		}),
		message:
			'Signatories: the template "Employment contract" is signed by Employee, but 2 people are named',
		description:
			'Name one person for each role. If fewer can sign, turn on "Leave Last Roles Empty". Nothing was sent.',
		heading: 'the-template-is-signed-by',
	},
	{
		name: 'Expression without a value',
		parameters: () => fields({ employee_name: '={{ $json.nothing }}' }),
		message: 'Fields: Employee name: the template requires a value, and there is none',
		description: 'Enter one, or check what its expression gives for this item. Nothing was sent.',
		heading: 'the-template-requires-a-value-and-there-is-none',
	},
	{
		name: 'Expression typed as a text',
		parameters: () => fields({ role: '{{ $json.role }}' }),
		message: 'Fields: Job title: an expression was typed as a text',
		description:
			'It would be sent as it is. Choose Expression above the field, or drag the value onto the empty field. Nothing was sent.',
		heading: 'an-expression-was-typed-as-a-text',
	},
	{
		name: wrongCredential,
		message:
			'The service refused the User ID or the API Key (HTTP 401: Invalid user-id or api-key). Copy both again',
		description:
			'Correct them in the credential. The key may also have been revoked. Nothing was sent.',
		heading: 'the-credential',
	},
	{
		name: threeRows,
		parameters: () => employee('Ada Lovelace', '={{ $json.email }}'),
		message: 'Nothing was sent, because 1 of 3 items is wrong.',
		description:
			'Item 2: Employee, Email: "b.example.com" is not an e-mail address. Enter one address, such as name@email.com.',
		heading: 'nothing-was-sent',
	},
	{
		name: inactive,
		message: 'Template: "Employment contract" is not active',
		description: 'Activate it at the service, or choose another one. Nothing was sent.',
		heading: 'is-not-active',
	},
];

/** What n8n itself refuses, before the node runs. */
const refused = [
	{
		name: 'No template',
		parameters: () => ({ templateId: { __rl: true, mode: 'list', value: '' } }),
		words: 'Parameter "Template" is required.',
	},
	{
		name: 'Empty name',
		parameters: () => employee(''),
		words: 'Field "employee.name" is required',
		// n8n knows which fields are required when it has loaded them, and marks those that are empty.
		waitsForFields: true,
	},
];

beforeAll(async () => {
	const { api, url } = stage.n8n;
	const action = await actionSteps(api);
	const data = { ...stage.sandbox.account, apiKey: 'another', baseUrl: stage.sandbox.baseUrl };
	const made = { name: wrongCredential, type: 'signVerifyApi', data };
	const { id: other } = await api.createCredential(made);
	const all = [...mistakes, ...refused].map(({ name, parameters }) => {
		const step = action(name, { ...contract(), ...parameters?.() } as INodeParameters);
		const credentials = { signVerifyApi: { id: other, name: wrongCredential } };
		return name === wrongCredential ? { ...step, credentials } : step;
	});
	// They stand side by side, so that the page is loaded once.
	const workflow = lineOf('Mistakes', [rows, ...all]);
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	const others = all.filter(({ name }) => name !== threeRows);
	workflow.connections = {
		Start: { main: [[to(rows.name), ...others.map(({ name }) => to(name))]] },
		[rows.name]: { main: [[to(threeRows)]] },
	};
	for (const [index, node] of workflow.nodes.entries()) {
		node.position = [(index % 4) * 300, Math.floor(index / 4) * 200];
	}
	const { id } = await api.createWorkflow(workflow);
	browser = await startBrowser();
	page = await openEditor(browser, stage);
	await page.goto(`${url}/workflow/${id}`);
}, 240_000);

afterAll(async () => await browser?.close());

afterEach(() => {
	expect(stage.sandbox.documents()).toEqual([]);
	expect(stage.sandbox.requests.filter(({ path }) => path.includes('createDocument'))).toEqual([]);
});

/** Opens a node, executes it, and gives what n8n's toast says. */
async function executeStep(name: string, waitsForFields = false): Promise<string> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	if (waitsForFields) await page.locator('[data-test-id="parameter-issues"]').first().waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const toast = page.locator('.el-notification').filter({ hasText: name }).first();
	await toast.waitFor();
	return (await toast.innerText()).replace(/\n+/g, '\n');
}

async function closeNode(name: string): Promise<void> {
	await page.screenshot({ path: screenshot(`mistake-${name.replaceAll(' ', '-')}`) });
	await page.locator('.el-notification__closeBtn').first().click();
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.keyboard.press('Escape');
	await page.locator('[data-test-id="output-panel"]').waitFor({ state: 'hidden' });
}

test.each(mistakes)('$name: $message', async ({ name, message, description, heading }) => {
	if (name === inactive) {
		deactivateTemplates();
		// The list that the row before has loaded is used for ten seconds.
		await delay(10_500);
	}
	const toast = await executeStep(name);
	const panel = page.locator('[data-test-id="output-panel"]');
	const said = panel.locator('[data-test-id="node-error-description"]').first();
	await said.waitFor();
	const more = said.getByRole('link');
	expect({
		toast,
		message: await panel.locator('[data-test-id="node-error-message"]').first().innerText(),
		description: await said.innerText(),
		link: [await more.innerText(), await more.getAttribute('href')],
	}).toEqual({
		toast: `Problem in node ‘${name}‘\n${message}`,
		message,
		description: `${description} More about this error`,
		link: [
			'More about this error',
			`https://github.com/n8n-nodes-signverify/n8n-nodes-signverify/blob/main/docs/errors.md#${heading}`,
		],
	});
	await closeNode(name);
});

test.each(refused)('$name: n8n says $words', async ({ name, words, waitsForFields }) => {
	expect(await executeStep(name, waitsForFields)).toBe(
		`Workflow execution cannot start\nThe '${name}' node has issues:\n- ${words}`,
	);
	await closeNode(name);
});
