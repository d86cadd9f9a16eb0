import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { runNpm } from '../install.cjs';
import { integrityOf, packRelease } from './pack';

const run = promisify(execFile);

/** The inputs of a comparison. Tests pass a repository and an `install` function of their own. */
export interface Verification {
	version: string;
	/** The folder of the repository that contains the version's tag. */
	repository: string;
	/** The path of the published package. By default, npm downloads this version's package. */
	published?: string | undefined;
	/** Installs the dependencies in a copy of the tagged version. */
	install: (folder: string) => Promise<void>;
	log: (line: string) => void;
}

/**
 * Rebuilds a tagged version in a new folder and compares the result with the published package.
 * @returns The result, as a sentence.
 * @throws Error if the tag does not exist, or if the packages differ.
 */
export async function verifyRelease(verification: Verification): Promise<string> {
	const { version, repository, install, log } = verification;
	if (!/^\d+\.\d+\.\d+$/.test(version))
		throw new Error('Enter the version to verify, for example: npm run release -- verify 0.1.0');
	const folder = await mkdtemp(path.join(os.tmpdir(), 'signverify-verify-'));
	try {
		const source = path.join(folder, 'source');
		log(`Rebuilding v${version}…`);
		await cloneTag(repository, `v${version}`, source);
		await install(source);
		const rebuilt = await packRelease({ folder: source, destination: path.join(folder, 'own') });
		const published =
			verification.published ?? (await fetchPublished(source, version, path.join(folder, 'npm')));
		return await comparePackages(rebuilt.file, published);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function cloneTag(repository: string, tag: string, target: string): Promise<void> {
	const options = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth=1'];
	try {
		await run('git', [...options, '--branch', tag, `file://${repository}`, target]);
	} catch {
		throw new Error(
			`Tag ${tag} not found in this repository. To fetch the tags, run: git fetch --tags`,
		);
	}
}

async function fetchPublished(source: string, version: string, target: string): Promise<string> {
	const manifest = await readFile(path.join(source, 'package.json'), 'utf8');
	const { name } = JSON.parse(manifest) as { name: string };
	await mkdir(target, { recursive: true });
	const { stdout } = await runNpm({
		args: [
			'pack',
			`${name}@${version}`,
			'--json',
			'--loglevel=error',
			'--pack-destination',
			target,
		],
		cwd: target,
		log: () => undefined,
		advice: `Check that ${name} ${version} is on npm.`,
	});
	const [packed] = JSON.parse(stdout) as Array<{ filename: string }>;
	return path.join(target, packed?.filename ?? '');
}

/**
 * Compares two packages.
 * @returns The result, as a sentence.
 * @throws Error if their files differ.
 */
export async function comparePackages(own: string, published: string): Promise<string> {
	const [first, second] = await Promise.all([readFile(own), readFile(published)]);
	if (first.equals(second)) return `Identical, byte for byte: ${await integrityOf(own)}`;
	if (gunzipSync(first).equals(gunzipSync(second))) {
		return 'The contents are identical, so the package is fine. Only the compression differs, because another version of zlib was used.';
	}
	throw new Error(
		"The published package differs from a build of the tag. Don't use this version until you know why. docs/dev/releasing.md explains what to do.",
	);
}
