import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { exampleFiles } from '../host/examples';
import { readArguments } from './arguments';
import { runJest } from './jest';
import { docsImages, picturesFolder } from './pictures/folder';
import { onboardingPicture, takeOnboarding } from './pictures/onboarding';
import { nodePictures, takeScreenshots } from './pictures/screenshots';
import { root } from './tools';

// npm run pictures [-- name…] retakes the pictures in docs/images with a real n8n and a real browser. If names
// are given, retakes only the pictures of these examples and nodes.

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm run pictures',
		options: { into: 'text' },
		names: {
			what: 'Picture',
			known: [...(await exampleFiles()), ...Object.keys(nodePictures), onboardingPicture],
		},
		example: 'npm run pictures -- send-from-form',
		usage: `Usage: npm run pictures [-- name…]

Retakes all pictures in docs/images, which takes about 8 minutes. If you name examples or pictures of nodes, only
these pictures are retaken. An example's name is the name of its file, such as send-from-form. You need Chromium.

Options:

  --into <folder>  Write the pictures to this folder instead, and fail if one of docs/images isn't taken`,
	});
	if (!given) return;
	const { into } = given.values;
	if (into) process.env.SIGNVERIFY_PICTURES = path.resolve(root, into);
	const { names } = given;
	console.log(
		names.length > 0
			? `Retaking the pictures of ${names.join(', ')}.`
			: 'Retaking all pictures. This takes about 8 minutes.',
	);
	// A fresh clone has no .run folder.
	await mkdir(path.join(__dirname, '..', '.run'), { recursive: true });
	const others = names.filter((name) => name !== onboardingPicture);
	if (names.length === 0 || others.length > 0) await takeScreenshots(others);
	if (names.length === 0 || names.includes(onboardingPicture)) await takeOnboarding();
	if (names.length > 0) return;
	process.env.SANDBOX_PICTURES = picturesFolder();
	process.env.SIGNVERIFY_NIGHTLY = '1';
	process.exitCode = await runJest('pictures', ['e2e'], ['--runInBand', 'test/e2e/sandbox']);
	const taken = await readdir(picturesFolder());
	const missing = (await readdir(docsImages)).filter(
		(file) => file.endsWith('.png') && !taken.includes(file),
	);
	if (missing.length > 0)
		throw new Error(
			`These pictures weren't taken: ${missing.join(', ')}. Delete each one that no page shows. For the others, restore the code that takes them.`,
		);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
