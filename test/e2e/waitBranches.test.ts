import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { outputOf } from '../../host/executions';
import { lineOf, type Step } from '../../host/workflow';
import { signDocument } from '../operations/service';
import { until } from '../support/until';
import { loggedIn, retry } from './support/trigger';
import {
	identityAndWait,
	nextName,
	sendAndWait,
	succeeded,
	useWaiting,
	waitingName,
	waitingWorkflow,
} from './support/wait';

const own = useWaiting('wait-branches');

/** What follows the wait of the executions that are killed: the first calls get no answer. */
const stepCalls: string[] = [];
let isStepReady = false;
const step: Server = createServer(({ url = '' }, response) => {
	stepCalls.push(url);
	if (isStepReady) response.end('{}');
});
beforeAll(async () => {
	await new Promise<void>((resolve) => step.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
	step.closeAllConnections();
	step.close();
});

const email = '={{ $json.list }}@example.com';
const aDocument = (rest: INodeParameters = {}) =>
	sendAndWait(own.stage.sandbox, {
		signatories: {
			signatory: [
				{ email, name: 'Ana Lima' },
				{ email: '={{ $json.list }}-2@example.com', name: 'Ben Lima' },
			],
		},
		...rest,
	});

type Way = 'both outputs of an If' | 'a node behind each output';

/** Two people who come to one waiting node by two branches. */
function branching(way: Way, order: string, parameters: INodeParameters): WorkflowInput {
	const { workflow } = waitingWorkflow('Branches', parameters, own.credential, 2);
	const conditions = { number: [{ value1: '={{ $json.list }}', value2: 0, operation: 'equal' }] };
	const noOp = { type: 'n8n-nodes-base.noOp', parameters: {} };
	const more: Step[] = [
		{ name: 'If', type: 'n8n-nodes-base.if', parameters: { conditions } },
		{ ...noOp, name: 'Yes' },
		{ ...noOp, name: 'No' },
	];
	workflow.nodes.push(...lineOf('', more).nodes.filter(({ name }) => name !== 'Start'));
	const [yes, no] = way === 'both outputs of an If' ? [waitingName, waitingName] : ['Yes', 'No'];
	Object.assign(workflow.connections, {
		Items: { main: [to('If')] },
		If: { main: [to(yes), to(no)] },
		Yes: { main: [to(waitingName)] },
		No: { main: [to(waitingName)] },
	});
	return { ...workflow, settings: { executionOrder: order as 'v1' } };
}

function to(node: string) {
	return [{ node, type: 'main' as const, index: 0 }];
}

async function start(workflow: WorkflowInput): Promise<string> {
	const { id } = await own.n8n.api.createWorkflow(workflow);
	return await own.n8n.api.run(id, 'Start');
}

/** Documents and identity requests by the ID that outputs have, oldest first. */
function asked() {
	const { sandbox } = own.stage;
	return [
		...sandbox.documents().map((each) => ({
			id: each.documentID,
			person: each.signatory[0]?.emailID,
			end: async () => void (await signDocument(sandbox, each.documentID)),
		})),
		...sandbox.identityRequests().map(({ validationId, emailId }) => ({
			id: validationId,
			person: emailId,
			end: async () => void (await sandbox.completeIdentity(validationId, 'pass')),
		})),
	];
}

/** Waits until an execution waits for somebody who was not asked before. */
async function nextPerson(execution: string, before: string[]) {
	return await until('the next person is asked', async () => {
		const { status } = await own.n8n.api.execution(execution);
		if (['success', 'error', 'crashed'].includes(status)) {
			throw new Error(`It ended as ${status} although somebody was not asked.`);
		}
		const [found] = asked().filter(({ id }) => !before.includes(id));
		return status === 'waiting' ? found : undefined;
	});
}

async function outputsOf(execution: string) {
	const done = await succeeded(own.n8n.api, execution);
	return outputOf(done, nextName).map(({ json }) => json);
}

const ids = () => asked().map(({ id }) => id);
const people = ['0@example.com', '1@example.com'];

describe.each<[Way, string]>([
	['both outputs of an If', 'v0'],
	['both outputs of an If', 'v1'],
	['a node behind each output', 'v0'],
	['a node behind each output', 'v1'],
])('a waiting node behind %s (execution order %s)', (way, order) => {
	test.each([
		['documents', aDocument, 'documentId'],
		['identities', () => identityAndWait({ email }), 'validationId'],
	] as const)(
		'both people are asked, and leave with their own result: %s',
		async (_kind, form, idName) => {
			const before = ids();
			const execution = await start(branching(way, order, form()));
			const first = await nextPerson(execution, before);
			await first.end();
			const second = await nextPerson(execution, [...before, first.id]);
			await second.end();
			const outputs = await outputsOf(execution);
			expect([first.person, second.person].sort()).toEqual(people);
			expect(outputs.map((json) => json[idName])).toEqual([first.id, second.id]);
			expect(outputs.map(({ timedOut }) => timedOut)).toEqual([false, false]);
			await own.noRegistrations();
		},
	);
});

test('a limit ends the wait for one of them: both are asked, and only the other one is completed', async () => {
	const limited = (person: number) =>
		branching(
			'both outputs of an If',
			'v1',
			aDocument({
				limitWaitTime: `={{ $json.list === ${person} ? 0.1 : 60 }}`,
				limitWaitTimeUnit: 'minutes',
			}),
		);
	for (const late of [0, 1]) {
		const before = ids();
		const execution = await start(limited(late));
		const seen: string[] = [];
		for (let count = 0; count < 2; count++) {
			const next = await nextPerson(execution, [...before, ...seen]);
			seen.push(next.id);
			if (next.person !== people[late]) await next.end();
		}
		const outputs = await outputsOf(execution);
		expect(outputs.map(({ documentId }) => documentId)).toEqual(seen);
		const lateOf = (id: unknown) => asked().find((each) => each.id === id)?.person === people[late];
		for (const { documentId, timedOut, completed } of outputs) {
			expect([timedOut, completed]).toEqual(lateOf(documentId) ? [true, false] : [false, true]);
		}
	}
});

test('n8n is killed while it waits for the second one', async () => {
	const before = ids();
	const execution = await start(branching('both outputs of an If', 'v1', aDocument()));
	const first = await nextPerson(execution, before);
	await first.end();
	const second = await nextPerson(execution, [...before, first.id]);
	await own.n8n.kill();
	await own.restart();
	await second.end();
	const outputs = await outputsOf(execution);
	expect(outputs.map(({ documentId }) => documentId)).toEqual([first.id, second.id]);
	await own.noRegistrations();
});

test('the first wait is stopped and retried with the original workflow: the second one is asked', async () => {
	const before = ids();
	const execution = await start(branching('both outputs of an If', 'v1', aDocument()));
	const first = await nextPerson(execution, before);
	const client = await loggedIn(own.n8n.url, own.stage.owner);
	await client.call('POST', `/executions/${execution}/stop`);
	const retried = await retry(client, execution, false);
	const second = await nextPerson(retried, [...before, first.id]);
	await second.end();
	expect(await outputsOf(retried)).toMatchObject([
		{ documentId: first.id, timedOut: true },
		{ documentId: second.id, completed: true },
	]);
});

test.each([false, true])(
	'n8n is killed between the two: "Retry" asks the second one, and nobody twice (saved workflow: %s)',
	async (withSaved) => {
		const before = ids();
		stepCalls.length = 0;
		isStepReady = false;
		const workflow = branching('both outputs of an If', 'v1', aDocument());
		const { port } = step.address() as AddressInfo;
		const url = `=http://127.0.0.1:${port}/{{ $json.documentId }}`;
		const request = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url } };
		Object.assign(nodeOf(workflow, nextName), request);
		const execution = await start(workflow);
		const first = await nextPerson(execution, before);
		await first.end();
		await until('the step behind the wait is under way', () => stepCalls.length === 1);
		await own.n8n.kill();
		isStepReady = true;
		await own.restart();
		const isCrashed = async () => (await own.n8n.api.execution(execution)).status === 'crashed';
		await until('n8n knows of the crash', isCrashed);
		const client = await loggedIn(own.n8n.url, own.stage.owner);
		const retried = await retry(client, execution, withSaved);
		const second = await nextPerson(retried, [...before, first.id]);
		await second.end();
		await succeeded(own.n8n.api, retried);
		expect(stepCalls.slice(1)).toEqual([`/${first.id}`, `/${second.id}`]);
		expect(ids()).toHaveLength(before.length + 2);
	},
);

function nodeOf({ nodes }: WorkflowInput, name: string): INode {
	const found = nodes.find((node) => node.name === name);
	if (!found) throw new Error(`There is no node ${name}.`);
	return found;
}
