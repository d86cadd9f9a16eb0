import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { exampleFiles } from '../host/examples';
import { readArguments } from './arguments';
import { runJest } from './jest';
import { takeOnboarding } from './pictures/onboarding';
import { takeScreenshots } from './pictures/screenshots';

// npm run pictures [-- example…] retakes the pictures in docs/images with a real n8n and a real browser. If
// examples are given, retakes only their pictures.

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm run pictures',
		names: { what: 'Example', known: await exampleFiles() },
		example: 'npm run pictures -- send-from-form',
		usage: `Usage: npm run pictures [-- example…]

Retakes all pictures in docs/images, which takes about 8 minutes. If you name examples, only their pictures are
retaken. An example's name is the name of its file, such as send-from-form. You need Chromium.`,
	});
	if (!given) return;
	const examples = given.names;
	console.log(
		examples.length > 0
			? `Retaking the pictures of ${examples.join(', ')}.`
			: 'Retaking all pictures. This takes about 8 minutes.',
	);
	// A fresh clone has no .run folder.
	await mkdir(path.join(__dirname, '..', '.run'), { recursive: true });
	await takeScreenshots(examples);
	if (examples.length > 0) return;
	await takeOnboarding();
	process.env.SANDBOX_PICTURES = '1';
	process.exitCode = await runJest('pictures', ['e2e'], ['--runInBand', 'test/e2e/sandbox']);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
