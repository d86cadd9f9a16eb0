import type { Page } from 'playwright-core';

import { canvasNode, openNodePanel, widenOutput } from '../../host/browser';
import { colleague, contractForm } from '../../host/onboarding';
import type { Stage } from '../../host/stage';
import { actionSteps, lineOf, type Step } from '../../host/workflow';
import { shoot, type Take } from './studio';

/** The parameters of a node that sends the example contract, even in the editor. The signatory is entered by role. */
const contractByRole = {
	resource: 'document',
	...contractForm,
	fields: {
		...contractForm.fields,
		value: { ...contractForm.fields.value, start_date: colleague.startDate },
	},
	templateId: {
		...contractForm.templateId,
		mode: 'list',
		cachedResultName: 'Employment contract – Full-time employment, signed by the new hire.',
	},
	specifySignatories: 'byRole',
	signatoryRoles: {
		mappingMode: 'defineBelow',
		value: { 'employee.name': colleague.name, 'employee.email': colleague.email },
	},
	country: { ...contractForm.country, mode: 'list', cachedResultName: 'United States' },
	options: { writeDatesIn: 'en-US' },
};

/** The names of the columns that contain the employee and the contract's values. */
type Columns = Record<keyof typeof colleague, string>;

/** A row of a list, or the answers to a form, in these columns. */
const rowOf = (columns: Columns, { name, email, role, startDate }: typeof colleague) => ({
	[columns.name]: name,
	[columns.email]: email,
	[columns.role]: role,
	[columns.startDate]: startDate,
});

/** The parameters of a node that takes the contract's values from these columns, as if a user had dragged them. */
function contractFrom({ name, email, role, startDate }: Columns) {
	const column = (of: string) => `={{ $json['${of}'] }}`;
	return {
		...contractByRole,
		operation: 'send',
		inTestRuns: 'nothing',
		signatoryRoles: {
			...contractByRole.signatoryRoles,
			value: { 'employee.name': column(name), 'employee.email': column(email) },
		},
		fields: {
			...contractByRole.fields,
			value: { employee_name: column(name), role: column(role), start_date: column(startDate) },
			// The editor shows every field that it doesn't find here.
			schema: ['employer', 'workplace'].map((id) => ({
				id,
				displayName: id,
				type: 'string',
				required: false,
				display: true,
				defaultMatch: false,
				canBeUsedToMatch: false,
				removed: true,
			})),
		},
	};
}

/** A text that was read in the wrong encoding. */
const damaged = 'Jefa de administraciÃ³n';

/** Opens a node that sends the example contract, with the data of a form on the left and expressions in its fields. */
export async function openFilledForm(page: Page, { n8n }: Stage): Promise<void> {
	await page.setViewportSize({ width: 1200, height: 1640 });
	const action = await actionSteps(n8n.api);
	const columns = {
		name: 'Employee name',
		email: 'Email',
		role: 'Job title',
		startDate: 'Start date',
	};
	const line = lineOf('Send a contract', [action('Send the contract', contractFrom(columns))]);
	const pinData = { Start: [{ json: rowOf(columns, colleague) }] };
	const { id } = await n8n.api.createWorkflow({ ...line, pinData });
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.waitForTimeout(2000);
}

/** Takes pictures of the action node's filled-in form, and of the document that the node created. */
export const shootNode: Take = async ({ editor: page, stage }) => {
	await openFilledForm(page, stage);
	await shoot(page, 'editor-fields');
	await page.locator('[data-test-id="parameter-input-inTestRuns"]').click();
	await page.getByRole('option', { name: /^Send to the Real People/ }).click();
	await page.setViewportSize({ width: 1200, height: 860 });
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="output-panel"]').getByText('PENDING').waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(page, 'editor-output');
};

/** Takes a picture of the output for a document that was sent although its value looks wrong. */
export const shootWarning: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1200, height: 700 });
	const action = await actionSteps(n8n.api);
	const { value } = contractByRole.fields;
	const fields = { ...contractByRole.fields, value: { ...value, role: damaged } };
	const options = { ...contractByRole.options, sendDespiteWarnings: true };
	const parameters = { ...contractByRole, fields, operation: 'send', options };
	const line = lineOf('Send a contract', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const output = page.locator('[data-test-id="output-panel"]');
	await output.getByText('PENDING').waitFor();
	await output.getByText('read in the wrong encoding').first().waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(page, 'editor-warning');
};

/** A node that outputs these rows. */
const rowsOf = (rows: object[]): Step => ({
	name: 'Rows',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: `return ${JSON.stringify(rows.map((json) => ({ json })))};` },
});

/** Takes a picture of the output table of a checked list, in a window of a common width, made wider as the page says. */
export const shootList: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1440, height: 860 });
	const action = await actionSteps(n8n.api);
	const columns = {
		name: 'Employee name',
		email: 'Employee email',
		role: 'role',
		startDate: 'start_date',
	};
	const people = [
		{ name: 'Ana Gil', email: 'ana@example.com', role: 'Cook', startDate: '2027-01-01' },
		{ name: 'Ray, Ben', email: 'ben@example.com', role: 'Waiter', startDate: '2027-01-01' },
		{ name: 'Zoë Müller', email: 'zoe@example.com', role: 'Manager', startDate: '2027-02-01' },
	];
	const rows = rowsOf(
		people.map((person, index) => ({
			'Contract number': `C-${1001 + index}`,
			...rowOf(columns, person),
		})),
	);
	const parameters = {
		...contractFrom(columns),
		options: { ...contractByRole.options, sendOnceKey: "={{ $json['Contract number'] }}" },
	};
	const line = lineOf('A list', [rows, action('Check the list', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Check the list');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const output = page.locator('[data-test-id="output-panel"]');
	await output.getByText('C-1003').first().waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await widenOutput(page);
	await shoot(output, 'editor-list');
};

/** Takes a picture of the error that the editor shows when the second of three rows is wrong. */
export const shootError: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1200, height: 700 });
	const action = await actionSteps(n8n.api);
	const rows = rowsOf([
		{ number: 'C-1001', name: 'Ana Gil', email: 'ana@example.com' },
		{ number: 'C-1002', name: 'Ben Ray', email: 'ben.example.com' },
		{ number: 'C-1003', name: 'Zoë Müller', email: 'zoe@example.com' },
	]);
	const signatoryRoles = {
		...contractByRole.signatoryRoles,
		value: { 'employee.name': '={{ $json.name }}', 'employee.email': '={{ $json.email }}' },
	};
	const options = { ...contractByRole.options, sendOnceKey: '={{ $json.number }}' };
	const parameters = { ...contractByRole, signatoryRoles, options, operation: 'send' };
	const line = lineOf('Three rows', [rows, action('Send the contracts', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send the contracts');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="node-error-description"]').first().waitFor();
	await page.locator('.el-notification__closeBtn').first().click();
	await page.waitForTimeout(1000);
	await shoot(page, 'editor-error');
};

/** Takes a picture of a node whose execution is waiting. */
export const shootWaiting: Take = async ({ editor: page, stage: { n8n } }) => {
	const action = await actionSteps(n8n.api);
	const parameters = { ...contractByRole, operation: 'sendAndWait' };
	const line = lineOf('Send a contract and wait', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await canvasNode(page, 'Send the contract').waitFor();
	await page.locator('[data-test-id="execute-workflow-button"]').click();
	await openNodePanel(page, 'Send the contract');
	await page.locator('[data-test-id="output-panel"]').getByText('everyone has signed').waitFor();
	await page.waitForTimeout(800);
	await shoot(page, 'editor-waiting');
};
