import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { runNpm } from '../install.cjs';
import { moveUnreleased } from './changelog';
import { placeholderIn, repositoryOf, type Ownership } from './repository';

/** What a release is made of; a test gives its own folder and its own check. */
export interface Preparation {
	/** The repository. */
	folder: string;
	/** `patch`, `minor`, `major`, or a version. */
	wanted: string;
	/** Gives false when this state must not be released. */
	check: () => Promise<boolean>;
	/** Today as YYYY-MM-DD. */
	today: string;
	log: (line: string) => void;
}

/**
 * Makes a version of what the changelog has under "Unreleased": writes the version and the date
 * into CHANGELOG.md, package.json, package-lock.json and what ships, commits and tags. Pushes nothing.
 * @returns The version.
 * @throws Error in words for the person at the keyboard; nothing is changed then.
 */
export async function prepareRelease(preparation: Preparation): Promise<string> {
	const { folder, wanted, check, today, log } = preparation;
	const git = async (...args: string[]) =>
		(await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();

	const manifest = JSON.parse(
		await readFile(path.join(folder, 'package.json'), 'utf8'),
	) as Ownership & {
		version: string;
	};
	const version = nextVersion(manifest.version, wanted);
	const tag = `v${version}`;
	const placeholder = placeholderIn(manifest);
	if (placeholder) throw new Error(placeholder);
	if (await git('status', '--porcelain')) {
		throw new Error('You have uncommitted changes. Commit or discard them first.');
	}
	if (await git('tag', '--list', tag)) throw new Error(`The tag ${tag} already exists.`);

	const file = path.join(folder, 'CHANGELOG.md');
	const changelog = moveUnreleased(await readFile(file, 'utf8'), {
		...{ version, today },
		url: repositoryOf(manifest),
	});
	if (!(await check())) throw new Error('The checks failed (above). Nothing was changed.');

	await writeVersion(folder, version);
	await writeFile(file, changelog);
	await runNpm({
		args: ['version', version, '--no-git-tag-version', '--loglevel=error'],
		cwd: folder,
		log,
	});
	await pinInDeploy(folder, version);
	await git('commit', '--quiet', '--all', '--message', tag);
	await git('tag', '--annotate', tag, '--message', tag);
	return version;
}

/** Has deploy/ install this version. */
async function pinInDeploy(folder: string, version: string): Promise<void> {
	const file = path.join(folder, 'deploy/.env.example');
	const text = await readFile(file, 'utf8');
	await writeFile(file, text.replace(/(PACKAGE=.*signverify[@-])\d+\.\d+\.\d+/g, `$1${version}`));
}

/** The constant that leads the links of errors to the pages of the installed version. */
const versionFile = 'nodes/SignVerify/http/docs.ts';

/** @throws Error if the constant is not in its file: links would lead to another version. */
async function writeVersion(folder: string, version: string): Promise<void> {
	const file = path.join(folder, versionFile);
	const text = await readFile(file, 'utf8');
	const written = text.replace(/(\bpackageVersion = ')[^']*'/, `$1${version}'`);
	if (written === text) throw new Error(`${versionFile} has no packageVersion to write.`);
	await writeFile(file, written);
}

/** @throws Error that says why the version cannot be the next one. */
function nextVersion(current: string, wanted: string): string {
	const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
	if (wanted === 'major') return `${major + 1}.0.0`;
	if (wanted === 'minor') return `${major}.${minor + 1}.0`;
	if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
	if (!/^\d+\.\d+\.\d+$/.test(wanted)) {
		throw new Error(`"${wanted}" isn't patch, minor, major or a version such as 0.3.0.`);
	}
	if (wanted.localeCompare(current, 'en', { numeric: true }) > 0) return wanted;
	throw new Error(`Can't release ${wanted}: the current version is already ${current}.`);
}
