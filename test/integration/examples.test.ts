import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { toolProperties } from '../../nodes/SignVerify/operations';
import { seedTemplates } from '../../sandbox/documents/templates';

// The files of examples/, looked at without n8n; test/e2e/examples.test.ts runs them.
const folder = path.join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const workflowOf = (file: string) => JSON.parse(textOf(file)) as WorkflowInput;

const noteType = 'n8n-nodes-base.stickyNote';
const action = new SignVerify().description;
const own: Record<string, { version: number; properties: INodeProperties[]; byN8n: string[] }> = {
	signVerify: { version: 1, properties: action.properties, byN8n: [] },
	signVerifyTool: {
		version: 1,
		properties: toolProperties,
		byN8n: ['descriptionType', 'toolDescription'],
	},
	signVerifyTrigger: {
		version: 1.1,
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
	const shown = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, action);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters: shown ?? {} },
		action,
	);
	return [
		...(node.typeVersion === known.version ? [] : [`its version is ${node.typeVersion}`]),
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

interface Area {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** Where a node is on the canvas, its name beneath included. */
function areaOf({ type, position: [left, top], parameters }: INode): Area {
	const isNote = type === noteType;
	const width = isNote ? Number(parameters.width) : 96;
	const height = isNote ? Number(parameters.height) : 128;
	return { left, top, right: left + width, bottom: top + height };
}

const overlap = (one: Area, other: Area) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

describe.each(files)('%s', (file) => {
	const { nodes, connections, ...rest } = workflowOf(file);
	const working = nodes.filter(({ type }) => type !== noteType);
	const notes = nodes.filter(({ type }) => type === noteType);

	test('holds a workflow and nothing of the n8n that it came from', () => {
		expect(Object.keys(rest).sort()).toEqual(['name', 'settings']);
		const chosen = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(chosen.filter(({ id }) => id !== '')).toEqual([]);
		expect(textOf(file)).not.toMatch(/https?:\/\//);
		for (const [, domain] of textOf(file).matchAll(/\w@([\w.-]+)/g)) {
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
		expect(ours).not.toEqual([]);
		expect(Object.fromEntries(ours.map((node) => [node.name, faultsOf(node)]))).toEqual(
			Object.fromEntries(ours.map(({ name }) => [name, []])),
		);
	});

	test('every node is connected, once under its name', () => {
		const names = working.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const ends = Object.values(connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((each) => each.flat().map((end) => end?.node)),
		);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...ends]));
		const alone = names.filter((name) => !connections[name] && !ends.includes(name));
		expect(alone).toEqual([]);
	});

	test('what follows a node that waits looks at what the item says about its end', () => {
		const waiting = working.filter(({ parameters }) => parameters.operation === 'sendAndWait');
		for (const { name, parameters } of waiting) {
			const next = connections[name]?.main?.flat().map((end) => end?.node);
			const decisions = working.filter((node) => next?.includes(node.name));
			expect(decisions).toHaveLength(1);
			expect(decisions[0]?.type).toBe('n8n-nodes-base.if');
			// Also an item that is out of time comes this way.
			const said = parameters.resource === 'document' ? '$json.completed ' : '$json.score';
			expect(JSON.stringify(decisions[0]?.parameters)).toContain(said);
		}
	});

	test('a note says what to set, by the names of the nodes, and covers none of them', () => {
		const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		expect(text).toContain('### Set up\n1. ');
		const named = [...text.matchAll(/Open \*\*(.+?)\*\*/g)].map(([, name]) => name);
		expect(named.length + Number(text.includes('SignVerify nodes'))).toBeGreaterThan(0);
		expect(working.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
		const pairs = nodes.flatMap((one, index) =>
			nodes.slice(index + 1).map((other) => [one, other] as const),
		);
		const covered = pairs.filter(([one, other]) => overlap(areaOf(one), areaOf(other)));
		expect(covered.map((pair) => pair.map(({ name }) => name))).toEqual([]);
	});
});
