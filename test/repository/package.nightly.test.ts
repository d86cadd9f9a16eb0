import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
/** The folder with the copy of the repository that the package is built from. */
const source = inFolder('a folder');
/** The time limit is long, because a build compiles the package and may have to install Node 24 first. */
const buildTime = 600_000;
/** The packed package, and the files in it. */
let published: string;
let files: string[];

/** The files of the package that contain compiled code. */
const code = () => files.filter((file) => /^dist\/.*\.js$/.test(file));

/** Whether a file is needed to build a release. */
const isSource = (file: string) => /^(nodes|credentials|scripts)\/|^[^/]+$/.test(file);

/** Commits everything in the copy, and tags the commit as version 0.0.0. */
function tagSource(): void {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: source });
	git('init', '--quiet');
	git('config', 'user.name', 'Nathan Smith');
	git('config', 'user.email', 'name@email.com');
	git('add', '.');
	git('commit', '--quiet', '--message', 'First');
	git('tag', 'v0.0.0');
}

// Build the package with a different Node version, umask, language and time zone than the tests use, because
// none of these may affect the package.
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
	published = /^Package file: (.*)$/m.exec(stdout)?.[1] ?? '';
	// The top-level folder in an npm archive is named "package".
	await run('tar', ['-xzf', published], { cwd: folder });
	files = filesIn(inFolder('package'));
}, buildTime);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('release verification', () => {
	/** The result of a verification, or its error message. */
	const wordsOf = async (finding: Promise<string>) =>
		await finding.catch((error: Error) => error.message);
	const verify = async (version: string) =>
		await wordsOf(
			verifyRelease({
				version,
				repository: source,
				published,
				log: () => undefined,
				install: async (target) => linkDependencies(target),
			}),
		);

	test(
		'accepts a byte-for-byte identical package, even if it was built by another user in another folder with another version of Node',
		async () => {
			expect(await verify('0.0.0')).toMatch(/^Identical, byte for byte: sha512-/);
		},
		buildTime,
	);

	test('accepts a package that was compressed with another version of zlib', async () => {
		const file = inFolder('other-zlib.tgz');
		writeFileSync(file, gzipSync(gunzipSync(readFileSync(published)), { level: 1 }));
		expect(await comparePackages(published, file)).toMatch(
			/^The contents are identical, so the package is fine\. Only the compression differs/,
		);
	});

	test('rejects a package whose contents were changed', async () => {
		const target = inFolder('planted');
		mkdirSync(target);
		execFileSync('tar', ['-xzf', published, '-C', target]);
		appendFileSync(path.join(target, 'package/index.js'), '// more\n');
		execFileSync('tar', ['-czf', inFolder('planted.tgz'), '-C', target, 'package']);
		expect(await wordsOf(comparePackages(published, inFolder('planted.tgz')))).toBe(
			"The published package differs from a build of the tag. Don't use this version until you know why. docs/dev/releasing.md explains what to do.",
		);
	});

	test('rejects a missing version and a version without a tag', async () => {
		expect(await verify('9.9.9')).toMatch(/^Tag v9\.9\.9 not found in this repository\./);
		expect(await verify('')).toMatch(/^Enter the version to verify/);
	});
});

test.each([
	['cloud-support', /eligible for n8n Cloud/],
	['lint', /n8n-node lint/],
])(
	'n8n\'s command "n8n-node %s" has no objections',
	async (command, answer) => {
		// The command checks the whole folder, and n8n's template has neither tests nor other programs.
		const template = inFolder(command);
		copyRepository(template, (file) => /^(?:nodes|credentials)\/|^[^/]+$/.test(file));
		const tool = path.join(template, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
		const env = { ...process.env, NO_COLOR: '1', NODE_ENV: '' };
		const { stdout } = await run(process.execPath, [tool, command], { cwd: template, env });
		expect(stdout).toMatch(answer);
		expect(stdout).not.toMatch(/NOT|warning|error/);
	},
	120_000,
);

test('npm publishes the file that the release command built, but never the repository itself', async () => {
	const uploads: string[] = [];
	const registry = createServer((request, response) => {
		if (request.method === 'PUT') uploads.push(request.url ?? '');
		request.resume();
		response.writeHead(request.method === 'PUT' ? 200 : 404).end('{}');
	});
	await once(registry.listen(0, '127.0.0.1'), 'listening');
	const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
	const flags = [`--registry=http://${host}/`, `--//${host}/:_authToken=any`];
	try {
		const publishing = run('npm', ['publish', ...flags], { cwd: source });
		await expect(publishing).rejects.toThrow('EPRIVATE');
		expect(uploads).toEqual([]);
		await run('npm', ['publish', published, ...flags], { cwd: folder });
		expect(uploads).toEqual([`/${manifest.name}`]);
	} finally {
		registry.close();
	}
}, 60_000);

describe("n8n's package scanner", () => {
	/** The files that the scanner reads in a source folder and in a published package. */
	const ofSource = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
	const ofPackage = ['**/*.js', 'package.json'];

	/** The scanner's result, and the number of files that it has read. */
	async function scan(scanned: string, patterns: string[]) {
		const script = path.join(root, 'test/support/scan.mjs');
		// With Jest's NODE_ENV, the rules would treat every file as a node. The scanner does not delete its
		// temporary folder, so it is made to create that folder in this test's folder, which is deleted at
		// the end.
		const env = { ...process.env, NODE_ENV: '', TMPDIR: folder, TEMP: folder };
		const { stdout } = await run(process.execPath, [script, scanned, ...patterns], { env });
		return JSON.parse(stdout) as { files: number };
	}

	test('does not find any problems in the source', async () => {
		const { files: scanned, ...result } = await scan(root, ofSource);
		expect(result).toEqual({ passed: true, findings: [] });
		expect(scanned).toBeGreaterThan(80);
	});

	test('does not find any problems in the built package', async () => {
		const { files: scanned, ...result } = await scan(inFolder('package'), ofPackage);
		expect(result).toEqual({ passed: true, findings: [] });
		// The other two files are index.js and package.json.
		expect(scanned).toBe(code().length + 2);
	});
});
