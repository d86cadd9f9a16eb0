import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { toRealPeople } from '../../host/workflow';
import { signDocument } from '../operations/service';
import { axios, post } from '../support/http';
import { filledForm, templateFor } from '../support/service';
import { Stub } from '../support/stub';
import { until } from '../support/until';
import { allExecutions, loggedIn, retryExecution } from './support/trigger';
import {
	nextName,
	sendAndWait,
	untilSucceeded,
	useWaiting,
	untilWaiting,
	waitingName,
	waitingExecutions,
	waitingWorkflow,
	waitUntilVerified,
} from './support/wait';
import { connect, nodeOf } from './support/workflow';

// Only a real n8n shows what happens when a time limit is reached or n8n is killed or restarted, and what n8n
// stores for a node that several branches lead to. The events that end a wait are tested in
// test/unit/waiting.test.ts and test/integration/waiting*.test.ts. The composition matrix tests loops,
// sub-workflows and retries of stopped waits.
const own = useWaiting('wait');
const soon = { limitWaitTime: 0.1, limitWaitTimeUnit: 'minutes' };

interface Started {
	execution: string;
	document: string;
}
const limited: Started[] = [];
const interrupted: Started[] = [];
/** The paths of the calls to the step after the wait. The step responds only after n8n has been killed. */
const stepCalls: string[] = [];
let isStepReady = false;
const step = new Stub();
step.respond = (response, { path }) => {
	stepCalls.push(path);
	if (isStepReady) response.end('{}');
};

/** What the nodes after the waits have read from the files, indexed by the path of their call. */
const readFiles = new Map<string, string>();
const reader = new Stub();
reader.respond = (response, { path, body }) => {
	readFiles.set(path, body);
	response.end('{}');
};
let withFiles: Started;

/**
 * Sends two files to a workflow that includes its input in the output, and waits until the workflow waits.
 * @param path Where the node after the wait sends what it reads from the files.
 * @param names The names of the files that this node reads.
 */
async function startedWithFiles(
	path: string,
	names: string[],
	rest: IDataObject = {},
): Promise<Started> {
	const form = sendAndWait(own.stage.sandbox, { downloadFiles: true, ...rest });
	const parameters = { ...form, options: { ...Object(form.options), includeInput: true } };
	const waits = waitingWorkflow('With files', parameters, own.credential);
	const { workflow } = waits;
	Object.assign(workflow.connections, connect([['Call', waitingName]]));
	Object.assign(nodeIn(workflow, nextName), {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${reader.url}${path}`,
			method: 'POST',
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: names.map((name) => ({
					parameterType: 'formBinaryData',
					name,
					inputDataFieldName: name,
				})),
			},
		},
	});
	const { id } = await own.n8n.api.createWorkflow(workflow);
	await own.n8n.api.publish(id);
	const files = new FormData();
	for (const name of ['document', 'scan']) {
		files.append(
			name,
			new Blob([`The ${name} of the input`], { type: 'text/plain' }),
			`${name}.txt`,
		);
	}
	expect((await axios.post(`${own.n8n.url}/webhook/${waits.path}`, files)).status).toBe(200);
	const execution = await until('the execution with files waits', async () => {
		const [found] = await waitingExecutions(own.n8n.api, id);
		return found?.id;
	});
	return { execution, document: own.lastDocument() };
}

/** Turns the node after the wait into a call to that step. */
function callStep(workflow: WorkflowInput, path: string): void {
	const parameters = { url: `=${step.url}${path}` };
	const request = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
	Object.assign(nodeIn(workflow, nextName), request);
}

/**
 * Kills n8n, lets the step respond, starts n8n again, and waits until n8n marks these executions as crashed.
 */
async function killAndRestart(...executions: string[]): Promise<void> {
	await own.n8n.kill();
	isStepReady = true;
	await own.restart();
	for (const execution of executions) {
		const isCrashed = async () => (await own.n8n.api.execution(execution)).status === 'crashed';
		await until('n8n marks the execution as crashed', isCrashed);
	}
}

// All executions that must reach their time limit start together, because n8n looks for approaching limits
// only once a minute.
beforeAll(async () => {
	await step.start();
	await reader.start();
	withFiles = await startedWithFiles('/limit', ['inputDocument', 'scan'], soon);
	const parameters = sendAndWait(own.stage.sandbox, soon);
	for (const alwaysOutputData of [false, true]) {
		const { workflow } = waitingWorkflow('Limited', parameters, own.credential);
		Object.assign(nodeIn(workflow, waitingName), { alwaysOutputData });
		limited.push(await started(workflow));
	}
	for (let count = 0; count < 2; count++) {
		const { workflow } = waitingWorkflow('Interrupted', parameters, own.credential);
		callStep(workflow, '/{{ $json.documentId }}/{{ $json.outcome }}');
		interrupted.push(await started(workflow));
	}
});

afterAll(async () => {
	await step.close();
	await reader.close();
});

/** Runs a workflow manually until it waits. */
async function started(workflow: WorkflowInput): Promise<Started> {
	const execution = await start(workflow);
	await untilWaiting(own.n8n.api, execution);
	return { execution, document: own.lastDocument() };
}

function nodeIn({ nodes }: WorkflowInput, name: string): INode {
	const found = nodes.find((node) => node.name === name);
	if (!found) throw new Error(`The node ${name} doesn't exist.`);
	return found;
}

/**
 * Retries an execution, like the Retry command in the list of executions.
 * @returns The ID of the new execution.
 */
async function retryOne(execution: string, withSavedWorkflow: boolean): Promise<string> {
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	return await retryExecution(client, execution, withSavedWorkflow);
}

// This test must run first, because executions that are still waiting are ended after each test.
test('a wait returns the sent document and the included files when it reaches its time limit, with and without "Always Output Data"', async () => {
	expect(limited).toHaveLength(2);
	for (const { execution, document } of limited) {
		const done = await untilSucceeded(own.n8n.api, execution);
		const outputs = outputOf(done, nextName).map(({ json }) => json);
		expect(outputs).toMatchObject([
			{ documentId: document, status: 'PENDING', outcome: 'timedOut' },
		]);
		const late = Date.parse(String(done.stoppedAt)) - Date.parse(String(outputs[0]?.waitUntil));
		expect(late).toBeGreaterThanOrEqual(0);
		expect(late).toBeLessThan(90_000);
	}
	// A later node can still read the files of the input.
	const [item] = outputOf(await untilSucceeded(own.n8n.api, withFiles.execution), waitingName);
	expect(item?.json).toMatchObject({
		documentId: withFiles.document,
		outcome: 'timedOut',
		renamedFiles: { document: 'inputDocument' },
	});
	expect(readFiles.get('/limit')).toContain('The document of the input');
	expect(readFiles.get('/limit')).toContain('The scan of the input');
	await until('the steps after the other waits are running', () => stepCalls.length === 2);
});

test('both kinds of retry continue an execution that was killed after its time limit or between two waits, without sending anything twice', async () => {
	const between: Started[] = [];
	for (let count = 0; count < 2; count++) {
		const before = sent();
		const workflow = branching();
		callStep(workflow, '/{{ $json.documentId }}');
		const execution = await start(workflow);
		const document = await nextDocument(execution, before);
		await signOne(document);
		await until('the step after the wait is running', () => stepCalls.includes(`/${document}`));
		between.push({ execution, document });
	}
	await killAndRestart(...[...interrupted, ...between].map(({ execution }) => execution));

	stepCalls.length = 0;
	const before = sent();
	for (const [index, { execution }] of interrupted.entries()) {
		await untilSucceeded(own.n8n.api, await retryOne(execution, index === 1));
	}
	expect(stepCalls).toEqual(interrupted.map(({ document }) => `/${document}/timedOut`));
	expect(sent()).toEqual(before);

	// Only the second person has no document yet.
	for (const [index, { execution, document: first }] of between.entries()) {
		stepCalls.length = 0;
		const known = sent();
		const retried = await retryOne(execution, index === 1);
		const second = await nextDocument(retried, known);
		await signOne(second);
		await untilSucceeded(own.n8n.api, retried);
		expect(stepCalls).toEqual([`/${first}`, `/${second}`]);
		expect(sent()).toHaveLength(known.length + 1);
	}
});

test('a wait continues after an event with an unknown status, and ends when the document is canceled', async () => {
	const parameters = sendAndWait(own.stage.sandbox);
	const { workflow } = waitingWorkflow('Statuses', parameters, own.credential);
	const { execution, document } = await started(workflow);
	const url = own.stage.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
	const report = async (status: string) => {
		const Document = { documentID: document, status };
		return await post(url, { type: 'completedDocument', Document });
	};
	expect(await report('ARCHIVED')).toBe(422);
	expect((await own.n8n.api.execution(execution)).status).toBe('waiting');
	expect(await report('WITHDRAWN')).toBe(200);
	const done = await untilSucceeded(own.n8n.api, execution);
	expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
		{ documentId: document, status: 'WITHDRAWN', outcome: 'ended' },
	]);
});

test('the node does not offer operations that wait or download when it is used as a tool for AI agents', async () => {
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	const all = await client.call<INodeTypeDescription[]>('GET', '/../types/nodes.json');
	const described = (name: string) =>
		JSON.stringify(all.find((node) => node.name === `n8n-nodes-signverify.${name}`)?.properties);
	expect(described('signVerify')).toContain('sendAndWait');
	const tool = described('signVerifyTool');
	expect(tool).toContain('send');
	expect(tool).not.toContain('sendAndWait');
	expect(described('signVerify')).toContain('"Download document"');
	expect(tool).not.toContain('"Download document"');
});

/** A workflow in which two items reach the same waiting node through different outputs of an If node. */
function branching(): WorkflowInput {
	const template = templateFor(1, own.stage.sandbox);
	// The document is for the person in the item.
	const signatory = [{ email: '={{ $json.list }}@example.com', name: 'Ana Lima' }];
	const parameters = sendAndWait(own.stage.sandbox, {
		...filledForm(template),
		signatories: { signatory },
		...toRealPeople,
	});
	const { workflow } = waitingWorkflow('Branches', parameters, own.credential, 2);
	const conditions = { number: [{ value1: '={{ $json.list }}', value2: 0, operation: 'equal' }] };
	workflow.nodes.push(
		nodeOf({ name: 'If', type: 'n8n-nodes-base.if', parameters: { conditions } }),
	);
	const links = connect([
		['Items', 'If'],
		['If', waitingName, 0],
		['If', waitingName, 1],
	]);
	Object.assign(workflow.connections, links);
	return workflow;
}

async function start(workflow: WorkflowInput): Promise<string> {
	const { id } = await own.n8n.api.createWorkflow(workflow);
	return await own.n8n.api.run(id, 'Start');
}

/** The IDs of all documents, oldest first. */
const sent = () => own.stage.sandbox.documents().map(({ documentID }) => documentID);

/**
 * Waits until an execution has sent a document that is not in `before` and is waiting for its signature.
 * @returns The document's ID.
 */
async function nextDocument(execution: string, before: string[]) {
	return await until('the next document is sent', async () => {
		const { status } = await own.n8n.api.execution(execution);
		if (['success', 'error', 'crashed'].includes(status)) {
			throw new Error(`It ended as ${status} although somebody got no document.`);
		}
		const next = sent().find((id) => !before.includes(id));
		return status === 'waiting' && next;
	});
}

const signOne = async (id: string) => await signDocument(own.stage.sandbox, id);

/** Each starts waits before n8n restarts, and returns what has to be true of them afterwards. */
const overRestart: Array<() => Promise<() => Promise<void>>> = [
	// Three waits each end with their own document, although their workflow was changed and unpublished.
	async () => {
		const { id, path } = await own.add(sendAndWait(own.stage.sandbox, { downloadFiles: true }));
		await own.n8n.api.publish(id);
		const documents: string[] = [];
		for (let count = 1; count <= 3; count++) {
			expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
			await until(
				'the execution waits',
				async () => (await waitingExecutions(own.n8n.api, id)).length === count,
			);
			documents.push(own.lastDocument());
		}
		// Executions that are already waiting continue with the workflow as it was when they started.
		const { nodes } = await own.n8n.api.getWorkflow(id);
		const shorter = nodes.filter(({ name }) => name !== nextName);
		await own.n8n.api.updateWorkflow(id, { nodes: shorter, connections: {} });
		await own.n8n.api.publish(id);
		await own.n8n.api.unpublish(id);
		return async () => {
			const executions = (await allExecutions(own.n8n.api, id, 3))
				.map(({ id: execution }) => execution)
				.sort((left, right) => Number(left) - Number(right));
			for (const index of [1, 2, 0]) {
				await signOne(documents[index] ?? '');
				const done = await untilSucceeded(own.n8n.api, executions[index] ?? '');
				const [item] = outputOf(done, nextName);
				expect(item?.json).toMatchObject({ documentId: documents[index], outcome: 'completed' });
				expect(item?.binary).toHaveProperty('certificate');
			}
			const after = await allExecutions(own.n8n.api, id, 3);
			expect(after.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		};
	},

	// The output contains the input's fields.
	async () => {
		const form = sendAndWait(own.stage.sandbox);
		const parameters = { ...form, options: { ...Object(form.options), includeInput: true } };
		const { workflow } = waitingWorkflow('With input', parameters, own.credential);
		const { execution, document } = await started(workflow);
		return async () => {
			await signOne(document);
			const done = await untilSucceeded(own.n8n.api, execution);
			expect(outputOf(done, nextName).map(({ json }) => json)).toMatchObject([
				{ documentId: document, outcome: 'completed', input: { list: 0 } },
			]);
		};
	},

	// The output contains the input's files.
	async () => {
		const names = ['document', 'inputDocument', 'scan'];
		const { execution, document } = await startedWithFiles('/signed', names);
		return async () => {
			await signOne(document);
			const [item] = outputOf(await untilSucceeded(own.n8n.api, execution), waitingName);
			expect(item?.json).toMatchObject({
				documentId: document,
				outcome: 'completed',
				renamedFiles: { document: 'inputDocument' },
			});
			expect(item?.binary).toMatchObject({
				document: { mimeType: 'application/pdf' },
				inputDocument: { mimeType: 'text/plain', fileName: 'document.txt' },
				scan: { mimeType: 'text/plain', fileName: 'scan.txt' },
			});
			const read = readFiles.get('/signed');
			for (const content of ['%PDF-', 'The document of the input', 'The scan of the input']) {
				expect(read).toContain(content);
			}
		};
	},

	// The ID is compared with the name that the expression returned when the wait began. The sandbox's ID belongs to
	// this person. During the wait, n8n has a different item instead of the input item, without `list`.
	async () => {
		const names = "'Fictitious Sample Person' : 'Ada Lovelace'";
		const executions: string[] = [];
		const people: string[] = [];
		for (const isFirst of ['$json.list === 0', "$('Items').item.json.list === 0", 'false']) {
			const expectedName = `={{ ${isFirst} ? ${names} }}`;
			const form = await waitUntilVerified(own.stage.sandbox, 'ana@example.com');
			const parameters = { ...form, expectedName };
			const execution = await start(waitingWorkflow('Name', parameters, own.credential).workflow);
			await untilWaiting(own.n8n.api, execution);
			people.push(String(form.validationId));
			executions.push(execution);
		}
		return async () => {
			const outputs: IDataObject[] = [];
			for (const [index, execution] of executions.entries()) {
				await own.stage.sandbox.completeIdentity(people[index] ?? '', 'pass');
				const done = await untilSucceeded(own.n8n.api, execution);
				outputs.push(...outputOf(done, nextName).map(({ json }) => json));
			}
			expect(outputs).toMatchObject([
				{ passed: true, nameMatches: 'yes', isOfAge: 'yes' },
				{ passed: true, nameMatches: 'yes', isOfAge: 'yes' },
				{ passed: true, nameMatches: 'unknown', isOfAge: 'yes' },
			]);
			expect(JSON.stringify(outputs)).not.toMatch(/fictitious|1990/i);
		};
	},
];

test('after a restart, each wait ends with its own document, its input, its files, and the name it expects', async () => {
	const checks: Array<() => Promise<void>> = [];
	for (const begin of overRestart) checks.push(await begin());
	await own.restart();
	for (const check of checks) await check();
	await own.stage.sandbox.idle();
	await own.noRegistrations();
});
