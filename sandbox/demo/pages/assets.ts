import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The browser builds of the libraries that the pages use, each served directly from its package. */
const libraries = [
	{
		prefix: '/assets/pdfjs/',
		// The legacy build also runs on phones that no longer get updates.
		entry: 'pdfjs-dist/legacy/build/pdf.min.mjs',
		files: ['pdf.min.mjs', 'pdf.worker.min.mjs'],
	},
	{
		prefix: '/assets/signature-pad/',
		entry: 'signature_pad/dist/signature_pad.umd.min.js',
		files: ['signature_pad.umd.min.js'],
	},
];

/**
 * Serves the pages' own files under /assets, and the library files listed above under /assets/<library>/. No
 * other files in the libraries' packages are accessible.
 */
export async function registerAssets(app: FastifyInstance): Promise<void> {
	// The plugin is registered several times, and decorating the reply more than once would throw an error.
	const common = { decorateReply: false, index: false as const, list: false as const };
	await app.register(fastifyStatic, {
		...common,
		root: join(__dirname, 'assets'),
		prefix: '/assets/',
		cacheControl: false,
	});
	for (const { prefix, entry, files } of libraries) {
		const allowed = new Set(files.map((file) => `/${file}`));
		await app.register(fastifyStatic, {
			...common,
			root: libraryFolder(entry),
			prefix,
			cacheControl: false,
			allowedPath: (path) => allowed.has(path),
		});
	}
}

/**
 * Returns the folder that contains a library's browser files. The package's main file is used to locate it,
 * because some packages do not export any other files.
 */
function libraryFolder(entry: string): string {
	const [name = '', ...path] = entry.split('/');
	const main = require.resolve(name);
	const root = main.slice(0, main.lastIndexOf(join('node_modules', name)));
	return dirname(join(root, 'node_modules', name, ...path));
}
