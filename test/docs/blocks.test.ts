import { existsSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { startSandbox, type Sandbox } from '../../sandbox';
import { root } from '../../scripts/tools';
import { manifest, textOfFile } from '../support/files';
import { blocksOf, readPages, spansOf } from './markdown';

const pages = readPages();
const { scripts } = manifest;

/** The commands in shell blocks, one per line, without comments. */
const inBlocks = blocksOf(pages, 'sh', 'bash').flatMap(({ file, text }) =>
	text
		.replace(/\s*\\\n\s*/g, ' ')
		.split('\n')
		.map((line) => ({ file, command: line.replace(/\s+#.*$/, '').trim() }))
		.filter(({ command }) => command !== ''),
);

/** The commands in running text and in tables. */
const inText = pages.flatMap((page) =>
	spansOf(page)
		.filter((text) => /^(npm|npx|node|git) /.test(text))
		.map((command) => ({ file: page.file, command })),
);

/** The reason why a command cannot work, or undefined if it can. */
function problemOf(command: string): string | undefined {
	const words = command.split(/\s+/);
	const [program = '', first = '', second = ''] = words;
	if (program === 'npm') {
		// npm's other commands don't use the scripts in package.json.
		if (!['run', 'start', 'test'].includes(first)) return undefined;
		const script = first === 'run' ? second : first;
		if (!(script in scripts)) return `the script "${script}" doesn't exist`;
		return problemOfFiles(words);
	}
	if (program === 'node' || program === 'npx') {
		return problemOfFiles(words);
	}
	if (program === 'docker') {
		const [folder = ''] = words.slice(-1);
		const isThere = existsSync(path.join(root, folder, 'Dockerfile'));
		return isThere ? undefined : `${folder} doesn't contain a Dockerfile`;
	}
	return ['curl', 'export', 'git'].includes(program) ? undefined : `${program} is not known here`;
}

function problemOfFiles(words: string[]): string | undefined {
	const missing = words
		.filter((word) => /^[\w./-]+\/[\w.-]+\.\w+$/.test(word))
		// Files in .run/ exist only after a command has written them.
		.find((word) => !word.startsWith('.run/') && !existsSync(path.join(root, word)));
	return missing && `the file ${missing} doesn't exist`;
}

test('the documentation contains commands in code blocks and in the text', () => {
	expect(inBlocks.length).toBeGreaterThan(10);
	expect(inText.length).toBeGreaterThan(20);
});

test.each([...inBlocks, ...inText])('$file shows a valid command: $command', ({ command }) => {
	expect(problemOf(command)).toBeUndefined();
});

test('the documentation explains every script in package.json', () => {
	const explained = [...inBlocks, ...inText].map(({ command }) => command.split(' -- ')[0]);
	const missing = Object.keys(scripts).filter(
		(name) => !explained.includes(`npm ${name}`) && !explained.includes(`npm run ${name}`),
	);
	expect(
		missing.map((name) => `package.json has "npm run ${name}": explain it in CONTRIBUTING.md`),
	).toEqual([]);
});

test.each(blocksOf(pages, 'json'))('$file shows valid JSON: $text', ({ text }) => {
	const isMember = /^\s*"/.test(text);
	expect(() => void JSON.parse(isMember ? `{${text}}` : text)).not.toThrow();
});

/** TypeScript code without line breaks and comments, because a page may break its lines differently. */
function essence(text: string): string {
	const file = ts.createSourceFile('quoted.ts', text, ts.ScriptTarget.ES2022);
	return ts.createPrinter({ removeComments: true }).printFile(file).replace(/\s+/g, ' ');
}

/** Pages that quote TypeScript from the project, and the files that they quote. */
const quoted: Record<string, string[]> = {
	'docs/dev/adding-an-operation.md': [
		'nodes/SignVerify/operations/identity/get.ts',
		'nodes/SignVerify/operations/registry.ts',
	],
};

test('TypeScript quoted in the documentation matches the source files', () => {
	for (const { file, text } of blocksOf(pages, 'ts')) {
		const sources = quoted[file];
		if (!sources) continue;
		const code = sources.map((source) => essence(textOfFile(source)));
		const isFound = code.some((whole) => whole.includes(essence(text).trim()));
		expect(isFound ? '' : `${file} has what ${sources.join(' and ')} do not: ${text}`).toBe('');
	}
});

describe('the sandbox documentation', () => {
	const calls = inBlocks
		.filter(({ file, command }) => file === 'docs/dev/sandbox.md' && command.startsWith('curl '))
		.map(({ command }) => command);

	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.close());

	test.each(calls)('shows a call that succeeds: %s', async (call) => {
		const [, method = 'GET', target = '', name = '', value = '', body] =
			/^curl(?: -X (\w+))? localhost:4010(\S+)(?: -H '([^:]+): ([^']+)')?(?: -d '(.+)')?$/.exec(
				call,
			) ?? [];
		const headers = name ? { [name]: value } : {};
		const response = await fetch(sandbox.url + target, {
			method,
			headers,
			...(body ? { body } : {}),
		});
		expect(response.status).toBe(200);
		expect(await response.json()).toEqual(expect.anything());
		expect(response.headers.get('content-type')).toContain('application/json');
	});
});
