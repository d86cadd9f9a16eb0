import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { root } from '../../scripts/tools';

// Jest cannot load the libraries that measure, so the command itself is run.
const measure = async (...files: string[]) =>
	await new Promise<{ failed: boolean; output: string; problems: string[] }>((done) => {
		const args = ['scripts/run.mjs', 'scripts/readability.ts', ...files];
		execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
			done({
				failed: error !== null,
				output: stdout,
				// run.mjs says there, too, what it installs.
				problems: stderr.match(/^.+\.md is above a limit.*$/gm) ?? [],
			}),
		);
	});

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'signverify-prose-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function measureText(text: string) {
	const file = path.join(folder, 'page.md');
	writeFileSync(file, text);
	return await measure(file);
}

test('every page is as easy to read as the limits say', async () => {
	const { failed, output, problems } = await measure();
	expect(output.split('\n').filter((line) => /^\S+\.md .* % /.test(line)).length).toBeGreaterThan(
		15,
	);
	expect({ failed, problems }).toEqual({ failed: false, problems: [] });
}, 120_000);

const hard =
	'Notwithstanding intermittent infrastructural unavailability, comprehensive reconciliation guarantees eventual consistency.';

test('a page with hard sentences is refused, and the sentences are shown', async () => {
	const { failed, output } = await measureText(`# Title\n\n${hard}\n\n${hard}\n`);
	expect(failed).toBe(true);
	expect(output).toContain(`hard: ${hard}`);
}, 60_000);

test('a page with long sentences is refused', async () => {
	const long = `You can do it ${'and then you can do it '.repeat(5)}.`;
	const { failed, output } = await measureText(`${long}\n\n${long}\n`);
	expect(failed).toBe(true);
	expect(output).toContain('long: You can do it');
}, 60_000);

test('code and tables do not count', async () => {
	const rest = `\`\`\`\n${hard}\n${hard}\n\`\`\`\n\n| ${hard} |\n| --- |\n| ${hard} |\n`;
	const { failed } = await measureText(`You can read this with ease.\n\n${rest}`);
	expect(failed).toBe(false);
}, 60_000);
