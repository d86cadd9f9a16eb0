import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chosenTemplates, importTemplateFile } from '../../sandbox/startUp';
import { root } from '../../scripts/tools';
import { start, stopAll } from './serviceKit';

// SANDBOX_TEMPLATES names a file with the templates of a real account, which the sandbox imports when it
// starts.
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'templates-'))));
afterAll(async () => await rm(folder, { recursive: true, force: true }));
afterEach(async () => {
	delete process.env.SANDBOX_TEMPLATES;
	await stopAll();
});

const lease = { templateID: 'lease', name: 'Lease \u001b[31m', inputs: [] };
const wrong = { name: 'No ID \u001b[31m', inputs: [] };

async function fileWith(text: string): Promise<string> {
	const file = path.join(folder, 'templates.json');
	await writeFile(file, text);
	return file;
}

/** Runs `npm run sandbox` until it has printed its URLs or has exited. @returns Its output and exit code. */
async function runSandbox(templates: string): Promise<{ printed: string; code: number | null }> {
	const env = {
		...process.env,
		SANDBOX_TEMPLATES: templates,
		SANDBOX_PORT: '0',
		SANDBOX_SMTP_PORT: '0',
	};
	const command = [path.join(root, 'scripts/run.mjs'), path.join(root, 'sandbox/main.ts')];
	const running = spawn(process.execPath, command, { cwd: root, env });
	let printed = '';
	for (const stream of [running.stdout, running.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			if (printed.includes('Press Ctrl-C')) running.kill('SIGINT');
		});
	}
	const code = await new Promise<number | null>((resolve) => running.once('close', resolve));
	return { printed, code };
}

test('"npm run sandbox" imports the template file and prints which templates it left out and why', async () => {
	const file = await fileWith(JSON.stringify([lease, wrong]));
	const { printed, code } = await runSandbox(file);
	expect(code).toBe(0);
	expect(printed).toMatch(/Templates +1 template imported from /);
	expect(printed).toContain(file);
	expect(printed).toContain(
		'Not imported: "No ID [31m": The template doesn’t have an ID (templateID or _id).',
	);
	expect(printed).not.toContain('\u001b');
});

test('"npm run sandbox" exits with advice if the template file does not exist', async () => {
	const { printed, code } = await runSandbox(path.join(folder, 'missing.json'));
	expect(code).toBe(1);
	expect(printed).toMatch(
		/^SANDBOX_TEMPLATES is ".*missing\.json", but the file doesn't exist\. Set the variable to a file/,
	);
});

test.each([
	['text that is not JSON', 'Name;Fields', 'This isn’t JSON.'],
	['only invalid templates', JSON.stringify([wrong]), 'The template doesn’t have an ID'],
])(
	'a file with %s is rejected, and the error names the file and the reason',
	async (_what, text, reason) => {
		process.env.SANDBOX_TEMPLATES = await fileWith(text);
		const file = await chosenTemplates();
		const sandbox = await start();
		const importing = () => importTemplateFile(sandbox, file!);
		expect(importing).toThrow(`No templates were imported from ${process.env.SANDBOX_TEMPLATES}`);
		expect(importing).toThrow(reason);
	},
);

test('nothing is imported if SANDBOX_TEMPLATES is not set', async () => {
	expect(await chosenTemplates()).toBeUndefined();
});
