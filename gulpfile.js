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

/** Puts all the code into one file, which is a fifth smaller than a file for each source file; names stay. */
async function bundle() {
	const exports = Object.values(classes).map((file) => `export * from './${file}';`);
	await build({
		stdin: { contents: exports.join('\n'), resolveDir: compiled },
		// The files that it names are those below, as short as can be.
		absWorkingDir: path.join(compiled, 'nodes/SignVerify'),
		outfile: bundled,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'es2022',
		charset: 'utf8',
		minifySyntax: true,
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

/** Copies what the compiler does not: the icons and the nodes' codex files. */
function assets() {
	const files = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json'];
	return src(files, { encoding: false }).pipe(dest('dist/nodes'));
}

/** Copies the schemas of the nodes' output without their white space, which is most of them. */
function schemas() {
	const compact = changing(async (_path, text) => JSON.stringify(JSON.parse(text)));
	return src('nodes/**/__schema__/**/*.json').pipe(compact).pipe(dest('dist/nodes'));
}

/** Formats the built code, so that users and reviewers can read it, in wider lines than the source
 * and with fewer signs: what ships has a limit of size. */
function tidy() {
	const format = changing(async (filepath, text) =>
		prettier.format(text, {
			...(await prettier.resolveConfig(filepath)),
			filepath,
			printWidth: 120,
			trailingComma: 'none',
			bracketSpacing: false,
			arrowParens: 'avoid',
		}),
	);
	return src('dist/**/*.js').pipe(format).pipe(dest('dist'));
}

/** A step of the build that changes the text of each file. */
function changing(change) {
	return new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			change(file.path, file.contents.toString()).then((text) => {
				file.contents = Buffer.from(text);
				done(null, file);
			}, done);
		},
	});
}

exports.default = series(clean, compile, bundle, entries, parallel(assets, schemas, tidy));
