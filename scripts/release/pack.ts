import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
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
	const { files } = await pack(folder, ['--dry-run']);
	for (const file of files) await chmod(path.join(folder, file.path), fileMode);
	const { filename } = await pack(folder, ['--pack-destination', destination]);
	const file = path.join(destination, filename);
	return { file, integrity: await integrityOf(file) };
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
		// Without --ignore-scripts, npm's prepack hook would build the package a second time.
		args: ['pack', '--json', '--ignore-scripts', '--loglevel=error', ...more],
		cwd: folder,
		log: () => undefined,
	});
	const [packed] = JSON.parse(stdout) as NpmPacked[];
	if (!packed) throw new Error("`npm pack` didn't create a package.");
	return packed;
}
