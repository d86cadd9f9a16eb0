import { runInNewContext } from 'node:vm';

import { NodeHelpers, type IDataObject, type INode, type INodeProperties } from 'n8n-workflow';
import {
	createSourceFile,
	forEachChild,
	isCallExpression,
	isConditionalExpression,
	ScriptTarget,
	type Node,
} from 'typescript';

import type { WorkflowInput } from '../../host/apiTypes';
import { firstExampleOfTask } from '../../host/examples';
import { outcomeFields } from '../../nodes/SignVerify/item/outcome';
import { operations, toolProperties } from '../../nodes/SignVerify/operations/nodeForm';
import { keyProblems } from '../../nodes/SignVerify/operations/sendingProblems';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { listOf, objectOf } from '../../nodes/SignVerify/util/values';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { seedTemplates } from '../../sandbox/demo/papers/templates';
import { canvasFingerprint, readFingerprints } from '../../scripts/pictures/fingerprints';
import { scenariosPart } from '../e2e/examples/table/scenarios';
import { DocumentedPart } from '../support/documentedPart';
import { textsIn } from '../support/errors';
import { allExamples, forBuilders, starters } from '../support/exampleFiles';
import { textOfFile } from '../support/files';
import { evaluate, unknownIn } from '../support/parameters';

// Every example follows these rules so that users can read it, import it and rely on it.
/** Fields, tabs and settings. A note may put these names in bold, in addition to node names. */
const fieldNames = [
	'Settings',
	'Error Workflow',
	'Authentication',
	'Form Title',
	'Form Description',
	'From Email',
	'To Email',
	'Subject',
	'Text',
	'HTML',
	'Template',
	'Workflow',
	'Country',
	'Fields',
	'Signatories',
	'Write Dates In',
	'In Test Runs',
	'Wait For Sub-Workflow Completion',
	'set mock data',
	'Open chat',
	'Retry',
	'Data tables',
	'Refresh Column List',
];
/** The names of the examples without their numbers. */
const workflowNames = allExamples.map(({ workflow }) => workflow.name.slice(3));

/** The IDs of the sandbox's templates. Examples may use only these. */
const seeded = seedTemplates().map(({ templateID }) => templateID);

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isMail = ({ type, parameters }: INode) =>
	/\.emailSend/.test(type) && parameters.operation !== 'sendAndWait';
/** Whether a text tells people in the node's own words what to do. */
const readsNote = (text: string) => /error\??\.note/.test(text);
/** Joins a sentence that is split among expressions with the same condition, because short ones are easier to read. */
const inOnePiece = (text: string) =>
	text.replaceAll(/["'](?: : '')? \}\}\{\{ [^}]*?(?:\?|&&) ["']/g, '');
/** The size of a node on the canvas. */
const nodeSize = { width: 96, height: 96 };
/**
 * What n8n 2.41.1 shows in a window that is 1440 pixels wide. It shows the whole workflow in the middle of the canvas,
 * at its real size or smaller, and over a published one, a card "Production Checklist" in the top left corner. The
 * higher the window, the larger the workflow, and the further to the left it begins.
 */
const editor = {
	windowHeights: [900, 1000, 1200, 1400],
	canvasIn: (windowHeight: number) => ({ width: 1398, height: windowHeight - 102 }),
	padding: { x: 116, y: 66 },
	card: { right: 376, bottom: 313 },
};
const isErrorWorkflow = ({ nodes }: WorkflowInput) =>
	nodes.some(({ type }) => type === 'n8n-nodes-base.errorTrigger');
/** Whether a node sends something to people. Workflows don't store the default resource. */
const isSender = ({ type, parameters }: INode) =>
	type === 'n8n-nodes-signverify.signVerify' &&
	operations.some(
		({ sends, resource, value }) =>
			sends && resource === (parameters.resource ?? 'document') && value === parameters.operation,
	);
const optionsOf = ({ parameters }: INode) => (parameters.options ?? {}) as IDataObject;
/** A Switch's rules, in the order of its outputs. */
const rulesOf = ({ parameters }: INode) =>
	(parameters.rules as { values: IDataObject[] } | undefined)?.values ?? [];

const action = new SignVerify().description;
/** The forms of our nodes, including the tool variant that n8n derives from the action node. */
const forms: Record<string, INodeProperties[] | undefined> = {
	signVerify: action.properties,
	signVerifyTool: toolProperties,
	signVerifyTrigger: new SignVerifyTrigger().description.properties,
};
/** Parameters that n8n adds to a variant's form. */
const byN8n = ['descriptionType', 'toolDescription', 'message'];

/**
 * A workflow's HTML emails: for each, the name of the node that sends it, and the expression for its HTML.
 */
function htmlMailsOf(nodes: INode[]): Array<[string, string]> {
	return nodes.flatMap(({ name, type, parameters }): Array<[string, string]> => {
		if (!type.endsWith('.emailSend')) return [];
		const { operation, emailFormat, message, html } = parameters;
		if (operation === 'sendAndWait') return [[name, String(message)]];
		return emailFormat === 'text' ? [] : [[name, String(html)]];
	});
}
/** Text that someone could enter in a form to inject a link into an email. */
const hostile = `"'><a href="//evil.example" onclick='x'>Click</a><!--`;
/** Renders an email as n8n does, with the given value in every field that comes from outside the workflow. */
function render(expression: string, value: string, nodes: INode[]): string {
	// Every node has the same values here, so references to other nodes can be replaced with `$json`.
	const own = expression.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json');
	const fields = [
		'name',
		'title',
		'url',
		'link',
		'email',
		'Employee name',
		'Full name',
		'Email',
		'Job title',
	];
	const json: IDataObject = Object.fromEntries(
		[...fields, 'Start date', 'Your email'].map((field) => [field, value]),
	);
	json.happenedAt = '2027-03-01';
	json.person = { name: value, email: value, signing: { url: value } };
	const writer = nodes.find(({ parameters }) => /question:/.test(String(parameters.jsCode)));
	if (writer) {
		const written = runInNewContext(`(() => {${String(writer.parameters.jsCode)}})()`, {
			$json: json,
		}) as { json: IDataObject };
		Object.assign(json, written.json);
	}
	return String(evaluate(own, json));
}
/** The tags in HTML, each with the names of its attributes. */
function tagsOf(html: string): string[] {
	const tag = /<(\/?[a-z!][^\s>"']*)((?:\s+[\w-]+=(?:"[^"]*"|'[^']*'))*)[^>]*>?/gi;
	return [...html.matchAll(tag)].map(([, name = '', attributes = '']) =>
		[name, ...attributes.replaceAll(/=(?:"[^"]*"|'[^']*')/g, '').split(/\s+/)].join(' '),
	);
}

/**
 * The node types that can't make a spreadsheet program evaluate a text as a formula. A data table belongs to
 * n8n, which never evaluates its values. Before you add a type that writes a sheet or a file, find out how it
 * writes a text that begins with "=".
 */
const withoutFormulas = [
	'agent',
	'aggregate',
	'chatTrigger',
	'code',
	'convertToFile',
	'crypto',
	'dataTable',
	'emailSend',
	'errorTrigger',
	'executeWorkflow',
	'executeWorkflowTrigger',
	'extractFromFile',
	'filter',
	'form',
	'formTrigger',
	'googleDrive',
	'if',
	'lmChatOpenAi',
	'manualTrigger',
	'mcpTrigger',
	'memoryBufferWindow',
	'merge',
	'n8n',
	'removeDuplicates',
	'noOp',
	'respondToWebhook',
	'scheduleTrigger',
	'set',
	'signVerify',
	'signVerifyTool',
	'signVerifyTrigger',
	'splitInBatches',
	'sort',
	'splitOut',
	'stickyNote',
	'stopAndError',
	'summarize',
	'switch',
	'toolWorkflow',
	'wait',
	'webhook',
];

/**
 * Whether a node may write text from outside into a sheet in which a text such as "=HYPERLINK(…)" is run. The
 * editor drops the options of a Google Sheets node until a sheet is selected, so the note has to ask for them.
 */
function canWriteFormulas({ type, parameters, name: node }: INode, note: string): boolean {
	const name = type.replace(/^.*\./, '');
	if (withoutFormulas.includes(name)) return false;
	const { operation } = parameters;
	// The text becomes a file as it is, and only the workflow reads this file.
	if (name === 'convertToFile') return operation !== 'toText';
	const [, advice = ''] = note.split(`**${node}:**`);
	return name !== 'googleSheets' || (operation !== 'read' && !advice.includes('Let n8n format'));
}

/** The number of outputs of a node that branches (If or Switch), or 0 for any other node. */
function waysOf(node: INode): number {
	if (node.type.endsWith('.if')) return 2;
	if (!node.type.endsWith('.switch')) return 0;
	return rulesOf(node).length + (optionsOf(node).fallbackOutput ? 1 : 0);
}

describe.each(allExamples)('the "$name" example', ({ name: example, file, text, workflow }) => {
	const { nodes, connections, ...rest } = workflow;
	const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
	const [note = ''] = notes;

	test('writes no text into a sheet that a program would run as a formula', () => {
		expect(nodes.filter((node) => canWriteFormulas(node, note)).map(({ name }) => name)).toEqual(
			[],
		);
	});

	test("has a note that explains the workflow's purpose, lists numbered steps, and names the next step if something goes wrong", () => {
		expect([file, notes.length]).toEqual([file, 1]);
		const [begin = '', steps = '', help = '', ...more] = note.split('\n\n');
		const [heading, purpose = '', ...others] = begin.split('\n');
		expect(heading).toBe(`## ${workflow.name.slice(3)}`);
		expect(others).toEqual([]);
		expect(more).toEqual([]);
		const lines = steps.split('\n');
		expect(lines.map((line) => line.slice(0, 3))).toEqual(
			lines.map((_, index) => `${index + 1}. `),
		);
		for (const text of [purpose, help, ...lines]) expect(text).toMatch(/[.!]$/);
		expect(help).toMatch(/^If /);
	});

	test('has a note in which only names of nodes, fields, settings, and workflows are bold', () => {
		const bold = [...note.matchAll(/\*\*([^*]+?):?\*\*/g)].map(([, name = '']) => name);
		expect(bold).toEqual(expect.arrayContaining([expect.any(String)]));
		// If two workflows form a pair, the note in one workflow can mention a node in the other.
		const named = allExamples.filter((other) => bold.includes(other.workflow.name.slice(3)));
		const names = [workflow, ...named.map((other) => other.workflow)].flatMap((each) =>
			each.nodes.map(({ name }) => name),
		);
		const known = [...fieldNames, ...names, ...workflowNames];
		expect(bold.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('shows text to paste as code in its note, because n8n changes the quotes in other text', () => {
		expect(note.replaceAll(/`[^`]*`/g, '')).not.toMatch(/[[\]{}]/);
	});

	test('names in its note the workflow to choose, because an imported choice has another ID', () => {
		const chosen = nodes
			.map(({ parameters }) => objectOf(parameters.workflowId))
			.filter(({ mode }) => mode === 'list');
		expect(note.match(/the lower one/g) ?? []).toHaveLength(chosen.length);
	});

	test('names in its note the questions that its other nodes read, because people change the form', () => {
		const questions = nodes
			.filter(({ type }) => type.endsWith('.formTrigger'))
			.flatMap(({ parameters }) => listOf(objectOf(parameters.formFields).values).map(objectOf))
			.map(({ fieldLabel }) => String(fieldLabel));
		// Another template empties its own fields, and the note says how to change the columns of a data table.
		const read = nodes
			.filter(({ type }) => !type.endsWith('.dataTable'))
			.map(({ parameters }) =>
				JSON.stringify(parameters, (key, value: unknown) =>
					key === 'fields' || key === 'signatoryRoles' ? undefined : value,
				),
			)
			.flatMap((text) => questions.filter((question) => text.includes(`['${question}']`)));
		const isMapped = nodes.some(
			({ parameters }) => objectOf(parameters.fields).mappingMode === 'defineBelow',
		);
		const [, kept = ''] = /Keep the questions ([^.]*?), (?:and )?(?:add|replace) /.exec(note) ?? [];
		const named = kept.split(/, (?:and )?/).filter(Boolean);
		expect(questions).toEqual(expect.arrayContaining(named));
		expect(named).toEqual(expect.arrayContaining(isMapped ? read : []));
	});

	test('has a note above its nodes, and both stand clear of the card that n8n shows once they are published', () => {
		const boxOf = ({ position: [x, y], parameters }: INode, size: IDataObject = parameters) => ({
			left: x,
			top: y,
			right: x + Number(size.width),
			bottom: y + Number(size.height),
		});
		const [box = boxOf(nodes[0]!)] = nodes.filter(isNote).map((node) => boxOf(node));
		const others = nodes.filter((node) => !isNote(node)).map((node) => boxOf(node, nodeSize));
		expect(Math.min(...others.map(({ top }) => top)) - box.bottom).toBeGreaterThanOrEqual(48);

		const all = [box, ...others];
		const left = Math.min(...all.map((each) => each.left));
		const top = Math.min(...all.map((each) => each.top));
		const width = Math.max(...all.map(({ right }) => right)) - left;
		const height = Math.max(...all.map(({ bottom }) => bottom)) - top;
		const { windowHeights, canvasIn, padding, card } = editor;
		const covered = windowHeights.filter((windowHeight) => {
			const canvas = canvasIn(windowHeight);
			const scale = Math.min(
				1,
				(canvas.width - 2 * padding.x) / width,
				(canvas.height - 2 * padding.y) / height,
			);
			return all.some(
				(each) =>
					(canvas.width - width * scale) / 2 + (each.left - left) * scale < card.right &&
					(canvas.height - height * scale) / 2 + (each.top - top) * scale < card.bottom,
			);
		});
		expect([example, ...covered]).toEqual([example]);
	});

	test('has an up-to-date screenshot', () => {
		const command = `npm run pictures -- ${example}`;
		const picture = readFingerprints()[example];
		expect({ command, picture }).toEqual({ command, picture: canvasFingerprint(workflow) });
	});

	test('notifies someone if sending a document or an email fails', () => {
		const { settings } = workflow;
		const errorWorkflow = isErrorWorkflow(workflow) ? undefined : 'tellWhenItFails1';
		expect(settings.errorWorkflow).toBe(errorWorkflow);
		for (const node of nodes) {
			const sends = /send|sendAndWait|request$/.test(String(node.parameters.operation));
			// A tool returns its error to the model.
			const isOurs = node.type.endsWith('.signVerify');
			if (isOurs && sends)
				expect([node.name, node.onError]).toEqual([node.name, expect.stringContaining('continue')]);
			// If an email can't be sent, the execution continues on a branch, or n8n retries before the error
			// workflow reports the failure.
			if (isMail(node))
				expect([node.name, node.onError ?? node.retryOnFail]).toEqual([
					node.name,
					expect.anything(),
				]);
			// If n8n's own Send and Wait has an error output, it outputs nothing when its time limit is
			// reached.
			const waits = !isOurs && node.parameters.operation === 'sendAndWait';
			if (waits) expect([node.name, node.onError]).not.toEqual([node.name, 'continueErrorOutput']);
			if (node.onError !== 'continueErrorOutput') continue;
			// This node only checks. The next one tries the same rows, and reports each of them.
			if (optionsOf(node).neverSend === true) continue;
			const outputs = connections[node.name]?.main ?? [];
			expect([node.name, outputs.at(-1)?.length ?? 0]).not.toEqual([node.name, 0]);
			expect(outputs.length).toBeGreaterThanOrEqual(2);
		}
	});

	test('has a next step for every outcome of each If and Switch node', () => {
		for (const node of nodes) {
			const ways = waysOf(node);
			const leads = (connections[node.name]?.main ?? []).map((next) => (next?.length ?? 0) > 0);
			// The workflow may end after this condition, because the calling program has already received its
			// response.
			const mayEnd = example === 'request-over-http' && node.name === 'Needs review?';
			const ends = mayEnd ? [true] : Array<boolean>(ways).fill(true);
			if (ways > 0) expect([node.name, ...leads.slice(0, ways)]).toEqual([node.name, ...ends]);
			// A Switch on the event has one output for each of the trigger's events, but no fallback.
			if (!JSON.stringify(rulesOf(node)).includes('$json.event')) continue;
			const events = nodes.flatMap(({ parameters }) => (parameters.events as string[]) ?? []);
			expect([node.name, ways]).toEqual([node.name, events.length]);
		}
	});

	test('does not contain any data from the n8n instance that exported it', () => {
		// Only the error workflow has an ID, because the settings of the other workflows refer to it.
		const keys = Object.keys(rest).filter((key) => key !== 'id');
		expect(keys.sort()).toEqual(['name', 'settings']);
		const chosen = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(chosen.filter(({ id }) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/https?:\/\//);
		// The pattern does not match the node types that begin with "@n8n/".
		for (const [, domain] of text.matchAll(/\w@([\w.-]+)/g)) expect(domain).toBe('example.com');
		const templates = nodes.flatMap(({ parameters: { templateId } }) =>
			typeof templateId === 'object' && templateId && 'value' in templateId
				? [String(templateId.value)].filter((value) => !value.startsWith('='))
				: [],
		);
		for (const id of templates) expect(seeded).toContain(id);
	});

	test('sets only known parameters on SignVerify nodes', () => {
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-signverify.'));
		const unknown = ours.flatMap((node) => {
			const name = node.type.replace('n8n-nodes-signverify.', '');
			const { parameters } = node;
			const own = Object.entries(parameters).filter(([key]) => !byN8n.includes(key));
			const given = Object.fromEntries(own);
			// n8n shows some fields only for one variant of the node. It recognizes the variant by the name
			// in the description.
			const description = { ...action, name };
			const form = forms[name] ?? [];
			const known = NodeHelpers.getNodeParameters(form, given, true, false, node, description);
			return unknownIn(given, known, node.name);
		});
		expect(unknown).toEqual([]);
	});

	test('has nodes that send nothing in a test, and nothing despite warnings', () => {
		// An agent's tool starts this workflow. There, n8n doesn't always report whether an execution is a test.
		const send = example === 'signed-order' ? 'realPeople' : undefined;
		for (const node of nodes.filter(isSender)) {
			expect([node.name, node.parameters.inTestRuns]).toEqual([node.name, send]);
			expect(optionsOf(node)).not.toHaveProperty('sendDespiteWarnings');
		}
	});

	test('tells people who read why an entry was refused what to do if it is right', () => {
		const senders = nodes.filter(isSender).map(({ name }) => name);
		// A program reads the response to its request.
		const shown = nodes.filter(({ type }) => /\.(?:form|emailSend|set)$/.test(type));
		const texts = shown.flatMap(({ parameters }) => textsIn(parameters)).map(inOnePiece);
		const ofCode = nodes.filter(isCode).map(({ parameters }) => String(parameters.jsCode));
		const named = [...texts, ...ofCode].flatMap((words) =>
			[...words.matchAll(/option Send Despite Warnings, nodes? ([^.:)]+)\)/g)].map(
				([, names = '']) => names,
			),
		);
		for (const names of named)
			expect(senders.reduce((rest, name) => rest.replace(name, ''), names)).toMatch(/^(?: and )?$/);
		// The error's own advice names the option as well.
		const isTold = named.length > 0 || texts.some((words) => /error\?\.description/.test(words));
		const isShown = texts.some((words) => /error\??\.message/.test(words));
		expect([example, isTold || senders.length === 0 || !isShown]).toEqual([example, true]);
	});

	test('names the option Send Despite Warnings only if the node advises to add it', () => {
		const option = 'Send Despite Warnings';
		const shown = nodes.filter(
			({ type, parameters }) =>
				/\.(?:form|emailSend|set|code)$/.test(type) &&
				JSON.stringify(parameters).includes(option) &&
				// The list's report has tests of its own.
				example !== 'send-a-list',
		);
		for (const { name, parameters } of shown) {
			const textAfter = (description: string | null) => {
				const error = { message: 'Email: wrong', note: 'Not sent', outcome: 'failed', description };
				return textsIn(parameters)
					.map((text) => text.replaceAll(/\$\('[^']*'\)\.isExecuted/g, 'true'))
					.map((text) => text.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json'))
					.filter((text) => text.includes(option))
					.map((text) =>
						parameters.jsCode
							? JSON.stringify(runInNewContext(`(() => {${text}})()`, { $json: { error } }))
							: String(evaluate(text, { error, outcome: 'failed' })),
					)
					.join('\n');
			};
			expect([name, textAfter(`Correct it. Or add the option ${option}.`)]).toEqual([
				name,
				expect.stringContaining(option),
			]);
			for (const other of ['Enter one address.', null]) {
				expect([name, textAfter(other)]).toEqual([name, expect.not.stringMatching(option)]);
				expect([name, textAfter(other)]).toEqual([name, expect.stringContaining('Email: wrong')]);
			}
		}
	});

	test('gives models only SignVerify tools that read data, that send nothing, or that need a reference from a person', () => {
		const isFree = ({ type, parameters }: INode) =>
			type.endsWith('.signVerifyTool') && !String(parameters.operation).startsWith('get');
		const hasReference = (node: INode) =>
			/^=\{\{ \$fromAI\('reference', /.test(String(optionsOf(node).sendOnceKey));
		const isBound = (node: INode) => optionsOf(node).neverSend === true || hasReference(node);
		expect(nodes.filter(isFree).filter((node) => !isBound(node))).toEqual([]);
	});

	// n8n's own check refuses addresses such as josé@example.com and o'neil@example.com. Ours follows later.
	test('asks for email addresses in fields that take any address', () => {
		const questions = nodes.flatMap(({ parameters }) =>
			listOf((parameters.formFields as IDataObject | undefined)?.values).map(objectOf),
		);
		const narrow = questions.filter(({ fieldType }) => fieldType === 'email');
		expect(narrow.map(({ fieldLabel }) => fieldLabel)).toEqual([]);
	});

	test('does not let external values add tags or attributes to HTML emails', () => {
		for (const [name, html] of htmlMailsOf(nodes)) {
			const harmless = tagsOf(render(html, 'x', nodes));
			expect([name, tagsOf(render(html, hostile, nodes))]).toEqual([name, harmless]);
		}
	});

	test('has a plain-text version of every email and exactly one button in every HTML email', () => {
		for (const { name, parameters } of nodes.filter(isMail)) {
			const { emailFormat, html, text } = parameters;
			expect([name, ['text', 'both'].includes(String(emailFormat)), text]).toEqual([
				name,
				true,
				expect.stringMatching(/\S/),
			]);
			if (emailFormat !== 'both') continue;
			const buttons = render(String(html), 'x', nodes).match(/<a /g);
			expect([name, buttons?.length]).toEqual([name, 1]);
		}
	});

	test('asks the recipient of an error email to look for a document that may already have been sent', () => {
		// An If node keeps what certainly wasn't sent apart from the rest, and a file that can't be read isn't sent.
		const certain = nodes
			.filter(
				({ type, parameters }) =>
					type.endsWith('.extractFromFile') ||
					(type.endsWith('.if') && /outcome === 'check'/.test(JSON.stringify(parameters))),
			)
			.flatMap(({ name }) => connections[name]?.main?.[1] ?? [])
			.map(({ node }) => node);
		const reports = nodes.filter(
			(node) =>
				isMail(node) &&
				!certain.includes(node.name) &&
				!readsNote(String(node.parameters.text)) &&
				/\$json\.error\??\.message/.test(String(node.parameters.text)),
		);
		for (const { name, parameters } of reports) {
			const ownItem = String(parameters.text).replaceAll(
				/\$\('[^']*'\)\.(?:item|first\(\))\.json/g,
				'$json',
			);
			const json = { error: { message: 'Response lost', outcome: 'check' } };
			expect([name, String(evaluate(ownItem, json))]).toEqual([
				name,
				expect.stringMatching(
					/look for the \w+ in your provider's account\. If you don't find it, /,
				),
			]);
		}
	});

	/** The nodes at a node's first output. */
	const followersOf = (name: string) =>
		(connections[name]?.main?.[0] ?? []).flatMap(
			(next) => nodes.find((node) => node.name === next.node) ?? [],
		);

	test('emails the tester instead of the person once everyone has signed a test document', () => {
		const waits = nodes.filter(({ parameters }) => parameters.operation === 'sendAndWait');
		const checks = waits.flatMap(({ name }) => followersOf(name));
		const tester = 'me@example.com';
		for (const node of checks.flatMap(({ name }) => followersOf(name)).filter(isMail)) {
			const { toEmail } = node.parameters;
			if (!String(toEmail).startsWith('=')) continue;
			const own = String(toEmail).replaceAll(/\$\('[^']*'\)\.item\.json/g, '$json');
			expect([node.name, evaluate(own, { testRecipient: tester })]).toEqual([node.name, tester]);
			const person = 'ada@example.com';
			expect([node.name, evaluate(own, { Email: person })]).toEqual([node.name, person]);
		}
	});

	test('goes on after a wait only if everyone has signed, each with a valid signature', () => {
		const waits = nodes.filter(
			({ parameters: { operation, resource }, type }) =>
				type.endsWith('.signVerify') && operation === 'sendAndWait' && resource !== 'identity',
		);
		for (const { name, parameters } of waits.flatMap(({ name }) => followersOf(name))) {
			const [{ leftValue }] = listOf(objectOf(parameters.conditions).conditions).map(objectOf) as [
				IDataObject,
			];
			const goesOn = (withoutSignature?: string) =>
				evaluate(
					String(leftValue),
					outcomeFields({ about: 'document', wait: 'completed', withoutSignature }),
				);
			expect([name, goesOn(), goesOn('Ana Gil')]).toEqual([name, true, false]);
		}
	});

	test('asks no one in an email to check what needs nothing', () => {
		const reports = nodes.filter(
			(node) => isMail(node) && /(?:\?\?|:) \$json\.note/.test(String(node.parameters.text)),
		);
		const skipped = outcomeFields({ about: 'document', key: 'C-1', skipped: 'earlier' });
		for (const { name, parameters } of reports) {
			const mail = [parameters.subject, parameters.text]
				.map((text) => String(text).replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json'))
				.map((text) => String(evaluate(text, skipped)));
			expect([name, ...mail]).toEqual([
				name,
				expect.not.stringMatching(/check/i),
				expect.stringContaining('so you have nothing to do'),
			]);
		}
	});

	test('does not report a test in which nothing was sent as a sent document', () => {
		const senders = nodes.filter(
			({ parameters, type }) => type.endsWith('.signVerify') && parameters.operation === 'send',
		);
		const first = senders.flatMap(({ name }) => followersOf(name));
		// A Code node decides what the nodes after it report.
		const [withCode, others] = [first.filter(isCode), first.filter((node) => !isCode(node))];
		for (const { name, parameters } of withCode)
			expect([name, parameters.jsCode]).toEqual([name, expect.stringContaining("'nothing'")]);
		const later = others.flatMap(({ name }) => followersOf(name));
		const isSheet = ({ type }: INode) => type.endsWith('.googleSheets');
		const reports = [...others, ...later].filter(
			({ name, type }) => /\.(?:emailSend|form)$/.test(type) || followersOf(name).some(isSheet),
		);
		for (const { name, parameters } of reports) {
			const textFor = (json: IDataObject) =>
				textsIn(parameters)
					.map((text) => text.replaceAll(/\$\('[^']*'\)\.isExecuted/g, 'true'))
					.map((text) => text.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json'))
					.map((text) => evaluate(text, json))
					.join('\n');
			// "status" is the column of a data table that some examples fill from the outcome.
			const sent = { documentId: 'd1', title: 'Lease', outcome: 'sent', status: 'Sent' };
			const note = 'This was a test.';
			const text = textFor({ ...sent, outcome: 'nothing', note, status: note });
			expect([name, text]).not.toEqual([name, textFor(sent)]);
		}
	});

	test('has a Send Once Key that a retry, which is another execution, does not change', () => {
		const keys = nodes.map((node) => String(optionsOf(node).sendOnceKey ?? ''));
		expect(keys.filter((key) => key.includes('$execution'))).toEqual([]);
	});

	test('has a Send Once Key that is the same for an email address in capitals', () => {
		for (const node of nodes) {
			const key = String(optionsOf(node).sendOnceKey ?? '').replaceAll(
				/\$\('[^']*'\)\.(?:item|first\(\))\.json/g,
				'$json',
			);
			const columns = [...key.matchAll(/\$json\['([^']+)'\]/g)].map(([, column = '']) => column);
			if (!columns.some((column) => /email/i.test(column))) continue;
			const keyFor = (email: string) => {
				const cells = columns.map((column) => [column, /email/i.test(column) ? email : 'C-1']);
				return evaluate(key, Object.fromEntries(cells) as IDataObject);
			};
			expect([node.name, keyFor('ANA@example.com')]).toEqual([
				node.name,
				keyFor('ana@example.com'),
			]);
		}
	});

	test('does not read the first item of a node that branches, because the item may have taken another branch', () => {
		const branching = nodes.filter((node) => waysOf(node) > 0).map(({ name }) => name);
		const reads = nodes.flatMap(({ name, parameters }) =>
			textsIn(parameters).flatMap((text) =>
				branching
					.filter((other) => text.includes(`$('${other}').first()`))
					.map((other) => `${name} reads ${other}`),
			),
		);
		expect(reads).toEqual([]);
	});

	test("has the node write out the contract's dates, so that later nodes still read them as days", () => {
		const senders = nodes.filter(
			({ type, parameters }) =>
				type.startsWith('n8n-nodes-signverify.') && parameters.country !== undefined,
		);
		expect(senders.filter((node) => !optionsOf(node).writeDatesIn).map(({ name }) => name)).toEqual(
			[],
		);
		const values = senders.flatMap(({ parameters }) => textsIn(parameters.fields));
		expect(values.filter((text) => /toLocaleString|toFormat/.test(text))).toEqual([]);
	});

	test("leaves out of its emails what only the workflow's author can use", () => {
		const mails = nodes.filter(isMail).map(({ parameters }) => String(parameters.text));
		expect(
			mails.filter((text) => /\$json\.error\??\.description(?!\?\.includes\()/.test(text)),
		).toEqual([]);
	});

	test('refers to the workflow by its correct name in emails', () => {
		for (const [, name] of text.matchAll(/Your workflow \\"([^"]+?)\\"/g))
			expect(name).toBe(workflow.name.slice(3));
	});
});

test('docs/dev/behavior.md shows the table of failure scenarios for the examples that send contracts', async () => {
	const part = new DocumentedPart('docs/dev/behavior.md', 'scenarios');
	await part.expectToBe(scenariosPart(), 'behavior');
});

describe('The report of "send-a-list"', () => {
	const nodes = starters.find(({ name }) => name === 'send-a-list')?.workflow.nodes ?? [];
	const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters ?? {};
	const assignments = listOf(objectOf(parametersOf('Name the rows').assignments).assignments).map(
		objectOf,
	);
	const rows = (count: number, item: (key: string) => IDataObject) =>
		Array.from({ length: count }, (_, index) => {
			const key = `C-${index}`;
			return { ...item(key), 'Contract number': key, 'Employee name': `Ana ${index}` };
		});

	/** Does what the nodes between the two SignVerify nodes and the email do. */
	function mailAbout(items: IDataObject[]): { subject: string; text: string } {
		const failures = JSON.stringify(items.filter(({ error }) => error));
		const value = (text: unknown, json: IDataObject) =>
			String(
				evaluate(
					String(text)
						.replaceAll("$('Check the list').all(1)", failures)
						.replaceAll(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json'),
					json,
				),
			);
		const named = items.map((json) =>
			Object.fromEntries(assignments.map((one) => [value(one.name, json), value(one.value, json)])),
		);
		const counted: IDataObject = { List: { filename: 'people.csv' }, 'Your name': 'Kim' };
		const summaries = objectOf(parametersOf('Count the rows').fieldsToSummarize).values;
		for (const { aggregation, field } of listOf(summaries).map(objectOf)) {
			const filled = named.map((json) => json[String(field)]).filter(Boolean);
			if (aggregation === 'count') counted[`count_${String(field)}`] = filled.length;
			else counted[`concatenated_${String(field)}`] = filled.join('\n');
		}
		const { subject, text } = parametersOf('Email the report');
		return { subject: value(subject, counted), text: value(text, counted) };
	}

	const mistake =
		'Signatories: there is no column for employee email. The columns are Contract number, Employee name, Mail';
	const uncompared = (key: string): IDataObject => ({
		...outcomeFields({ about: 'document', key, skipped: 'uncompared', mistake }),
		invalidFields: ['Signatories'],
	});
	const sent = () => outcomeFields({ about: 'document' });
	const advice = 'give the row a new number';

	test('explains once what to do about 500 rows whose people are unknown, and names the first 20', () => {
		const { subject, text } = mailAbout([...rows(500, uncompared), ...rows(3, sent)]);
		expect(subject).toBe('To correct: people.csv from Kim, 3 sent');
		const lines = text.split('\n');
		expect(lines.slice(0, 4)).toEqual([
			'Sent: 3. 500 to correct.',
			'',
			'To correct: correct these rows, keep their numbers, and upload the list again.',
			`C-0, Ana 0: ${String(uncompared('C-0').note)}`,
		]);
		expect(lines.filter((line) => line.includes(mistake))).toHaveLength(20);
		expect(lines).toContain('and 480 more');
		expect(text).not.toContain(advice);
		expect(text).not.toMatch(/may have been|nothing to do|Send Despite Warnings/);
	});

	const unsent = () => outcomeFields({ about: 'document', nothingSent: 'neverSent' });

	test('counts the rows that were not sent because another one is wrong, or because it is a test', () => {
		const refused = mailAbout([...rows(2, unsent), ...wrongAddress]);
		expect(refused.text).toContain('\n\nRight, but not sent because of the others: 2\nFile: ');
		const checked = mailAbout(rows(2, unsent));
		expect(checked.text).toMatch(/^Sent: 0\.\n\nOnly checked, because this is a test: 2\nFile: /);
		for (const { text } of [refused, checked]) expect(text.match(/: 2\n/g)).toHaveLength(1);
	});

	test('names the kind of a file that is no list, and shows none of its bytes', () => {
		const textFor = (data: string, error: string) =>
			String(
				evaluate(
					String(parametersOf("Email that it isn't a list").text).replaceAll(
						/\$\('[^']*'\)\.first\(\)\.json/g,
						'$json',
					),
					{ data, error, List: { filename: 'people.csv' } },
				),
			).split('\n');
		const quote = 'Invalid Opening Quote: the value is "';
		const [workbook, , workbookReason] = textFor('PK\x03\x04\uFFFD', `${quote}PK\x03\x04\uFFFD"`);
		expect(workbook).toMatch(/^Nothing was sent, .* as a list: it's an Excel workbook\. Open /);
		expect(workbookReason).toMatch(/Quote: the value is "PK…$/);
		expect(textFor('%PDF-1.7\n', quote)[0]).toMatch(/as a list: it's a PDF\. Open /);
		const [list, , reason] = textFor('PK,Name\n1,"Ana', `${quote}Ana"`);
		expect(list).toMatch(/as a list\. Open /);
		expect(reason).toMatch(/Quote: the value is "Ana"$/);
	});

	test('tells these rows apart from those that may have been sent', () => {
		const fate = { about: 'document', skipped: 'earlier', mayHaveBeenCreated: true } as const;
		const unsure = (key: string) => outcomeFields({ ...fate, key });
		const { subject, text } = mailAbout([...rows(1, unsure), ...rows(1, uncompared)]);
		expect(subject).toBe('To check: To correct: people.csv from Kim, 0 sent');
		expect(text).toContain('Sent: 0. 1 to check. 1 to correct.\n\nTo check: ');
		expect(text).toContain(`${advice}, and upload the list again.\nC-0, Ana 0\n\nTo correct: `);
	});

	const failed =
		(problem: { problem: string }, field: string, description = 'Correct it.') =>
		() => ({
			error: {
				...outcomeFields({ about: 'document', failed: 'value' }),
				message: `${field}: ${problem.problem}`,
				description,
				invalidFields: [field],
			},
		});
	const otherPeople = rows(1, failed(keyProblems.otherPeople('C-1', 'document'), 'Send Once Key'));
	const advised = 'If the value is right, add the option Send Despite Warnings.';
	const wrongDate = rows(1, failed({ problem: 'wrong' }, 'Start date', advised));
	const noNumber = rows(1, failed(keyProblems.noValue, 'Send Once Key'));
	const wrongAddress = rows(1, failed({ problem: 'wrong' }, 'Email'));
	const option =
		'If a value only looks wrong, ask the person who set up this workflow to allow it (option Send Despite Warnings, nodes Check the list and Send the contracts).';
	const number =
		'If a number was already sent to other people, take the row out, or give it another number.';

	test.each([
		['the number of other people', otherPeople, [number], [option]],
		['a value that looks wrong', wrongDate, [option], [number]],
		['a wrong value', wrongAddress, [], [option, number]],
		['a missing number', noNumber, [], [option, number]],
		['both', [...otherPeople, ...wrongDate], [option, number], []],
	])('advises about %s what helps', (_what, items, said, unsaid) => {
		const { subject, text } = mailAbout(items);
		expect(subject).toBe('Refused: people.csv from Kim, 0 sent');
		const count = items.length === 1 ? '1 row needs' : `${items.length} rows need`;
		expect(text.split('\n')[0]).toBe(
			`Nothing was sent, because ${count} a correction. Correct the rows below, and upload the whole list again.`,
		);
		for (const advice of said) expect(text).toContain(advice);
		for (const advice of unsaid) expect(text).not.toContain(advice);
	});
});

test('"request-over-http" refuses a request for a used key whose address is wrong, without a new key', () => {
	const { workflow } = forBuilders.find(({ name }) => name === 'request-over-http') ?? {};
	const code = String(workflow?.nodes.find(isCode)?.parameters.jsCode);
	const responseTo = (json: IDataObject) =>
		(runInNewContext(`(() => {${code}})()`, { $json: json }) as { json: IDataObject }).json;
	const about = 'document';
	const uncompared = outcomeFields({
		about,
		key: 'C-1',
		skipped: 'uncompared',
		mistake: 'Email: x',
	});
	expect(responseTo({ ...uncompared, invalidFields: ['Email'] })).toMatchObject({
		status: 422,
		body: { outcome: 'refused', reason: uncompared.note },
	});
	expect(responseTo({ ...uncompared, invalidFields: ['Template'] })).toMatchObject({ status: 503 });
	const unsure = outcomeFields({ about, key: 'C-1', skipped: 'earlier', mayHaveBeenCreated: true });
	expect(responseTo(unsure)).toMatchObject({ status: 409, body: { outcome: 'uncertain' } });
	for (const json of [outcomeFields({ about }), outcomeFields({ about, testRecipient: 'me' })]) {
		expect(responseTo({ ...json, documentId: 'd1' })).toMatchObject({
			status: 201,
			body: { documentId: 'd1' },
		});
	}
	const failure = { outcome: 'failed', message: 'Down' };
	expect(responseTo({ error: failure })).toMatchObject({ status: 503 });
	expect(responseTo({ error: 'Down' })).toMatchObject({ status: 503 });
	expect(responseTo({ error: { ...failure, httpStatus: 422 } })).toMatchObject({ status: 422 });
});

test.each(allExamples.filter(({ name }) => name.startsWith('remind-')))(
	'the "$name" example marks the rows that it got, at the same moment and under the same conditions',
	({ workflow: { nodes } }) => {
		const conditionsOf = (operation: string) =>
			nodes
				.filter(({ parameters }) => parameters.operation === operation)
				.flatMap(({ parameters }) => listOf(objectOf(parameters.filters).conditions))
				.map((condition) => JSON.stringify(condition))
				.map((text) => text.replaceAll(/\$\('[^']*'\)\.first\(\)\.json/g, '$json'));
		const got = conditionsOf('get');
		expect(got.length).toBeGreaterThan(3);
		expect(conditionsOf('update')).toEqual([expect.any(String), ...got]);
	},
);

test('every example is tested in a real n8n instance', () => {
	const files = ['examples/starters.test.ts', 'examples/desk.test.ts', 'examples/table/senders.ts'];
	files.push(
		'agentSignature.nightly.test.ts',
		'examples/register.nightly.test.ts',
		'examples/reminders.nightly.test.ts',
		'examples/renew.nightly.test.ts',
	);
	const tests = files.map((file) => textOfFile(`test/e2e/${file}`)).join('');
	const missing = allExamples.filter(({ name }) => !tests.includes(`'${name}'`));
	expect(missing.map(({ name }) => name)).toEqual([]);
});

// The starters are for users who have never seen n8n, so they must be simple. Anything complex that makes
// them robust must be built into our node.

const isCode = ({ type }: INode) => /\.(code|function|functionItem|aiTransform)$/.test(type);
/** The bodies of all expressions in a node. */
const expressionsOf = ({ parameters }: INode) =>
	textsIn(parameters)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, body = '']) => body.trim()));
/**
 * Removes the contents of the strings in an expression. Their length does not count, because even a long
 * string is easy to read.
 */
const withoutStrings = (body: string) => body.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, "''");
/**
 * Whether an expression is simple enough for users who do not program, such as a field or a single condition.
 */
function isShort(body: string): boolean {
	const code = withoutStrings(body);
	return (
		code.length <= 90 &&
		!/=>|;|\n|\.(?:map|filter|reduce|find)\(/.test(code) &&
		(code.match(/\?\?|\?(?![.?])/g) ?? []).length <= 1
	);
}

/** Whether an expression contains a condition inside another one. */
function nestsConditions(body: string): boolean {
	const source = createSourceFile('expression.ts', `(${body})`, ScriptTarget.Latest);
	const isCondition = (node: Node) =>
		isConditionalExpression(node) ||
		(isCallExpression(node) && ['$if', '$ifEmpty'].includes(node.expression.getText(source)));
	const visit = (node: Node, isInside: boolean): boolean =>
		isCondition(node) && isInside
			? true
			: (forEachChild(node, (child) => visit(child, isInside || isCondition(node))) ?? false);
	return visit(source, false);
}
/** A value that a model fills in. Its length is that of the description, which the model reads. */
const isForModel = (body: string) => /^\$fromAI\([^()]*\)$/.test(withoutStrings(body));
const maxNodes = 9;
const maxExpression = 80;
/** These two build pages of a form, and start a separate execution for each person. */
const long = ['any-template-form', 'several-people'];
const short = allExamples.filter(({ name }) => !long.includes(name));

test.each(short)(
	'the "$name" example is short enough to check',
	({ name, workflow: { nodes } }) => {
		const working = nodes.filter((node) => !isNote(node));
		expect({ name, nodes: Math.max(working.length, maxNodes) }).toEqual({ name, nodes: maxNodes });
		const wrong = working
			.flatMap(expressionsOf)
			.filter((body) => !isForModel(body))
			.filter((body) => withoutStrings(body).length > maxExpression || nestsConditions(body));
		expect({ name, wrong }).toEqual({ name, wrong: [] });
	},
);

describe.each(starters)('the "$name" starter', ({ name, workflow: { nodes } }) => {
	const working = nodes.filter((node) => !isNote(node));
	const expressions = working.flatMap(expressionsOf);

	test('does not use a Code node', () => {
		expect(working.filter(isCode)).toEqual([]);
	});

	test('contains only expressions that non-programmers can read', () => {
		const long = expressions.filter((body) => !isShort(body));
		expect({ name, long }).toEqual({ name, long: [] });
	});
});

test('no two examples have the same name', () => {
	const once = new Set(allExamples.map(({ workflow }) => workflow.name));
	expect(once.size).toBe(allExamples.length);
});

// Users choose an example on docs/examples.md, so the page must match the files.
const page = textOfFile('docs/examples.md');
const linksIn = (text: string) =>
	[...text.matchAll(/\]\(\.\.\/(examples\/[\w/-]+\.json)\)/g)].map(([, file = '']) => file);
const rows = page.split('\n').filter((line) => /^\| \d+ \[/.test(line));
const [, explained = ''] = page.split(/^## The examples$/m);
/** The sections about the examples, each beginning with its heading. */
const sections = explained.split(/^### /m).slice(1);
test("docs/examples.md links each example's file in its section, whose place is the example's number", () => {
	expect(rows.map((line) => Number.parseInt(line.slice(2), 10))).toEqual(
		rows.map((_, index) => index + 1),
	);
	const listed = sections.flatMap((section, index) =>
		linksIn(section).map((file) => ({ number: index + 1, file })),
	);
	const expected = allExamples.map(({ file, workflow: { name } }) => ({
		number: Number(name.slice(0, 2)),
		file,
	}));
	const byFile = (left: { file: string }, right: { file: string }) =>
		left.file < right.file ? -1 : 1;
	expect(listed.sort(byFile)).toEqual(expected.sort(byFile));
});

test('docs/examples.md explains the examples in the order of its tables', () => {
	const named = rows.map((line) => /\[([^\]]+)\]/.exec(line)?.[1]);
	expect(sections.map((section) => section.split('\n')[0])).toEqual(named);
});

test('docs/examples.md names a builder among what the examples for builders need', () => {
	const numbers = forBuilders.map(({ workflow }) => Number(workflow.name.slice(0, 2)));
	const named = rows
		.filter((line) => line.includes('| A builder, '))
		.map((line) => parseInt(line.slice(2), 10));
	expect(named).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test('docs/examples.md lists the examples below the tasks with which n8n tags them', () => {
	const listed = [...page.matchAll(/^## (.*)\n\n\| Example [^]*?\n\| (\d+) /gm)];
	expect(listed.map(([, task, first]) => [task, Number(first)])).toEqual(
		Object.entries(firstExampleOfTask),
	);
});

test('docs/examples.md shows a picture of each example', () => {
	for (const { name } of allExamples) expect(page).toContain(`](images/example-${name}.png)`);
});

test("docs/examples.md contains each example's workflow name, with or without the number", () => {
	const names = allExamples.map(({ workflow }) => workflow.name.replace(/^\d\d /, ''));
	expect(names.filter((name) => !page.includes(name))).toEqual([]);
});
