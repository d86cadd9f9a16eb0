import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { runJest } from './jest';
import { makeMovie } from './pictures/movie';
import { takeScreenshots } from './pictures/screenshots';

// npm run pictures [-- example…] takes the pictures of docs/images again, in a real n8n and a real browser:
// all of them, or only the given examples' pictures.

async function main(examples: string[]): Promise<void> {
	// A fresh clone has no .run folder.
	await mkdir(path.join(__dirname, '..', '.run'), { recursive: true });
	await takeScreenshots(examples);
	if (examples.length > 0) return;
	await makeMovie();
	process.env.SANDBOX_PICTURES = '1';
	process.exitCode = await runJest('pictures', ['e2e'], ['--runInBand', 'test/e2e/sandbox']);
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
