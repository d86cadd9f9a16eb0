import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { prepareRelease } from '../../scripts/release/prepare';
import { root } from '../../scripts/tools';

/** The changelog of a project before its first release. */
const unpublished = (unreleased: string) => `# Changelog

What changed.

## Unreleased

${unreleased}`;

/** The changelog of a project after its first release. */
const changelog = (unreleased: string) => `${unpublished(unreleased)}## [0.1.0] - 2026-01-02

### Added

- The first things.

[Unreleased]: https://git.example.com/it/compare/v0.1.0...HEAD
[0.1.0]: https://git.example.com/it/releases/tag/v0.1.0
`;
const something = '### Fixed\n\n- A fault.\n\n';

/** The values that a publisher enters in package.json. */
const own = 'https://github.com/some-owner/signverify';
const owner = {
	repository: { type: 'git', url: `git+${own}.git` },
	author: { name: 'Nathan Smith', email: 'nathan@the.company' },
};

/** The shipped file that contains the version. */
const versionFile = 'nodes/SignVerify/errors/docs.ts';

let folder = '';

const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

/**
 * Creates a repository with the files that a release changes.
 * @param text The text of CHANGELOG.md.
 */
function repository(text: string, version = '0.1.0', owned: object = owner): void {
	folder = mkdtempSync(path.join(os.tmpdir(), 'signverify-release-'));
	mkdirSync(path.join(folder, 'deploy'));
	mkdirSync(path.join(folder, path.dirname(versionFile)), { recursive: true });
	for (const file of ['.npmrc', 'package-lock.json', 'deploy/.env.example', versionFile]) {
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

/**
 * Prepares a release in the repository that `repository()` has created.
 * @param verdict The result of the project's checks, which do not run here.
 * @returns The released version, or the error message.
 */
async function release(wanted: string, verdict = true): Promise<string> {
	return await prepareRelease({
		folder,
		wanted,
		today: '2026-03-04',
		check: async () => verdict,
		log: () => undefined,
	}).catch((error: Error) => error.message);
}

afterEach(() => folder && rmSync(folder, { recursive: true, force: true }));

test('a release moves the unreleased changes under its version, creates a commit, and adds a tag', async () => {
	repository(changelog(something));
	expect(await release('minor')).toBe('0.2.0');

	expect(read('CHANGELOG.md')).toBe(`# Changelog

What changed.

## [Unreleased]

## [0.2.0] - 2026-03-04

### Fixed

- A fault.

## [0.1.0] - 2026-01-02

### Added

- The first things.

[Unreleased]: ${own}/compare/v0.2.0...HEAD
[0.2.0]: ${own}/compare/v0.1.0...v0.2.0
[0.1.0]: https://git.example.com/it/releases/tag/v0.1.0
`);
	for (const file of ['package.json', 'package-lock.json']) {
		expect((JSON.parse(read(file)) as { version: string }).version).toBe('0.2.0');
	}
	expect(read('deploy/.env.example').match(/PACKAGE=.*/g)).toEqual([
		'PACKAGE=./n8n-nodes-signverify-0.2.0.tgz',
		'PACKAGE=n8n-nodes-signverify@0.2.0',
	]);
	expect(read(versionFile)).toContain("\nexport const packageVersion = '0.2.0';\n");
	expect(git('log', '--format=%s')).toBe('v0.2.0\nFirst');
	expect(git('tag', '--list')).toBe('v0.2.0');
	expect(git('status', '--porcelain')).toBe('');
});

test('the first release gets a changelog link that does not compare it to an earlier version', async () => {
	repository(unpublished(something), '0.0.0');
	expect(await release('minor')).toBe('0.1.0');
	expect(read('CHANGELOG.md')).toMatch(
		`\n- A fault.\n\n[Unreleased]: ${own}/compare/v0.1.0...HEAD\n[0.1.0]: ${own}/releases/tag/v0.1.0\n`,
	);
});

test('a release is rejected if its version is not newer or there is nothing to release', async () => {
	repository(changelog(''));
	expect(await release('0.1.0')).toBe(
		"Can't release 0.1.0: the current version is already 0.1.0. Enter a later version.",
	);
	expect(await release('next')).toMatch(
		/^"next" isn't a valid release\. Enter patch, minor, major, or/,
	);
	expect(await release('0.10.0')).toMatch(/there is nothing to release/);
	expect(git('status', '--porcelain')).toBe('');
});

test('a release is rejected if the checks fail, the tag exists, or there are uncommitted changes', async () => {
	repository(changelog(something));
	expect(await release('minor', false)).toBe(
		'The checks failed, as shown above. Nothing was changed.',
	);
	expect(read('CHANGELOG.md')).toBe(changelog(something));
	git('tag', 'v0.2.0');
	expect(await release('minor')).toMatch(
		/^The tag v0\.2\.0 already exists\. Choose a later version\./,
	);
	writeFileSync(path.join(folder, 'new.txt'), 'new');
	expect(await release('minor')).toMatch('uncommitted changes');
});
