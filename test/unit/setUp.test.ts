import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ensureHost } from '../../host/install.cjs';
import { chosen } from '../../host/terminal';
import { runNpm } from '../../scripts/install.cjs';
import { root } from '../../scripts/tools';

const folder = mkdtempSync(path.join(tmpdir(), 'set-up-'));
const before = { ...process.env };

afterEach(() => {
	process.env = { ...before };
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the reason of a failed compilation is shown, wherever it stands in the output', async () => {
	const noise = (count: number) => Array.from({ length: count }, (_, at) => `  CXX(target) ${at}`);
	const reasons = ['gyp ERR! find Python', 'make: *** [Makefile:2: all] Error 127'];
	const output = [...noise(60), ...reasons, ...noise(60)].join('\n');
	writeFileSync(
		path.join(folder, 'fail.js'),
		`console.error(${JSON.stringify(output)}); process.exit(3)`,
	);
	const scripts = { compile: 'node fail.js' };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts }));
	const failed = runNpm({ args: ['run', 'compile'], cwd: folder, log: () => {} });
	const message = await failed.catch((error: Error) => error.message);
	for (const reason of reasons) expect(message).toContain(reason);
	expect(message).not.toContain('CXX(target) 30');
}, 60_000);

test.each([
	[{ N8N_PORT: 'abc' }, 'N8N_PORT must be a port number from 1 to 65535, not "abc".'],
	[
		{ N8N_PORT: '45679', SANDBOX_SMTP_PORT: '45679' },
		'N8N_PORT and SANDBOX_SMTP_PORT are both 45679. Give them different numbers.',
	],
])('%j is refused at once', async (env, message) => {
	// Free ports for those that the test does not name.
	Object.assign(
		process.env,
		{ N8N_PORT: '45671', SANDBOX_PORT: '45672', SANDBOX_SMTP_PORT: '45673' },
		env,
	);
	await expect(chosen()).rejects.toThrow(message);
});

test.each(['node', 'n8n', 'n8n-2.41.3'])('the lock of host/%s names no registry', (part) => {
	const lock = readFileSync(path.join(root, 'host', part, 'package-lock.json'), 'utf8');
	expect(lock).toContain('"integrity"');
	expect(lock).not.toContain('"resolved"');
});

test('an n8n without a lock is refused, with those that have one', async () => {
	Object.assign(process.env, { SIGNVERIFY_N8N_VERSION: '9.9.9', SIGNVERIFY_HOST_DIR: folder });
	await expect(ensureHost({ log: () => {} })).rejects.toThrow(
		'There is no lock for n8n 9.9.9 in host/. It has 2.41.1, 2.41.3.',
	);
});
