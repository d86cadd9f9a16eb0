import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../scripts/tools';

/** The changelog of a project that has released nothing yet. */
const unpublished = (unreleased: string) => `# Changelog

What changed.

## Unreleased

${unreleased}`;

/** The same after a first release. */
const changelog = (unreleased: string) => `${unpublished(unreleased)}## [0.1.0] - 2026-01-02

### Added

- The first things.

[Unreleased]: https://git.example.com/it/compare/v0.1.0...HEAD
[0.1.0]: https://git.example.com/it/releases/tag/v0.1.0
`;
const something = '### Fixed\n\n- A fault.\n\n';

/** What somebody who publishes puts into package.json. */
const own = 'https://github.com/some-owner/signverify';
const owner = {
	repository: { type: 'git', url: `git+${own}.git` },
	author: { name: 'Nathan Smith', email: 'nathan@the.company' },
};

let folder = '';

const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

/**
 * A repository of its own with what a release touches.
 * @param text CHANGELOG.md
 */
function repository(text: string, version = '0.1.0', owned: object = owner): void {
	folder = mkdtempSync(path.join(os.tmpdir(), 'signverify-release-'));
	mkdirSync(path.join(folder, 'deploy'));
	for (const file of ['.npmrc', 'package-lock.json', 'deploy/.env.example']) {
		copyFileSync(path.join(root, file), path.join(folder, file));
	}
	const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as object;
	writeFileSync(
		path.join(folder, 'package.json'),
		JSON.stringify({ ...manifest, ...owned, version }, null, '\t'),
	);
	writeFileSync(path.join(folder, 'CHANGELOG.md'), text);
	git('init', '--quiet');
	git('config', 'user.name', 'Nathan Smith');
	git('config', 'user.email', 'name@email.com');
	git('add', '--all');
	git('commit', '--quiet', '--message', 'First');
}

/** Runs a script at the project, in a process of its own: Jest cannot load the changelog's library. */
async function run(script: string): Promise<string> {
	const args = ['--require', 'tsx/cjs', '--eval', script];
	return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout.trim();
}

/**
 * Prepares a release there, the checks of the project replaced by a verdict.
 * @returns What it says: the version, or the error.
 */
async function release(wanted: string, verdict = true): Promise<string> {
	const given = JSON.stringify({ folder, wanted, today: '2026-03-04' });
	return await run(`require('./scripts/release')
		.prepareRelease({ ...${given}, check: async () => ${verdict}, log: () => {} })
		.then(console.log, (error) => console.log(error.message));`);
}

afterEach(() => folder && rmSync(folder, { recursive: true, force: true }));

test('a release moves what was unreleased under its version, commits and tags', async () => {
	repository(changelog(something));
	expect(await release('minor')).toBe('0.2.0');

	expect(read('CHANGELOG.md')).toContain('## [0.2.0] - 2026-03-04\n\n### Fixed\n\n- A fault.\n');
	expect(read('CHANGELOG.md')).toContain('/compare/v0.1.0...v0.2.0');
	expect(read('CHANGELOG.md')).toContain('## [Unreleased]\n\n## [0.2.0]');
	for (const file of ['package.json', 'package-lock.json']) {
		expect((JSON.parse(read(file)) as { version: string }).version).toBe('0.2.0');
	}
	expect(read('deploy/.env.example')).toMatch(/^PACKAGE=n8n-nodes-signverify@0\.2\.0$/m);
	expect(git('log', '--format=%s')).toBe('v0.2.0\nFirst');
	expect(git('tag', '--list')).toBe('v0.2.0');
	expect(git('status', '--porcelain')).toBe('');
});

test('the first release has nothing to compare with, and the links begin with it', async () => {
	repository(unpublished(something), '0.0.0');
	expect(await release('minor')).toBe('0.1.0');

	expect(read('CHANGELOG.md')).toBe(`# Changelog

What changed.

## [Unreleased]

## [0.1.0] - 2026-03-04

### Fixed

- A fault.

[Unreleased]: ${own}/compare/v0.1.0...HEAD
[0.1.0]: ${own}/releases/tag/v0.1.0
`);
	expect(git('tag', '--list')).toBe('v0.1.0');
});

test('patch, major and a version by its number', async () => {
	repository(changelog(something));
	expect(await release('0.10.0')).toBe('0.10.0');
	git('tag', '--delete', 'v0.10.0');
	git('reset', '--quiet', '--hard', 'HEAD~1');
	expect(await release('patch')).toBe('0.1.1');
	git('tag', '--delete', 'v0.1.1');
	git('reset', '--quiet', '--hard', 'HEAD~1');
	expect(await release('major')).toBe('1.0.0');
});

describe('it refuses, and changes nothing,', () => {
	let before: string;
	const start = (unreleased: string) => {
		repository(changelog(unreleased));
		before = git('rev-parse', 'HEAD');
	};
	afterEach(() => {
		expect(git('rev-parse', 'HEAD')).toBe(before);
		expect(read('package.json')).toContain('"version": "0.1.0"');
	});

	test('without a version, or with one that does not come next', async () => {
		start(something);
		expect(await release('')).toMatch(/^Say which version this is to be/);
		expect(await release('next')).toMatch(/^Say which version this is to be/);
		expect(await release('0.1.0')).toBe('This is version 0.1.0: 0.1.0 does not come after it.');
		expect(await release('0.0.9')).toMatch('does not come after it');
	});

	test('when nothing is unreleased', async () => {
		start('');
		expect(await release('minor')).toMatch('nothing to release');
	});

	test('when something is not committed', async () => {
		start(something);
		writeFileSync(path.join(folder, 'new.txt'), 'new');
		expect(await release('minor')).toMatch('changes that are not committed');
	});

	test('when the checks fail', async () => {
		start(something);
		expect(await release('minor', false)).toBe('The checks failed (above). Nothing was changed.');
		expect(read('CHANGELOG.md')).toBe(changelog(something));
	});

	test.each([
		['the address of the repository', { author: owner.author }],
		['the e-mail address of the author', { repository: owner.repository }],
	])('while %s is a placeholder', async (_what, owned) => {
		repository(changelog(something), '0.1.0', owned);
		before = git('rev-parse', 'HEAD');
		expect(await release('minor')).toMatch(
			/^package\.json still has a placeholder: \S+\. Replace it\. [^]*npm run set-repository/,
		);
	});

	test('when the tag is there already', async () => {
		start(something);
		git('tag', 'v0.2.0');
		expect(await release('minor')).toBe('The tag v0.2.0 exists already.');
	});
});

test('a release would change nothing else in the changelog of this project', async () => {
	const file = path.join(root, 'CHANGELOG.md');
	const written = await run(`import('keep-a-changelog').then(({ parser }) => {
		const changelog = parser(require('fs').readFileSync('CHANGELOG.md', 'utf8'));
		changelog.format = 'markdownlint';
		console.log(changelog.toString());
	});`);
	expect(written).toBe(readFileSync(file, 'utf8').trim());
	const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	const [, newest = '0.0.0'] = /^## \[(\d\S*)\]/m.exec(written) ?? [];
	expect(version).toBe(newest);
});

test('one command gives every file the address of the repository', async () => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'signverify-release-'));
	execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, folder]);
	copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
	const set = async (...args: string[]) =>
		await run(`try {
			const { setRepository } = require('./scripts/setRepository');
			console.log(setRepository(${JSON.stringify(folder)}, ${JSON.stringify(args)}).length);
		} catch (error) { console.log(error.message); }`);

	expect(await set('no-owner', 'Nathan', 'n@the.company')).toMatch(/^Say where the repository is/);
	expect(await set('some-owner/signverify')).toMatch(/^Say where the repository is/);
	expect(git('status', '--porcelain', '--untracked-files=no', ':!package.json')).toBe('');

	const changed = Number(await set('some-owner/signverify', 'Nathan Smith', 'nathan@the.company'));
	expect(changed).toBeGreaterThan(5);
	const former = ['github.com', 'n8n-nodes-signverify'].join('/');
	expect(() => git('grep', '--fixed-strings', former)).toThrow();
	expect(JSON.parse(read('package.json'))).toMatchObject({
		...owner,
		homepage: `${own}#readme`,
		bugs: { url: `${own}/issues` },
	});
	expect(read('nodes/SignVerify/http/errors.ts')).toContain(`'${own}'`);
});
