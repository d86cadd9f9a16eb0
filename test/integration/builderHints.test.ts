import { validateWorkflow, generateNodeTypeFile } from '@n8n/workflow-sdk';
import { Workflow, type INodeProperties, type INodeTypes } from 'n8n-workflow';

import { action, trigger } from '../support/contexts';
import { hinted, patterns, workflowOf } from '../support/builderPatterns';
import { faultsOf } from '../support/nodeFaults';

// What n8n's AI workflow builder reads of the nodes; test/e2e/builderHints.test.ts runs the patterns.
const ofPackage = 'n8n-nodes-signverify.';
const nodeTypes = {
	getByNameAndVersion: (type: string) => {
		const other = { description: { ...action.description, properties: [] } };
		if (type === `${ofPackage}signVerify`) return action;
		return type === `${ofPackage}signVerifyTrigger` ? trigger : other;
	},
} as unknown as INodeTypes;

test('the hints say which nodes belong together, and have patterns', () => {
	for (const { builderHint } of hinted) {
		expect(builderHint?.searchHint).toMatch(/\w{4}.*\.$/s);
		expect(builderHint?.relatedNodes?.length).toBeGreaterThan(1);
	}
	expect(patterns.map(({ title }) => title)).toEqual([
		'Form → Send for Signature',
		'Form → Send for Signature and Wait → If completed → Download',
		'Form → Request → Send Email → Wait Until Verified → If passed',
		'SignVerify Trigger → If completed → Download',
	]);
});

test('no hint is where the loader of n8n rejects it', () => {
	const visit = (properties: INodeProperties[]): string[] =>
		properties.flatMap((property) => [
			...(['resource', 'operation', 'mode'].includes(property.name) && property.builderHint
				? [property.name]
				: []),
			...visit(((property.options ?? []) as INodeProperties[]).filter((each) => 'type' in each)),
		]);
	for (const { properties } of hinted) expect(visit(properties)).toEqual([]);
});

test('n8n writes them into the types that its builder reads', () => {
	for (const description of hinted) {
		const types = generateNodeTypeFile(description as never);
		expect(types).toContain('Whether to return a simplified version');
		expect(types).toContain("config: { name: 'Download'");
		expect(types).toContain('@builderHint');
	}
});

describe.each(patterns)('$title', (pattern) => {
	test('is a workflow by the rules of n8n', async () => {
		const { nodes, connections } = await workflowOf(pattern);
		const { valid, errors } = validateWorkflow({ name: 'x', nodes, connections });
		expect({ valid, errors }).toEqual({ valid: true, errors: [] });
		const workflow = new Workflow({ nodes, connections, active: false, nodeTypes });
		const [first, ...rest] = nodes.map(({ name }) => name);
		// All that are declared are connected, one after another.
		expect(workflow.getChildNodes(first ?? '')).toHaveLength(rest.length);
	});

	test('sets our nodes as their form does', async () => {
		const { nodes } = await workflowOf(pattern);
		const ours = nodes.filter(({ type }) => type.startsWith(ofPackage));
		expect(ours).not.toEqual([]);
		for (const node of ours) expect([node.name, faultsOf(node)]).toEqual([node.name, []]);
	});

	test('names its nodes in the title, in their order', async () => {
		const { nodes } = await workflowOf(pattern);
		expect(pattern.title.split(' → ')).toHaveLength(nodes.length);
	});
});

test('a wrong pattern would be noticed', async () => {
	const [, waiting = { title: '', code: '' }] = patterns;
	const code = waiting.code
		.replace("operation: 'sendAndWait'", "operation: 'sendAndSleep'")
		.replace('files: [', 'papers: [');
	const { nodes } = await workflowOf({ ...waiting, code });
	const ours = nodes.filter(({ type }) => type.startsWith(ofPackage));
	expect(ours.map(faultsOf)).not.toContainEqual([]);
	await expect(
		workflowOf({ ...waiting, code: code.replace('.to(send)', '.to(nobody)') }),
	).rejects.toThrow();
});
