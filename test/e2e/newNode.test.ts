import type { Browser, Page } from 'playwright-core';

import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { actionSteps, lineOf } from '../../host/workflow';
import { screenshot, useStage } from './support/stage';

const stage = useStage('new-node');
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(async () => await browser?.close());

/** Opens a node as it is when it has just been dropped on the canvas. */
async function openNewNode(): Promise<Page> {
	const { api } = stage.n8n;
	const action = await actionSteps(api);
	const step = action('SignVerify', {});
	const { id } = await api.createWorkflow(lineOf('Made by hand', [step]));
	const page = await openEditor(browser, stage);
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(`${stage.n8n.url}/workflow/${id}`);
	await page.locator('[data-test-id="canvas-node"][data-node-name="SignVerify"]').dblclick();
	return page;
}

test('a person enters who signs in which role, checks, and sends', async () => {
	const template = stage.sandbox
		.templates()
		.find(({ name }) => name.startsWith('Mutual non-disclosure'));
	if (!template) throw new Error('The sandbox has no such template.');
	const page = await openNewNode();
	const { byTestId, input, list } = nodePanel(page);
	const setCheckOnly = async (choice: string) => {
		await byTestId('parameter-input-checkOnly').last().click();
		await page.getByRole('option', { name: choice, exact: true }).click();
	};

	await list('templateId').click();
	await byTestId('rlc-item').filter({ hasText: template.name }).click();
	// A row for each place to sign: nothing has to be scrolled to see the first one.
	const people = template.slots.map(({ key }, index) => ({
		key,
		name: `Person ${'AB'[index] ?? ''}${key}`,
		email: `${key}@example.com`,
	}));
	const first = input(`${people[0]?.key}.name`);
	await first.waitFor();
	await page.screenshot({ path: screenshot('new-node-roles') });
	expect(await first.isVisible()).toBe(true);
	const box = await first.boundingBox();
	expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThan(900);
	for (const { key, label } of template.fields) await input(key).fill(`The ${label}`);
	for (const { key, name, email } of people) {
		await input(`${key}.name`).fill(name);
		await input(`${key}.email`).fill(email);
	}

	// No country is chosen for anybody.
	await list('country').click();
	await byTestId('rlc-search').fill('cote d');
	await byTestId('rlc-item').filter({ hasText: 'Côte d’Ivoire' }).click();
	await page.screenshot({ path: screenshot('new-node-country') });

	// Checked first: nobody gets an e-mail.
	await page.getByPlaceholder('Add option').last().click();
	await page.getByText('Check Only', { exact: true }).last().click();
	await setCheckOnly('On');
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('checkOnly').waitFor();
	await page.getByText('Check Only is on: nothing was sent.').waitFor();
	await page.screenshot({ path: screenshot('new-node-checked') });
	expect(stage.sandbox.documents()).toHaveLength(0);

	await setCheckOnly('Off');
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').waitFor();
	await page.screenshot({ path: screenshot('new-node-sent') });
	const creation = stage.sandbox.requests.find((each) => each.path.includes('createDocument'));
	expect(creation?.body).toMatchObject({
		templateID: template.templateID,
		country: 'Côte d’Ivoire',
		signatories: people.map(({ name, email }) => ({ name, email })),
	});
	expect(stage.sandbox.documents()).toHaveLength(1);
	await page.close();
});
