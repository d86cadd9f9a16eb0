import { NodeHelpers, type INode } from 'n8n-workflow';

import { actionHint, triggerHint } from '../../nodes/SignVerify/builderHints';
import { operations } from '../../nodes/SignVerify/operations/nodeForm';
import { action, trigger } from '../support/contexts';
import { textsIn } from '../support/errors';
import { textOfFile } from '../support/files';
import { unknownIn } from '../support/parameters';

// An AI assistant follows the skill word by word. mcp.nightly.test.ts does so in a real n8n.
const skill = textOfFile('skills/signverify/SKILL.md');
const nodes = skill
	.split('\n')
	.filter((line) => line.startsWith('{'))
	.map((line) => JSON.parse(line) as INode & { version: number });
const ours: Record<string, { description: typeof action.description } | undefined> = {
	'n8n-nodes-signverify.signVerify': action,
	'n8n-nodes-signverify.signVerifyTrigger': trigger,
};

test('the nodes in the skill have the current version and set only known parameters', () => {
	const known = nodes.flatMap((node) => {
		const { description } = ours[node.type] ?? {};
		return description ? [{ node, description }] : [];
	});
	expect(known).toHaveLength(5);
	for (const { node, description } of known) {
		const { version, defaultVersion = version } = description;
		expect(node.version).toBe([defaultVersion].flat().at(-1));
		const { properties } = description;
		const inForm = NodeHelpers.getNodeParameters(
			properties,
			node.parameters,
			true,
			false,
			{ ...node, typeVersion: node.version },
			description,
		);
		expect(unknownIn(node.parameters, inForm, node.name)).toEqual([]);
	}
});

test('the nodes in the skill that send send nothing in a test, and nothing despite warnings', () => {
	const senders = nodes.filter(({ type, parameters }) =>
		operations.some(
			({ sends, resource, value }) =>
				type === 'n8n-nodes-signverify.signVerify' &&
				sends &&
				resource === parameters.resource &&
				value === parameters.operation,
		),
	);
	expect(senders).toHaveLength(3);
	for (const { name, parameters } of senders) {
		expect([name, parameters.inTestRuns, parameters.options]).toEqual([name, undefined, undefined]);
	}
});

test("the methods that the skill and the nodes' types name exist", () => {
	const hints = textsIn([actionHint, triggerHint]).join('\n');
	const descriptions = textsIn([action.description, trigger.description]).join('\n');
	const named = [
		...skill.matchAll(/`methodType` `(\w+)`, `methodName` `(\w+)`/g),
		...descriptions.matchAll(/(listSearch|loadOptions) method (\w+)/g),
	];
	expect(named.length).toBeGreaterThanOrEqual(4);
	for (const [, type = '', name = ''] of named) {
		const methods = [action, trigger].map((node) => node.methods as Record<string, object>);
		expect(methods.some((groups) => name in (groups[type] ?? {}))).toBe(true);
	}
	// Other sentences name a method without its type.
	const names = [action, trigger].flatMap((node) =>
		Object.values(node.methods as Record<string, object>).flatMap((group) => Object.keys(group)),
	);
	const mentioned = `${skill} ${hints}`.match(/\b(?:get|search)[A-Z]\w*/g) ?? [];
	expect(mentioned.filter((name) => !names.includes(name))).toEqual([]);
});

test("the example in the node's types is the one in the skill", () => {
	const [{ content = '' } = {}] = actionHint.extraTypeDefContent ?? [];
	const [, example = ''] = /^(\{"resource":"document".*\})$/m.exec(content) ?? [];
	expect(JSON.parse(example)).toEqual(nodes[0]?.parameters);
});
