import { readFileSync } from 'node:fs';
import path from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { SandboxClient } from '../../sandbox/cli/client';
import { runCommand } from '../../sandbox/cli/commands';
import { root } from '../../scripts/tools';
import { blocksOf, readPage } from './markdown';

/** What the pages have their reader type. */
const lines = blocksOf(['docs/sandbox.md', 'docs/dev/sandbox.md'].map(readPage), 'sh')
	.flatMap(({ text }) => text.replace(/\s*\\\n\s*/g, ' ').split('\n'))
	.map((line) => line.replace(/\s+#.*$/, '').trim());
const commands = lines
	.filter((line) => /^npm run sandbox -- [a-z]/.test(line) && !line.endsWith('--follow'))
	.map((line) => line.replace('npm run sandbox -- ', ''));
const calls = lines.filter((line) => line.startsWith('curl '));

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ seed: { documents: 3 } })));
afterAll(async () => await sandbox.close());

test('the pages have commands and calls', () => {
	expect(commands.length).toBeGreaterThan(5);
	expect(calls.length).toBeGreaterThan(1);
});

test.each(commands)('npm run sandbox -- %s', async (command) => {
	const [name = '', ...words] = command.split(' ');
	const printed: string[] = [];
	await runCommand(name, {
		...{ client: new SandboxClient(sandbox.url), words, json: false, follow: false },
		print: (text) => printed.push(text),
	});
	expect(printed.join('').trim()).not.toBe('');
});

test.each(calls)('%s', async (call) => {
	const [, method = 'GET', target = '', name = '', value = '', body] =
		/^curl(?: -X (\w+))? localhost:4010(\S+)(?: -H '([^:]+): ([^']+)')?(?: -d '(.+)')?$/.exec(
			call,
		) ?? [];
	const headers = name ? { [name]: value } : {};
	const answer = await fetch(sandbox.url + target, { method, headers, ...(body ? { body } : {}) });
	expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
	expect(answer.headers.get('content-type')).toContain('application/json');
});

test('the table of faults has the words of the page', async () => {
	const presets = (await (await fetch(`${sandbox.url}/sandbox/presets`)).json()) as Array<{
		title: string;
		text: string;
	}>;
	const page = readFileSync(path.join(root, 'docs/sandbox.md'), 'utf8').replace(/ +/g, ' ');
	for (const { title, text } of presets) expect(page).toContain(`| ${title} | ${text} |`);
});
