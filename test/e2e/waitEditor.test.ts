import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { openEditor, startBrowser } from '../../host/browser';
import { actionSteps, lineOf } from '../../host/workflow';
import { screenshot } from './support/stage';
import { signDocument } from '../operations/service';
import { until } from '../support/until';
import { ended, identityAndWait, sendAndWait, useWaiting, waitingName } from './support/wait';

const own = useWaiting('wait-editor');
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await startBrowser();
	page = await openEditor(browser, own.stage);
});
afterAll(async () => await browser?.close());

/** Runs a workflow in the editor until it waits, and opens the node that waits. */
async function watch(parameters: INodeParameters): Promise<string> {
	const action = await actionSteps(own.n8n.api);
	const workflow = lineOf('Waits', [action(waitingName, parameters)]);
	const { id } = await own.n8n.api.createWorkflow(workflow);
	await page.goto(`${own.n8n.url}/workflow/${id}`);
	const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${waitingName}"]`);
	await node.waitFor();
	await page.locator('[data-test-id="execute-workflow-button"]').click();
	const execution = await until('it waits', async () => {
		const [latest] = await own.n8n.api.executions({ workflowId: id });
		return latest?.status === 'waiting' ? latest.id : undefined;
	});
	await node.dblclick();
	return execution;
}

/** What the open node shows in place of its output. */
const shown = (text: string) =>
	page.locator('[data-test-id="output-panel"]').getByText(text, { exact: true });

test('a document: the editor says what it waits for, then shows the signed document', async () => {
	const execution = await watch(sendAndWait(own.stage.sandbox));
	await shown('The workflow continues when everybody has signed').waitFor();
	const people = [0, 1].map((at) => `Person number ${at} (person-${at}@example.com)`).join(', ');
	const title = 'Mutual non-disclosure agreement – Person number 0';
	await shown(`Waiting for "${title}", to be signed by ${people}`).waitFor();
	await page.screenshot({ path: screenshot('wait-document') });
	await signDocument(own.stage.sandbox, own.lastDocument());
	await ended(own.n8n.api, execution);
	await shown('completedDocument').waitFor();
	await own.noRegistrations();
});

test('an identity: the editor says what it waits for', async () => {
	const execution = await watch(identityAndWait({ email: 'ana@example.com' }));
	await shown('The workflow continues when the person has been verified').waitFor();
	await shown('Waiting for the verification of ana@example.com').waitFor();
	const request = own.stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	await own.stage.sandbox.completeIdentity(request, 'pass');
	await ended(own.n8n.api, execution);
	await shown(request).first().waitFor();
	await own.noRegistrations();
});
