import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { buildPackage, builtVariable } from '../scripts/tools';
import { fingerprint, InstallError, isStamped, runNpm } from '../scripts/install.cjs';
import type { Log } from './types';

const repository = path.dirname(__dirname);

interface PackedPackage {
	name: string;
	/** The .tgz file. */
	file: string;
	/** Of the tarball's content: npm packs the same files to the same bytes. */
	hash: string;
}

async function pack(folder: string, log: Log): Promise<PackedPackage> {
	const { stdout } = await runNpm({
		// Built already; and npm's own hook would build it a second time.
		args: ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
		cwd: repository,
		log,
		advice: '`npm pack` has to work before the package can be installed into n8n.',
	});
	const [packed] = JSON.parse(stdout) as Array<{ name: string; filename: string }>;
	if (!packed) throw new InstallError('`npm pack` made no package.');
	const file = path.join(folder, packed.filename);
	return { name: packed.name, file, hash: fingerprint(readFileSync(file)) };
}

/**
 * Builds this package, unless the command that runs has built it, and installs it into an n8n's
 * folder the way a user's n8n has it: packed, then installed in `<userFolder>/.n8n/nodes`. Skips the
 * installation, and prints nothing, when that very package is there already. n8n loads what lies
 * there when it starts.
 *
 * @param options.userFolder n8n's N8N_USER_FOLDER, made when it is missing
 * @param options.log takes the lines of progress
 * @returns true when it was installed, false when it was there
 * @throws InstallError when packing or installing fails; what the build throws
 */
export async function installPackage(options: { userFolder: string; log: Log }): Promise<boolean> {
	const { userFolder, log } = options;
	if (!process.env[builtVariable]) await buildPackage();

	const nodes = path.join(userFolder, '.n8n', 'nodes');
	const temporary = mkdtempSync(path.join(os.tmpdir(), 'signverify-pack-'));
	try {
		const { name, file, hash } = await pack(temporary, log);
		const installed = path.join(nodes, 'node_modules', name);
		const stampFile = path.join(nodes, 'node_modules', `.${name}`);
		if (isStamped(stampFile, hash) && existsSync(path.join(installed, 'package.json')))
			return false;

		mkdirSync(nodes, { recursive: true });
		// Kept beside the installation: its package.json names this file from now on. The hash in
		// its name makes npm see another package where only the content is another.
		for (const old of readdirSync(nodes)) {
			if (old.startsWith(`${name}-`) && old.endsWith('.tgz')) rmSync(path.join(nodes, old));
		}
		const kept = `${name}-${hash}.tgz`;
		await copyFile(file, path.join(nodes, kept));
		if (!existsSync(path.join(nodes, 'package.json'))) {
			const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
			writeFileSync(path.join(nodes, 'package.json'), JSON.stringify(manifest, null, 2));
		}
		await runNpm({
			args: [
				'install',
				`./${kept}`,
				'--ignore-scripts',
				'--omit=dev',
				// n8n brings n8n-workflow itself; a second one beside the package would be another.
				'--legacy-peer-deps',
				'--no-package-lock',
				'--prefer-offline',
				'--no-fund',
				'--no-audit',
				'--loglevel=error',
			],
			cwd: nodes,
			label: `Installing ${name} into n8n`,
			estimate: 'a few seconds',
			log,
		});
		writeFileSync(stampFile, hash);
		return true;
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}
