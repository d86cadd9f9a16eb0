// Builds the package in `dist`: once with `npm run build`, or after every change with `npm run dev`.
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');

const { dest, parallel, series, src, watch } = require('gulp');

async function clean() {
	await rm(path.join(__dirname, 'dist'), { recursive: true, force: true });
}

/**
 * Compiles each source file to a separate JavaScript file. Nothing is bundled or minified, so the published code
 * reads like the source.
 */
function compile() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
		cwd: __dirname,
		stdio: 'inherit',
	});
}

/**
 * Copies the files that the compiler ignores: the icons, the codex files (`*.node.json`, n8n's metadata about a node),
 * and the schemas of the nodes' output.
 */
function copy() {
	const files = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
	return src(files, { encoding: false }).pipe(dest('dist/nodes'));
}

const build = series(clean, parallel(compile, copy));
exports.default = build;
/**
 * Rebuilds the package after every change to a source file. A type error is printed, and the next change starts a new
 * build.
 */
exports.watch = series(build, function watchSources() {
	watch(['nodes/**/*', 'credentials/**/*'], build);
});
