import { readFileSync } from 'node:fs';
import path from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { root } from '../../scripts/tools';
import { blocksOf, readPage } from './markdown';

/** The calls that the page has its reader make. */
const calls = blocksOf([readPage('docs/dev/sandbox.md')], 'sh')
	.flatMap(({ text }) => text.replace(/\s*\\\n\s*/g, ' ').split('\n'))
	.map((line) => line.trim())
	.filter((line) => line.startsWith('curl '));

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());

test('the page has calls', () => {
	expect(calls.length).toBeGreaterThan(1);
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

const page = readFileSync(path.join(root, 'docs/sandbox.md'), 'utf8').replace(/ +/g, ' ');

test('the page says for how long a notification is sent again', () => {
	const { deliveryBackoffMs } = sandbox.settings.get();
	const seconds = deliveryBackoffMs.reduce((sum, delay) => sum + delay, 0) / 1000;
	expect(page).toContain(`sends it again for about ${Math.floor(seconds)} seconds`);
});

test('the table of faults has the words of the page', async () => {
	const presets = (await (await fetch(`${sandbox.url}/sandbox/presets`)).json()) as Array<{
		title: string;
		text: string;
	}>;
	for (const { title, text } of presets) expect(page).toContain(`| ${title} | ${text} |`);
});
