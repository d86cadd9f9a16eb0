import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { runNpm } from '../install.cjs';
import { moveUnreleased } from './changelog';

/** A release's inputs. Tests pass their own folder and their own check. */
export interface Preparation {
	/** The folder of the repository. */
	folder: string;
	/** The kind of release (`patch`, `minor`, `major`) or a version. */
	wanted: string;
	/** Returns false if the repository must not be released in its current state. */
	check: () => Promise<boolean>;
	/** Today as YYYY-MM-DD. */
	today: string;
	log: (line: string) => void;
}

/**
 * Prepares the release of a version with the changes that the changelog lists under "Unreleased". Writes the
 * version and the date into CHANGELOG.md, and the version into package.json, package-lock.json, deploy/ and
 * the shipped code. Then commits and tags the version, but does not push anything.
 * @returns The version.
 * @throws Error with a message for the user. If a check failed, nothing has been changed.
 */
export async function prepareRelease(preparation: Preparation): Promise<string> {
	const { folder, wanted, check, today, log } = preparation;
	const git = async (...args: string[]) =>
		(await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();

	const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
		version: string;
		repository: { url: string };
	};
	const version = nextVersion(manifest.version, wanted);
	const tag = `v${version}`;
	if (await git('status', '--porcelain')) {
		throw new Error('You have uncommitted changes. Commit or discard them first.');
	}
	if (await git('tag', '--list', tag)) {
		throw new Error(
			`The tag ${tag} already exists. Choose a later version. Or, if the tag was never pushed, delete it with: git tag -d ${tag}`,
		);
	}

	const file = path.join(folder, 'CHANGELOG.md');
	const changelog = moveUnreleased(await readFile(file, 'utf8'), {
		version,
		today,
		url: manifest.repository.url.replace(/^git\+|\.git$/g, ''),
	});
	if (!(await check())) throw new Error('The checks failed, as shown above. Nothing was changed.');

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

/** Sets the version that deploy/ installs. */
async function pinInDeploy(folder: string, version: string): Promise<void> {
	const file = path.join(folder, 'deploy/.env.example');
	const text = await readFile(file, 'utf8');
	await writeFile(file, text.replace(/(PACKAGE=.*signverify[@-])\d+\.\d+\.\d+/g, `$1${version}`));
}

/** This file contains the constant that makes errors link to the docs of the installed version. */
const versionFile = 'nodes/SignVerify/errors/docs.ts';

/**
 * @throws Error if the file lacks the constant, because without it, errors would link to the wrong version's
 * docs.
 */
async function writeVersion(folder: string, version: string): Promise<void> {
	const file = path.join(folder, versionFile);
	const text = await readFile(file, 'utf8');
	const written = text.replace(/(\bpackageVersion = ')[^']*'/, `$1${version}'`);
	if (written === text)
		throw new Error(`${versionFile} doesn't contain a packageVersion to change.`);
	await writeFile(file, written);
}

/** @throws Error with the reason why the wanted version cannot be the next version. */
function nextVersion(current: string, wanted: string): string {
	const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
	if (wanted === 'major') return `${major + 1}.0.0`;
	if (wanted === 'minor') return `${major}.${minor + 1}.0`;
	if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
	if (!/^\d+\.\d+\.\d+$/.test(wanted)) {
		throw new Error(
			`"${wanted}" isn't a valid release. Enter patch, minor, major, or a version such as 0.3.0.`,
		);
	}
	if (wanted.localeCompare(current, 'en', { numeric: true }) > 0) return wanted;
	throw new Error(
		`Can't release ${wanted}: the current version is already ${current}. Enter a later version.`,
	);
}
