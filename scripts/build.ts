import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

import { build } from 'esbuild';

import { root, runTool } from './tools';

/** The classes that n8n loads, each from the file that package.json names for it. */
const classes = {
	SignVerify: 'nodes/SignVerify/SignVerify.node',
	SignVerifyTrigger: 'nodes/SignVerify/SignVerifyTrigger.node',
	SignVerifyApi: 'credentials/SignVerifyApi.credentials',
};

/** The compiler's output: a file for each source file, without comments. */
const compiled = resolve(root, 'build');
const output = resolve(root, 'dist');
const bundle = resolve(output, 'signverify.js');

/**
 * Builds what ships to users into `dist`: one file with all the code, which is a fifth smaller than
 * a file for each source file, beside it one for each class that n8n loads, icons and codex files.
 * @throws Error when a step fails; its own words are on the screen.
 */
export async function buildPackage(): Promise<void> {
	for (const folder of [compiled, output]) await rm(folder, { recursive: true, force: true });
	if ((await runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json'])) !== 0) {
		throw new Error('The TypeScript compiler found errors (above).');
	}
	const exports = Object.values(classes).map((file) => `export * from './${file}';`);
	await build({
		stdin: { contents: exports.join('\n'), resolveDir: compiled },
		absWorkingDir: compiled,
		outfile: bundle,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'es2022',
		charset: 'utf8',
		external: ['n8n-workflow'],
	});
	for (const [name, file] of Object.entries(classes)) await writeEntry(name, `${file}.js`);
	if ((await runTool('gulp/bin/gulp.js', ['--silent'])) !== 0) {
		throw new Error('Copying the icons and tidying the output failed (above).');
	}
}

/** What n8n loads a class from: it takes the name of the class from the name of the file. */
async function writeEntry(name: string, path: string): Promise<void> {
	const file = resolve(output, path);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(
		file,
		`exports.${name} = require('${relative(dirname(file), bundle)}').${name};\n`,
	);
}

if (require.main === module) {
	buildPackage().catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}
