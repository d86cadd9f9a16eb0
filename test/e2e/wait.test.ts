import type { INodeTypeDescription } from 'n8n-workflow';

import { readExample } from '../../host/examples';
import { N8nClient } from '../../host/api-client';
import { ensureHost } from '../../host/install';
import { startN8n, type N8n } from '../../host/n8n';
import { outputOf } from '../../host/executions';
import { axios } from './support/http';
import { until, useStage } from './support/stage';
import {
	allExecutions,
	clearStage,
	createDocument,
	credentialId,
	loggedIn,
} from './support/trigger';
import {
	ended,
	identityAndWait,
	nextName,
	sendAndWait,
	signAll,
	waiting,
	waitingName,
	waitingWorkflow,
} from './support/wait';

const stage = useStage('wait');
/** The running n8n; another one after the restart. */
let n8n: N8n;
let credential: string;
/** An execution whose time is over in the first minute; looked at last. */
let limited: string;
let signedInTime: string;

async function restart(): Promise<void> {
	const installation = await ensureHost({ log: () => undefined });
	const { userFolder, port, logFile } = stage.n8n;
	await n8n.stop();
	n8n = await startN8n({ installation, userFolder, port, logFile });
	await n8n.api.login(stage.owner);
}

async function add(
	parameters = sendAndWait(stage.sandbox),
	items = 1,
): Promise<{ id: string; path: string }> {
	const { workflow, path } = waitingWorkflow('Waits', parameters, credential, items);
	return { id: (await n8n.api.createWorkflow(workflow)).id, path };
}

/** Starts a workflow by hand; gives the execution that waits, its document and its address. */
async function startWaiting(parameters?: Parameters<typeof add>[0], items = 1) {
	const { id } = await add(parameters, items);
	const execution = await n8n.api.run(id, 'Start');
	await waiting(n8n.api, execution);
	return {
		id,
		execution,
		document: stage.sandbox.documents().at(-1)?.documentID ?? '',
		address: stage.sandbox.webhooks().at(-1)?.webHookUrl ?? '',
	};
}

const noRegistrations = async () =>
	await until('no registration is left', () => stage.sandbox.webhooks().length === 0);
const documentOf = async (execution: string) => {
	const done = await ended(n8n.api, execution);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	return outputOf(done, nextName).map(({ json }) => json.documentId);
};
const post = async (url: string, body: unknown) => (await axios.post(url, body)).status;

beforeAll(async () => {
	n8n = stage.n8n;
	await clearStage(stage);
	credential = await credentialId(n8n.api);
	const options = { limitWaitTime: { values: { amount: 0.1, unit: 'minutes' } } };
	({ execution: limited, document: signedInTime } = await startWaiting(
		sendAndWait(stage.sandbox, { options }),
		2,
	));
	await signAll(stage.sandbox, signedInTime);
}, 240_000);
afterAll(async () => await n8n?.stop());
afterEach(() => stage.sandbox.faults.clear());

test('the time limit removes the registration', async () => {
	await noRegistrations();
});

test('a run by hand goes on with its own document and its files', async () => {
	const { execution, document } = await startWaiting(
		sendAndWait(stage.sandbox, { downloadFiles: true }),
	);
	await signAll(stage.sandbox, document);
	expect(await documentOf(execution)).toEqual([document]);
	const [item] = outputOf(await n8n.api.execution(execution), nextName);
	expect(item?.json).toMatchObject({ status: 'COMPLETED', timedOut: false });
	expect(Object.keys(item?.binary ?? {}).sort()).toEqual([
		'certificate',
		'document',
		'pscCertificate',
	]);
	await noRegistrations();
}, 30_000);

test('three wait, their workflow is deactivated, n8n restarted; signed in another order', async () => {
	const { id, path } = await add();
	await n8n.api.activate(id);
	const documents: string[] = [];
	for (let count = 1; count <= 3; count++) {
		expect(await post(`${n8n.url}/webhook/${path}`, {})).toBe(200);
		await until('it waits', async () => {
			const found = await n8n.api.executions({ workflowId: id });
			return found.filter(({ status }) => status === 'waiting').length === count;
		});
		documents.push(stage.sandbox.documents().at(-1)?.documentID ?? '');
	}
	await n8n.api.deactivate(id);
	await restart();
	const executions = (await allExecutions(n8n.api, id, 3)).map((each) => each.id).sort(byNumber);
	for (const index of [1, 2, 0]) {
		await signAll(stage.sandbox, documents[index] ?? '');
		expect(await documentOf(executions[index] ?? '')).toEqual([documents[index]]);
	}
	await stage.sandbox.idle();
	await noRegistrations();
	const after = await allExecutions(n8n.api, id, 3);
	expect(after.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
}, 90_000);

test('several items in one execution wait for all; n8n restarted half way', async () => {
	const { execution } = await startWaiting(sendAndWait(stage.sandbox, { downloadFiles: true }), 4);
	const waits = await n8n.api.execution(execution);
	const own = outputOf(waits, waitingName).map(({ json }) => String(json.documentId));
	expect(new Set(own).size).toBe(4);
	expect(stage.sandbox.webhooks()).toHaveLength(1);

	await signAll(stage.sandbox, own[2] ?? '');
	await stage.sandbox.idle();
	await waiting(n8n.api, execution);
	await stage.sandbox.fire('completedDocument', own[2] ?? '');
	await stage.sandbox.idle();
	await restart();
	expect((await n8n.api.execution(execution)).status).toBe('waiting');
	await Promise.all([0, 3, 1].map(async (index) => await signAll(stage.sandbox, own[index] ?? '')));
	expect(await documentOf(execution)).toEqual(own);
	const done = outputOf(await n8n.api.execution(execution), nextName);
	expect(done.map(({ binary }) => Object.keys(binary ?? {}).length)).toEqual([3, 3, 3, 3]);
	expect(done.map(({ json }) => json.timedOut)).toEqual([false, false, false, false]);
	await stage.sandbox.idle();
	await noRegistrations();
}, 90_000);

test('foreign, forged, malformed, repeated and late events end nothing in error', async () => {
	const { execution, address, document } = await startWaiting();
	const foreign = await createDocument(stage.sandbox);
	const [other] = await stage.sandbox.fire('completedDocument', foreign);
	await stage.sandbox.idle();
	expect(
		stage.sandbox
			.deliveries()
			.at(-1)
			?.attempts.map(({ status }) => status),
	).toEqual([200]);
	const flood = Array.from({ length: 100 }, async () => await post(address, other?.body));
	expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));

	const forged = new URL(address);
	forged.searchParams.set('signature', '0'.repeat(64));
	expect(await post(forged.href, other?.body)).toBe(401);
	expect(await post(`${address}&more=1`, other?.body)).toBe(401);
	expect(await post(address.split('?')[0] ?? '', other?.body)).toBe(401);
	expect(await post(address, '')).toBe(400);
	expect(await post(address, [1])).toBe(400);
	expect(await post(address, { type: 'signDocument', Document: {} })).toBe(422);
	expect(await post(address, { type: 'completedDocument', Document: null })).toBe(200);
	expect((await axios.get(address)).status).toBe(200);
	expect((await n8n.api.execution(execution)).status).toBe('waiting');

	const body = JSON.parse(JSON.stringify(other?.body).replaceAll(foreign, document)) as unknown;
	const five = await Promise.all([1, 2, 3, 4, 5].map(async () => await post(address, body)));
	expect(five).toEqual([200, 200, 200, 200, 200]);
	expect(await documentOf(execution)).toEqual([document]);
	expect(await post(address, body)).toBe(200);
	expect((await n8n.api.execution(execution)).runData[nextName]).toHaveLength(1);
	await noRegistrations();
}, 60_000);

test('an event before the execution is saved is refused by n8n and sent again', async () => {
	stage.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		delayMs: 1200,
		times: 1,
	});
	const foreign = stage.sandbox.documents()[0]?.documentID ?? '';
	const { id } = await add();
	const execution = await n8n.api.run(id, 'Start');
	await until('it is registered', () => stage.sandbox.webhooks().length === 1);
	const [delivery] = await stage.sandbox.fire('completedDocument', foreign);
	await waiting(n8n.api, execution);
	await stage.sandbox.idle();
	const attempts = stage.sandbox.deliveries().find((each) => each.id === delivery?.id)?.attempts;
	// n8n 2.41 says 409 for a production run and 500 for one by hand, which it has not stored yet.
	expect([409, 500]).toContain(attempts?.[0]?.status);
	expect(attempts?.at(-1)?.status).toBe(200);
	const document = stage.sandbox.documents().at(-1)?.documentID ?? '';
	await signAll(stage.sandbox, document);
	expect(await documentOf(execution)).toEqual([document]);
	await noRegistrations();
}, 60_000);

test('where the creation answers nothing: by template and signatories', async () => {
	stage.sandbox.settings.set({
		quirks: { ...stage.sandbox.settings.get().quirks, createAnswersOnlySuccess: true },
	});
	const { execution, document } = await startWaiting();
	stage.sandbox.settings.reset();
	await signAll(stage.sandbox, document);
	expect(await documentOf(execution)).toEqual([document]);
	await noRegistrations();
}, 30_000);

test('what cannot be created waits for nothing', async () => {
	stage.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		answer: { status: 400, body: { success: false, message: 'Some emails are repeated' } },
	});
	const { id } = await add();
	const failed = await ended(n8n.api, await n8n.api.run(id, 'Start'));
	expect([failed.status, failed.error?.message]).toEqual([
		'error',
		expect.stringContaining('Some emails are repeated'),
	]);
	await noRegistrations();
}, 30_000);

test('cancelled and deleted executions: listed as left over, removed by the next run', async () => {
	const client = await loggedIn(n8n.url, stage.owner);
	const cancelled = await startWaiting();
	const deleted = await startWaiting();
	await client.call('POST', `/executions/${cancelled.execution}/stop`);
	await client.call('POST', '/executions/delete', { body: { ids: [deleted.execution] } });
	const listing = await n8n.api.createWorkflow(
		waitingWorkflow(
			'Left over',
			{ resource: 'webhook', operation: 'getAll', filters: { leftOver: true } },
			credential,
		).workflow,
	);
	const listed = await ended(n8n.api, await n8n.api.run(listing.id, 'Start'));
	expect(outputOf(listed, nextName).map(({ json }) => json.webHookUrl)).toEqual(
		[cancelled, deleted].map(({ address }) => address.replace(/signature=.*/, 'signature=…')),
	);
	const kept = await startWaiting();
	await until('the two are removed', () => stage.sandbox.webhooks().length === 1);
	expect(stage.sandbox.webhooks()[0]?.webHookUrl).toBe(kept.address);
	await signAll(stage.sandbox, kept.document);
	expect(await documentOf(kept.execution)).toEqual([kept.document]);
	await noRegistrations();
}, 60_000);

test('identity: a new one, one requested before, one that is done already', async () => {
	const { id } = await add(identityAndWait({ email: 'ana@example.com' }));
	const first = await n8n.api.run(id, 'Start');
	const second = await n8n.api.run(id, 'Start');
	await waiting(n8n.api, first);
	await waiting(n8n.api, second);
	const [one, two] = stage.sandbox.identityRequests().slice(-2);
	const ids = [one?.validationId ?? '', two?.validationId ?? ''];
	// The two ran at once: which of them asked first is not known.
	await stage.sandbox.completeIdentity(ids[1] ?? '', 'pass');
	await stage.sandbox.completeIdentity(ids[0] ?? '', 'pass');
	const outputs = [];
	for (const execution of [first, second]) {
		const done = await ended(n8n.api, execution);
		expect([done.status, done.error?.message]).toEqual(['success', undefined]);
		outputs.push(...outputOf(done, nextName).map(({ json }) => json));
	}
	expect(outputs.map(({ validationId }) => validationId).sort()).toEqual([...ids].sort());
	expect(outputs[0]).toMatchObject({
		email: 'ana@example.com',
		status: 'COMPLETED',
		timedOut: false,
	});
	expect(outputs[0]).toHaveProperty('score.overall.status', 'OK');
	expect(outputs[0]).not.toHaveProperty('ocr');
	await noRegistrations();

	const again = await add(identityAndWait({ verification: 'existing', validationId: ids[0] }));
	const done = await ended(n8n.api, await n8n.api.run(again.id, 'Start'));
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({
		validationId: ids[0],
		timedOut: false,
	});
	await noRegistrations();
}, 60_000);

test('the examples, from form to mail', async () => {
	const credentials = Object.fromEntries(
		(await n8n.api.listCredentials()).map(({ id, type }) => [type, id]),
	);
	const start = async (name: string, ...values: string[]) => {
		const { id } = await n8n.api.createWorkflow(await readExample(name, credentials));
		await n8n.api.activate(id);
		const form = new FormData();
		values.forEach((value, index) => form.append(`field-${index}`, value));
		const path = name.split('-wait')[0];
		expect((await axios.post(`${n8n.url}/form/${path}`, form)).status).toBe(200);
		const [execution] = await until('it waits', async () =>
			(await n8n.api.executions({ workflowId: id })).some(({ status }) => status === 'waiting')
				? await n8n.api.executions({ workflowId: id })
				: undefined,
		);
		return { id, execution: execution?.id ?? '' };
	};
	const hire = await start(
		'hire-wait-until-signed',
		'Nathan Smith',
		'nathan@example.com',
		'Analyst',
		'2026-12-01',
	);
	await signAll(stage.sandbox, stage.sandbox.documents().at(-1)?.documentID ?? '');
	expect((await ended(n8n.api, hire.execution)).lastNodeExecuted).toBe('Welcome');

	const check = await start('identity-then-contract', 'Nina Jones', 'nina@example.com');
	const request = stage.sandbox.identityRequests().at(-1)?.validationId ?? '';
	const before = stage.sandbox.documents().length;
	await stage.sandbox.completeIdentity(request, 'pass');
	await until('the contract is sent', () => stage.sandbox.documents().length > before);
	await until(
		'it waits',
		async () => (await n8n.api.execution(check.execution)).status === 'waiting',
	);
	await signAll(stage.sandbox, stage.sandbox.documents().at(-1)?.documentID ?? '');
	expect((await ended(n8n.api, check.execution)).lastNodeExecuted).toBe('Signed');
	await stage.sandbox.idle();
	const mails = stage.sandbox.mails().map(({ subject }) => subject);
	expect(mails).toEqual(expect.arrayContaining(['Welcome!', 'Please confirm who you are']));
	await noRegistrations();
}, 60_000);

test('as a tool for AI agents the node does not offer what waits', async () => {
	const client = new N8nClient(n8n.url);
	await client.call('POST', '/login', {
		body: { emailOrLdapLoginId: stage.owner.email, password: stage.owner.password },
	});
	const all = await client.call<INodeTypeDescription[]>('GET', '/../types/nodes.json');
	const described = (name: string) =>
		JSON.stringify(all.find((each) => each.name === `n8n-nodes-signverify.${name}`)?.properties);
	expect(described('signVerify')).toContain('sendAndWait');
	const tool = described('signVerifyTool');
	expect(tool).toContain('createFromTemplate');
	expect(tool).not.toContain('sendAndWait');
});

test('the time limit: the item says so', async () => {
	const done = await ended(n8n.api, limited, 75_000);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	const outputs = outputOf(done, nextName).map(({ json }) => json);
	expect(outputs).toHaveLength(2);
	for (const { documentId, status, timedOut } of outputs) {
		const inTime = documentId === signedInTime;
		expect([status, timedOut]).toEqual(inTime ? ['COMPLETED', false] : ['PENDING', true]);
	}
}, 90_000);

function byNumber(left: string, right: string): number {
	return Number(left) - Number(right);
}
