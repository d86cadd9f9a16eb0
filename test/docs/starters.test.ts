import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import { root } from '../../scripts/tools';
import { allExamples, hardened, starters } from '../support/exampleFiles';

// A starter is what somebody copies who has never seen n8n. What makes it robust belongs into the node.

/** What is more than in the others: waiting, two decisions, and the parts of an AI agent. */
const mostNodes: Record<string, number> = {
	'wait-until-signed': 6,
	'identity-then-contract': 7,
	// Two of them let the chat answer at once: n8n's chat says nothing to somebody whose tool waits.
	assistant: 7,
	'assistant-after-signature': 6,
};
const mostDecisions: Record<string, number> = { 'identity-then-contract': 2 };

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isCode = ({ type }: INode) => /\.(code|function|functionItem|aiTransform)$/.test(type);
const isDecision = ({ type }: INode) => /\.(if|switch|filter)$/.test(type);
const texts = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value
			? Object.values(value).flatMap(texts)
			: [];
/** The bodies of all expressions of a node. */
const expressionsOf = ({ parameters }: INode) =>
	texts(parameters)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, body = '']) => body.trim()));
/** A field or one choice: nothing that only a programmer can read. */
const isShort = (body: string) =>
	body.length <= 90 &&
	!/=>|;|\n|\.(?:map|filter|reduce|find)\(/.test(body) &&
	(body.match(/\?\?|\?(?![.?])/g) ?? []).length <= 1;

describe.each(starters)('$name', ({ name, workflow: { nodes } }) => {
	const working = nodes.filter((node) => !isNote(node));
	const expressions = working.flatMap(expressionsOf);

	test('is small: nodes, code, decisions, expressions', () => {
		const most = {
			nodes: mostNodes[name] ?? 5,
			code: 0,
			decisions: mostDecisions[name] ?? 1,
			expressions: 15,
		};
		const counted = {
			nodes: working.length,
			code: working.filter(isCode).length,
			decisions: working.filter(isDecision).length,
			expressions: expressions.length,
		};
		const tooMany = Object.entries(counted).filter(
			([what, count]) => count > most[what as keyof typeof most],
		);
		expect({ name, tooMany }).toEqual({ name, tooMany: [] });
	});

	test('has only short expressions', () => {
		const long = expressions.filter((body) => !isShort(body));
		expect({ name, long }).toEqual({ name, long: [] });
	});
});

test('starters are in the order of their numbers', () => {
	const numbers = starters.map(({ workflow }) => workflow.name.slice(0, 3));
	for (const number of numbers) expect(number).toMatch(/^(0[1-9]|1[0-4]) $/);
	// Two of them are pairs: they have one number, and their names say which comes first.
	const once = new Set(starters.map(({ workflow }) => workflow.name));
	expect(once.size).toBe(starters.length);
	expect(new Set(numbers).size).toBe(14);
});

// docs/examples.md is where somebody chooses an example: it is short, and says what is in the files.
const page = readFileSync(path.join(root, 'docs/examples.md'), 'utf8');
const linksIn = (text: string) =>
	[...text.matchAll(/\]\(\.\.\/(examples\/[\w/-]+\.json)\)/g)].map(([, file = '']) => file);
const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

test('docs/examples.md has at most 1,500 words', () => {
	expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(1500);
});

test('its table has each starter once, in the order of the numbers, with its number of nodes', () => {
	const shown = rows.map((line) => {
		const [, example = '', , , nodes = ''] = line.split('|').map((cell) => cell.trim());
		return { number: Number.parseInt(example, 10), files: linksIn(example), nodes };
	});
	const expected = shown.map(({ files }) => {
		const found = files.map((file) => starters.find((starter) => starter.file === file)?.workflow);
		const counts = found.map((workflow) => workflow?.nodes.filter((node) => !isNote(node)).length);
		return { number: Number(found[0]?.name.slice(0, 2)), files, nodes: counts.join(' + ') };
	});
	expect(shown).toEqual(expected);
	expect(shown.map(({ number }) => number)).toEqual(shown.map((_, index) => index + 1));
	expect(shown.flatMap(({ files }) => files).sort()).toEqual(starters.map(({ file }) => file));
});

test('a hardened example is below the table, and each example has its picture', () => {
	const below = page.slice(page.indexOf('## Hardened examples'));
	expect(linksIn(below).sort()).toEqual(hardened.map(({ file }) => file));
	for (const { name } of allExamples) expect(page).toContain(`](images/example-${name}.png)`);
});
