import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { operations } from '../../nodes/SignVerify/operations';
import { buildPackage } from '../../scripts/tools';
import { runNpm } from '../../scripts/install.cjs';
import { root, runTool } from '../../scripts/tools';

/** Files of the package with the code that ships. */
const codeOf = (files: Packed['files']) =>
	files.map((file) => file.path).filter((file) => /^dist\/.*\.js$/.test(file));

interface Packed {
	filename: string;
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
let folder: string;

beforeAll(async () => {
	await buildPackage();
	folder = await realpath(await mkdtemp(path.join(tmpdir(), 'signverify-package-')));
	const { stdout } = await runNpm({
		args: [
			'pack',
			'--json',
			'--ignore-scripts',
			'--loglevel=error',
			`--pack-destination=${folder}`,
		],
		cwd: root,
		log: () => undefined,
	});
	[packed] = JSON.parse(stdout) as [Packed];
	// npm names the folder in the archive "package".
	await run('tar', ['-xzf', packed.filename], { cwd: folder });
}, 600_000);

afterAll(async () => await rm(folder, { recursive: true, force: true }));

// What of this package a user downloads, and what n8n asks of a verified one.
test('the package holds what n8n needs, and nothing of the workshop', () => {
	const top = new Set(packed.files.map((file) => file.path.split('/')[0]));
	expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'index.js', 'package.json']);
	const kinds = new Set(packed.files.map((file) => path.extname(file.path)));
	expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg']);
});

// Each file is as the compiler leaves it, with its comments, so that people can read what they run.
// Room for a few operations. If what was added ships on purpose, raise it here and in the name of the test.
test('unpacked it is smaller than 420 kB', () => {
	expect(packed.unpackedSize).toBeLessThan(420_000);
});

test('each source file ships as a file of its own', () => {
	const sources = ['nodes', 'credentials'].flatMap((source) =>
		readdirSync(path.join(root, source), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => path.posix.join('dist', source, file.replaceAll(path.sep, '/'))),
	);
	const code = sources.map((file) => file.replace(/\.ts$/, '.js'));
	expect(codeOf(packed.files).sort()).toEqual(code.sort());
});

test('it brings no other package with it', () => {
	expect(manifest.dependencies).toBeUndefined();
	const required = codeOf(packed.files).flatMap((file) => {
		const code = readFileSync(path.join(root, file), 'utf8');
		return [...code.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map(([, name = '']) => name);
	});
	const others = required.filter((name) => !name.startsWith('.'));
	expect([...new Set(others)].sort()).toEqual(['crypto', 'n8n-workflow']);
});

test('the schemas of what the nodes put out lie where n8n looks for them', () => {
	const source = 'nodes/SignVerify/__schema__';
	const present = readdirSync(path.join(root, source), { recursive: true })
		.map((file) => String(file).replaceAll(path.sep, '/'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `dist/${source}/${file}`);
	// One for each operation, and one for the trigger.
	expect(present).toHaveLength(operations.length + 1);
	const shipped = packed.files.map((file) => file.path);
	expect(shipped.filter((file) => file.includes('__schema__')).sort()).toEqual(present.sort());
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

describe("n8n's package scanner, with its own versions of the rules", () => {
	/** What the scanner reads of a source, and of a published package. */
	const ofSource = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
	const ofPackage = ['**/*.js', 'package.json'];

	interface Scan {
		passed: boolean;
		details?: string;
		findings: Array<string | null>;
		files: number;
	}

	async function scan(scanned: string, patterns: string[]): Promise<Scan> {
		const script = path.join(root, 'test/support/scan.mjs');
		// Under Jest's NODE_ENV the rules take every file for a node. The scanner leaves a temporary
		// folder behind, which ends in the test's own.
		const env = { ...process.env, NODE_ENV: '', TMPDIR: folder, TEMP: folder };
		const { stdout } = await run(process.execPath, [script, scanned, ...patterns], { env });
		return JSON.parse(stdout) as Scan;
	}

	test('finds nothing in the source', async () => {
		const { files, ...result } = await scan(root, ofSource);
		expect(result).toEqual({ passed: true, findings: [] });
		expect(files).toBeGreaterThan(80);
	}, 60_000);

	test('finds nothing in the packed package', async () => {
		const { files, ...result } = await scan(path.join(folder, 'package'), ofPackage);
		expect(result).toEqual({ passed: true, findings: [] });
		// The code, index.js and package.json.
		expect(files).toBe(codeOf(packed.files).length + 2);
	}, 60_000);
});

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
