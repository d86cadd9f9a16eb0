const { Transform } = require('node:stream');

const { dest, parallel, src } = require('gulp');
const prettier = require('prettier');

/** Copies what the compiler does not: the icons and the nodes' codex files. */
function assets() {
	return src(['nodes/**/*.{svg,png}', 'nodes/**/*.node.json'], { encoding: false }).pipe(
		dest('dist/nodes'),
	);
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

exports.default = parallel(assets, tidy);
