import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { buildPackage } from '../../scripts/tools';
import { runNpm } from '../../scripts/install.cjs';
import { root, runTool } from '../../scripts/tools';

interface Packed {
	unpackedSize: number;
	files: Array<{ path: string; size: number }>;
}

interface Manifest {
	name: string;
	main: string;
	homepage: string;
	dependencies?: object;
	n8n: { nodes: string[]; credentials: string[] };
}

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
const run = promisify(execFile);
let packed: Packed;

beforeAll(async () => {
	await buildPackage();
	const { stdout } = await runNpm({
		args: ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
		cwd: root,
		log: () => undefined,
	});
	[packed] = JSON.parse(stdout) as [Packed];
}, 180_000);

// What of this package a user downloads, and what n8n asks of a verified one.
test('the package holds what n8n needs, and nothing of the workshop', () => {
	const top = new Set(packed.files.map((file) => file.path.split('/')[0]));
	expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'index.js', 'package.json']);
	const kinds = new Set(packed.files.map((file) => path.extname(file.path)));
	expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg']);
});

test('unpacked it is smaller than 250 kB', () => {
	expect(packed.unpackedSize).toBeLessThan(250_000);
});

test('it brings no other package with it', () => {
	expect(manifest.dependencies).toBeUndefined();
	const code = readFileSync(path.join(root, 'dist/signverify.js'), 'utf8');
	const required = [...code.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map(([, name]) => name);
	expect([...new Set(required)].sort()).toEqual(['crypto', 'n8n-workflow']);
});

test('each class comes out of the file that n8n looks for it in', async () => {
	const paths = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	expect(paths).toHaveLength(3);
	for (const file of paths) {
		const name = path.basename(file).split('.')[0] ?? '';
		// In a process of its own: Jest would put its own loader in between.
		const script = `const made = new (require('./${file}').${name})(); console.log(made.constructor.name, (made.description ?? made).name)`;
		const { stdout } = await run(process.execPath, ['-e', script], { cwd: root });
		expect(stdout.trim()).toBe(`${name} ${name[0]?.toLowerCase()}${name.slice(1)}`);
	}
});

test("the code passes n8n's rules as it is published", async () => {
	const args = ['--config', 'eslint.published.config.mjs', '--max-warnings=0', 'dist'];
	expect(await runTool('eslint/bin/eslint.js', args)).toBe(0);
}, 60_000);

test('icons and codex files lie beside the nodes', () => {
	const shipped = packed.files.map((file) => file.path);
	for (const file of manifest.n8n.nodes) {
		const codex = `${file}on`;
		expect(shipped).toContain(codex);
		const { node } = JSON.parse(readFileSync(path.join(root, codex), 'utf8')) as { node: string };
		const name = path.basename(file, '.node.js');
		expect(node).toBe(`${manifest.name}.${name[0]?.toLowerCase()}${name.slice(1)}`);
	}
	for (const icon of ['signVerify.svg', 'signVerify.dark.svg']) {
		expect(existsSync(path.join(root, 'dist/nodes/SignVerify', icon))).toBe(true);
	}
});
