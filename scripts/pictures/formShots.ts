import type { Page } from 'playwright-core';

import { openNodePanel } from '../../host/browser';
import type { Stage } from '../../host/stage';
import { actionSteps, lineOf } from '../../host/workflow';

/** Takes a picture of a page and stores it under a name. */
type Shoot = (page: Page, name: string) => Promise<void>;

/** Takes pictures of the forms that a user fills in first: the credential and a new node. */
export async function shootForms(page: Page, stage: Stage, shoot: Shoot): Promise<void> {
	await shootCredential(page, stage, shoot);
	await shootNewNode(page, stage, shoot);
}

/** Takes a picture of the stage's credential. n8n masks the key with dots. */
async function shootCredential(page: Page, { n8n }: Stage, shoot: Shoot): Promise<void> {
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
}

/**
 * Chooses a template with two signatories in a new node, and takes a picture of the form with the template's
 * roles and fields.
 */
async function shootNewNode(page: Page, { n8n }: Stage, shoot: Shoot): Promise<void> {
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
}
