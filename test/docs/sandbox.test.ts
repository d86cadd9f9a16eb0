import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../scripts/tools';
import { blocksOf, readPages } from './markdown';

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const [program = '', ...start] = scripts.sandbox!.split(' ');
const lines = blocksOf(readPages(), 'sh')
	.filter(({ file }) => file.endsWith('sandbox.md'))
	.flatMap(({ text }) => text.replace(/\s*\\\n\s*/g, ' ').split('\n'))
	.map((line) => line.replace(/\s+#.*$/, '').trim());

/** What the page has its reader type behind `npm run sandbox --`. */
const typed = lines
	.filter((line) => line.startsWith('npm run sandbox -- '))
	.map((line) => line.replace('npm run sandbox -- ', ''));
const isStart = (words: string) => words.startsWith('--') && words !== '--help';
const commands = typed.filter((words) => !isStart(words));
const starts = typed.filter(isStart);
const calls = lines.filter((line) => line.startsWith('curl '));

let sandbox: ChildProcess;
let address = '';

const env = () => ({ ...process.env, SANDBOX_PORT: new URL(address).port });

function startSandbox(options: string[]): ChildProcess {
	const ports = { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' };
	return spawn(program, [...start, ...options], { cwd: root, env: { ...process.env, ...ports } });
}

/** Resolves with the URL of the console as soon as the sandbox is ready. */
function addressOf(started: ChildProcess): Promise<string> {
	return new Promise<string>((found, fail) => {
		let output = '';
		started.stderr?.on('data', (piece: Buffer) => (output += piece.toString()));
		started.stdout?.on('data', (piece: Buffer) => {
			output += piece.toString();
			const [, url] = /Console\s+(http:\S+?)\/\n/.exec(output) ?? [];
			if (url && output.includes('API Key')) found(url);
		});
		started.once('exit', () => fail(new Error(`The sandbox ended: ${output}`)));
	});
}

beforeAll(async () => {
	const began = performance.now();
	sandbox = startSandbox(['--seed', '3']);
	address = await addressOf(sandbox);
	readyAfter = performance.now() - began;
}, 60_000);

let readyAfter = 0;

afterAll(() => void sandbox.kill());

test('the page has commands and calls', () => {
	expect(commands.length).toBeGreaterThan(5);
	expect(starts.length).toBeGreaterThan(1);
	expect(calls.length).toBeGreaterThan(1);
});

test('`npm run sandbox` is ready soon', () => {
	// 3 s on a machine that has nothing else to do; the tests share theirs.
	expect(readyAfter).toBeLessThan(10_000);
});

test.each(commands.filter((words) => !words.includes('--follow')))(
	'npm run sandbox -- %s',
	async (words) => {
		const run = promisify(execFile)(program, [...start, ...words.split(' ')], {
			cwd: root,
			env: env(),
		});
		expect((await run).stdout.trim()).not.toBe('');
	},
	30_000,
);

test.each(starts)(
	'npm run sandbox -- %s',
	async (words) => {
		const other = startSandbox(words.split(' '));
		try {
			const documents = await fetch(`${await addressOf(other)}/sandbox/documents`);
			expect([documents.status, await documents.json()]).toEqual([200, expect.anything()]);
		} finally {
			other.kill();
		}
	},
	30_000,
);

test('npm run sandbox -- log --follow', async () => {
	expect(commands).toContain('log --follow');
	const following = spawn(program, [...start, 'log', '--follow'], { cwd: root, env: env() });
	try {
		let output = '';
		following.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
		const seen = async (text: string) => {
			const deadline = Date.now() + 10_000;
			while (!output.includes(text) && Date.now() < deadline) {
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
			expect(output).toContain(text);
		};
		await fetch(`${address}/api/templates`);
		await seen('GET /templates ');
		await fetch(`${address}/api/webhooks`);
		await seen('GET /webhooks ');
	} finally {
		following.kill();
	}
}, 30_000);

test.each(calls)('%s', async (call) => {
	const [, method = 'GET', target = '', name = '', value = '', body] =
		/^curl(?: -X (\w+))? localhost:4010(\S+)(?: -H '([^:]+): ([^']+)')?(?: -d '(.+)')?$/.exec(
			call,
		) ?? [];
	const headers = name ? { [name]: value } : {};
	const answer = await fetch(address + target, { method, headers, ...(body ? { body } : {}) });
	expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
	expect(answer.headers.get('content-type')).toContain('application/json');
});

test('the table of faults has the words of the page', async () => {
	const presets = (await (await fetch(`${address}/sandbox/presets`)).json()) as Array<{
		title: string;
		text: string;
	}>;
	const page = readFileSync(path.join(root, 'docs/sandbox.md'), 'utf8');
	for (const { title, text } of presets) {
		expect(page.replace(/ +/g, ' ')).toContain(`| ${title} | ${text} |`);
	}
});
