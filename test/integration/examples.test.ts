import { runInNewContext } from 'node:vm';

import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { seedTemplates } from '../../sandbox/demo/papers/templates';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { toolProperties } from '../../nodes/SignVerify/operations';
import { allExamples, hardened } from '../support/exampleFiles';

const action = new SignVerify().description;
const own: Record<string, { properties: INodeProperties[]; byN8n: string[] }> = {
	signVerify: { properties: action.properties, byN8n: [] },
	signVerifyTool: {
		properties: toolProperties,
		byN8n: ['descriptionType', 'toolDescription'],
	},
	// For the human review of an agent's tools.
	signVerifyHitlTool: { properties: action.properties, byN8n: ['message'] },
	signVerifyTrigger: {
		properties: new SignVerifyTrigger().description.properties,
		byN8n: [],
	},
};

/** What the editor would mark on one of our nodes: parameters that it does not have, or lacks. */
function faultsOf(node: INode): unknown[] {
	const known = own[node.type.replace('n8n-nodes-signverify.', '')];
	if (!known) return [`there is no node ${node.type}`];
	const parameters = { ...node.parameters };
	for (const name of known.byN8n) delete parameters[name];
	const properties = known.properties.filter(({ type }) => type !== 'notice');
	// Some fields show only in a tool, which n8n tells by the name.
	const description = { ...action, name: node.type.split('.').pop() ?? '' };
	const shown = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters: shown ?? {} },
		description,
	);
	return [
		...(node.typeVersion === 1.1 ? [] : [`its version is ${node.typeVersion}`]),
		...unknownIn(parameters, shown, ''),
		...(issues ? [issues] : []),
	];
}

/** Paths of what is in a file and is no parameter of the node. */
function unknownIn(given: unknown, known: unknown, at: string): string[] {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
	return Object.entries(given).flatMap(([name, value]) => {
		const place = `${at}.${name}`;
		const inner = (known as Record<string, unknown> | null)?.[name];
		return inner === undefined ? [place] : unknownIn(value, inner, place);
	});
}

// The examples, looked at without n8n; test/e2e/examples/ runs them.
const noteType = 'n8n-nodes-base.stickyNote';
describe.each(allExamples)('$name', ({ text, workflow }) => {
	const { nodes, connections, ...rest } = workflow;
	const working = nodes.filter(({ type }) => type !== noteType);

	test('holds a workflow and nothing of the n8n that it came from', () => {
		// An ID is for the workflow that the others name.
		expect(
			Object.keys(rest)
				.filter((key) => key !== 'id')
				.sort(),
		).toEqual(['name', 'settings']);
		const chosen = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(chosen.filter(({ id }) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/https?:\/\//);
		for (const [, domain] of text.matchAll(/\w@([\w.-]+)/g)) {
			// "@n8n/…" is a node type.
			expect(domain).toBe('example.com');
		}
		const templates = nodes.flatMap(({ parameters: { templateId } }) =>
			typeof templateId === 'object' && templateId && 'value' in templateId
				? [String(templateId.value)]
				: [],
		);
		const seeded = seedTemplates().map(({ templateID }) => templateID);
		for (const id of templates) expect(seeded).toContain(id);
	});

	test('our nodes exist, with these parameters', () => {
		const ours = working.filter(({ type }) => type.startsWith('n8n-nodes-signverify.'));
		expect(Object.fromEntries(ours.map((node) => [node.name, faultsOf(node)]))).toEqual(
			Object.fromEntries(ours.map(({ name }) => [name, []])),
		);
	});

	test('what follows a node that waits looks at what the item says about its end', () => {
		const waiting = working.filter(
			({ type, parameters }) =>
				type === 'n8n-nodes-signverify.signVerify' && parameters.operation === 'sendAndWait',
		);
		for (const { name, parameters } of waiting) {
			// The second output is for what was not sent.
			const next = connections[name]?.main?.[0]?.map((end) => end?.node);
			const decisions = working.filter((node) => next?.includes(node.name));
			expect(decisions.map(({ type }) => type)).toEqual([expect.stringMatching(/\.(if|switch)$/)]);
			// Also an item that is out of time comes this way.
			const said = parameters.resource === 'document' ? '$json.completed ' : '$json.passed';
			expect(JSON.stringify(decisions[0]?.parameters)).toContain(said);
		}
	});

	test('an AI agent sends nothing by itself', () => {
		const isFree = ({ type, parameters }: INode) =>
			type.endsWith('.signVerifyTool') && !String(parameters.operation).startsWith('get');
		expect(working.filter(isFree).map(({ name }) => name)).toEqual([]);
	});

	test('an HTML mail holds no value from outside as it came', () => {
		const isHtml = ({ operation, emailFormat }: INode['parameters']) =>
			operation === 'sendAndWait' || emailFormat !== 'text';
		const mails = working.filter(
			({ type, parameters }) => /emailSend/.test(type) && isHtml(parameters),
		);
		const values = mails.flatMap(({ parameters: { message, html } }) =>
			[...`${String(message)} ${String(html)}`.matchAll(/\{\{(.*?)\}\}/gs)].map(
				([, value]) => value,
			),
		);
		// The text of a Code node that escapes.
		expect(values.filter((value) => value?.trim() !== '$json.question')).toEqual([]);
		const code = working.map(({ parameters }) => String(parameters.jsCode)).join();
		expect(code.includes('&#')).toBe(values.length > 0);
	});
});

test.each([
	[
		422,
		'a value of the program',
		{ message: 'Template of the badge: it is empty' },
		['Template of the badge'],
	],
	[422, 'a value that the service refuses', { message: 'Too short', httpStatus: 422 }, undefined],
	[503, 'no template', { message: 'Template: the account has none' }, ['Template']],
	[503, 'an error of n8n with a colon', { message: 'Expression: no such node' }, undefined],
] as const)('request-over-http answers %i to %s', (status, _what, error, invalidFields) => {
	const { nodes } = hardened.find(({ name }) => name === 'request-over-http')?.workflow ?? {
		nodes: [],
	};
	const code = nodes.find(({ name }) => name === 'Decide the answer')?.parameters.jsCode;
	const $json = { error: { ...error, invalidFields } };
	const answer = runInNewContext(`(() => { ${String(code)} })()`, { $json }) as { json: object };
	expect(answer.json).toMatchObject({ status });
});
