import type { Browser, Page } from 'playwright-core';

import type { N8n } from '../../host/n8n';
import type { Owner } from '../../host/apiTypes';
import { axios } from '../support/http';
import { loggedIn } from './support/trigger';
import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { actionSteps, lineOf, versionOf } from '../../host/workflow';
import { screenshot, useStage } from './support/stage';

/** What n8n's MCP server answers to a call of a tool. */
interface ToolAnswer {
	error?: unknown;
	result?: { isError?: boolean; content: Array<{ text: string }>; structuredContent?: unknown };
}

/**
 * Turns on n8n's MCP server, as in Settings → Instance-level MCP, and connects as an assistant does.
 * @returns Calls one of its tools; gives the answer, or throws with the tool's words.
 */
export async function connectAssistant({ url }: N8n, owner: Owner) {
	const settings = await loggedIn(url, owner);
	await settings.call('PATCH', '/mcp/settings', { body: { mcpAccessEnabled: true } });
	const { apiKey } = await settings.call<{ apiKey: string }>('GET', '/mcp/api-key');
	return async <Data>(tool: string, input: object): Promise<Data> => {
		const { data } = await axios.post<string>(
			`${url}/mcp-server/http`,
			{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } },
			{
				headers: {
					authorization: `Bearer ${apiKey}`,
					accept: 'application/json, text/event-stream',
				},
				responseType: 'text',
			},
		);
		const text = /^data: (.*)$/m.exec(data)?.[1] ?? data;
		const { error, result } = JSON.parse(text) as ToolAnswer;
		if (error || !result || result.isError)
			throw new Error(`${tool}: ${JSON.stringify(error ?? result)}`);
		return (result.structuredContent ?? JSON.parse(result.content[0]?.text ?? 'null')) as Data;
	};
}

/** What somebody types who knows neither the name of the node nor that of the service. */
const officeWords = [
	'sign document',
	'send contract',
	'electronic signature',
	'digital signature',
	'e-signature',
	'verify identity',
	'identity verification',
	'KYC',
];

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

test('the node picker finds the nodes by the words of an office', async () => {
	const { id } = await stage.n8n.api.createWorkflow(lineOf('Nothing in it yet', []));
	const page = await openEditor(browser, stage);
	await page.goto(`${stage.n8n.url}/workflow/${id}`);
	const { byTestId } = nodePanel(page);
	await byTestId('node-creator-plus-button').first().click();
	const search = byTestId('node-creator-search-bar').first();
	const missed: string[] = [];
	for (const words of officeWords) {
		await search.fill(words);
		// The list follows what is typed a moment later.
		const found = byTestId('node-creator-item-name').getByText('SignVerify', { exact: true });
		const isThere = found.first().waitFor({ timeout: 5000 });
		await isThere.catch(() => missed.push(words));
		await search.fill('');
		await found.first().waitFor({ state: 'hidden' });
	}
	expect(missed).toEqual([]);
	await page.close();
});

test("an assistant finds a template through n8n's MCP server, and its draft sends", async () => {
	const call = await connectAssistant(stage.n8n, stage.owner);
	const type = 'n8n-nodes-signverify.signVerify';
	const version = versionOf(type);
	const found = await call<{ results: string }>('search_nodes', { queries: ['sign a contract'] });
	expect(found.results).toContain(type);
	const { data } = await call<{ data: Array<{ id: string; type: string; name: string }> }>(
		'list_credentials',
		{},
	);
	const credential = data.find((each) => each.type === 'signVerifyApi');

	const { definitions } = await call<{ definitions: string }>('get_node_types', {
		nodeIds: [
			{
				nodeId: type,
				version: String(version),
				resource: 'document',
				operation: 'createFromTemplate',
			},
		],
	});
	const [, methodName] = /@searchListMethod (\w*[tT]emplate\w*)/.exec(definitions) ?? [];
	const { results } = await call<{ results: Array<{ name: string; value: string }> }>(
		'explore_node_resources',
		{
			...{ nodeType: type, version, methodName, methodType: 'listSearch', filter: 'employment' },
			...{ credentialType: 'signVerifyApi', credentialId: credential?.id },
			currentNodeParameters: {},
		},
	);
	const [template] = results;
	expect(template?.name).toMatch(/Employment contract/);

	const parameters = {
		...{ resource: 'document', operation: 'createFromTemplate', signatoriesFrom: 'form' },
		templateId: { __rl: true, mode: 'list', value: template?.value },
		country: { __rl: true, mode: 'name', value: 'Mexico' },
		signatories: { signatory: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] },
		fields: {
			mappingMode: 'defineBelow',
			value: { employee_name: 'Ada', role: 'Analyst', start_date: '2027-03-01' },
		},
	};
	const { workflowId = '' } = await call<{ workflowId?: string }>('create_workflow_from_code', {
		name: 'A draft',
		description: 'Sends a contract',
		code: `import { workflow, node, trigger, newCredential } from '@n8n/workflow-sdk';
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start', output: [{}] } });
const send = node({ type: '${type}', version: ${version}, config: { name: 'Send the contract', parameters: ${JSON.stringify(parameters)}, credentials: { signVerifyApi: newCredential('${credential?.name}') }, output: [{}] } });
export default workflow('draft', 'A draft').add(start).to(send);`,
	});
	const { api } = stage.n8n;
	const { status, error } = await api.waitForExecution(await api.run(workflowId, 'Start'));
	expect([status, error?.message]).toEqual(['success', undefined]);
	expect(stage.sandbox.documents().at(-1)?.signatory[0]?.emailID).toBe('ada@example.com');
});
