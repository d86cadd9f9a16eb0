import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { N8nClient } from '../../host/apiClient';
import { outputOf } from '../../host/executions';
import { post } from './support/http';
import { until } from './support/stage';
import { allExecutions, loggedIn } from './support/trigger';
import {
	ended,
	identityAndWait,
	nextName,
	sendAndWait,
	signAll,
	succeeded,
	useWaiting,
	waiting,
	waitingName,
	waitingOnes,
	waitingWorkflow,
} from './support/wait';

const own = useWaiting('wait');
/** Executions whose time is over in the first minute. */
let limited: string;
let signedInTime: string;
let limitedChecks: string;
let checks: string[];
/** What follows the wait of an execution that is killed: its first call gets no answer. */
const stepCalls: string[] = [];
const step: Server = createServer(({ url = '' }, response) => {
	if (stepCalls.push(url) > 1) response.end('{}');
});
let interrupted: { execution: string; document: string };

beforeAll(async () => {
	const options = { limitWaitTime: { values: { amount: 0.1, unit: 'minutes' } } };
	interrupted = await startBeforeStep(sendAndWait(own.stage.sandbox, { options }));
	({ execution: limited, document: signedInTime } = await own.startWaiting(
		sendAndWait(own.stage.sandbox, { options }),
		2,
	));
	await signAll(own.stage.sandbox, signedInTime);
	const identities = await startChecks({ options });
	limitedChecks = identities.execution;
	checks = identities.ids;
	// Another order than theirs; the first of them never comes.
	for (const id of [checks[2], checks[1]]) {
		await own.stage.sandbox.completeIdentity(id ?? '', 'pass');
		await own.stage.sandbox.idle();
	}
});

afterAll(() => {
	step.closeAllConnections();
	step.close();
});

/** Starts an execution that waits for a document, and then tells `step` of it. */
async function startBeforeStep(parameters: INodeParameters) {
	await new Promise<void>((resolve) => step.listen(0, '127.0.0.1', resolve));
	const { port } = step.address() as AddressInfo;
	const url = `=http://127.0.0.1:${port}/{{ $json.documentId }}/{{ $json.timedOut }}`;
	const { workflow } = waitingWorkflow('Interrupted', parameters, own.credential);
	const next = workflow.nodes.find(({ name }) => name === nextName);
	const type = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
	Object.assign(next ?? {}, { ...type, parameters: { url } });
	const { id } = await own.n8n.api.createWorkflow(workflow);
	const execution = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, execution);
	return { execution, document: own.lastDocument() };
}

/** Starts an execution that waits for three people. */
async function startChecks(rest: object) {
	const before = own.stage.sandbox.identityRequests().length;
	const email = '={{ `person-${$itemIndex}@example.com` }}';
	const { id } = await own.add(identityAndWait({ email, ...rest }), 3);
	const execution = await own.n8n.api.run(id, 'Start');
	const waits = await waiting(own.n8n.api, execution);
	const ids = outputOf(waits, waitingName).map(({ json }) => String(json.validationId));
	expect(own.stage.sandbox.identityRequests()).toHaveLength(before + 3);
	expect(new Set(ids).size).toBe(3);
	return { execution, ids };
}

test('the time limit: the item says so, and no registration is left', async () => {
	const done = await succeeded(own.n8n.api, limited);
	const outputs = outputOf(done, nextName).map(({ json }) => json);
	expect(outputs).toHaveLength(2);
	for (const { documentId, status, timedOut } of outputs) {
		const inTime = documentId === signedInTime;
		expect([status, timedOut]).toEqual(inTime ? ['COMPLETED', false] : ['PENDING', true]);
	}
	const verified = await succeeded(own.n8n.api, limitedChecks);
	const people = outputOf(verified, nextName).map(({ json }) => [json.validationId, json.timedOut]);
	expect(people).toEqual(checks.map((id, index) => [id, index === 0]));
	await own.noRegistrations();
});

test('n8n is killed while an execution continues at its limit: "Retry" continues it, and sends nothing', async () => {
	const { execution, document } = interrupted;
	const sent = own.stage.sandbox.documents().length;
	await until('the step after the wait is under way', () => stepCalls.length === 1);
	await own.n8n.kill();
	await own.restart();
	const isCrashed = async () => (await own.n8n.api.execution(execution)).status === 'crashed';
	await until('n8n knows of the crash', isCrashed);
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	const retry = await client.call<{ id: string }>('POST', `/executions/${execution}/retry`, {
		body: { loadWorkflow: false },
	});
	await succeeded(own.n8n.api, retry.id);
	expect(stepCalls).toEqual([`/${document}/true`, `/${document}/true`]);
	expect(own.stage.sandbox.documents()).toHaveLength(sent);
	await own.noRegistrations();
});

test('a run by hand goes on with its own document and its files', async () => {
	const { execution, document } = await own.startWaiting(
		sendAndWait(own.stage.sandbox, { downloadFiles: true }),
	);
	await signAll(own.stage.sandbox, document);
	expect(await own.documentOf(execution)).toEqual([document]);
	const [item] = outputOf(await own.n8n.api.execution(execution), nextName);
	expect(item?.json).toMatchObject({ status: 'COMPLETED', timedOut: false });
	expect(Object.keys(item?.binary ?? {}).sort()).toEqual([
		'certificate',
		'document',
		'pscCertificate',
	]);
	await own.noRegistrations();
});

test('three wait, their workflow is deactivated, n8n restarted; signed in another order', async () => {
	const { id, path } = await own.add();
	await own.n8n.api.activate(id);
	const documents: string[] = [];
	for (let count = 1; count <= 3; count++) {
		expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
		await until('it waits', async () => (await waitingOnes(own.n8n.api, id)).length === count);
		documents.push(own.lastDocument());
	}
	await own.n8n.api.deactivate(id);
	await own.restart();
	const executions = (await allExecutions(own.n8n.api, id, 3))
		.map((each) => each.id)
		.sort(byNumber);
	for (const index of [1, 2, 0]) {
		await signAll(own.stage.sandbox, documents[index] ?? '');
		expect(await own.documentOf(executions[index] ?? '')).toEqual([documents[index]]);
	}
	await own.stage.sandbox.idle();
	await own.noRegistrations();
	const after = await allExecutions(own.n8n.api, id, 3);
	expect(after.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
});

test('several items in one execution wait for all; n8n restarted half way', async () => {
	const { execution } = await own.startWaiting(
		sendAndWait(own.stage.sandbox, { downloadFiles: true }),
		4,
	);
	const waits = await own.n8n.api.execution(execution);
	const ids = outputOf(waits, waitingName).map(({ json }) => String(json.documentId));
	expect(new Set(ids).size).toBe(4);
	expect(own.stage.sandbox.webhooks()).toHaveLength(1);

	await signAll(own.stage.sandbox, ids[2] ?? '');
	await own.stage.sandbox.idle();
	await waiting(own.n8n.api, execution);
	await own.stage.sandbox.fire('completedDocument', ids[2] ?? '');
	await own.stage.sandbox.idle();
	await own.restart();
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	await Promise.all(
		[0, 3, 1].map(async (index) => await signAll(own.stage.sandbox, ids[index] ?? '')),
	);
	expect(await own.documentOf(execution)).toEqual(ids);
	const done = outputOf(await own.n8n.api.execution(execution), nextName);
	expect(done.map(({ binary }) => Object.keys(binary ?? {}).length)).toEqual([3, 3, 3, 3]);
	expect(done.map(({ json }) => json.timedOut)).toEqual([false, false, false, false]);
	await own.stage.sandbox.idle();
	await own.noRegistrations();
});

test('identity: a new one, one requested before, one that is done already', async () => {
	const { id } = await own.add(identityAndWait({ email: 'ana@example.com' }));
	const first = await own.n8n.api.run(id, 'Start');
	const second = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, first);
	await waiting(own.n8n.api, second);
	const [one, two] = own.stage.sandbox.identityRequests().slice(-2);
	const ids = [one?.validationId ?? '', two?.validationId ?? ''];
	// The two ran at once: which of them asked first is not known.
	await own.stage.sandbox.completeIdentity(ids[1] ?? '', 'pass');
	await own.stage.sandbox.completeIdentity(ids[0] ?? '', 'pass');
	const outputs = [];
	for (const execution of [first, second]) {
		const done = await succeeded(own.n8n.api, execution);
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
	await own.noRegistrations();

	const again = await own.add(identityAndWait({ verification: 'existing', validationId: ids[0] }));
	const done = await ended(own.n8n.api, await own.n8n.api.run(again.id, 'Start'));
	expect(outputOf(done, nextName)[0]?.json).toMatchObject({
		validationId: ids[0],
		timedOut: false,
	});
	await own.noRegistrations();
});

test('several identities in one execution wait for all, done in another order', async () => {
	const { execution, ids } = await startChecks({});
	for (const index of [2, 0, 1]) {
		// Noting one takes the execution a moment.
		await waiting(own.n8n.api, execution);
		await own.stage.sandbox.completeIdentity(ids[index] ?? '', index === 1 ? 'fail' : 'pass');
		await own.stage.sandbox.idle();
	}
	const done = await succeeded(own.n8n.api, execution);
	const outputs = outputOf(done, nextName).map(({ json }) => json);
	expect(outputs.map(({ validationId, email }) => [validationId, email])).toEqual(
		ids.map((id, index) => [id, `person-${index}@example.com`]),
	);
	expect(outputs.map(({ timedOut }) => timedOut)).toEqual([false, false, false]);
	expect(outputs[0]).toHaveProperty('score.overall.status', 'OK');
	expect(outputs[1]).not.toHaveProperty('score.overall.status', 'OK');
	await own.noRegistrations();
});

test('as a tool for AI agents the node does not offer what waits', async () => {
	const client = new N8nClient(own.n8n.url);
	await client.call('POST', '/login', {
		body: { emailOrLdapLoginId: own.stage.owner.email, password: own.stage.owner.password },
	});
	const all = await client.call<INodeTypeDescription[]>('GET', '/../types/nodes.json');
	const described = (name: string) =>
		JSON.stringify(all.find((each) => each.name === `n8n-nodes-signverify.${name}`)?.properties);
	expect(described('signVerify')).toContain('sendAndWait');
	const tool = described('signVerifyTool');
	expect(tool).toContain('createFromTemplate');
	expect(tool).not.toContain('sendAndWait');
});

function byNumber(left: string, right: string): number {
	return Number(left) - Number(right);
}
