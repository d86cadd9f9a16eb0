import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { ensureHost } from '../../host/install.cjs';
import { startN8n, type N8n } from '../../host/n8n';
import { until } from '../support/until';
import {
	anotherN8n,
	commandLine,
	endAnother,
	exportWorkflow,
	type WholeWorkflow,
} from './support/copies';
import { axios } from '../support/http';
import { useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	triggerWorkflow,
} from './support/trigger';

const stage = useStage('trigger-copies');
let n8n: N8n;
let another: N8n | undefined;
let credential: string;
let documentID: string;
let folder: string;

beforeAll(async () => {
	n8n = stage.n8n;
	folder = await mkdtemp(path.join(os.tmpdir(), 'signverify-export-'));
	await clearStage(stage);
	credential = await credentialId(n8n.api);
	documentID = await createDocument(stage.sandbox);
});
afterEach(async () => {
	// So that what one test leaves is not the next one's.
	for (const { id } of await n8n.api.listWorkflows()) {
		if (!Object.values(stage.workflows).includes(id)) await n8n.api.deleteWorkflow(id);
	}
	await until('the end of the webhooks', () => stage.sandbox.webhooks().length === 0);
	await endAnother(another);
	another = undefined;
});
afterAll(async () => {
	await n8n?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** A published workflow, and its one registration. */
async function original() {
	const workflow = triggerWorkflow('Original', { events: ['signDocument'] }, credential);
	const { id } = await n8n.api.createWorkflow(workflow);
	await n8n.api.activate(id);
	const [registration, ...more] = stage.sandbox.webhooks();
	if (!registration || more.length > 0) throw new Error('It is not the one registration.');
	const secret = new URL(registration.webHookUrl).searchParams.get('secret') ?? '';
	return { id, registration, secret };
}

/** The registrations beside that of the original, which has to be there. */
function beside({ registration }: Awaited<ReturnType<typeof original>>): URL[] {
	expect(stage.sandbox.webhooks()).toContainEqual(registration);
	return stage.sandbox
		.webhooks()
		.filter(({ webHookID }) => webHookID !== registration.webHookID)
		.map(({ webHookUrl }) => new URL(webHookUrl));
}

test('exported and imported into a second n8n of the same account', async () => {
	const first = await original();
	const file = path.join(folder, 'export.json');
	const exported = await exportWorkflow(n8n, first.id, file);
	const kept = JSON.stringify(exported.staticData);
	expect(kept).toContain(first.registration.webHookID);
	expect(kept).not.toContain(first.secret);

	another = await anotherN8n(stage.owner);
	const { id: account } = await another.api.createCredential({
		name: 'SignVerify sandbox',
		type: 'signVerifyApi',
		data: { baseUrl: stage.sandbox.baseUrl, ...stage.sandbox.account },
	});
	const text = JSON.stringify([exported]);
	await writeFile(file, text.replaceAll(`"id":"${credential}"`, `"id":"${account}"`));
	await commandLine(another, 'import:workflow', `--input=${file}`);
	const imported = (await another.api.getWorkflow(first.id)) as WholeWorkflow;
	expect(imported.staticData).toEqual(exported.staticData);

	await another.api.activate(first.id);
	const [own, ...more] = beside(first);
	expect(more).toEqual([]);
	expect(own?.port).toBe(String(another.port));
	expect(own?.searchParams.get('secret')).not.toBe(first.secret);

	await stage.sandbox.fire('signDocument', documentID);
	await stage.sandbox.idle();
	expect(await allExecutions(n8n.api, first.id, 1)).toHaveLength(1);
	expect(await allExecutions(another.api, first.id, 1)).toHaveLength(1);
	// The secret of the one opens nothing at the other.
	const forged = new URL(own ?? '');
	forged.searchParams.set('secret', first.secret);
	expect((await axios.post(forged.href, { type: 'signDocument' })).status).toBe(401);

	await another.api.deactivate(first.id);
	await until('the end of the copy', () => beside(first).length === 0);
});

test('a restored database at another address', async () => {
	const first = await original();
	const { userFolder, port, logFile } = n8n;
	await n8n.stop();
	another = await anotherN8n(stage.owner, userFolder);
	const installation = await ensureHost({ log: () => undefined });
	n8n = await startN8n({ installation, userFolder, port, logFile });
	await n8n.api.login(stage.owner);

	// n8n does not look after its registrations when it starts.
	expect(beside(first)).toEqual([]);
	await another.api.deactivate(first.id);
	expect(beside(first)).toEqual([]);
	const log = await readFile(another.logFile, 'utf8');
	expect(log).toContain('SignVerify Trigger: the webhook URL of this n8n has changed.');
	expect(log).not.toContain(first.secret);

	await another.api.activate(first.id);
	const [own] = beside(first);
	expect(own?.port).toBe(String(another.port));
	// It is the same n8n, only at another URL.
	expect(own?.searchParams.get('secret')).toBe(first.secret);
	await another.api.deactivate(first.id);
	await until('the end of the copy', () => beside(first).length === 0);

	await stage.sandbox.fire('signDocument', documentID);
	await stage.sandbox.idle();
	expect(await allExecutions(n8n.api, first.id, 1)).toHaveLength(1);
});
