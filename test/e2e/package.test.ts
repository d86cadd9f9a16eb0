import { readFileSync } from 'node:fs';
import path from 'node:path';

import { newN8nFolder } from '../../host/newN8n';
import { root } from '../../scripts/tools';
import { filesIn, manifest } from '../support/files';

// These tests check the package as n8n has installed it for the end-to-end tests. They don't start n8n.
const installed = path.join(newN8nFolder, '.n8n/nodes/node_modules', manifest.name);
const files = filesIn(installed);

// Users download these files, and n8n's rules for verified packages apply to them.
test('the package contains what n8n needs, but not the development files', () => {
	const top = new Set(files.map((file) => file.split('/')[0]));
	expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'index.js', 'package.json']);
	const kinds = new Set(files.map((file) => path.extname(file)));
	expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg']);
});

// This includes icons, codex files and schemas, because n8n looks for them next to the code.
test('dist/ in the package contains exactly one file for each file in nodes/ and credentials/', () => {
	const sources = ['nodes', 'credentials'].flatMap((source) =>
		filesIn(path.join(root, source)).map((file) => `dist/${source}/${file}`),
	);
	const shipped = files.filter((file) => file.startsWith('dist/'));
	expect(shipped.sort()).toEqual(sources.map((file) => file.replace(/\.ts$/, '.js')).sort());
	expect(shipped).toEqual(expect.arrayContaining(manifest.n8n.nodes));
});

test('the compiled code requires no package other than n8n-workflow', () => {
	const code = files.filter((file) => /^dist\/.*\.js$/.test(file));
	const required = code.flatMap((file) => {
		const text = readFileSync(path.join(installed, file), 'utf8');
		return [...text.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map(([, name = '']) => name);
	});
	const others = required.filter((name) => !name.startsWith('.'));
	expect([...new Set(others)].sort()).toEqual(['crypto', 'n8n-workflow']);
});
