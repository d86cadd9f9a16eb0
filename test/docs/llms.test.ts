import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { files, llmsAll, llmsList } from './llms';
import { readPages } from './markdown';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const regenerateWith = 'npm run generate -- llms';

test('llms.txt is up to date', () => {
	expect({ regenerateWith, text: read(files.list) }).toEqual({ regenerateWith, text: llmsList() });
});

test('the file with all pages is up to date', () => {
	expect({ regenerateWith, text: read(files.all) }).toEqual({ regenerateWith, text: llmsAll() });
});

test('llms.txt has a title, a summary, and a line that says something for each page', () => {
	const lines = read(files.list).split('\n');
	expect(lines[0]).toBe('# n8n-nodes-signverify');
	expect(lines[2]).toMatch(/^> .{60}/);
	const entries = lines.filter((line) => line.startsWith('- '));
	expect(entries.length).toBeGreaterThan(20);
	for (const entry of entries) {
		const [, file = ''] = /^- \[[^\]]+\]\(([^)]+)\): .{15}/.exec(entry) ?? [];
		expect({ entry, exists: file !== '' && existsSync(path.join(root, file)) }).toEqual({
			entry,
			exists: true,
		});
	}
});

test('both have every page that people read', () => {
	const pages = readPages()
		.map(({ file }) => file)
		.filter((file) => !file.startsWith('.github/') && file !== 'docs/README.md');
	expect(pages.length).toBeGreaterThan(20);
	for (const file of pages) {
		expect(read(files.list)).toContain(`](${file})`);
		expect(read(files.all)).toContain(`<!-- ${file} -->`);
	}
});

test('neither ships in the package', () => {
	expect((JSON.parse(read('package.json')) as { files: string[] }).files).toEqual(['dist']);
});
