import type { Page } from 'playwright-core';

import { canvasNode, openNodePanel } from '../../host/browser';
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

/** A text that was read in the wrong encoding. */
const damaged = 'Jefa de administraciÃ³n';

/** Opens a node that sends the example contract, with its form filled in. */
export async function openFilledForm(page: Page, { n8n }: Stage): Promise<void> {
	await page.setViewportSize({ width: 1200, height: 1640 });
	const action = await actionSteps(n8n.api);
	const parameters = { ...contractByRole, operation: 'send', inTestRuns: 'nothing' };
	const line = lineOf('Send a contract', [action('Send the contract', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
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
	await page.getByRole('option', { name: /^To the Real People/ }).click();
	await page.setViewportSize({ width: 1200, height: 860 });
	await page.locator('[data-test-id="node-execute-button"]').click();
	await page.locator('[data-test-id="output-panel"]').getByText('PENDING').waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(page, 'editor-output');
};

/** Takes a picture of the output for a document that was sent although its value looks like a mistake. */
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

/**
 * Takes a picture of the output table of a checked list, whose second row looks like a mistake. In a window of this
 * width, the table shows what happened to which row and person without scrolling.
 */
export const shootList: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1500, height: 860 });
	const action = await actionSteps(n8n.api);
	const rows = rowsOf([
		{ number: 'C-1001', name: 'Ana Gil', email: 'ana@example.com', role: 'Cook' },
		{ number: 'C-1002', name: 'Eva Luz', email: 'eva@example.com', role: damaged },
		{ number: 'C-1003', name: 'Ben Ray', email: 'ben@example.com', role: 'Waiter' },
	]);
	const { fields, signatoryRoles, options } = contractByRole;
	const parameters = {
		...contractByRole,
		operation: 'send',
		inTestRuns: 'nothing',
		signatoryRoles: {
			...signatoryRoles,
			value: { 'employee.name': '={{ $json.name }}', 'employee.email': '={{ $json.email }}' },
		},
		fields: {
			...fields,
			value: { ...fields.value, employee_name: '={{ $json.name }}', role: '={{ $json.role }}' },
		},
		options: { ...options, sendOnceKey: '={{ $json.number }}', sendDespiteWarnings: true },
	};
	const line = lineOf('A list', [rows, action('Check the list', parameters)]);
	const { id } = await n8n.api.createWorkflow(line);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Check the list');
	await page.locator('[data-test-id="parameter-input-employee_name"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').click();
	const output = page.locator('[data-test-id="output-panel"]');
	await output.getByText('C-1003').first().waitFor();
	await output.getByText('read in the wrong encoding').first().waitFor();
	// Wait until n8n's success message has disappeared.
	await page.waitForTimeout(6000);
	await shoot(output, 'editor-list');
};

/** Takes a picture of the error that the editor shows when the second of three rows is wrong. */
export const shootError: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1200, height: 700 });
	const action = await actionSteps(n8n.api);
	const people = ['ana@example.com', 'ben.example.com', 'zoe@example.com'];
	const rows = rowsOf(people.map((email) => ({ email })));
	const { value } = contractByRole.signatoryRoles;
	const signatoryRoles = {
		...contractByRole.signatoryRoles,
		value: { ...value, 'employee.email': '={{ $json.email }}' },
	};
	const parameters = { ...contractByRole, signatoryRoles, operation: 'send' };
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
