import path from 'node:path';

import { readArguments } from './arguments';
import { runNpm } from './install.cjs';
import { packRelease } from './release/pack';
import { prepareRelease } from './release/prepare';
import { verifyRelease } from './release/verify';
import { root, runTool } from './tools';

const usage = `Usage: npm run release -- <version>

Checks the project, adds the date to the changelog, and creates a commit and a tag. Nothing is pushed or
published.

  npm run release -- patch    0.1.0 becomes 0.1.1: bug fixes only
  npm run release -- minor    0.1.0 becomes 0.2.0: new features, and saved workflows keep working
  npm run release -- major    0.1.0 becomes 1.0.0: people have to change saved workflows
  npm run release -- 0.3.0    releases exactly this version

Other uses:

  npm run release -- pack [folder]              builds a package file in .run/package, or in the given folder
  npm run release -- verify 0.1.0 [file.tgz]    compares the package on npm, or the given file, with a build of the tag`;

const log = (line: string) => console.log(line);

async function prepare(wanted: string): Promise<void> {
	const version = await prepareRelease({
		folder: root,
		wanted,
		log,
		check: async () => (await runTool('tsx/dist/cli.mjs', ['scripts/test.ts', 'all'])) === 0,
		today: new Date().toISOString().slice(0, 10),
	});
	log(`\nVersion ${version} has been committed and tagged locally. Nothing has been pushed.`);
	log('Review it:    git show');
	log('Publish it:   git push --atomic --follow-tags   (the tag starts the workflow "Publish")');
	log(
		`Undo it:      git tag -d v${version} && git reset --hard HEAD~1   (also discards changes that you haven't committed)`,
	);
}

async function pack(folder = '.run/package'): Promise<void> {
	const destination = path.resolve(root, folder);
	const { file, integrity } = await packRelease({ folder: root, destination });
	log(`Package file: ${file}`);
	log(`Checksum:     ${integrity}`);
}

async function verify(version = '', published?: string): Promise<void> {
	const install = async (folder: string) => {
		await runNpm({
			args: ['ci', '--loglevel=error', '--no-fund', '--no-audit'],
			cwd: folder,
			label: 'Installing the dependencies of this version',
			estimate: 'about a minute',
			log,
		});
	};
	log(await verifyRelease({ version, published, repository: root, install, log }));
}

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm run release',
		usage,
		names: 'any',
		example: 'npm run release -- minor',
	});
	if (!given) return;
	const [what = '', ...rest] = given.names;
	if (what === '') throw new Error(usage);
	if (what === 'pack') await pack(...rest);
	else if (what === 'verify') await verify(...rest);
	else await prepare(what);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
