import type { IDataObject } from 'n8n-workflow';

import { versionOf } from '../../host/workflow';
import { signDocument } from '../operations/service';
import { textOfFile } from '../support/files';
import { until } from '../support/until';
import { connectMcpClient } from './support/mcpClient';
import { untilSucceeded, untilWaiting, useWaiting } from './support/wait';

// A client of n8n's MCP server builds, tests, and runs workflows. It has no model: it does exactly what
// the skill and the responses of n8n say, and knows nothing else about the nodes.
const own = useWaiting('mcp');
const { stage } = own;
const action = 'n8n-nodes-signverify.signVerify';
const trigger = 'n8n-nodes-signverify.signVerifyTrigger';
const ana = { name: 'Ana Gil', email: 'ana@example.com' };
const office = 'office@example.com';

let call: Awaited<ReturnType<typeof connectMcpClient>>;
let credentials: Array<{ type: string; name: string }>;
// n8n shows the server's key only once.
beforeAll(async () => {
	call = await connectMcpClient(stage.n8n, stage.owner);
	credentials = (await call<{ data: typeof credentials }>('list_credentials', {})).data;
});

/** A node as the skill shows it. */
interface SkillNode {
	type: string;
	version: number;
	name: string;
	parameters: IDataObject;
}

/** The nodes in a section of the skill, without the fields and people of a template. */
function nodesOf(heading: string): SkillNode[] {
	const section =
		textOfFile('skills/signverify/SKILL.md').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
	const lines = section.split('\n').filter((line) => line.startsWith('{'));
	expect(lines).not.toEqual([]);
	return lines.map((line) => JSON.parse(line) as SkillNode);
}

/** The name of a method in the skill, next to its type. */
function methodNamed(type: string): string {
	const found = new RegExp(`\`methodType\` \`${type}\`, \`methodName\` \`(\\w+)\``);
	return found.exec(textOfFile('skills/signverify/SKILL.md'))?.[1] ?? '';
}

/** Calls a method of the action node that lists something. */
async function explore(methodType: string, methodName: string, more: IDataObject) {
	const credential = credentials.find(({ type }) => type === 'signVerifyApi');
	const { results } = await call<{ results: Array<Record<string, string>> }>(
		'explore_node_resources',
		{
			nodeType: action,
			version: versionOf(action),
			methodName,
			methodType,
			credentialType: 'signVerifyApi',
			credentialId: (credential as { id?: string } | undefined)?.id,
			currentNodeParameters: {},
			...more,
		},
	);
	return results;
}

/** Fills in a sending node of the skill for a template whose name contains a word. */
async function filledIn(node: SkillNode, word: string, people: typeof ana): Promise<SkillNode> {
	const [template] = await explore('listSearch', methodNamed('listSearch'), { filter: word });
	const text = JSON.stringify(node)
		.replace('<template>', template?.value ?? '')
		.replace('<country>', 'United States');
	const { parameters, ...rest } = JSON.parse(text) as SkillNode;
	const { templateId } = parameters;
	const keys = await explore('loadOptions', methodNamed('loadOptions'), {
		currentNodeParameters: { templateId },
	});
	const required = keys.filter(({ description = '' }) => description.includes('required'));
	for (const parameter of ['fields', 'signatoryRoles']) {
		const own = required.filter(({ description }) => description?.includes(`${parameter}.value`));
		expect(own).not.toEqual([]);
		(parameters[parameter] as IDataObject).value = Object.fromEntries(
			own.map(({ value = '' }) => {
				if (value.endsWith('.email')) return [value, people.email];
				return [value, value.endsWith('.name') ? people.name : `Example for ${value}`];
			}),
		);
	}
	return { ...rest, parameters };
}

const start: SkillNode = {
	type: 'n8n-nodes-base.webhook',
	version: 2,
	name: 'Start',
	parameters: { httpMethod: 'POST', path: 'send-the-lease', responseMode: 'onReceived' },
};
const startOfWait = { ...start, parameters: { ...start.parameters, path: 'send-and-wait' } };
const inputs = { webhookData: { method: 'POST', body: { ...ana } } };

/** Creates a workflow whose nodes follow each other. After an If node, only the true branch continues. */
async function create(name: string, nodes: SkillNode[]): Promise<string> {
	const types: Record<string, string> = {
		[action]: 'signVerifyApi',
		[trigger]: 'signVerifyApi',
		'n8n-nodes-base.emailSend': 'smtp',
	};
	const constants = nodes.map(({ type, version, name: nodeName, parameters }, index) => {
		const stored = credentials.find((credential) => credential.type === types[type]);
		const credential = stored
			? `, credentials: { ${stored.type}: newCredential(${JSON.stringify(stored.name)}) }`
			: '';
		const config = `{ name: ${JSON.stringify(nodeName)}, parameters: ${JSON.stringify(parameters)}${credential}, output: [{}] }`;
		const isIf = type === 'n8n-nodes-base.if';
		const make = index === 0 ? 'trigger' : isIf ? 'ifElse' : 'node';
		const typed = isIf ? '' : `type: '${type}', `;
		return `const node${index} = ${make}({ ${typed}version: ${version}, config: ${config} });`;
	});
	const chain = nodes.map(({ type }, index) => {
		if (index === 0) return `.add(node0)`;
		if (nodes[index - 1]?.type === 'n8n-nodes-base.if') return '';
		const isIf = type === 'n8n-nodes-base.if';
		return `.to(node${index}${isIf ? `.onTrue(node${index + 1})` : ''})`;
	});
	const code = [
		"import { workflow, node, trigger, ifElse, newCredential } from '@n8n/workflow-sdk';",
		...constants,
		`export default workflow('draft', ${JSON.stringify(name)})${chain.join('')};`,
	].join('\n');
	const created = await call<{ workflowId?: string }>('create_workflow_from_code', {
		name,
		description: name,
		code,
	});
	return created.workflowId ?? '';
}

/**
 * Runs a workflow from its webhook. n8n responds to publishing before it has published the workflow, so a
 * production execution may have to be tried again.
 * @returns The execution's ID.
 */
async function execute(workflowId: string, executionMode: string): Promise<string> {
	const input = { workflowId, executionMode, triggerNodeName: start.name, inputs };
	return await until('n8n starts the execution', async () => {
		const { executionId, error = '' } = await call<{ executionId?: string; error?: string }>(
			'execute_workflow',
			input,
		);
		if (!executionId) expect(error).toMatch(/no published \(active\) version/);
		return executionId ?? undefined;
	});
}

/** What an execution output, as the client reads it. */
async function outputOf(workflowId: string, executionId: string): Promise<string> {
	const { status, error } = await stage.n8n.api.waitForExecution(executionId);
	expect([status, error?.message]).toEqual(['success', undefined]);
	const read = { workflowId, executionId, includeData: true };
	return JSON.stringify(await call('get_workflow_execution', read));
}

const documents = () => stage.sandbox.documents();
const mailsTo = (address: string) => stage.sandbox.mails().filter(({ to }) => to.includes(address));
/** How many documents and emails there are. */
async function effects() {
	await stage.sandbox.idle();
	return [documents().length, stage.sandbox.mails().length];
}

/**
 * Tests a workflow that waits, which must have no effect, publishes it, and starts it.
 * @returns The execution, which waits, and the effects before all of this.
 */
async function testAndPublish(workflowId: string) {
	const before = await effects();
	expect(await outputOf(workflowId, await execute(workflowId, 'manual'))).toContain(
		'"outcome":"nothing"',
	);
	expect(await effects()).toEqual(before);
	expect(await call('publish_workflow', { workflowId })).toMatchObject({ success: true });
	const execution = await execute(workflowId, 'production');
	await untilWaiting(stage.n8n.api, execution);
	return { execution, before };
}

/** The node that emails the signed copy, as in the skill. */
function emailToOffice(): SkillNode {
	const [, email] = nodesOf('Start when a document is signed, and email the copy');
	const text = JSON.stringify(email)
		.replace('<sender>', 'n8n@example.com')
		.replace('<recipient>', office);
	return JSON.parse(text) as SkillNode;
}

/** The email with the signed copy, once it has arrived. */
async function signedCopy(title: string) {
	return await until('the signed copy arrives', () =>
		mailsTo(office).find(({ subject }) => subject === `Signed: ${title}`),
	);
}

test.each([
	['send contract', action],
	['send document for signature', action],
	['sign pdf', action],
	['electronic signature', action],
	['wait for signature', action],
	['document signed', trigger],
	['signature completed', trigger],
])('n8n finds the right node for %j', async (query, node) => {
	const { results } = await call<{ results: string }>('search_nodes', { queries: [query] });
	expect(results.replaceAll(/HitlTool/g, '')).toMatch(new RegExp(`${node}\\b`));
});

test('the types contain an example that sends nothing in test runs, and name the methods that list templates and keys', async () => {
	const { definitions } = await call<{ definitions: string }>('get_node_types', {
		nodeIds: [
			{
				nodeId: action,
				version: String(versionOf(action)),
				resource: 'document',
				operation: 'send',
			},
		],
	});
	const [, example = ''] = /^ *\*? *(\{"resource":"document".*\})$/m.exec(definitions) ?? [];
	// The example is the one in the skill.
	const [node] = nodesOf('Send a document from data');
	expect(JSON.parse(example)).toEqual(node?.parameters);
	// Several hints name them.
	const named = definitions.match(/\b(?:listSearch|loadOptions) method \w+/g);
	expect([...new Set(named)].sort()).toEqual(
		['listSearch', 'loadOptions'].map((type) => `${type} method ${methodNamed(type)}`),
	);
});

test('a client sends the lease to Ana and emails the signed copy with two workflows, and emails no one while it tests', async () => {
	const [send] = nodesOf('Send a document from data');
	const sending = await create('Send the lease', [
		start,
		await filledIn(send as SkillNode, 'lease', ana),
	]);
	const [whenSigned] = nodesOf('Start when a document is signed, and email the copy');
	const mailing = await create('Email the signed lease', [
		whenSigned as SkillNode,
		emailToOffice(),
	]);

	const before = await effects();
	expect(await outputOf(sending, await execute(sending, 'manual'))).toContain(
		'"outcome":"nothing"',
	);
	// The client fills in what n8n asks for, as the responses explain.
	const pins = await call<{ nodeSchemasToGenerate: object; nodesWithoutSchema: string[] }>(
		'prepare_workflow_pin_data',
		{ workflowId: mailing },
	);
	const names = [...Object.keys(pins.nodeSchemasToGenerate), ...pins.nodesWithoutSchema];
	const pinData = Object.fromEntries(names.map((name) => [name, [{ json: {} }]]));
	const tested = await call<{ status: string }>('test_workflow', { workflowId: mailing, pinData });
	expect(tested.status).toBe('success');
	expect(await effects()).toEqual(before);

	for (const workflowId of [mailing, sending]) {
		expect(await call('publish_workflow', { workflowId })).toMatchObject({ success: true });
	}
	await until('the trigger is published', () => stage.sandbox.webhooks().length > 0);
	// Even now, a manual execution sends nothing.
	await outputOf(sending, await execute(sending, 'manual'));
	expect(documents()).toHaveLength(before[0] ?? 0);

	await outputOf(sending, await execute(sending, 'production'));
	expect(documents()).toHaveLength((before[0] ?? 0) + 1);
	const { documentID = '', signatory = [], title } = documents().at(-1) ?? {};
	expect(signatory.map(({ emailID }) => emailID)).toEqual([ana.email]);
	await stage.sandbox.idle();
	expect(mailsTo(ana.email)).toHaveLength(1);
	await signDocument(stage.sandbox, documentID);
	const { attachments } = await signedCopy(String(title));
	expect(attachments).toHaveLength(1);
	for (const workflowId of [mailing, sending]) {
		await call('unpublish_workflow', { workflowId });
	}
	await own.noRegistrations();
});

test('a client does the same with one workflow that waits', async () => {
	const [send, check] = nodesOf('Send a document, wait, and act');
	const workflowId = await create('Send the contract and wait', [
		startOfWait,
		await filledIn(send as SkillNode, 'employment', ana),
		check as SkillNode,
		emailToOffice(),
	]);
	const { before } = await testAndPublish(workflowId);
	expect(documents()).toHaveLength((before[0] ?? 0) + 1);
	const { title } = documents().at(-1) ?? {};
	await signDocument(stage.sandbox, own.lastDocument());
	expect((await signedCopy(String(title))).attachments).toHaveLength(1);
	await call('unpublish_workflow', { workflowId });
});

test('a client verifies Ana with one workflow that waits, and emails no one while it tests', async () => {
	const startOfVerification = {
		...start,
		parameters: { ...start.parameters, path: 'verify-ana' },
	};
	// The name on the sandbox's ID, in a different order
	const nodes = nodesOf('Verify an identity, and act').map(
		(node) =>
			JSON.parse(
				JSON.stringify(node)
					.replace('<email>', ana.email)
					.replace('<sender>', 'n8n@example.com')
					.replace('<name>', 'Fictitious Sample'),
			) as SkillNode,
	);
	const act = { type: 'n8n-nodes-base.noOp', version: 1, name: 'Act', parameters: {} };
	const workflowId = await create('Verify Ana', [startOfVerification, ...nodes, act]);
	const { execution } = await testAndPublish(workflowId);
	const { validationId = '', url = '' } = stage.sandbox.identityRequests().at(-1) ?? {};
	const link = await until('the link arrives', () =>
		mailsTo(ana.email).find(({ subject }) => subject === 'Please confirm your identity'),
	);
	expect(link.text).toContain(url);
	await stage.sandbox.completeIdentity(validationId, 'pass');
	await untilSucceeded(stage.n8n.api, execution);
	const output = await outputOf(workflowId, execution);
	expect(output).toContain('"nameMatches":"yes"');
	expect(output).toContain('"Act":[');
	await call('unpublish_workflow', { workflowId });
});
