import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode, IWorkflowSettings } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { formVersions } from '../../nodes/SignVerify/operations/form';
import { root } from '../../scripts/tools';

// What every file of examples/ keeps to, so that people can read it, import it and rely on it.
const folder = path.join(root, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
/** What notes may name besides nodes: fields of forms, and other examples. */
const fieldNames = [
	'Settings',
	'Error Workflow',
	'Template',
	'Fields',
	'Signatories',
	'Events',
	'Filter',
	'Bucket Name',
	'Employer',
	'Workplace',
];
const workflowNames = files.map(
	(file) => (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowInput).name,
);

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isMail = ({ type, parameters }: INode) =>
	/\.emailSend/.test(type) && parameters.operation !== 'sendAndWait';
const isErrorWorkflow = ({ nodes }: WorkflowInput) =>
	nodes.some(({ type }) => type === 'n8n-nodes-base.errorTrigger');

/** The place of a node on the canvas, the name below it included. */
function boxOf(node: INode): Box {
	const [left, top] = node.position;
	const { width, height } = isNote(node)
		? (node.parameters as { width: number; height: number })
		: { width: 96, height: 136 };
	return { name: node.name, left, top, right: left + width, bottom: top + height };
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(files)('%s', (file) => {
	const text = readFileSync(path.join(folder, file), 'utf8');
	const workflow = JSON.parse(text) as WorkflowInput & { settings: IWorkflowSettings };
	const { nodes, connections } = workflow;
	const boxes = nodes.map(boxOf);

	test('has at most a dozen nodes besides its notes', () => {
		expect(nodes.filter((node) => !isNote(node)).length).toBeLessThanOrEqual(12);
	});

	test('its note says in three steps what to set', () => {
		const note = String(nodes.find(({ name }) => name === 'Note')?.parameters.content);
		const [, steps = ''] = note.split('### Set up\n');
		expect(steps.split('\n').map((line) => line.slice(0, 3))).toEqual(['1. ', '2. ', '3. ']);
		const names = nodes.map(({ name }) => name);
		const bold = [...note.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
		const known = [...fieldNames, ...names, ...workflowNames];
		expect(bold.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('holds no credential', () => {
		const held = nodes.flatMap(({ credentials }) => Object.values(credentials ?? {}));
		expect(held.filter(({ id }) => id !== '')).toEqual([]);
	});

	test('fits a screen of 1440 x 900 at a size that can be read, and nothing lies over anything', () => {
		const width =
			Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
		const height =
			Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
		// The canvas has 1,300 x 700 of it; at 65 % a name can still be read.
		expect({ width: width <= 2000, height: height <= 1076 }).toEqual({ width: true, height: true });
		const pairs = boxes.flatMap((a, index) =>
			boxes
				.slice(index + 1)
				.filter((b) => overlap(a, b))
				.map((b) => `${a.name} / ${b.name}`),
		);
		expect(pairs).toEqual([]);
	});

	test("its nodes of ours have today's form", () => {
		const actions = nodes.filter(({ type }) => /\.signVerify(Tool)?$/.test(type));
		const old = actions.filter(({ typeVersion }) => typeVersion !== formVersions.at(-1));
		expect(old.map(({ name }) => name)).toEqual([]);
	});

	test('a failure of what sends or mails reaches somebody', () => {
		expect(workflow.settings.errorWorkflow ?? 'none').toBe(
			isErrorWorkflow(workflow) ? 'none' : 'tellWhenItFails1',
		);
		for (const node of nodes) {
			const sends = /createFromTemplate|sendAndWait|request$/.test(
				String(node.parameters.operation),
			);
			const isOurs = /\.signVerify(Tool)?$/.test(node.type);
			if (isOurs && sends)
				expect([node.name, node.onError]).toEqual([node.name, expect.stringContaining('continue')]);
			// A mail that fails has a branch, or is tried again before the error workflow tells of it.
			if (isMail(node))
				expect([node.name, node.onError ?? node.retryOnFail]).toEqual([
					node.name,
					expect.anything(),
				]);
			// With an error output, n8n passes nothing on when the time of such a node of its own is over.
			const waits = !isOurs && node.parameters.operation === 'sendAndWait';
			if (waits) expect([node.name, node.onError]).not.toEqual([node.name, 'continueErrorOutput']);
			if (node.onError !== 'continueErrorOutput') continue;
			const outputs = connections[node.name]?.main ?? [];
			expect([node.name, outputs.at(-1)?.length ?? 0]).toEqual([node.name, 1]);
			expect(outputs.length).toBeGreaterThanOrEqual(2);
		}
	});

	test('says "signed" to a person only behind a completed document', () => {
		const [waiting] = nodes.filter(
			({ parameters }) =>
				parameters.operation === 'sendAndWait' && parameters.resource === 'document',
		);
		if (!waiting) return;
		expect(text).toContain('$json.completed === true');
	});
});

test('none is without a test in a real n8n', () => {
	const e2e = path.join(root, 'test/e2e');
	const tests = readdirSync(e2e, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => readFileSync(path.join(e2e, file), 'utf8'))
		.join();
	const names = files.map((file) => path.parse(file).name);
	expect(names.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});
