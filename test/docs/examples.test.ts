import type { IDataObject, INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../host/apiTypes';
import { canvasFingerprint, readFingerprints } from '../../scripts/pictures/fingerprints';
import { allDays, exampleOf, triedElsewhere, badDaysPart } from '../e2e/examples/table/days';
import { DocumentedPart } from '../support/documentedPart';
import { allExamples } from '../support/exampleFiles';

// What every example keeps to, so that people can read it, import it and rely on it.
/** What notes may name besides nodes: fields of forms, and other examples. */
const fieldNames = [
	...['Settings', 'Error Workflow', 'Template', 'Country', 'Fields', 'Signatories', 'Events'],
	...['Employer', 'Workplace'],
];
/** Without the number that says in which order to try them. */
const workflowNames = allExamples.map(({ workflow }) => workflow.name.slice(3));

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
const optionsOf = ({ parameters }: INode) => (parameters.options ?? {}) as IDataObject;
/** The rules of a Switch, in the order of its outputs. */
const rulesOf = ({ parameters }: INode) =>
	(parameters.rules as { values: IDataObject[] } | undefined)?.values ?? [];

/** How many ways a node that decides can end. */
function waysOf(node: INode): number {
	if (node.type.endsWith('.if')) return 2;
	if (!node.type.endsWith('.switch')) return 0;
	return rulesOf(node).length + (optionsOf(node).fallbackOutput ? 1 : 0);
}

/** The nodes that can run, if n8n passes only through some outputs, beginning with some nodes. */
function reached(
	{ nodes, connections }: WorkflowInput,
	passes: (node: INode, output: number) => boolean,
	begins: (node: INode) => boolean = ({ type }) => /Trigger$|\.webhook$/.test(type),
): Set<string> {
	const found = new Set<string>();
	const visit = (node?: INode): void => {
		if (!node || found.has(node.name)) return;
		found.add(node.name);
		(connections[node.name]?.main ?? []).forEach((next, output) => {
			if (!passes(node, output)) return;
			for (const each of next ?? []) visit(nodes.find(({ name }) => name === each.node));
		});
	};
	nodes.filter(begins).forEach(visit);
	return found;
}

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

describe.each(allExamples)('$name', ({ name: example, file, workflow }) => {
	const { nodes, connections } = workflow;
	const boxes = nodes.map(boxOf);
	const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
	const [note = ''] = notes;

	test('its note is what it does, at most four steps, and what to do if something goes wrong', () => {
		expect([file, notes.length]).toEqual([file, 1]);
		const [begin = '', steps = '', help = '', ...more] = note.split('\n\n');
		const [heading, purpose = '', ...others] = begin.split('\n');
		expect([heading, others, more]).toEqual([`## ${workflow.name.slice(3)}`, [], []]);
		const lines = steps.split('\n');
		expect(lines.map((line) => line.slice(0, 3))).toEqual(
			['1. ', '2. ', '3. ', '4. '].slice(0, lines.length),
		);
		for (const text of [purpose, help, ...lines]) expect(text).toMatch(/[.!]$/);
		expect(help).toMatch(/^If /);
		const words = note.split(/\s+/).filter((word) => /\p{L}/u.test(word));
		expect([file, Math.max(words.length, 80)]).toEqual([file, 80]);
	});

	test('its note names its nodes in bold', () => {
		const names = nodes.map(({ name }) => name);
		const bold = [...note.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
		expect(bold).toEqual(expect.arrayContaining([expect.any(String)]));
		const known = [...fieldNames, ...names, ...workflowNames];
		expect(bold.filter((name) => !known.includes(name))).toEqual([]);
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

	test('its note leaves the corner free in which n8n shows its checklist', () => {
		// In a window 1,280 wide, n8n fits a workflow into 1,037 in the middle of a canvas of 1,240 beside its
		// menu of 40, without making it larger. The checklist of a published workflow ends at 420.
		const left = Math.min(...boxes.map((box) => box.left));
		const width = Math.max(...boxes.map(({ right }) => right)) - left;
		const zoom = Math.min(1, 1037 / width);
		const start = 40 + (1240 - width * zoom) / 2;
		const box = boxOf(nodes.find(isNote) as INode);
		expect(start + (box.left - left) * zoom).toBeGreaterThan(420);
	});

	test('its picture shows it as it is', () => {
		const command = `npm run pictures -- ${example}`;
		const picture = readFingerprints()[example];
		expect({ command, picture }).toEqual({ command, picture: canvasFingerprint(workflow) });
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
			// Where it stops, the error workflow names every wrong item.
			const stops = example === 'send-from-spreadsheet';
			if (isOurs && sends)
				expect([node.name, node.onError ?? 'stops']).toEqual([
					node.name,
					stops ? 'stops' : expect.stringContaining('continue'),
				]);
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

	test('every way that a condition can end leads on', () => {
		for (const node of nodes) {
			const ways = waysOf(node);
			const leads = (connections[node.name]?.main ?? []).map((next) => (next?.length ?? 0) > 0);
			// Whoever asked has the answer by then.
			const ends = node.name === 'Must somebody look?' ? [true] : Array<boolean>(ways).fill(true);
			if (ways > 0) expect([node.name, ...leads.slice(0, ways)]).toEqual([node.name, ...ends]);
			// Nothing else can come out of a trigger than the events that it is for.
			if (!JSON.stringify(rulesOf(node)).includes('$json.event')) continue;
			const events = nodes.flatMap(({ parameters }) => (parameters.events as string[]) ?? []);
			expect([node.name, ways]).toEqual([node.name, events.length]);
		}
	});

	test('an event that comes again sends no second e-mail', () => {
		// A repeat finds the row followed up. docs/examples.md says which starters mail twice.
		if (
			file.startsWith('examples/hardened/')
				? example === 'thousands-signed'
				: example !== 'email-signed-copy'
		)
			return;
		const isEventTrigger = ({ type }: INode) => type.endsWith('.signVerifyTrigger');
		// The time of an event is in its eventId, and a repeat can have another.
		const isOnce = ({ type, parameters }: INode) =>
			type.endsWith('.removeDuplicates') && parameters.dedupeValue !== '={{ $json.eventId }}';
		const behind = reached(workflow, (node) => !isOnce(node), isEventTrigger);
		const mails = nodes.filter((node) => behind.has(node.name) && isMail(node));
		expect(mails.map(({ name }) => name)).toEqual([]);
	});
});

test('none is without a bad day in a real n8n, and docs/dev/proof.md shows each', async () => {
	const tested = [...Object.keys(allDays).map(exampleOf), ...triedElsewhere];
	expect([...new Set(tested)].sort()).toEqual(allExamples.map(({ name }) => name).sort());
	const part = new DocumentedPart('docs/dev/proof.md', 'bad-days');
	await part.expectToBe(badDaysPart(), 'test/docs/examples.test.ts');
});
