import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { newSecret } from '../../nodes/SignVerify/webhooks/url';
import { runTool } from '../../scripts/tools';
import { startSandbox } from '../../sandbox';
import {
	knownSecrets,
	leaksIn,
	noteSecret,
	readSecrets,
	secretsVariable,
} from '../support/secrets';
import { clientOf, keeperOf } from '../support/client';

const planted = { kind: 'an access token', value: 'planted/secret-1' } as const;

test('a planted secret is found, and named without being shown', () => {
	const text = `one\ntwo ${planted.value}\n`;
	expect(leaksIn('stdout', text, [planted])).toEqual(['stdout, line 2: an access token']);
	const address = `https://x.example/?token=${encodeURIComponent(planted.value)}`;
	expect(leaksIn('stderr', address, [planted])).toEqual(['stderr, line 1: an access token']);
	expect(leaksIn('stdout', 'planted secret', [planted])).toEqual([]);
});

test('keys, tokens and callback secrets are noted as they come up', async () => {
	const sandbox = await startSandbox();
	const keeper = keeperOf(sandbox);
	const url = 'https://example.com/x?secret=of-a-registration';
	await clientOf(sandbox, keeper).registerWebhook('signDocument', url);
	const secret = newSecret();
	await sandbox.close();
	expect(knownSecrets()).toEqual(
		expect.arrayContaining([
			{ kind: 'an API key', value: sandbox.account.apiKey },
			{ kind: 'an access token', value: keeper.stored.accessToken },
			{ kind: 'a callback secret', value: 'of-a-registration' },
			{ kind: 'a callback secret', value: secret },
		]),
	);
});

describe('over several processes', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'signverify-secrets-'))));
	afterEach(() => {
		delete process.env[secretsVariable];
		rmSync(folder, { recursive: true, force: true });
	});

	test('they are collected in the file that the runner names', () => {
		const file = path.join(folder, 'secrets');
		expect(readSecrets(file)).toEqual([]);
		process.env[secretsVariable] = file;
		noteSecret('an API key', 'a-key-of-this-test');
		noteSecret('an API key', 'short');
		expect(readSecrets(file)).toEqual([{ kind: 'an API key', value: 'a-key-of-this-test' }]);
		expect(readFileSync(file, 'utf8')).not.toContain('short');
	});

	test('what a program prints is heard', async () => {
		const script = path.join(folder, 'prints.cjs');
		writeFileSync(
			script,
			`process.stdout.write('heard: ' + process.env.PLANTED + ' Łucja\\n'); console.error('two');`,
		);
		const shown = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		const complained = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		const heard = { stdout: '', stderr: '' };
		const code = await runTool(path.relative('node_modules', script), [], {
			env: { PLANTED: planted.value },
			heard: (stream, text) => (heard[stream] += text),
		});
		expect(shown).toHaveBeenCalledWith(`heard: ${planted.value} Łucja\n`);
		expect(complained).toHaveBeenCalledWith('two\n');
		jest.restoreAllMocks();
		expect(code).toBe(0);
		expect(leaksIn('stdout', heard.stdout, [planted])).toHaveLength(1);
	});
});
