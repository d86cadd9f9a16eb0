import { openNodePanel } from '../../host/browser';
import { actionSteps, lineOf } from '../../host/workflow';
import { shoot, type Take } from './studio';

/** Takes a picture of the stage's credential. n8n masks the key with dots. */
export const shootCredential: Take = async ({ editor: page, stage: { n8n } }) => {
	await page.setViewportSize({ width: 1200, height: 1000 });
	await page.goto(`${n8n.url}/home/credentials`);
	await page
		.locator('[data-test-id="resources-list-item"]')
		.filter({ hasText: 'SignVerify sandbox' })
		.first()
		.click();
	await page.locator('[data-test-id="parameter-input-baseUrl"]').waitFor();
	await page.getByText('Connection tested successfully').waitFor();
	await page.waitForTimeout(800);
	await shoot(page, 'credential');
};

/**
 * Chooses a template with two signatories in a new node, and takes a picture of the form with the template's
 * roles and fields.
 */
export const shootNewNode: Take = async ({ editor: page, stage: { n8n } }) => {
	const action = await actionSteps(n8n.api);
	const step = action('Send document for signature', {});
	const { id } = await n8n.api.createWorkflow(lineOf('A new node', [step]));
	await page.setViewportSize({ width: 1200, height: 1860 });
	await page.goto(`${n8n.url}/workflow/${id}`);
	await openNodePanel(page, 'Send document for signature');
	await page
		.locator('[data-test-id="resource-locator-templateId"] [data-test-id="rlc-input"]')
		.click();
	await page
		.locator('[data-test-id="rlc-item"]')
		.filter({ hasText: 'Mutual non-disclosure' })
		.click();
	await page.locator('[data-test-id="parameter-input-country"]').waitFor();
	await page.waitForTimeout(2000);
	await shoot(page, 'editor-new-node');
};
