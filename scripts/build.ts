import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { root, runTool } from './tools';

/**
 * Builds what ships to users into `dist`: the compiled nodes and credentials, icons, codex files.
 * @throws Error when a step fails; its own words are on the screen.
 */
export async function buildPackage(): Promise<void> {
	await rm(resolve(root, 'dist'), { recursive: true, force: true });
	if ((await runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json'])) !== 0) {
		throw new Error('The TypeScript compiler found errors (above).');
	}
	if ((await runTool('gulp/bin/gulp.js', ['--silent'])) !== 0) {
		throw new Error('Copying the icons and tidying the output failed (above).');
	}
}

if (require.main === module) {
	buildPackage().catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}
