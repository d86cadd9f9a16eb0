import { readFile } from 'node:fs/promises';
import path from 'node:path';

import axios from 'axios';

import { canvasNode, nodePanel, openNodePanel } from '../../host/browser';
import { firstExampleOfTask, importExamples } from '../../host/examples';
import { company } from '../../host/onboarding';
import { setUpWorkflows } from '../../host/setUp';
import { announcementText } from '../../host/terminal';
import { root } from '../../scripts/tools';
import { readPdf } from '../../sandbox/demo/papers/read';
import { allExamples, forBuilders, workflowNameOf } from '../support/exampleFiles';
import { dataTable } from './support/dataTable';
import { useLoggedInBrowser } from './support/login';
import { screenshot, useStage } from './support/stage';
import { allExecutions } from './support/trigger';
import { until } from '../support/until';

// A stage with all examples, as `npm start` sets it up.
const stage = useStage('onboarding', undefined, 'all');
const person = {
	name: 'Łucja Müller',
	email: 'lucja@example.com',
	role: 'Head of Data',
	startDate: '2027-02-01',
};
const inBrowser = useLoggedInBrowser(stage);

const mailTo = async (subject: RegExp) =>
	await until(`an email arrives: ${String(subject)}`, () =>
		stage.sandbox
			.mails()
			.find((mail) => subject.test(mail.subject) && mail.to.includes(person.email)),
	);

test('the printed URLs open the two workflows after a user has signed in', async () => {
	const { n8n, owner } = stage;
	const printed = announcementText({ ...stage, url: n8n.url, more: [] });
	expect(printed).toContain(owner.password);
	const addresses = [...printed.matchAll(/http\S+\/workflow\/\S+/g)].map(([address]) => address);
	const page = await inBrowser.newWindow();
	await page.goto(addresses[0] ?? '');
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[type="password"]').fill(owner.password);
	await page.keyboard.press('Enter');
	for (const [index, node] of ['Send the contract', 'When everyone has signed'].entries()) {
		if (index > 0) await page.goto(addresses[index] ?? '');
		await canvasNode(page, node).waitFor();
		expect(page.url()).toContain(addresses[index]);
	}
	await page.close();
});

test('filling in the form in a browser sends the contract', async () => {
	const page = await inBrowser.newWindow();
	await page.goto(stage.formUrl);
	await page.getByLabel('Employee name').fill(person.name);
	await page.getByLabel('Email').fill(person.email);
	await page.getByLabel('Job title').fill(person.role);
	await page.getByLabel('Start date').fill(person.startDate);
	await page.getByRole('button', { name: 'Send the contract' }).click();
	await page.getByText('The contract is on its way').waitFor();
	await page.close();

	const [document] = stage.sandbox.documents();
	expect(document).toMatchObject({ status: 'PENDING', isTemplateV2: true });
});

test('a person can open the link in the mailbox and sign the contract in a browser', async () => {
	await mailTo(/^Please sign: Employment contract/);
	const page = await inBrowser.newWindow();
	await page.goto(`${stage.sandbox.url}/mailbox`);
	await page.getByRole('link', { name: /Please sign: Employment contract/ }).click();
	const link = /https?:\S+\/sign\/[\w-]+/.exec((await mailTo(/^Please sign/)).text)?.[0] ?? '';
	await page.goto(link);
	await page.locator('[data-shown]').first().waitFor();
	await page.getByLabel('Type it').check();
	await page.getByLabel('Your full name').fill(person.name);
	await page.getByRole('button', { name: 'Sign the document' }).click();
	await page.getByRole('heading', { name: 'You’ve signed the document' }).waitFor();
	await page.close();
	expect(stage.sandbox.documents()[0]?.status).toBe('COMPLETED');
});

/** Expects a PDF to be the signed contract, with all values from the form and the node. */
async function expectContract(url: string): Promise<void> {
	const { data } = await axios.get<ArrayBuffer>(url, { responseType: 'arraybuffer', proxy: false });
	const { text } = await readPdf(Buffer.from(data));
	const words = text.replace(/\s+/g, ' ');
	for (const expected of [
		`made between ${company.employer} (the “Company”)`,
		`place of work is ${company.workplace}.`,
		person.name,
		person.role,
		'February 1, 2027',
		`Signed by: ${person.name}`,
	]) {
		expect(words).toContain(expected);
	}
}

test('the trigger starts the workflow that emails the signed files', async () => {
	const { id, text, attachments } = await mailTo(/^Signed: Employment contract/);
	const nameOf = (suffix: string) =>
		expect.stringMatching(
			new RegExp(`^Employment contract – ${person.name} – [\\da-f]{6}${suffix}\\.pdf$`),
		) as string;
	expect(attachments.map(({ fileName, mimeType }) => [fileName, mimeType])).toEqual(
		['', ' - certificate', ' - PSC certificate'].map((suffix) => [
			nameOf(suffix),
			'application/pdf',
		]),
	);
	expect(text).toContain(`Hi ${person.name},`);
	await expectContract(`${stage.sandbox.url}/mailbox/${id}/attachments/0`);
	// The mail arrives before its execution ends.
	const executions = await allExecutions(stage.n8n.api, stage.workflows.signed, 1);
	expect(executions.map((execution) => [execution.status, execution.mode])).toEqual([
		['success', 'webhook'],
	]);
});

test('the workflow list shows the examples in the order of their numbers', async () => {
	const page = await inBrowser.show('/home/workflows');
	const names = page.locator('[data-test-id="workflow-card-name"]');
	await names.nth(allExamples.length - 1).waitFor();
	await page.locator('[data-test-id="workflow-card-tags"]').first().waitFor();
	await page.screenshot({ path: screenshot('examples-in-the-list') });
	const inOrder = allExamples.map(({ workflow }) => workflow.name).sort();
	const shown = (await names.allInnerTexts()).map((text) => text.split('\n')[0]);
	expect(shown).toEqual(inOrder);
	const tags = await page.locator('[data-test-id="workflow-card-tags"]').allInnerTexts();
	const builders = forBuilders.map(({ workflow }) => workflow.name);
	const tasks = Object.entries(firstExampleOfTask);
	const tagsOf = (name: string) => [
		...tasks
			.filter(([, first]) => first <= Number(name.slice(0, 2)))
			.slice(-1)
			.map(([task]) => task),
		...(builders.includes(name) ? ['For builders'] : []),
	];
	expect(
		tags.map((text) =>
			text
				.trim()
				.split(/\s*\n\s*/)
				.sort(),
		),
	).toEqual(inOrder.map((name) => tagsOf(name).sort()));
});

test('npm start stores each example once, with its credentials, and publishes those that the terminal names', async () => {
	const { api } = stage.n8n;
	const all = await api.listWorkflows();
	await importExamples(api, {});
	expect(await api.listWorkflows()).toEqual(all);
	const published = all.filter(({ active }) => active).map(({ name }) => name);
	const files = ['send-from-form', 'email-signed-copy', 'tell-when-it-fails', 'keep-a-register'];
	expect(published.sort()).toEqual(
		[...files, 'who-hasnt-signed', 'signing-desk'].map(workflowNameOf).sort(),
	);
	const stored = (await api.listCredentials()).map(({ id }) => id);
	for (const { id } of all) {
		const { nodes } = await api.getWorkflow(id);
		const ids = nodes.flatMap(({ credentials }) => Object.values(credentials ?? {}));
		for (const used of ids) expect(stored).toContain(used.id);
		const known = /signVerify|emailSend|formTrigger/;
		const without = nodes.filter(({ type, credentials }) => known.test(type) && !credentials);
		// A form does not need a credential if it does not require a login.
		const wrong = without.filter(({ parameters }) => parameters.authentication !== undefined);
		expect(wrong.map(({ name }) => name)).toEqual([]);
	}
});

test('every data table in the examples exists before a workflow uses it', async () => {
	const tables = allExamples.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ type, parameters: { dataTableId, tableName } }) =>
			type === 'n8n-nodes-base.dataTable'
				? [String(tableName ?? (dataTableId as { value: string }).value)]
				: [],
		),
	);
	expect(tables.length).toBeGreaterThan(1);
	// The register is published, so its table already has the row of the contract that was sent.
	for (const name of tables)
		expect(await (await dataTable(stage, name)).rows()).toEqual(expect.any(Array));
});

test('a user can pin a sample event and try out the workflow before anyone signs', async () => {
	const sample = await readFile(path.join(root, 'examples/data/events/everyone-has-signed.json'));
	const page = await inBrowser.show(`/workflow/${stage.workflows.signed}`);
	const { byTestId } = nodePanel(page);
	await openNodePanel(page, 'When everyone has signed');
	await byTestId('ndv').getByText('set mock data').click();
	await byTestId('ndv').locator('.cm-content').last().click();
	await page.keyboard.press('Control+a');
	await page.keyboard.insertText(String(sample));
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('This data is pinned').waitFor();
	await page.screenshot({ path: screenshot('sample-is-pinned') });
	await byTestId('ndv-close-button').click();
	await byTestId('execute-workflow-button').first().click();
	// A pinned event contains no files, because n8n cannot pin files, and the sample's links lead nowhere.
	const report = page.getByText('Could not get the signed files of "Employment contract"');
	await report.first().waitFor();
	expect(stage.sandbox.mails().filter(({ to }) => to.includes('zoe@example.com'))).toEqual([]);
});

test('all calls to the service match its documented API', () => {
	expect(stage.sandbox.requests.filter(({ violation }) => violation)).toEqual([]);
	expect(stage.sandbox.tokenExchanges()).toBe(1);
});

// This test is the last one, because it stores the credentials again, so n8n requests another token.
test('the next npm start leaves the examples as the user has changed them', async () => {
	const { n8n, sandbox, owner, workflows, formUrl } = stage;
	const { api } = n8n;
	await api.updateWorkflow(workflows.send, { name: 'Hire someone' });
	await api.updateWorkflow('whoHasntSigned01', { name: 'My list' });
	await api.deleteWorkflow('signingDesk1');
	// The start publishes this workflow again, because of its trigger.
	const register = (await api.listWorkflows()).find(
		({ name }) => name === workflowNameOf('keep-a-register'),
	)!.id;
	const { nodes, connections, activeVersionId } = await api.getWorkflow(register);
	const draft = nodes.map((node) => ({ ...node, notes: 'half done' }));
	await api.updateWorkflow(register, { nodes: draft, connections });
	const all = async () =>
		(await api.listWorkflows()).map(({ id, name, active }) => [id, name, active]).sort();
	const before = await all();
	const lines: string[] = [];
	const again = await setUpWorkflows(api, sandbox, owner, {
		folder: path.dirname(n8n.userFolder),
		examples: 'all',
		log: (line) => lines.push(line),
	});
	expect(lines).toEqual([]);
	expect(again).toEqual({ workflows, formUrl, deskUrl: '' });
	expect(await all()).toEqual(before);
	const drafted = await api.getWorkflow(register);
	expect(drafted.activeVersionId).toBe(activeVersionId);
	expect(drafted.nodes.map(({ notes }) => notes)).toEqual(draft.map(({ notes }) => notes));
});
