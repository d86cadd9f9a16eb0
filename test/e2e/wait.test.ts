import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INode, INodeTypeDescription } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { lineOf, type Step } from '../../host/workflow';
import { signDocument } from '../operations/service';
import { post } from './support/http';
import { until } from '../support/until';
import { allExecutions, loggedIn, retry } from './support/trigger';
import {
	ended,
	identityAndWait,
	nextName,
	sendAndWait,
	succeeded,
	useWaiting,
	waiting,
	waitingName,
	waitingOnes,
	waitingWorkflow,
} from './support/wait';

const own = useWaiting('wait');
const soon = { limitWaitTime: 0.1, limitWaitTimeUnit: 'minutes' };

interface Started {
	execution: string;
	document: string;
}
const limited: Started[] = [];
/** What follows the wait of the executions that are killed: their first calls get no answer. */
const stepCalls: string[] = [];
const step: Server = createServer(({ url = '' }, response) => {
	if (stepCalls.push(url) > interrupted.length) response.end('{}');
});
const interrupted: Started[] = [];

// Executions whose limits are over in the first minute.
beforeAll(async () => {
	await new Promise<void>((resolve) => step.listen(0, '127.0.0.1', resolve));
	const parameters = sendAndWait(own.stage.sandbox, soon);
	for (const alwaysOutputData of [false, true]) {
		const { workflow } = waitingWorkflow('Limited', parameters, own.credential);
		Object.assign(nodeOf(workflow, waitingName), { alwaysOutputData });
		limited.push(await started(workflow));
	}
	for (let count = 0; count < 2; count++) {
		const { workflow } = waitingWorkflow('Interrupted', parameters, own.credential);
		const { port } = step.address() as AddressInfo;
		const url = `=http://127.0.0.1:${port}/{{ $json.documentId }}/{{ $json.timedOut }}`;
		const request = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url } };
		Object.assign(nodeOf(workflow, nextName), request);
		interrupted.push(await started(workflow));
	}
});

afterAll(() => {
	step.closeAllConnections();
	step.close();
});

/** Runs a workflow by hand until it waits. */
async function started(workflow: WorkflowInput): Promise<Started> {
	const { id } = await own.n8n.api.createWorkflow(workflow);
	const execution = await own.n8n.api.run(id, 'Start');
	await waiting(own.n8n.api, execution);
	return { execution, document: own.lastDocument() };
}

function nodeOf({ nodes }: WorkflowInput, name: string): INode {
	const found = nodes.find((node) => node.name === name);
	if (!found) throw new Error(`There is no node ${name}.`);
	return found;
}

/** "Retry" in the list of executions; gives the new execution when it is over. */
async function retried(execution: string, withSavedWorkflow: boolean) {
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	return await succeeded(own.n8n.api, await retry(client, execution, withSavedWorkflow));
}

test('at the limit, the output of sending leaves, with and without Always Output Data', async () => {
	expect(limited).toHaveLength(2);
	for (const { execution, document } of limited) {
		const done = await succeeded(own.n8n.api, execution);
		const outputs = outputOf(done, nextName).map(({ json }) => json);
		expect(outputs).toMatchObject([
			{ documentId: document, status: 'PENDING', completed: false, timedOut: true },
		]);
		const late = Date.parse(String(done.stoppedAt)) - Date.parse(String(outputs[0]?.waitUntil));
		expect(late).toBeGreaterThanOrEqual(0);
		expect(late).toBeLessThan(90_000);
	}
	await until('the steps after the others are under way', () => stepCalls.length === 2);
});

test('n8n is killed while executions continue at their limits: "Retry" of both kinds continues them, and sends nothing', async () => {
	const sent = own.stage.sandbox.documents().length;
	await own.n8n.kill();
	await own.restart();
	for (const [index, { execution }] of interrupted.entries()) {
		const isCrashed = async () => (await own.n8n.api.execution(execution)).status === 'crashed';
		await until('n8n knows of the crash', isCrashed);
		await retried(execution, index === 1);
	}
	const calls = interrupted.map(({ document }) => `/${document}/true`);
	expect(stepCalls.slice(0, 2).sort()).toEqual([...calls].sort());
	expect(stepCalls.slice(2)).toEqual(calls);
	expect(own.stage.sandbox.documents()).toHaveLength(sent);
});

test.each([false, true])(
	'a wait that is stopped and retried: the output of sending leaves, and nothing is sent (saved workflow: %s)',
	async (withSaved) => {
		const { execution, document } = await own.startWaiting(
			sendAndWait(own.stage.sandbox, { limitWaitTime: 1 }),
		);
		const sent = own.stage.sandbox.documents().length;
		const client = await loggedIn(own.n8n.url, own.stage.owner);
		await client.call('POST', `/executions/${execution}/stop`);
		const done = await retried(execution, withSaved);
		const [output] = outputOf(done, nextName).map(({ json }) => json);
		expect(output).toMatchObject({ documentId: document, completed: false, timedOut: true });
		// That is how a workflow can tell a retry from a limit.
		expect(Date.parse(String(output?.waitUntil))).toBeGreaterThan(Date.now());
		expect(own.stage.sandbox.documents()).toHaveLength(sent);
	},
);

test('several items are refused before anything is sent', async () => {
	const { id } = await own.add(undefined, 3);
	const sent = own.stage.sandbox.documents().length;
	const { status, error } = await ended(own.n8n.api, await own.n8n.api.run(id, 'Start'));
	expect([status, error?.message]).toEqual([
		'error',
		'Operation: an execution can wait for one item, and this node got 3. Nothing was sent',
	]);
	expect(own.stage.sandbox.documents()).toHaveLength(sent);
});

/** The form of a node whose signatory is the person of the item. */
const perPerson = () =>
	sendAndWait(own.stage.sandbox, {
		signatories: {
			signatory: [
				{ email: '={{ $json.list }}@example.com', name: 'Ana Lima' },
				{ email: '={{ $json.list }}-2@example.com', name: 'Ben Lima' },
			],
		},
	});

test('Loop Over Items with a batch of 1: one person after the other, each with their own document', async () => {
	const { workflow } = waitingWorkflow('Loop', perPerson(), own.credential, 3);
	add(workflow, {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 1 },
	});
	Object.assign(workflow.connections, {
		Items: to('Loop'),
		Loop: { main: [[], ...to(waitingName).main] },
		[nextName]: to('Loop'),
	});
	const { id } = await own.n8n.api.createWorkflow(workflow);
	const execution = await own.n8n.api.run(id, 'Start');
	const documents: string[] = [];
	for (let round = 0; round < 3; round++) {
		await until('it waits for the next person', async () => {
			const { status } = await own.n8n.api.execution(execution);
			return status === 'waiting' && !documents.includes(own.lastDocument());
		});
		documents.push(own.lastDocument());
		await signDocument(own.stage.sandbox, own.lastDocument());
		await own.stage.sandbox.idle();
	}
	expect(await own.documentOf(execution)).toEqual(documents);
	await own.noRegistrations();
});

test('a sub-workflow for each person: all wait at once, and each continues with its own', async () => {
	const { workflow: child } = waitingWorkflow('For one person', perPerson(), own.credential);
	child.nodes = child.nodes.filter(({ name }) => [waitingName, nextName].includes(name));
	add(child, {
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	child.connections = { Called: to(waitingName), [waitingName]: to(nextName) };
	const { id: childId } = await own.n8n.api.createWorkflow(child);
	await own.n8n.api.activate(childId);
	const { workflow } = waitingWorkflow('For each person', perPerson(), own.credential, 3);
	workflow.nodes = workflow.nodes.filter(({ name }) => name !== waitingName);
	add(
		workflow,
		{
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1 },
		},
		{
			name: 'Call one',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: childId },
				options: { waitForSubWorkflow: false },
			},
		},
	);
	delete workflow.connections[waitingName];
	Object.assign(workflow.connections, {
		Items: to('Loop'),
		Loop: { main: [...to(nextName).main, ...to('Call one').main] },
		'Call one': to('Loop'),
	});
	const before = own.stage.sandbox.documents().length;
	const { id } = await own.n8n.api.createWorkflow(workflow);
	await succeeded(own.n8n.api, await own.n8n.api.run(id, 'Start'));
	await until('all wait', async () => (await waitingOnes(own.n8n.api, childId)).length === 3);
	const documents = own.stage.sandbox.documents().slice(before);
	expect(documents.map(({ signatory }) => signatory[0]?.emailID).sort()).toEqual(
		[0, 1, 2].map((person) => `${person}@example.com`),
	);
	for (const { documentID } of [...documents].reverse()) {
		await signDocument(own.stage.sandbox, documentID);
	}
	const children = await allExecutions(own.n8n.api, childId, 3);
	const ended: unknown[] = [];
	for (const each of children) ended.push(...(await own.documentOf(each.id)));
	expect(ended.sort()).toEqual(documents.map(({ documentID }) => documentID).sort());
	await own.noRegistrations();
});

function add(workflow: WorkflowInput, ...steps: Step[]): void {
	const { nodes } = lineOf('Steps', steps);
	workflow.nodes.push(...nodes.filter(({ name }) => name !== 'Start'));
}

function to(node: string) {
	return { main: [[{ node, type: 'main' as const, index: 0 }]] };
}

test('a run by hand goes on with its own document and its files', async () => {
	const { execution, document } = await own.startWaiting(
		sendAndWait(own.stage.sandbox, { downloadFiles: true }),
	);
	await signDocument(own.stage.sandbox, document);
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
		await signDocument(own.stage.sandbox, documents[index] ?? '');
		expect(await own.documentOf(executions[index] ?? '')).toEqual([documents[index]]);
	}
	await own.stage.sandbox.idle();
	await own.noRegistrations();
	const after = await allExecutions(own.n8n.api, id, 3);
	expect(after.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
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

	// Options that the form no longer shows, as they stay in a workflow: n8n does not give them to the node.
	const options = { checkOnly: 'on', sendOnceKey: 'k' };
	const again = await own.add(
		identityAndWait({ verification: 'existing', validationId: ids[0], options }),
	);
	const done = await ended(own.n8n.api, await own.n8n.api.run(again.id, 'Start'));
	const [{ json } = { json: {} }] = outputOf(done, nextName);
	expect(json).toMatchObject({ validationId: ids[0], timedOut: false });
	expect(json).not.toHaveProperty('checkOnly');
	await own.noRegistrations();
});

test('as a tool for AI agents the node does not offer what waits', async () => {
	const client = await loggedIn(own.n8n.url, own.stage.owner);
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
