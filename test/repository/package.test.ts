import { execFile, execFileSync } from 'node:child_process';
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

import { ensureNode24 } from '../../host/install.cjs';
import { comparePackages, verifyRelease } from '../../scripts/release/verify';
import { root } from '../../scripts/tools';
import { copyRepository, linkDependencies } from '../support/copyRepository';
import { filesIn, manifest } from '../support/files';

const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'signverify-package-')));
const inFolder = (...parts: string[]) => path.join(folder, ...parts);
/** A copy of the repository in which the package is built. */
const source = inFolder('a folder');
/** Milliseconds. Building compiles the package, and Node 24 may have to be installed first. */
const buildTime = 600_000;
/** The packed package, and the files in it. */
let published: string;
let files: string[];

/** Files of the package with the code that ships. */
const code = () => files.filter((file) => /^dist\/.*\.js$/.test(file));

/** Whether a release is built from a file. */
const isSource = (file: string) => /^(nodes|credentials|scripts)\/|^[^/]+$/.test(file);

/** Commits what is in the copy, and tags it as version 0.0.0. */
function tagSource(): void {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: source });
	git('init', '--quiet');
	git('config', 'user.name', 'Nathan Smith');
	git('config', 'user.email', 'name@email.com');
	git('add', '.');
	git('commit', '--quiet', '--message', 'First');
	git('tag', 'v0.0.0');
}

// By another Node, another user's umask, and in another language and time zone than the tests have.
beforeAll(async () => {
	copyRepository(source, isSource);
	tagSource();
	const node = await ensureNode24({ log: () => undefined });
	const program = path.join(source, 'node_modules/tsx/dist/cli.mjs');
	const command = 'umask 077 && exec "$0" "$@"';
	const args = [node.executable, program, 'scripts/release.ts', 'pack', inFolder('packed')];
	const { stdout } = await run('sh', ['-c', command, ...args], {
		cwd: source,
		env: { ...process.env, TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' },
	});
	[published = ''] = stdout.trim().split('\n');
	// npm names the folder in the archive "package".
	await run('tar', ['-xzf', published], { cwd: folder });
	files = filesIn(inFolder('package'));
}, buildTime);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release is verified', () => {
	/** The finding, or the error. */
	const wordsOf = async (finding: Promise<string>) =>
		await finding.catch((error: Error) => error.message);
	const verify = async (version: string) =>
		await wordsOf(
			verifyRelease({
				...{ version, repository: source, published, log: () => undefined },
				install: async (target) => linkDependencies(target),
			}),
		);

	test(
		'and is what its tag builds: two folders, versions of Node and users make the same bytes',
		async () => {
			expect(await verify('0.0.0')).toMatch(/^The same, byte by byte: sha512-/);
		},
		buildTime,
	);

	test('also if another zlib compressed it', async () => {
		const file = inFolder('other-zlib.tgz');
		writeFileSync(file, gzipSync(gunzipSync(readFileSync(published)), { level: 1 }));
		expect(await comparePackages(published, file)).toMatch(
			/^The same archive\. Only the \.tgz file differs/,
		);
	});

	test('and is refused if somebody put something into it', async () => {
		const target = inFolder('planted');
		mkdirSync(target);
		execFileSync('tar', ['-xzf', published, '-C', target]);
		appendFileSync(path.join(target, 'package/index.js'), '// more\n');
		execFileSync('tar', ['-czf', inFolder('planted.tgz'), '-C', target, 'package']);
		expect(await wordsOf(comparePackages(published, inFolder('planted.tgz')))).toBe(
			'The published package differs from a build of the tag:\n  package/index.js: differs',
		);
	});

	test('not without its tag, nor without a version', async () => {
		expect(await verify('9.9.9')).toMatch(/^Tag v9\.9\.9 not found in this repository\./);
		expect(await verify('')).toMatch(/^Enter the version to verify/);
	});
});

// What a user downloads, and what n8n asks of a verified package.
test('the package holds what n8n needs, and nothing of the workshop', () => {
	const top = new Set(files.map((file) => file.split('/')[0]));
	expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'index.js', 'package.json']);
	const kinds = new Set(files.map((file) => path.extname(file)));
	expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg']);
});

// Also icons, what a codex says, and the schemas: n8n looks for them beside the code.
test('each file of the nodes and the credential ships, compiled as a file of its own, and no other', () => {
	const sources = ['nodes', 'credentials'].flatMap((source) =>
		filesIn(path.join(root, source)).map((file) => `dist/${source}/${file}`),
	);
	const shipped = files.filter((file) => file.startsWith('dist/'));
	expect(shipped.sort()).toEqual(sources.map((file) => file.replace(/\.ts$/, '.js')).sort());
	expect(shipped).toEqual(expect.arrayContaining(manifest.n8n.nodes));
});

test('it brings no other package with it', () => {
	const required = code().flatMap((file) => {
		const text = readFileSync(inFolder('package', file), 'utf8');
		return [...text.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map(([, name = '']) => name);
	});
	const others = required.filter((name) => !name.startsWith('.'));
	expect([...new Set(others)].sort()).toEqual(['crypto', 'n8n-workflow']);
});

describe("n8n's package scanner, with its own versions of the rules", () => {
	/** What the scanner reads of a source, and of a published package. */
	const ofSource = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
	const ofPackage = ['**/*.js', 'package.json'];

	/** What the scanner says, and how many files it has looked at. */
	async function scan(scanned: string, patterns: string[]) {
		const script = path.join(root, 'test/support/scan.mjs');
		// Under Jest's NODE_ENV the rules take every file for a node. The scanner leaves a temporary
		// folder behind, which ends in the test's own.
		const env = { ...process.env, NODE_ENV: '', TMPDIR: folder, TEMP: folder };
		const { stdout } = await run(process.execPath, [script, scanned, ...patterns], { env });
		return JSON.parse(stdout) as { files: number };
	}

	test('finds nothing in the source', async () => {
		const { files: scanned, ...result } = await scan(root, ofSource);
		expect(result).toEqual({ passed: true, findings: [] });
		expect(scanned).toBeGreaterThan(80);
	});

	test('finds nothing in the packed package', async () => {
		const { files: scanned, ...result } = await scan(inFolder('package'), ofPackage);
		expect(result).toEqual({ passed: true, findings: [] });
		// The code, index.js and package.json.
		expect(scanned).toBe(code().length + 2);
	});
});
