import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { startSandbox } from '../sandbox';
import { anchorList, anchorsFile } from '../test/docs/anchorList';
import { listFile, llmsList } from '../test/docs/llms';
import { readArguments } from './arguments';
import { root, runSteps, runTool, type Step } from './tools';

/** Writes the sandbox's /openapi.json, formatted like the repository's other files. */
async function openapi(): Promise<number> {
	const file = path.join(root, 'sandbox/openapi.json');
	const sandbox = await startSandbox();
	try {
		const response = await fetch(`${sandbox.url}/openapi.json`);
		if (!response.ok) {
			throw new Error(
				`The sandbox responded to GET /openapi.json with HTTP ${response.status}: ${await response.text()}`,
			);
		}
		const config = await resolveConfig(file);
		await writeFile(file, await format(await response.text(), { ...config, filepath: file }));
		return 0;
	} finally {
		await sandbox.close();
	}
}

/** Keeps Jest from printing a line for each skipped test. The examples alone have 230 of them. */
const quiet = ['--verbose=false'];

const schemaFolders = ['nodes/SignVerify/__schema__', 'examples/data/events'];

/** Writes the schemas and the samples by running the test that normally compares them with real outputs. */
async function schemas(): Promise<number> {
	const args = [
		...quiet,
		'--selectProjects',
		'integration',
		'--testPathPatterns',
		'integration/schemas.test',
	];
	const env = { SIGNVERIFY_SCHEMAS: 'write' };
	const written = await runTool('jest/bin/jest.js', args, { env });
	// The files are formatted even if the test fails, because the test has already written them.
	const options = ['--write', '--log-level=warn'];
	const formatted = await runTool('prettier/bin/prettier.cjs', [...options, ...schemaFolders]);
	return written || formatted;
}

/** Returns a step that writes a table or a list by running the test that normally checks it. */
function tableOf(testFile: string, testName: string, ...projects: string[]): () => Promise<number> {
	// One file at a time, because two of them may write to the same page.
	const args = [...quiet, '--runInBand', '--selectProjects', ...projects];
	args.push('--testPathPatterns', testFile, '-t', testName);
	return async () => await runTool('jest/bin/jest.js', args, { env: { UPDATE_DOCS: '1' } });
}

/** Writes the list of sections that errors can link to. */
async function anchors(): Promise<number> {
	await writeFile(path.join(root, anchorsFile), anchorList());
	return 0;
}

/** Writes the list of pages for AI tools. */
async function llms(): Promise<number> {
	await writeFile(path.join(root, listFile), llmsList());
	return 0;
}

const steps: Record<string, Step> = {
	anchors: { name: `The rows and sections that errors can link to (${anchorsFile})`, run: anchors },
	openapi: { name: "The description of the sandbox's API (sandbox/openapi.json)", run: openapi },
	schemas: {
		name: `The nodes' output schemas and the sample events (${schemaFolders.join(', ')})`,
		run: schemas,
	},
	behavior: {
		name: 'The tables of responses, faults, and failure scenarios (docs/dev/behavior.md)',
		run: tableOf(
			'(docs/(behavior|examples)|integration/(matrix|refusals)).test',
			'shows the table',
			'docs',
			'integration',
		),
	},
	names: {
		name: 'The names that saved workflows contain (test/unit/savedNames.json)',
		run: tableOf('unit/outlives.test', 'savedNames.json', 'unit'),
	},
	problems: {
		name: 'The words of all problems (test/unit/problems.json)',
		run: tableOf('unit/problems.test', 'problems.json', 'unit'),
	},
	llms: { name: `The list of pages for AI tools (${listFile})`, run: llms },
};

const parts = Object.keys(steps);

function chosenSteps(): Step[] {
	const given = readArguments({
		name: 'npm run generate',
		names: { what: 'Part', known: parts },
		example: 'npm run generate -- llms',
		usage: `Usage: npm run generate [-- part…]

Updates all generated files, or only the parts that you name. For example: npm run generate -- anchors llms

${Object.entries(steps)
	.map(([key, { name }]) => `  ${key.padEnd(11)}${name}`)
	.join('\n')}`,
	});
	const wanted = given?.names.length === 0 ? parts : (given?.names ?? []);
	return Object.entries(steps).flatMap(([key, { name, run }]) =>
		wanted.includes(key) ? [{ name: `${key}: ${name}`, run }] : [],
	);
}

async function main(): Promise<void> {
	const chosen = chosenSteps();
	if (chosen.length === 0) return;
	await runSteps(chosen);
	if (!process.exitCode) console.log('\nDone. To see what changed, run: git status');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
