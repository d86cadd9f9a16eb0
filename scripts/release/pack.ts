import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import path from 'node:path';

import { runNpm } from '../install.cjs';

/** A file of the package is readable by all and writable by its owner, whatever made it here. */
const fileMode = 0o644;

/** A package that was packed. */
export interface PackedRelease {
	/** The .tgz file. */
	file: string;
	/** Its checksum as npm writes it: `sha512-…`. */
	integrity: string;
}

/**
 * Builds the package and packs it. The same source gives the same bytes in every folder and under
 * every Node that has the same zlib: npm sets the times in the archive, and the modes, which
 * follow from the umask of whoever made the files, are set here.
 *
 * @param options.folder the repository, with its dependencies installed
 * @param options.destination the folder for the .tgz, made when it is missing
 * @throws Error when the build fails; InstallError when npm does
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

/** The checksum of a file as npm writes it. */
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
	if (code !== 0) throw new Error('The build failed (above).');
}

interface NpmPacked {
	filename: string;
	files: Array<{ path: string }>;
}

async function pack(folder: string, more: string[]): Promise<NpmPacked> {
	const { stdout } = await runNpm({
		// Built already; and npm's own hook would build it a second time.
		args: ['pack', '--json', '--ignore-scripts', '--loglevel=error', ...more],
		cwd: folder,
		log: () => undefined,
	});
	const [packed] = JSON.parse(stdout) as NpmPacked[];
	if (!packed) throw new Error('`npm pack` created no package.');
	return packed;
}
