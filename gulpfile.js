// The build, from TypeScript to what ships in `dist`: `npm run build`, or `npm run dev` for a build after each change.
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');

const { dest, parallel, series, src, watch } = require('gulp');

async function clean() {
	await rm(path.join(__dirname, 'dist'), { recursive: true, force: true });
}

/** Checks the types and takes them out: a file for each source file, which reads like it. */
function compile() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
		cwd: __dirname,
		stdio: 'inherit',
	});
}

/** Copies what the compiler does not: the icons, the nodes' codex files, and the schemas of their output. */
function copy() {
	const files = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
	return src(files, { encoding: false }).pipe(dest('dist/nodes'));
}

const build = series(clean, parallel(compile, copy));
exports.default = build;
/** Builds again after each change of what ships. A fault in the types is printed, and the next change is built again. */
exports.watch = series(build, function watchSources() {
	watch(['nodes/**/*', 'credentials/**/*'], build);
});
