import { execFile, execFileSync } from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

import { ensureNode24 } from '../../host/install.cjs';
import { packRelease } from '../../scripts/release/pack';
import { root } from '../../scripts/tools';
import { comparePackages, verifyRelease } from '../../scripts/release/verify';

const run = promisify(execFile);
/** Milliseconds. Each of the first two tests compiles the package, and Node 24 may have to be installed first. */
const buildTime = 600_000;
let folder: string;
/** The package that the first test packs. */
let published: string;
const inFolder = (...parts: string[]) => path.join(folder, ...parts);

/** What a release is built from, as it is in this working copy, with the dependencies of this one. */
function copySource(name: string, mode: number): string {
	const target = inFolder(name);
	const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	const needed = /^(nodes|credentials|scripts)\/|^[^/]+$/;
	for (const file of files.split('\n').filter((each) => needed.test(each))) {
		mkdirSync(path.join(target, path.dirname(file)), { recursive: true });
		copyFileSync(path.join(root, file), path.join(target, file));
		chmodSync(path.join(target, file), mode);
	}
	return target;
}

function linkDependencies(target: string): void {
	symlinkSync(path.join(root, 'node_modules'), path.join(target, 'node_modules'));
}

beforeAll(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'signverify-reproducible-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
	'two folders, two versions of Node and two users with other umasks make the same package',
	async () => {
		const one = copySource('one', 0o644);
		const other = copySource('the other folder', 0o600);
		for (const each of [one, other]) linkDependencies(each);
		const own = await packRelease({ folder: one, destination: inFolder('packed-one') });
		published = own.file;

		const node = await ensureNode24({ log: () => undefined });
		const program = path.join(other, 'node_modules/tsx/dist/cli.mjs');
		const command = `umask 077 && exec "$0" "$@"`;
		const args = [node.executable, program, 'scripts/release.ts', 'pack', inFolder('packed-other')];
		const { stdout } = await run('sh', ['-c', command, ...args], {
			cwd: other,
			env: { ...process.env, TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8' },
		});
		const [file = '', integrity] = stdout.trim().split('\n');
		expect(integrity).toBe(own.integrity);
		expect(readFileSync(file).equals(readFileSync(own.file))).toBe(true);
	},
	buildTime,
);

describe('a release is verified', () => {
	/** What it says: the finding, or the error. */
	const wordsOf = async (finding: Promise<string>) =>
		await finding.catch((error: Error) => error.message);
	const verify = async (version: string) =>
		await wordsOf(
			verifyRelease({
				...{ version, repository: inFolder('one'), published, log: () => undefined },
				install: async (target) => linkDependencies(target),
			}),
		);

	beforeAll(() => {
		const git = (...args: string[]) => execFileSync('git', args, { cwd: inFolder('one') });
		git('init', '--quiet');
		git('config', 'user.name', 'Nathan Smith');
		git('config', 'user.email', 'name@email.com');
		git('add', '.');
		git('commit', '--quiet', '--message', 'First');
		git('tag', 'v0.0.0');
	});

	test(
		'and is what its tag builds',
		async () => {
			expect(await verify('0.0.0')).toMatch(/^The same, byte by byte: sha512-/);
		},
		buildTime,
	);

	test('also if another zlib compressed it', async () => {
		const file = inFolder('other-zlib.tgz');
		writeFileSync(file, gzipSync(gunzipSync(readFileSync(published)), { level: 1 }));
		expect(await comparePackages(published, file)).toMatch(/^The same archive\. It was compressed/);
	});

	test('and is refused if somebody put something into it', async () => {
		const target = inFolder('planted');
		mkdirSync(target);
		execFileSync('tar', ['-xzf', published, '-C', target]);
		appendFileSync(path.join(target, 'package/index.js'), '// more\n');
		execFileSync('tar', ['-czf', inFolder('planted.tgz'), '-C', target, 'package']);
		expect(await wordsOf(comparePackages(published, inFolder('planted.tgz')))).toBe(
			'The published package is not what the tag builds:\n  package/index.js: differs',
		);
	});

	test('not without its tag, nor without a version', async () => {
		expect(await verify('9.9.9')).toMatch(/^This repository has no tag v9\.9\.9\./);
		expect(await verify('')).toMatch(/^Say which version to verify/);
	});
});
