// The build, from TypeScript to what ships in `dist`: `npm run build`, or `gulp`.
const { spawn } = require('node:child_process');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');

const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const prettier = require('prettier');

/** The classes that n8n loads, each from the file that package.json names for it. */
const classes = {
	SignVerify: 'nodes/SignVerify/SignVerify.node',
	SignVerifyTrigger: 'nodes/SignVerify/SignVerifyTrigger.node',
	SignVerifyApi: 'credentials/SignVerifyApi.credentials',
};

/** The compiler's output: a file for each source file, without comments. */
const compiled = path.join(__dirname, 'build');
const output = path.join(__dirname, 'dist');
const bundled = path.join(output, 'signverify.js');

async function clean() {
	for (const folder of [compiled, output]) await rm(folder, { recursive: true, force: true });
}

/** Checks the types, and takes them and the comments out. */
function compile() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
		cwd: __dirname,
		stdio: 'inherit',
	});
}

/** Puts all the code into one file, which is a fifth smaller than a file for each source file. */
async function bundle() {
	const exports = Object.values(classes).map((file) => `export * from './${file}';`);
	await build({
		stdin: { contents: exports.join('\n'), resolveDir: compiled },
		absWorkingDir: compiled,
		outfile: bundled,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'es2022',
		charset: 'utf8',
		external: ['n8n-workflow'],
	});
}

/** Writes what n8n loads each class from: it takes the name of the class from that of the file. */
async function entries() {
	for (const [name, source] of Object.entries(classes)) {
		const file = path.join(output, `${source}.js`);
		const code = path.relative(path.dirname(file), bundled);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, `exports.${name} = require('${code}').${name};\n`);
	}
}

/** Copies what the compiler does not: the icons, the nodes' codex files and their output's schemas. */
function assets() {
	const files = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
	return src(files, { encoding: false }).pipe(dest('dist/nodes'));
}

/** Formats the built code as the source is formatted: users and reviewers can read it. */
function tidy() {
	const format = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			prettier
				.resolveConfig(file.path)
				.then((config) =>
					prettier.format(file.contents.toString(), { ...config, filepath: file.path }),
				)
				.then((text) => {
					file.contents = Buffer.from(text);
					done(null, file);
				}, done);
		},
	});
	return src('dist/**/*.js').pipe(format).pipe(dest('dist'));
}

exports.default = series(clean, compile, bundle, entries, parallel(assets, tidy));
