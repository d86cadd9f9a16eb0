import {
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { name } from '../package.json';
import { buildPackage, builtVariable } from '../scripts/tools';
import { fingerprint, InstallError, isStamped, runNpm, step } from '../scripts/install.cjs';
import type { Log } from './types';

const repository = path.dirname(__dirname);

/** Returns a hash of all files that the package is built from. */
function sourceFingerprint(): string {
	const folders = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => path.join(folder, file))
			.filter((file) => statSync(path.join(repository, file)).isFile()),
	);
	const own = ['package.json', 'index.js', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];
	return fingerprint(
		...[...own, ...folders.sort()].flatMap((file) => [
			file,
			readFileSync(path.join(repository, file)),
		]),
	);
}

/** Packs the built package and returns the path of the .tgz file. */
async function pack(folder: string): Promise<string> {
	const { stdout } = await runNpm({
		args: ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
		cwd: repository,
		advice: 'Fix the problem that npm reports above, then run the same command again.',
	});
	const [packed] = JSON.parse(stdout) as Array<{ filename: string }>;
	if (!packed) throw new InstallError("`npm pack` didn't create a package.");
	return path.join(folder, packed.filename);
}

/**
 * Builds and packs this package, and installs it in `<userFolder>/.n8n/nodes`, the same way n8n would install
 * it for a user. Skips the build if the running command has already built the package. Does nothing and
 * prints nothing if the package is already installed from the same sources. n8n loads the package the next
 * time it starts.
 * @param options.userFolder N8N_USER_FOLDER, which is created if missing.
 * @param options.log Called with each line of progress.
 * @returns Whether this call installed the package.
 * @throws InstallError if packing or installing fails, or the build's own error if the build fails.
 */
export async function installPackage(options: { userFolder: string; log: Log }): Promise<boolean> {
	const { userFolder, log } = options;
	const nodes = path.join(userFolder, '.n8n', 'nodes');
	const stampFile = path.join(nodes, 'node_modules', `.${name}`);
	const stamp = sourceFingerprint();
	const installed = path.join(nodes, 'node_modules', name, 'package.json');
	if (isStamped(stampFile, stamp) && existsSync(installed)) return false;
	await step({ label: 'Building the nodes and installing them into n8n', log }, async () => {
		if (!process.env[builtVariable]) await buildPackage();
		await installBuilt(nodes, stamp);
	});
	writeFileSync(stampFile, stamp);
	return true;
}

async function installBuilt(nodes: string, stamp: string): Promise<void> {
	mkdirSync(nodes, { recursive: true });
	// Keep the .tgz file next to the installation, because the package.json there refers to it. The file name
	// contains the hash, because npm would not reinstall a changed package from a file with the same name.
	for (const old of readdirSync(nodes)) {
		if (old.startsWith(`${name}-`) && old.endsWith('.tgz')) rmSync(path.join(nodes, old));
	}
	const kept = `${name}-${stamp}.tgz`;
	renameSync(await pack(nodes), path.join(nodes, kept));
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
			// n8n provides n8n-workflow. A second copy would have separate classes, which n8n would not
			// recognize.
			'--legacy-peer-deps',
			'--no-package-lock',
			'--prefer-offline',
			'--no-fund',
			'--no-audit',
			'--loglevel=error',
		],
		cwd: nodes,
	});
}
