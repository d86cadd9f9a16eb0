import { readdirSync } from 'node:fs';
import path from 'node:path';

import { events } from '../../nodes/SignVerify/api/events';
import { root } from '../../scripts/tools';
import { operationsMissingOn } from './guards';
import { readPage } from './markdown';

/** Folders that a command makes. */
const generated = ['node_modules', 'dist', 'coverage'];

const { prose } = readPage('README.md');
const rows = prose
	.split('\n')
	.filter((line) => line.startsWith('|'))
	.map((line) => line.split('|').map((cell) => cell.trim()));

test('every operation is in its table, under its resource', () => {
	expect(operationsMissingOn(readPage('README.md'))).toEqual([]);
});

test('every event is in its table', () => {
	const names = rows.map(([, first]) => first);
	for (const { name } of events) expect(names).toContain(name);
});

test('the architecture page names every folder of the source', () => {
	const page = readPage('docs/dev/architecture.md').prose;
	const own = (folder: string) =>
		readdirSync(path.join(root, folder), { withFileTypes: true })
			.filter((each) => each.isDirectory() && !generated.includes(each.name))
			.map(({ name }) => `${folder}${name}/`);
	const folders = [...own('').filter((each) => !each.startsWith('.')), ...own('nodes/SignVerify/')];
	expect(folders.length).toBeGreaterThan(10);
	// `nodes/` is named by what is in it.
	const unnamed = folders.filter((each) => !page.includes(`\`${each}`));
	expect(unnamed).toEqual([]);
	const tests = own('test/').map((each) => `\`${path.basename(each)}\``);
	expect(tests.filter((each) => !page.includes(each))).toEqual([]);
});
