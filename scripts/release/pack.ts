import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

import { runNpm } from '../install.cjs';

/**
 * Every file in the package gets this mode so that the archive is the same no matter which machine built it.
 */
const fileMode = 0o644;

/** The packed package, as npm would publish it. */
export interface PackedRelease {
	/** The path of the .tgz file. */
	file: string;
	/** The checksum in npm's form: `sha512-…`. */
	integrity: string;
}

/**
 * Builds the package and packs it. npm sets fixed times in the archive, and this function sets fixed file
 * modes, which would otherwise depend on the umask. As a result, the same source produces the same bytes in
 * every folder and under every version of Node with the same zlib.
 * @param options.folder The repository, with its dependencies installed.
 * @param options.destination The folder for the .tgz file, which is created if missing.
 * @throws Error if the build fails, or InstallError if npm fails.
 */
export async function packRelease(options: {
	folder: string;
	destination: string;
}): Promise<PackedRelease> {
	const { folder, destination } = options;
	await build(folder);
	await mkdir(destination, { recursive: true });
	const staging = await mkdtemp(path.join(os.tmpdir(), 'signverify-pack-'));
	try {
		await copyPublishable(folder, staging);
		const { filename } = await pack(staging, ['--pack-destination', path.resolve(destination)]);
		const file = path.join(destination, filename);
		return { file, integrity: await integrityOf(file) };
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
}

/**
 * Copies the files to publish, without the line `"private": true`. That line makes npm refuse to publish from
 * the repository, where it would publish a package without any code.
 */
async function copyPublishable(folder: string, staging: string): Promise<void> {
	const { files } = await pack(folder, ['--dry-run']);
	for (const file of files) {
		const copy = path.join(staging, file.path);
		await cp(path.join(folder, file.path), copy);
		await chmod(copy, fileMode);
	}
	const manifest = path.join(staging, 'package.json');
	const published = JSON.parse(await readFile(manifest, 'utf8')) as { private?: boolean };
	delete published.private;
	await writeFile(manifest, `${JSON.stringify(published, null, '\t')}\n`);
}

/** Returns the checksum of a file in npm's form. */
export async function integrityOf(file: string): Promise<string> {
	return `sha512-${createHash('sha512')
		.update(await readFile(file))
		.digest('base64')}`;
}

async function build(folder: string): Promise<void> {
	const gulp = path.join(folder, 'node_modules/gulp/bin/gulp.js');
	const child = spawn(process.execPath, [gulp, '--silent'], { cwd: folder, stdio: 'inherit' });
	const code = await new Promise<number | null>((done, fail) => {
		child.once('error', fail);
		child.once('close', done);
	});
	if (code !== 0) throw new Error('The build failed, as shown above.');
}

interface NpmPacked {
	filename: string;
	files: Array<{ path: string }>;
}

async function pack(folder: string, more: string[]): Promise<NpmPacked> {
	const { stdout } = await runNpm({
		args: ['pack', '--json', '--loglevel=error', ...more],
		cwd: folder,
		log: () => undefined,
	});
	const [packed] = JSON.parse(stdout) as NpmPacked[];
	if (!packed) throw new Error("`npm pack` didn't create a package.");
	return packed;
}
