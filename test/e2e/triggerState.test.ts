import { setTimeout as sleep } from 'node:timers/promises';

import { nodePanel, openEditor, startBrowser } from '../../host/browser';
import { ensureHost } from '../../host/install.cjs';
import { startN8n, type N8n } from '../../host/n8n';
import { until } from '../support/until';
import { screenshot, useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	registered,
	republish,
	triggerWorkflow,
} from './support/trigger';

const stage = useStage('trigger-state');
let n8n: N8n;
let credential: string;

beforeAll(async () => {
	n8n = stage.n8n;
	await clearStage(stage);
	credential = await credentialId(n8n.api);
});
afterAll(async () => await n8n?.stop());

/** Unpublishes: a moment later, nothing is left at the service. */
async function unpublish(id: string): Promise<void> {
	await n8n.api.deactivate(id);
	await until('the end of all webhooks', () => stage.sandbox.webhooks().length === 0);
	await n8n.api.deleteWorkflow(id);
}

const place = (name: string, x: number) => ({
	id: name,
	name,
	position: [x, 0] as [number, number],
});

test('an execution that writes old static data back leads to no refused event, and leaves nothing', async () => {
	const workflow = triggerWorkflow('Static data', { events: ['signDocument'] }, credential, {
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { amount: 12 },
	});
	workflow.nodes.push({
		...place('Code', 480),
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: "$getWorkflowStaticData('global').count = Date.now();\nreturn $input.all();",
		},
	});
	workflow.connections.Next = { main: [[{ node: 'Code', type: 'main', index: 0 }]] };
	const { id } = await n8n.api.createWorkflow(workflow);
	await n8n.api.activate(id);
	await stage.sandbox.fire('signDocument', await createDocument(stage.sandbox));
	await until('the execution', async () => (await n8n.api.executions({ workflowId: id })).length);
	// While it runs with the static data of now, the trigger is published again.
	await republish(n8n.api, id, { events: ['sendDocument'] });
	await republish(n8n.api, id, { events: ['sendDocument', 'signDocument'] });
	await allExecutions(n8n.api, id, 1);

	await stage.sandbox.fire('signDocument', await createDocument(stage.sandbox));
	await stage.sandbox.idle();
	expect(
		stage.sandbox
			.deliveries()
			.at(-1)
			?.attempts.map(({ status }) => status),
	).toEqual([200]);
	await allExecutions(n8n.api, id, 2);
	await unpublish(id);
});

test('publishing a changed trigger again keeps the webhook of an event that stays', async () => {
	const { sandbox } = stage;
	const { id } = await n8n.api.createWorkflow(
		triggerWorkflow('Again', { events: ['signDocument'] }, credential),
	);
	await n8n.api.activate(id);
	const [kept] = sandbox.webhooks();
	const documents: string[] = [];
	for (let count = 0; count < 20; count++) documents.push(await createDocument(sandbox));
	const seen = sandbox.deliveries().length;
	for (const endpoint of ['GET /webhooks', 'POST /webhooks', 'DELETE /webhooks']) {
		sandbox.faults.set({ endpoint, delayMs: 300 });
	}
	let isOver = false;
	let fired = 0;
	let unheard = 0;
	const firing = (async () => {
		for (; !isOver; fired++) {
			const document = documents[fired % documents.length] ?? '';
			if ((await sandbox.fire('signDocument', document)).length === 0) unheard++;
			// No more than n8n can do, also on a busy machine.
			await sleep(500);
		}
	})();
	await sleep(300);
	await republish(n8n.api, id, { events: ['signDocument', 'sendDocument'] });
	await republish(n8n.api, id, { events: ['signDocument'], filters: { titleContains: 'a' } });
	isOver = true;
	await firing;
	sandbox.faults.clear();
	const attempts = sandbox
		.deliveries()
		.slice(seen)
		.map((each) => each.attempts[0]?.status);
	const refused = attempts.filter((status) => status !== 200);
	process.stdout.write(
		`publishing again: ${fired} events, ${unheard} without a webhook, ${refused.length} refused at first: ${refused.join(' ')}\n`,
	);
	expect(unheard).toBe(0);
	// n8n itself answers 404 for a moment, and the service sends them again. Nobody has a wrong secret.
	expect(refused.filter((status) => status !== 404)).toEqual([]);
	expect(sandbox.webhooks()).toContainEqual(kept);
	await until('the end of what is not wanted', () => registered(sandbox).length === 1);
	await unpublish(id);
});

/** Starts n8n again with other settings. */
async function restart(env: Record<string, string>): Promise<void> {
	const { userFolder, port, logFile } = n8n;
	await n8n.stop();
	const installation = await ensureHost({ log: () => undefined });
	n8n = await startN8n({ installation, userFolder, port, logFile, env });
	stage.n8n = n8n;
	await n8n.api.login(stage.owner);
}

test.each([
	['the old name', { N8N_WEBHOOK_URL: '', WEBHOOK_URL: 'http://10.1.2.3/' }, 'http://10.1.2.3'],
	[
		'the new name, which wins',
		{ N8N_WEBHOOK_URL: 'http://10.1.2.4/', WEBHOOK_URL: 'http://10.1.2.3/' },
		'http://10.1.2.4',
	],
])('n8n takes its webhook URL from %s', async (_name, env, origin) => {
	await restart(env);
	const { id } = await n8n.api.createWorkflow(
		triggerWorkflow('URL', { events: ['signDocument'] }, credential),
	);
	await n8n.api.activate(id);
	expect(stage.sandbox.webhooks().map(({ webHookUrl }) => new URL(webHookUrl).origin)).toEqual([
		origin,
	]);
	await unpublish(id);
});

test('a service on the internet and n8n on localhost: publishing fails, and the editor says why', async () => {
	await restart({});
	const { id: far } = await n8n.api.createCredential({
		name: 'Far away',
		type: 'signVerifyApi',
		data: { baseUrl: 'https://sign.example.com/api', userId: 'user', apiKey: 'key' },
	});
	const { id } = await n8n.api.createWorkflow(
		triggerWorkflow('Localhost', { events: ['signDocument'] }, far),
	);
	const why =
		/The service at https:\/\/sign\.example\.com cannot reach this n8n at http:\/\/127\.0\.0\.1:\d+, so no event will arrive\. Set N8N_WEBHOOK_URL /;
	const start = Date.now();
	await expect(n8n.api.activate(id)).rejects.toThrow(why);
	process.stdout.write(`publishing failed after ${(Date.now() - start) / 1000} s\n`);
	const browser = await startBrowser();
	const page = await openEditor(browser, { n8n, owner: stage.owner });
	await page.goto(`${n8n.url}/workflow/${id}`);
	await nodePanel(page).byTestId('canvas-node').first().waitFor();
	await sleep(3000);
	await page.screenshot({ path: screenshot('publish-unreachable') });
	await browser.close();
	await n8n.api.deleteWorkflow(id);
});
