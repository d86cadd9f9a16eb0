import { readFile } from 'node:fs/promises';
import path from 'node:path';

import axios from 'axios';
import type { Browser } from 'playwright-core';

import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { importExamples } from '../../host/examples';
import { company } from '../../host/onboarding';
import { announcementText } from '../../host/terminal';
import { root } from '../../scripts/tools';
import { readPdf } from '../../sandbox/demo/papers/read';
import { clientOf } from '../support/credentials';
import { allExamples, hardened, starters } from '../support/exampleFiles';
import { dataTable } from './support/dataTable';
import { screenshot, useStage } from './support/stage';
import { until } from '../support/until';

// As `npm start` does it.
const stage = useStage('onboarding', undefined, 'all');
const person = {
	name: 'Łucja Müller',
	email: 'lucja@example.com',
	role: 'Head of Data',
	startDate: '2027-02-01',
};
let browser: Browser;

beforeAll(async () => {
	browser = await startBrowser();
});
afterAll(async () => await browser?.close());

const mailTo = async (subject: RegExp) =>
	await until(`a mail ${String(subject)}`, () =>
		stage.sandbox
			.mails()
			.find((mail) => subject.test(mail.subject) && mail.to.includes(person.email)),
	);

/** What the test after it looks at. */
const seen = { documentId: '', secret: '', pdf: '' };

test('the printed addresses open the two workflows after the sign-in', async () => {
	const { n8n, owner } = stage;
	const printed = announcementText({ ...stage, url: n8n.url, more: [] });
	expect(printed).toContain(owner.password);
	const addresses = [...printed.matchAll(/http\S+\/workflow\/\S+/g)].map(([address]) => address);
	const page = await browser.newPage();
	await page.goto(addresses[0] ?? '');
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[type="password"]').fill(owner.password);
	await page.keyboard.press('Enter');
	for (const [index, node] of ['Send the contract', 'When everybody has signed'].entries()) {
		if (index > 0) await page.goto(addresses[index] ?? '');
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${node}"]`).waitFor();
		expect(page.url()).toContain(addresses[index]);
	}
	await page.close();
});

test('activation has registered the trigger, at an address with a secret', () => {
	const [registration, ...others] = stage.sandbox.webhooks();
	expect(others).toEqual([]);
	const url = new URL(registration?.webHookUrl ?? '');
	expect(registration?.type).toBe('completedDocument');
	expect(url.origin).toBe(stage.n8n.url);
	expect(url.pathname).toMatch(/^\/webhook\/[\w-]+\/signverify$/);
	seen.secret = url.searchParams.get('secret') ?? '';
	expect(Buffer.from(seen.secret, 'base64url')).toHaveLength(32);
});

test('a person fills in the form in the browser, and the contract goes out', async () => {
	const page = await browser.newPage();
	await page.goto(stage.formUrl);
	await page.getByLabel('Full name').fill(person.name);
	await page.getByLabel('E-mail').fill(person.email);
	await page.getByLabel('Role').fill(person.role);
	await page.getByLabel('Start date').fill(person.startDate);
	await page.getByRole('button', { name: 'Send the contract' }).click();
	await page.getByText('The contract was sent').waitFor();
	await page.close();

	const [document] = stage.sandbox.documents();
	expect(document).toMatchObject({ status: 'PENDING', isTemplateV2: true });
	seen.documentId = document?.documentID ?? '';
});

test('the person finds the link in the mailbox and signs in the browser', async () => {
	await mailTo(/^Please sign: Employment contract/);
	const page = await browser.newPage();
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.getByRole('link', { name: /Please sign: Employment contract/ }).click();
	const link = /https?:\S+\/sign\/[\w-]+/.exec((await mailTo(/^Please sign/)).text)?.[0] ?? '';
	await page.goto(link);
	await page.locator('[data-shown]').first().waitFor();
	await page.getByLabel('Type it').check();
	await page.getByLabel('Your full name').fill(person.name);
	await page.getByRole('button', { name: 'Sign the document' }).click();
	await page.getByRole('heading', { name: 'You have signed' }).waitFor();
	await page.close();
	expect(stage.sandbox.documents()[0]?.status).toBe('COMPLETED');
});

/** Says whether a PDF is the signed contract, with all that the form and the node gave. */
async function expectContract(url: string): Promise<void> {
	const { data } = await axios.get<ArrayBuffer>(url, { responseType: 'arraybuffer', proxy: false });
	const { text } = await readPdf(Buffer.from(data));
	const words = text.replace(/\s+/g, ' ');
	for (const expected of [
		`made between ${company.employer}, referred to below`,
		`place of work is ${company.workplace}.`,
		person.name,
		person.role,
		'1 February 2027',
		`Signed by: ${person.name}`,
	]) {
		expect(words).toContain(expected);
	}
}

test('the trigger starts the workflow that mails the signed files', async () => {
	const { id, text, attachments } = await mailTo(/^Signed: Employment contract/);
	expect(attachments.map(({ fileName, mimeType }) => [fileName, mimeType])).toEqual([
		[`Employment contract – ${person.name}.pdf`, 'application/pdf'],
		[`Employment contract – ${person.name} - certificate.pdf`, 'application/pdf'],
		[`Employment contract – ${person.name} - PSC certificate.pdf`, 'application/pdf'],
	]);
	expect(text).toContain(`Hello ${person.name},`);
	await expectContract(`${stage.sandbox.url}/mailbox/${id}/attachments/0`);
	const executions = await stage.n8n.api.executions({ workflowId: stage.workflows.signed });
	expect(executions.map((each) => [each.status, each.mode])).toEqual([['success', 'webhook']]);
});

test('a notification without the secret gets a real 401 and starts nothing', async () => {
	const [registration] = stage.sandbox.webhooks();
	const [genuine] = stage.sandbox.deliveries();
	const url = (registration?.webHookUrl ?? '').split('?')[0] ?? '';
	for (const query of ['', '?secret=', `?secret=${'A'.repeat(43)}`, `?secret=${seen.secret}x`]) {
		const answer = await axios.post(`${url}${query}`, genuine?.body, {
			validateStatus: () => true,
			proxy: false,
		});
		expect([query, answer.status]).toEqual([query, 401]);
	}
	expect(await stage.n8n.api.executions({ workflowId: stage.workflows.signed })).toHaveLength(1);
});

test('the service was called exactly as the interface describes', () => {
	const { userId, apiKey } = stage.sandbox.account;
	// The list of the older templates is loaded at the same time as that of the newer ones.
	const [older, ...others] = stage.sandbox.requests.filter(({ path }) => path === '/templates');
	expect([older?.violation, others]).toEqual([undefined, []]);
	const calls = stage.sandbox.requests.filter((each) => each !== older);
	expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
		'POST /access/token',
		'GET /webhooks',
		'POST /webhooks',
		'GET /templates/v2',
		'POST /templates/createDocumentByTemplateV2',
	]);
	expect(calls.filter((each) => each.violation)).toEqual([]);
	const [token, list, register, templates, create] = calls;
	const bearer = register?.headers.token ?? '';
	expect(bearer).toBeTruthy();

	expect(token).toMatchObject({
		query: {},
		body: undefined,
		headers: { 'user-id': userId, 'api-key': apiKey },
	});
	expect(token?.headers).not.toHaveProperty('token');
	for (const call of [list, register, templates, create]) {
		expect(call?.headers).toMatchObject({ 'user-id': userId, token: bearer });
		expect(JSON.stringify(call)).not.toContain(apiKey);
	}
	expect(list).toMatchObject({ query: {}, body: undefined });
	expect(register).toMatchObject({
		body: undefined,
		query: { type: 'completedDocument', url: stage.sandbox.webhooks()[0]?.webHookUrl },
	});
	for (const call of [list, register]) expect(call?.headers).not.toHaveProperty('authorization');
	for (const call of [templates, create])
		expect(call?.headers.authorization).toBe(`Bearer ${bearer}`);
	expect(create?.body).toEqual({
		templateID: '65f1c0de0000000000000201',
		country: 'United States',
		inputs: {
			employee_name: person.name,
			role: person.role,
			start_date: person.startDate,
			...company,
		},
		signatories: [{ email: person.email, name: person.name }],
	});
	expect(stage.sandbox.tokenExchanges()).toBe(1);
});

test('neither key, token nor secret is in the execution data or the log of n8n', async () => {
	const { apiKey } = stage.sandbox.account;
	const token = stage.sandbox.requests.at(-1)?.headers.token ?? '';
	const secrets = [apiKey, token, seen.secret];
	const log = await readFile(stage.n8n.logFile, 'utf8');
	const executions = await Promise.all(
		(await stage.n8n.api.executions()).map(async ({ id }) =>
			JSON.stringify(await stage.n8n.api.execution(id)),
		),
	);
	expect(executions).toHaveLength(2);
	for (const secret of secrets) {
		expect(secret.length).toBeGreaterThan(8);
		expect(log).not.toContain(secret);
		for (const execution of executions) expect(execution).not.toContain(secret);
	}
});

test('the list of workflows opens with the starters in the order in which to try them', async () => {
	const { n8n } = stage;
	const page = await openEditor(browser, stage);
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(`${n8n.url}/home/workflows`);
	const names = page.locator('[data-test-id="workflow-card-name"]');
	await names.nth(allExamples.length - 1).waitFor();
	await page.locator('[data-test-id="workflow-card-tags"]').first().waitFor();
	await page.screenshot({ path: screenshot('examples-in-the-list') });
	const inOrder = (examples: typeof starters) =>
		examples.map(({ workflow }) => workflow.name).sort();
	const shown = (await names.allInnerTexts()).map((text) => text.split('\n')[0]);
	expect(shown).toEqual([...inOrder(starters), ...inOrder(hardened)]);
	const tags = await page.locator('[data-test-id="workflow-card-tags"]').allInnerTexts();
	expect(tags.map((text) => text.trim())).toEqual([
		...starters.map(() => 'Examples'),
		...hardened.map(() => 'Hardened examples'),
	]);
	await page.close();
});

test('npm start stores every example once, with credentials chosen, and publishes three', async () => {
	const { api } = stage.n8n;
	const all = await api.listWorkflows();
	await importExamples(api, {});
	expect(await api.listWorkflows()).toEqual(all);
	const published = all.filter(({ active }) => active).map(({ name }) => name.slice(0, 3));
	expect(published.sort()).toEqual(['01 ', '02 ', '13 ']);
	const stored = (await api.listCredentials()).map(({ id }) => id);
	for (const { id } of all) {
		const { nodes } = await api.getWorkflow(id);
		const ids = nodes.flatMap(({ credentials }) => Object.values(credentials ?? {}));
		for (const each of ids) expect(stored).toContain(each.id);
		const known = /signVerify|emailSend|formTrigger/;
		const without = nodes.filter(({ type, credentials }) => known.test(type) && !credentials);
		// A form without a login has none.
		const wrong = without.filter(({ parameters }) => parameters.authentication !== undefined);
		expect(wrong.map(({ name }) => name)).toEqual([]);
	}
});

test('a workflow that reads a table needs no other one that has made it', async () => {
	const tables = allExamples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ type, parameters: { dataTableId, tableName } }) =>
			type === 'n8n-nodes-base.dataTable'
				? [String(tableName ?? (dataTableId as { value: string }).value)]
				: [],
		),
	);
	expect(tables.length).toBeGreaterThan(1);
	for (const name of tables) expect(await (await dataTable(stage, name)).rows()).toEqual([]);
});

test('a person pins a sample event, and tries the workflow before anybody signs', async () => {
	const sample = await readFile(path.join(root, 'examples/data/events/document-completed.json'));
	const page = await openEditor(browser, stage);
	await page.goto(`${stage.n8n.url}/workflow/${stage.workflows.signed}`);
	const { byTestId } = nodePanel(page);
	await page
		.locator('[data-test-id="canvas-node"][data-node-name="When everybody has signed"]')
		.dblclick();
	await byTestId('ndv').getByText('set mock data').click();
	await byTestId('ndv').locator('.cm-content').last().click();
	await page.keyboard.press('Control+a');
	await page.keyboard.insertText(String(sample));
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('This data is pinned').waitFor();
	await page.screenshot({ path: screenshot('sample-is-pinned') });
	await byTestId('ndv-close-button').click();
	await byTestId('execute-workflow-button').first().click();
	const mail = await until('the e-mail of the sample', () =>
		stage.sandbox.mails().find(({ to }) => to.includes('zoe@example.com')),
	);
	expect(mail.subject).toBe('Signed: Employment contract – Zoë Åkerström');
	// Files cannot be pinned.
	expect(mail.attachments).toEqual([]);
	await page.close();
});

test('a failure of a published workflow is told', async () => {
	const { api } = stage.n8n;
	const { id } = await api.createCredential({
		name: 'A mail server that is down',
		type: 'smtp',
		data: { host: '127.0.0.1', port: 9, secure: false, disableStartTls: true },
	});
	const { nodes, name } = await api.getWorkflow(stage.workflows.signed);
	const mails = nodes.filter(({ type }) => type.endsWith('.emailSend'));
	for (const node of mails) node.credentials = { smtp: { id, name: '' } };
	await api.updateWorkflow(stage.workflows.signed, { nodes });
	await api.activate(stage.workflows.signed);
	await clientOf(stage.sandbox).createDocument({
		templateID: '65f1c0de0000000000000201',
		country: 'United States',
		inputs: { employee_name: 'Ola', role: 'Cook', start_date: '2027-02-01' },
		signatories: [{ email: 'ola@example.com', name: 'Ola Nordmann' }],
	});
	await stage.sandbox.sign(stage.sandbox.documents().at(-1)?.documentID ?? '', 'ola@example.com');
	const { text } = await until('an e-mail about the failure', () =>
		stage.sandbox.mails().find(({ subject }) => subject === `Workflow failed: ${name}`),
	);
	expect(text).toMatch(/^Reason: "Employment contract – Ola Nordmann" .* ola@example\.com/m);
	expect(text).toContain(`${stage.n8n.url}/workflow/${stage.workflows.signed}/executions/`);
});

test('deactivation leaves no webhook of ours at the service', async () => {
	await stage.n8n.api.deactivate(stage.workflows.signed);
	await until('the end of the webhooks', () => stage.sandbox.webhooks().length === 0);
	expect(stage.sandbox.requests.at(-1)).toMatchObject({
		method: 'DELETE',
		path: '/webhooks',
		status: 200,
		body: undefined,
	});
	expect(stage.sandbox.requests.filter((each) => each.violation)).toEqual([]);
});
