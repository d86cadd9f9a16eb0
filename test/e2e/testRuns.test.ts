import { randomUUID } from 'node:crypto';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import type { WorkflowInput } from '../../host/apiTypes';
import { nodePanel, openNodePanel } from '../../host/browser';
import { outputOf } from '../../host/executions';
import { lineOf, type Step } from '../../host/workflow';
import { signDocument } from '../operations/service';
import { post } from '../support/http';
import { savedForms } from '../support/savedForms';
import { filledForm, peopleFor, templateFor } from '../support/service';
import { until } from '../support/until';
import { connectAiAssistant } from './support/aiAssistant';
import { connectMcpClient } from './support/mcpClient';
import { publishForChat } from './support/chat';
import { type ChatModel, startChatModel } from './support/chatModel';
import { runProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { useLoggedInBrowser } from './support/login';
import { screenshot } from './support/stage';
import { loggedIn, retryExecution } from './support/trigger';
import {
	listWorkflow,
	nextName,
	sendAndWait,
	untilEnded,
	untilSucceeded,
	useWaiting,
	untilWaiting,
	waitingName,
	waitingExecutions,
	waitingWorkflow,
} from './support/wait';
import { connect, credentialsOf, nodeOf } from './support/workflow';

// Only a real n8n shows what the editor saves when a user adds an option, how the editor starts an execution,
// and who gets an email.
const own = useWaiting('test-runs');
const { stage } = own;
const testRecipient = 'me@example.com';
const tagged = ['me+1@example.com', 'me+2@example.com'];
const people = ['person-0@example.com', 'person-1@example.com'];

const inBrowser = useLoggedInBrowser(stage);

/** The parameters that send everything to the tester in a test run. */
const toTester = { inTestRuns: 'me', testEmail: testRecipient };
const chooseSend = async (page: Page, choice: string) => {
	await nodePanel(page).byTestId('parameter-input-inTestRuns').click();
	await page.getByRole('option', { name: new RegExp(`^${choice}`) }).click();
};

/** A contract that two people sign. */
function contract(more: INodeParameters): INodeParameters {
	const template = templateFor(2, stage.sandbox);
	return {
		resource: 'document',
		operation: 'send',
		...filledForm(template),
		signatories: { signatory: peopleFor(template) },
		...more,
	};
}

/**
 * Makes a workflow that both a user and a webhook can start. The parameters don't have to contain a choice of what a test sends.
 */
function rehearsal(parameters: INodeParameters) {
	const { workflow, path } = waitingWorkflow('A rehearsal', {}, own.credential);
	const nodes = workflow.nodes.map((node) =>
		node.name === waitingName ? { ...node, parameters } : node,
	);
	return { workflow: { ...workflow, nodes }, path };
}

/** Stores a workflow that both a user and a webhook can start. */
async function store(parameters: INodeParameters) {
	const { workflow, path } = rehearsal(parameters);
	return { ...(await own.n8n.api.createWorkflow(workflow)), path };
}

/**
 * Stores the workflow without its webhook trigger. If a workflow has two triggers, n8n asks which one to
 * start with. `publish` adds the webhook trigger to the version saved in the editor, and publishes the
 * workflow.
 */
async function storeToEdit(parameters: INodeParameters) {
	const { api } = own.n8n;
	const { workflow, path } = rehearsal(parameters);
	const call = workflow.nodes.filter(({ name }) => name === 'Call');
	const { Call, ...connections } = workflow.connections;
	const nodes = workflow.nodes.filter(({ name }) => name !== 'Call');
	const { id } = await api.createWorkflow({ ...workflow, nodes, connections });
	const publish = async () => {
		const saved = await api.getWorkflow(id);
		await api.updateWorkflow(id, {
			nodes: [...saved.nodes, ...call],
			connections: { ...saved.connections, ...(Call ? { Call } : {}) },
		});
		await api.publish(id);
	};
	return { id, path, publish };
}

/** Opens a workflow in the editor, and then its waiting node. */
async function openNode(id: string): Promise<Page> {
	const page = await inBrowser.show(`/workflow/${id}`);
	await openNodePanel(page, waitingName);
	return page;
}

const nodeIn = ({ nodes }: Pick<WorkflowInput, 'nodes'>) =>
	nodes.find(({ name }) => name === waitingName);
/** The parameters saved by the editor. */
const savedParameters = async (id: string) => nodeIn(await own.n8n.api.getWorkflow(id))?.parameters;

/** The IDs of the emails that `mailed` has already seen. */
const seen = new Set<string>();
/** The addresses to which the sandbox has sent an email since the last call. */
async function mailed(): Promise<string[]> {
	await stage.sandbox.idle();
	const fresh = stage.sandbox.mails().filter(({ id }) => !seen.has(id));
	for (const { id } of fresh) seen.add(id);
	return [...new Set(fresh.flatMap(({ to }) => to))].sort();
}
const documents = () => stage.sandbox.documents().length;
const sentTo = () =>
	stage.sandbox
		.documents()
		.at(-1)
		?.signatory.map(({ emailID }) => emailID);

/** Calls the webhook of a published workflow. @returns The output of the waiting node. */
async function runPublished({ id, path }: { id: string; path: string }) {
	const { api } = own.n8n;
	const known = new Set(
		(await api.executions({ workflowId: id })).map((execution) => execution.id),
	);
	expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
	const latest = await until('the published workflow has started', async () => {
		const found = await api.executions({ workflowId: id });
		return found.find((execution) => !known.has(execution.id))?.id;
	});
	return outputOf(await untilSucceeded(api, latest), waitingName);
}

/** The notice in a form that would send to the real people. */
const notice = /^Executing this step emails real people\./;

/** Checks that the open form shows that executing it sends nothing. */
async function expectSafe(page: Page): Promise<void> {
	const send = nodePanel(page).byTestId('parameter-input-inTestRuns');
	await send.waitFor();
	expect(await send.locator('input').inputValue()).toBe('Send Nothing');
	expect(await page.getByText(notice).count()).toBe(0);
}

test('"Execute step" of a new node only checks the document, but the published workflow sends it', async () => {
	const { api } = own.n8n;
	const workflow = await storeToEdit(savedForms['no options']?.(contract({})) ?? {});
	const page = await openNode(workflow.id);
	const { byTestId } = nodePanel(page);
	await expectSafe(page);
	await byTestId('parameter-input-inTestRuns').scrollIntoViewIfNeeded();
	await page.screenshot({ path: screenshot('test-runs-nothing') });
	const before = documents();
	await byTestId('node-execute-button').click();
	await page
		.getByText(
			'Nothing was sent, because this is a test. To get the email yourself, set In Test Runs to Send to Me.',
		)
		.waitFor();
	const run = await untilSucceeded(api, await api.run(workflow.id, 'Start'));
	expect(outputOf(run, waitingName)[0]?.json).toMatchObject({ outcome: 'nothing' });
	expect(documents()).toBe(before);

	await workflow.publish();
	expect((await runPublished(workflow))[0]?.json.outcome).toBe('sent');
	expect(documents()).toBe(before + 1);
	expect(await mailed()).toEqual(people);
	await api.unpublish(workflow.id);
});

test.each(Object.keys(savedForms))(
	'executed in the editor, a node with %s emails nobody, and published, it emails the real people',
	async (how) => {
		const { api } = own.n8n;
		const workflow = await store(savedForms[how]?.(contract({})) ?? {});
		await mailed();
		const run = await untilSucceeded(api, await api.run(workflow.id, 'Start'));
		expect(outputOf(run, waitingName)[0]?.json).toMatchObject({ outcome: 'nothing' });
		expect(await mailed()).toEqual([]);
		await api.publish(workflow.id);
		const [sent] = await runPublished(workflow);
		expect(sent?.json).toMatchObject({ outcome: 'sent' });
		expect(await mailed()).toEqual(people);
		await api.unpublish(workflow.id);
	},
);

describe('executed in the editor, the tool of an AI agent', () => {
	let model: ChatModel;
	beforeAll(async () => (model = await startChatModel(own.n8n.api)));
	afterAll(async () => await model.close());

	/** Has the model call the tool. @returns The workflow, and what a call of its webhook or a user's click has sent. */
	async function agentWith(more: INodeParameters, values: object) {
		const { api } = own.n8n;
		const { workflow, path } = listWorkflow('Agent', JSON.stringify({ list: [0] }), [
			{
				name: waitingName,
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 3.1,
				parameters: { promptType: 'define', text: 'Send it', options: {} },
			},
		]);
		const below = [
			nodeOf({
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'local' }, options: {} },
				credentials: { openAiApi: { id: model.credential, name: 'OpenAI account' } },
			}),
			nodeOf({
				name: 'Send',
				type: 'n8n-nodes-signverify.signVerifyTool',
				parameters: contract(more),
				credentials: credentialsOf(own.credential),
			}),
		];
		const link = (type: 'ai_languageModel' | 'ai_tool') => ({
			[type]: [[{ node: waitingName, type, index: 0 }]],
		});
		const { id } = await api.createWorkflow({
			...workflow,
			nodes: [...workflow.nodes, ...below],
			connections: {
				...workflow.connections,
				Model: link('ai_languageModel'),
				Send: link('ai_tool'),
			},
		});
		const answerTo = async (run: () => Promise<unknown>) => {
			await mailed();
			model.wants = [[{ name: 'Send', arguments: values }]];
			model.heard = [];
			await run();
			return JSON.stringify(model.heard.at(-1)?.filter(({ role }) => role === 'tool'));
		};
		return {
			byHand: async () =>
				await answerTo(async () => await untilEnded(api, await api.run(id, 'Start'))),
			published: async () => {
				await api.publish(id);
				const answer = await answerTo(async () => await runPublished({ id, path }));
				await api.unpublish(id);
				return answer;
			},
		};
	}

	test('emails nobody, and published, it emails the real people', async () => {
		const { byHand, published } = await agentWith({}, {});
		expect(await byHand()).toContain('because this is a test');
		expect(await mailed()).toEqual([]);
		expect(await published()).not.toContain('because this is a test');
		expect(await mailed()).toEqual(people);
	});

	test('emails nobody if the model chooses what a test sends', async () => {
		const inTestRuns = "={{ $fromAI('inTestRuns', 'What to send', 'string') }}";
		const { byHand } = await agentWith({ inTestRuns }, { inTestRuns: 'realPeople' });
		expect(await byHand()).toContain('In Test Runs: ');
		expect(await mailed()).toEqual([]);
	});
});

test('a node that a user switches to an operation that sends is as safe as a new one', async () => {
	const { id } = await storeToEdit({
		resource: 'identity',
		operation: 'getResults',
		validationId: 'v1',
		options: { includePersonalData: true },
	});
	const page = await openNode(id);
	const { byTestId } = nodePanel(page);
	// The list can close while the editor still shows the fields of the operation before.
	const choose = async (field: string, choice: string, option = choice) => {
		const select = byTestId(`parameter-input-${field}`);
		await until(`${choice} is chosen`, async () => {
			await select.click();
			await page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
			return (await select.locator('input').inputValue()) === choice;
		});
	};
	const untilSaved = async (choice: string) =>
		await until(`n8n has saved ${choice}`, async () => {
			// The editor doesn't save default values.
			const { operation = 'send' } = nodeIn(await own.n8n.api.getWorkflow(id))?.parameters ?? {};
			return operation === choice;
		});
	await byTestId('parameter-input-includePersonalData').waitFor();
	await choose('resource', 'Document');
	await choose('operation', 'Send for Signature and Wait');
	await expectSafe(page);
	await choose('operation', 'Download');
	await byTestId('parameter-input-inTestRuns').waitFor({ state: 'hidden' });
	await untilSaved('download');
	await choose('operation', 'Send for Signature', 'Send for Signature Create');
	await expectSafe(page);
	await untilSaved('send');
	const again = await openNode(id);
	await expectSafe(again);
});

test('"Execute step" sends to the real people if a user has chosen that in "In Test Runs"', async () => {
	const { id } = await storeToEdit(contract({ inTestRuns: 'nothing' }));
	const page = await openNode(id);
	const { byTestId } = nodePanel(page);
	await chooseSend(page, 'Send to the Real People');
	await page.getByText(notice).waitFor();
	await until(
		'n8n has saved the choice',
		async () => (await savedParameters(id))?.inTestRuns === 'realPeople',
	);
	const before = documents();
	await byTestId('node-execute-button').click();
	await byTestId('output-panel').getByText('PENDING').first().waitFor();
	expect(documents()).toBe(before + 1);
	expect(await mailed()).toEqual(people);
	// A user who reopens the node sees the saved choice.
	const again = await openNode(id);
	await again.getByText(notice).waitFor();
});

test('the tester gets the document in a test run, and the published workflow sends it to the real people', async () => {
	const workflow = await storeToEdit(contract({ options: { sendOnceKey: "={{ 'C-1' }}" } }));
	const page = await openNode(workflow.id);
	const { byTestId } = nodePanel(page);
	await chooseSend(page, 'Send to Me');
	await byTestId('parameter-input-testEmail').locator('input').fill(testRecipient);
	// The second test run is not skipped, although the first one already used the key.
	for (const count of [1, 2]) {
		const before = documents();
		await byTestId('node-execute-button').getByText('Execute step').click();
		await until(`document ${count} is created`, () => documents() === before + 1);
		expect(sentTo()).toEqual(tagged);
		expect(await mailed()).toEqual(tagged);
		// Wait for the execution to end. Until then, clicking this button would stop the execution.
		await byTestId('node-execute-button').getByText('Execute step').waitFor();
	}
	const output = byTestId('output-panel');
	await output.getByText('testRecipient').first().waitFor();
	await page.getByText(/^This was a test: everything went to me@example\.com/).waitFor();
	await page.screenshot({ path: screenshot('test-recipient-node') });
	await until(
		'n8n has saved the address',
		async () => (await savedParameters(workflow.id))?.testEmail === testRecipient,
	);

	const mailbox = await inBrowser.newWindow();
	await mailbox.goto(`${stage.sandbox.url}/mailbox`);
	await mailbox
		.getByText(tagged[1] ?? '')
		.first()
		.waitFor();
	await mailbox.screenshot({ path: screenshot('test-recipient-mailbox') });
	await mailbox.close();

	const { api } = own.n8n;
	await workflow.publish();
	const [sent] = await runPublished(workflow);
	expect(sent?.json).not.toHaveProperty('testRecipient');
	expect(sentTo()).toEqual(people);
	expect(await mailed()).toEqual(people);
	// The production execution has already used the key.
	expect((await runPublished(workflow))[0]?.json).toMatchObject({ outcome: 'skipped' });
	await api.unpublish(workflow.id);
});

test('a wait ends when the tester signs, and the published workflow sends the document to the real people', async () => {
	const { api } = own.n8n;
	const workflow = await store(sendAndWait(stage.sandbox, toTester));
	const execution = await api.run(workflow.id, 'Start');
	await untilWaiting(api, execution);
	expect(sentTo()).toEqual(tagged);
	await signDocument(stage.sandbox, own.lastDocument());
	const done = await untilSucceeded(api, execution);
	const [item] = outputOf(done, nextName);
	expect(item?.json).toMatchObject({ outcome: 'completed', testRecipient });
	expect((item?.json.signatories as IDataObject[]).map(({ email }) => email)).toEqual(tagged);
	await own.noRegistrations();

	await api.publish(workflow.id);
	expect(await post(`${own.n8n.url}/webhook/${workflow.path}`, {})).toBe(200);
	const [published] = await until('the execution waits', async () => {
		const found = await waitingExecutions(api, workflow.id);
		return found.length > 0 && found;
	});
	expect(sentTo()).toEqual(people);
	await signDocument(stage.sandbox, own.lastDocument());
	const [ended] = outputOf(await untilSucceeded(api, published?.id ?? ''), nextName);
	expect(ended?.json).toMatchObject({ outcome: 'completed' });
	expect(ended?.json).not.toHaveProperty('testRecipient');
	await api.unpublish(workflow.id);
});

/** Publishes a workflow that begins with another trigger. @returns Its ID. */
async function startedBy(
	trigger: Partial<INode>,
	{
		name,
		steps,
		settings = {},
	}: { name: string; steps: Step[]; settings?: IDataObject | undefined },
): Promise<string> {
	const { nodes, connections } = lineOf(name, steps);
	const [start, ...others] = nodes;
	const { api } = own.n8n;
	const { id } = await api.createWorkflow({
		name,
		nodes: [{ ...start, ...trigger } as INode, ...others],
		connections,
		settings: { executionOrder: 'v1', ...settings },
	});
	await api.publish(id);
	return id;
}

/** A workflow that another one calls. */
async function called(name: string, steps: Step[], settings?: IDataObject): Promise<string> {
	const trigger = {
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	return await startedBy(trigger, { name, steps, settings });
}

const call = (workflow: string): Step => ({
	name: 'Call it',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: {
		workflowId: { __rl: true, mode: 'id', value: workflow },
		mode: 'once',
		options: { waitForSubWorkflow: true },
	},
});

const ours = (name: string, parameters: INodeParameters): Step => ({
	name,
	type: 'n8n-nodes-signverify.signVerify',
	parameters,
	credentials: credentialsOf(own.credential),
});

const maybeTest = runProblems.maybeTest('In Test Runs');
/** The error of a node that sends nothing, because n8n doesn't report how its execution was started. */
const unknownRun = {
	message: `In Test Runs: ${maybeTest.problem}`,
	description: expect.stringContaining(maybeTest.remedy) as string,
};

describe('if an assistant runs a published workflow that starts with a chat,', () => {
	let mcp: Awaited<ReturnType<typeof connectMcpClient>>;
	beforeAll(async () => (mcp = await connectMcpClient(own.n8n, stage.owner)));

	/** Publishes the workflow with a chat as another trigger. @returns Its ID, and a function that runs it. */
	async function chatWith(workflow: WorkflowInput) {
		const chat = nodeOf({
			name: 'Chat',
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.1,
			webhookId: randomUUID(),
		});
		const { api } = own.n8n;
		const { id } = await api.createWorkflow({
			...workflow,
			nodes: [...workflow.nodes, chat],
			connections: { ...workflow.connections, ...connect([['Chat', 'List']]) },
			settings: { ...workflow.settings, availableInMCP: true },
		});
		await api.publish(id);
		const runIn = async (executionMode: string) => {
			const { executionId } = await mcp<{ executionId: string }>('execute_workflow', {
				workflowId: id,
				executionMode,
				triggerNodeName: 'Chat',
				inputs: { chatInput: 'Send it' },
			});
			return executionId;
		};
		return { id, runIn };
	}

	test('only manual mode is a test run', async () => {
		const { api } = own.n8n;
		const { workflow } = waitingWorkflow('A chat', contract(toTester), own.credential);
		const { id, runIn } = await chatWith(workflow);
		const outcome = async (executionMode: string) => {
			const { mode } = await untilSucceeded(api, await runIn(executionMode));
			return { mode, sentTo: sentTo() };
		};
		expect(await outcome('manual')).toEqual({ mode: 'manual', sentTo: tagged });
		expect(await outcome('production')).toEqual({ mode: 'chat', sentTo: people });
		await api.unpublish(id);
		await mailed();
	});

	test('a retry of production mode sends nothing and names the setting', async () => {
		const { api } = own.n8n;
		const { workflow } = waitingWorkflow('A chat to retry', contract(toTester), own.credential);
		const { id, runIn } = await chatWith(workflow);
		rejectOne();
		const failed = await runIn('production');
		expect(await api.waitForExecution(failed)).toMatchObject({ mode: 'chat', status: 'error' });
		const before = documents();
		const client = await loggedIn(own.n8n.url, stage.owner);
		const { error } = await untilEnded(api, await retryExecution(client, failed, false));
		expect(error).toMatchObject(unknownRun);
		expect(documents()).toBe(before);
		await api.unpublish(id);
	});

	test('a sub-workflow in production mode sends nothing and names the setting', async () => {
		const { api } = own.n8n;
		const sends = await called('Sends for a chat', [ours('Contract', contract(toTester))]);
		const { workflow } = listWorkflow('A chat that calls', JSON.stringify({ list: [0] }), [
			call(sends),
		]);
		const { id, runIn } = await chatWith(workflow);
		const before = documents();
		const { error } = await untilEnded(api, await runIn('production'));
		expect(error).toMatchObject(unknownRun);
		expect(documents()).toBe(before);
		await api.unpublish(id);
	});
});

test("if n8n's Chat runs a published workflow, it goes to the real people, in a sub-workflow and on Retry as well", async () => {
	const { api } = own.n8n;
	const client = await loggedIn(own.n8n.url, stage.owner);
	const inChat = async (step: Step) => await publishForChat(api, client, step);
	const outcome = async (run: () => Promise<{ mode: string; status: string }>) => {
		const before = documents();
		const { mode, status } = await run();
		return { mode, status, sent: documents() - before, sentTo: sentTo() };
	};
	const sent = { status: 'success', sent: 1, sentTo: people };
	const sends = ours('Contract', contract(toTester));
	const calls = call(await called('Sends for Chat', [sends]));
	expect(await outcome(await inChat(calls))).toEqual({ mode: 'webhook', ...sent });

	rejectOne();
	const failed = await (await inChat(sends))();
	expect(failed).toMatchObject({ mode: 'webhook', status: 'error' });
	const retried = async () =>
		await untilSucceeded(api, await retryExecution(client, failed.id, false));
	expect(await outcome(retried)).toEqual({ mode: 'retry', ...sent });
	await mailed();
});

test("if n8n's AI Assistant runs a workflow, it's a test run only if the workflow isn't published", async () => {
	const { api } = own.n8n;
	const model = await startChatModel(api);
	try {
		const run = await connectAiAssistant(stage, model);
		const { id } = await store(contract(toTester));
		const runIt = async () => {
			const before = documents();
			await run(id, 'Call');
			await until('the document is created', () => documents() === before + 1);
			const [latest] = await api.executions({ workflowId: id });
			return { mode: latest?.mode, sentTo: sentTo() };
		};
		expect(await runIt()).toEqual({ mode: 'webhook', sentTo: tagged });
		await api.publish(id);
		expect(await runIt()).toEqual({ mode: 'webhook', sentTo: people });
		await api.unpublish(id);
		await mailed();
	} finally {
		await model.close();
	}
});

test('an execution of a published workflow stays live if the workflow is unpublished while the execution waits', async () => {
	const { api } = own.n8n;
	const { workflow, path } = waitingWorkflow('Two', sendAndWait(stage.sandbox), own.credential);
	const nodes = workflow.nodes.map((node) =>
		node.name === nextName
			? {
					...(nodeIn(workflow) ?? node),
					id: node.id,
					name: nextName,
					parameters: contract(toTester),
				}
			: node,
	);
	const { id } = await api.createWorkflow({ ...workflow, nodes });
	await api.publish(id);
	expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
	const [published] = await until('the execution waits', async () => {
		const found = await waitingExecutions(api, id);
		return found.length > 0 && found;
	});
	await api.unpublish(id);
	const before = documents();
	await signDocument(stage.sandbox, own.lastDocument());
	const [item] = outputOf(await untilSucceeded(api, published?.id ?? ''), nextName);
	expect(item?.json).not.toHaveProperty('testRecipient');
	expect(documents()).toBe(before + 1);
	expect(sentTo()).toEqual(people);
	await mailed();
});

/** Makes the service reject the next document, so that its execution fails and can be retried. */
const rejectOne = () =>
	stage.sandbox.faults.set({
		endpoint: 'POST /templates/createDocumentByTemplateV2',
		times: 1,
		response: { status: 400, body: { success: false, message: 'no' } },
	});

test('a retry of a test goes to the tester, and a retry of a live execution goes to the real people', async () => {
	const { api } = own.n8n;
	const workflow = await store(contract(toTester));
	const client = await loggedIn(own.n8n.url, stage.owner);
	const retryOf = async (failed: string) => {
		expect((await api.waitForExecution(failed)).status).toBe('error');
		const before = documents();
		await untilSucceeded(api, await retryExecution(client, failed, false));
		expect(documents()).toBe(before + 1);
		return sentTo();
	};
	rejectOne();
	expect(await retryOf(await api.run(workflow.id, 'Start'))).toEqual(tagged);

	await api.publish(workflow.id);
	rejectOne();
	expect(await post(`${own.n8n.url}/webhook/${workflow.path}`, {})).toBe(200);
	const failed = await until('the published workflow has failed', async () => {
		const found = await api.executions({ workflowId: workflow.id, status: ['error'] });
		return found.find(({ mode }) => mode === 'webhook')?.id;
	});
	expect(await retryOf(failed)).toEqual(people);
	await api.unpublish(workflow.id);
	await mailed();
});

describe('a sub-workflow that waits and then sends', () => {
	/** A sub-workflow that sends a document to the real people, waits for it, and then sends another one. */
	const waiting = async () =>
		await called('Waits and sends', [
			ours('First', sendAndWait(stage.sandbox)),
			ours(nextName, contract(toTester)),
		]);
	/** Signs the first document of the sub-workflow. @returns The execution of the sub-workflow when it has ended. */
	async function signed(workflow: string) {
		const { api } = own.n8n;
		const [open] = await until('the sub-workflow waits', async () => {
			const found = await waitingExecutions(api, workflow);
			return found.length > 0 && found;
		});
		await signDocument(stage.sandbox, own.lastDocument());
		return await untilEnded(api, open?.id ?? '');
	}

	test('does what its caller does: a test goes to the tester, and a live execution to the real people', async () => {
		const { api } = own.n8n;
		const workflow = await waiting();
		const { workflow: caller, path } = listWorkflow('Calls', JSON.stringify({ list: [0] }), [
			call(workflow),
		]);
		const { id } = await api.createWorkflow(caller);
		await api.run(id, 'Start');
		expect((await signed(workflow)).error?.message).toBeUndefined();
		expect(sentTo()).toEqual(tagged);

		await api.publish(id);
		expect(await post(`${own.n8n.url}/webhook/${path}`, {})).toBe(200);
		expect((await signed(workflow)).error?.message).toBeUndefined();
		expect(sentTo()).toEqual(people);
		await api.unpublish(id);
		await mailed();
	});

	test('sends nothing and names the setting if another sub-workflow has called it', async () => {
		const { api } = own.n8n;
		const workflow = await waiting();
		const middle = await called('In the middle', [call(workflow)]);
		const { id } = await api.createWorkflow(lineOf('Calls the middle', [call(middle)]));
		const caller = await api.run(id, 'Start');
		const { error } = await signed(workflow);
		expect(error).toMatchObject(unknownRun);
		expect(await untilEnded(api, caller)).toMatchObject({ status: 'error' });
		expect(sentTo()).toEqual(people);
		await mailed();
	});
});

describe('an error workflow that sends', () => {
	const fail: Step = {
		name: 'Fail',
		type: 'n8n-nodes-base.stopAndError',
		parameters: { errorMessage: 'It failed' },
	};
	let errorWorkflow: string;
	beforeAll(async () => {
		const trigger = { type: 'n8n-nodes-base.errorTrigger', typeVersion: 1 };
		const steps = [ours('Tell', contract(toTester))];
		errorWorkflow = await startedBy(trigger, { name: 'On error', steps });
	});

	/** Stores a workflow that both a user and a webhook can start, and whose step fails. */
	async function failing(step: Step, settings: IDataObject) {
		const { workflow, path } = listWorkflow('Fails', JSON.stringify({ list: [0] }), [step]);
		const { id } = await own.n8n.api.createWorkflow({
			...workflow,
			settings: { ...workflow.settings, ...settings },
		});
		return { id, path };
	}

	const executions = async () => await own.n8n.api.executions({ workflowId: errorWorkflow });
	/** Runs something that fails. @returns What the execution of the error workflow that n8n then starts has done. */
	async function told(run: () => Promise<unknown>) {
		const known = new Set((await executions()).map(({ id }) => id));
		const before = documents();
		await run();
		const [started] = await until('the error workflow has started', async () => {
			const fresh = (await executions()).filter(({ id }) => !known.has(id));
			return fresh.length > 0 && fresh;
		});
		const { mode, error } = await untilEnded(own.n8n.api, started?.id ?? '');
		expect(mode).toBe('error');
		return error ?? (documents() > before ? sentTo() : 'nothing');
	}
	const live = async ({ id, path }: { id: string; path: string }) => {
		await own.n8n.api.publish(id);
		const result = await told(async () => await post(`${own.n8n.url}/webhook/${path}`, {}));
		await own.n8n.api.unpublish(id);
		return result;
	};

	test('sends to the real people if a published workflow fails, and to the tester if that is a retried test', async () => {
		const { api } = own.n8n;
		const workflow = await failing(fail, { errorWorkflow });
		const client = await loggedIn(own.n8n.url, stage.owner);
		const test = await untilEnded(api, await api.run(workflow.id, 'Start'));
		const retry = async () => await retryExecution(client, test.id, false);
		expect(await told(retry)).toEqual(tagged);
		expect(await live(workflow)).toEqual(people);
		await mailed();
	});

	test('sends to the tester if a sub-workflow fails in a test, and sends nothing if it may be a test', async () => {
		const { api } = own.n8n;
		const workflow = await failing(call(await called('Fails', [fail], { errorWorkflow })), {});
		expect(await told(async () => await api.run(workflow.id, 'Start'))).toEqual(tagged);
		expect(await live(workflow)).toMatchObject(unknownRun);
		await mailed();
	});
});
