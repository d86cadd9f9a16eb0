import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { exampleFiles } from '../host/examples';
import { readArguments } from './arguments';
import { runJest } from './jest';
import { takeOnboarding } from './pictures/onboarding';
import { nodePictures, takeScreenshots } from './pictures/screenshots';

// npm run pictures [-- name…] retakes the pictures in docs/images with a real n8n and a real browser. If names
// are given, retakes only the pictures of these examples and nodes.

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm run pictures',
		names: {
			what: 'Picture',
			known: [...(await exampleFiles()), ...Object.keys(nodePictures)],
		},
		example: 'npm run pictures -- send-from-form',
		usage: `Usage: npm run pictures [-- name…]

Retakes all pictures in docs/images, which takes about 8 minutes. If you name examples or pictures of nodes, only
these pictures are retaken. An example's name is the name of its file, such as send-from-form. You need Chromium.`,
	});
	if (!given) return;
	const { names } = given;
	console.log(
		names.length > 0
			? `Retaking the pictures of ${names.join(', ')}.`
			: 'Retaking all pictures. This takes about 8 minutes.',
	);
	// A fresh clone has no .run folder.
	await mkdir(path.join(__dirname, '..', '.run'), { recursive: true });
	await takeScreenshots(names);
	if (names.length > 0) return;
	await takeOnboarding();
	process.env.SANDBOX_PICTURES = '1';
	process.exitCode = await runJest('pictures', ['e2e'], ['--runInBand', 'test/e2e/sandbox']);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
