// Builds the package to ship into `dist`: once with `npm run build`, or after each change with `npm run dev`.
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');

const { dest, parallel, series, src, watch } = require('gulp');

async function clean() {
	await rm(path.join(__dirname, 'dist'), { recursive: true, force: true });
}

/**
 * Checks the types and removes them. Each source file becomes one JavaScript file that is just as readable.
 */
function compile() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
		cwd: __dirname,
		stdio: 'inherit',
	});
}

/**
 * Copies the files that the compiler ignores: the icons, the nodes' codex files, and the schemas of their
 * output.
 */
function copy() {
	const files = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
	return src(files, { encoding: false }).pipe(dest('dist/nodes'));
}

const build = series(clean, parallel(compile, copy));
exports.default = build;
/**
 * Builds the package again after each change of a shipped file. A type error is printed, and the next change
 * starts a new build.
 */
exports.watch = series(build, function watchSources() {
	watch(['nodes/**/*', 'credentials/**/*'], build);
});
