import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import path from 'node:path';

import { exampleFiles } from '../host/examples';
import { readArguments } from './arguments';
import { runJest } from './jest';
import { shootCanvases } from './pictures/canvases';
import { shootChat } from './pictures/chat';
import { docsImages, filmName, picturesFolder } from './pictures/folder';
import { shootCredential, shootNewNode } from './pictures/formShots';
import { shootError, shootList, shootNode, shootWaiting, shootWarning } from './pictures/nodeShots';
import { results } from './pictures/results';
import { inStudio, type Studio, type Take } from './pictures/studio';
import { takeWalk } from './pictures/walk';
import { root } from './tools';

// npm run pictures [-- name…] retakes the pictures in docs/images with a real n8n and a real browser. If names
// are given, retakes only these pictures.

/** The pictures, except for the examples' canvases and those of the sandbox, with the function that takes them. */
const takes: Array<{ names: string[]; take: Take }> = [
	{
		names: [
			filmName,
			'onboarding',
			'signing',
			'mailbox',
			'result-send-from-form',
			'result-email-signed-copy',
		],
		take: takeWalk,
	},
	{ names: ['editor-fields', 'editor-output'], take: shootNode },
	{ names: ['editor-list'], take: shootList },
	{ names: ['editor-warning'], take: shootWarning },
	{ names: ['editor-error'], take: shootError },
	{ names: ['editor-waiting'], take: shootWaiting },
	{ names: ['credential'], take: shootCredential },
	{ names: ['editor-new-node'], take: shootNewNode },
	...results,
	{ names: ['signing-desk-chat'], take: shootChat },
];

/** The name for all pictures of the sandbox's pages. */
const sandboxName = 'sandbox';

/**
 * Takes pictures one after another. If some can't be taken, takes the others, and stores what the browser shows then.
 * @throws Error with the reasons for all that couldn't be taken.
 */
async function takeAll(studio: Studio, wanted: Take[]): Promise<void> {
	const failures: string[] = [];
	for (const take of wanted) {
		try {
			await take(studio);
		} catch (error) {
			const pages = studio.browser.contexts().flatMap((window) => window.pages());
			const files = pages.map((_, index) => path.join('.run', `${take.name}-${index}.png`));
			for (const [index, page] of pages.entries())
				await page.screenshot({ path: path.join(root, files[index] ?? '') });
			failures.push(`${take.name}: ${String(error)}\nThe browser showed: ${files.join(', ')}`);
		}
	}
	if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** Takes the pictures of the sandbox's pages, while the tests of these pages run. */
async function takeSandbox(): Promise<void> {
	process.env.SANDBOX_PICTURES = picturesFolder();
	process.env.SIGNVERIFY_NIGHTLY = '1';
	process.exitCode = await runJest('pictures', ['e2e'], ['--runInBand', 'test/e2e/sandbox']);
}

async function main(): Promise<void> {
	const examples = await exampleFiles();
	const given = readArguments({
		name: 'npm run pictures',
		options: { into: 'text' },
		names: {
			what: 'Picture',
			known: [...examples, ...takes.flatMap(({ names }) => names), sandboxName],
		},
		example: 'npm run pictures -- send-from-form',
		usage: `Usage: npm run pictures [-- name…]

Retakes all pictures in docs/images, which takes about 12 minutes. If you name pictures, only these are retaken, and
those that are taken along with them. The name of an example, such as send-from-form, stands for its canvas, and
${sandboxName} for all pages of the sandbox. You need Chromium.

Options:

  --into <folder>  Write the pictures to this folder instead, and fail if one of docs/images isn't taken`,
	});
	if (!given) return;
	const { into } = given.values;
	if (into) process.env.SIGNVERIFY_PICTURES = path.resolve(root, into);
	const { names } = given;
	const isAll = names.length === 0;
	const isWanted = (name: string) => isAll || names.includes(name);
	console.log(
		isAll
			? 'Retaking all pictures. This takes about 12 minutes.'
			: `Retaking the pictures of ${names.join(', ')}.`,
	);
	await mkdir(picturesFolder(), { recursive: true });
	const canvases = examples.filter(isWanted);
	const wanted = takes.filter((each) => each.names.some(isWanted)).map(({ take }) => take);
	if (canvases.length > 0 || wanted.length > 0) {
		// A fresh clone has no .run folder.
		await mkdir(path.join(root, '.run'), { recursive: true });
		const folder = await mkdtemp(path.join(root, '.run', 'pictures-'));
		await inStudio(folder, async (studio) => {
			const takeCanvases: Take = async () => await shootCanvases(studio, canvases);
			await takeAll(studio, [...wanted, takeCanvases]);
		});
	}
	if (isWanted(sandboxName)) await takeSandbox();
	if (!isAll) return;
	const taken = await readdir(picturesFolder());
	const missing = (await readdir(docsImages)).filter(
		(file) => /\.(?:png|webp)$/.test(file) && !taken.includes(file),
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
