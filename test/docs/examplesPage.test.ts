import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import { root } from '../../scripts/tools';
import { allExamples, hardened, starters } from '../support/exampleFiles';

// docs/examples.md is where somebody chooses an example: it is short, and says what is in the files.
const page = readFileSync(path.join(root, 'docs/examples.md'), 'utf8');
const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const linksIn = (text: string) =>
	[...text.matchAll(/\]\(\.\.\/(examples\/[\w/-]+\.json)\)/g)].map(([, file = '']) => file);
const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

test('it has at most 1,500 words', () => {
	expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(1500);
});

test('its table has each starter once, in the order of the numbers, with its number of nodes', () => {
	const shown = rows.map((line) => {
		const [, example = '', , , nodes = ''] = line.split('|').map((cell) => cell.trim());
		return { number: Number.parseInt(example, 10), files: linksIn(example), nodes };
	});
	const expected = shown.map(({ files }) => {
		const found = files.map((file) => starters.find((each) => each.file === file)?.workflow);
		const counts = found.map((each) => each?.nodes.filter((node) => !isNote(node)).length);
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
