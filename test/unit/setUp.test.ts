import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chosen } from '../../host/terminal';
import { runNpm } from '../../scripts/install.cjs';

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
