import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox';
import { fileErrorText } from '../../sandbox/util/fileErrors';
import { createBody, Http, start, useDataFolder } from './serviceKit';

const data = useDataFolder();

/**
 * A sandbox in a process of its own, with the address that it printed. Not by scripts/run.mjs: that
 * may install packages, and must not be killed then.
 */
async function elsewhere(folder: string) {
	const child = spawn(
		process.execPath,
		['--require', 'tsx/cjs', 'sandbox/main.ts', '--data', folder],
		{
			cwd: join(__dirname, '../..'),
			env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', SANDBOX_API_KEY: 'key' },
		},
	);
	let printed = '';
	for await (const chunk of child.stdout) {
		printed += String(chunk);
		if (printed.includes('Stop it')) break;
	}
	return {
		baseUrl: /Base URL +(\S+)/.exec(printed)?.[1] ?? '',
		pid: child.pid,
		kill: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill('SIGKILL');
			await once(child, 'exit');
		},
	};
}

test('a second sandbox on the same folder is refused, and told where the first one is', async () => {
	const first = await start(data);
	await expect(startSandbox(data)).rejects.toThrow(
		new RegExp(`is in use by process ${process.pid}, which runs since .* at ${first.url}`),
	);
	await first.close();
	const second = await start(data);
	// Closing the first one again takes nothing away from the second.
	await first.close();
	await expect(startSandbox(data)).rejects.toThrow(`at ${second.url}`);
});

test('a sandbox that is killed keeps what it answered, and frees its folder', async () => {
	const killed = await elsewhere(data.dataFolder);
	try {
		await expect(startSandbox(data)).rejects.toThrow(`is in use by process ${killed.pid}, which`);
		const headers = { 'user-id': 'sandbox-user', 'api-key': 'key' };
		const http = new Http(killed.baseUrl, headers);
		const { data: answer } = await http.post('/access/token');
		const token = (answer.responseData as unknown as { accessToken: string }).accessToken;
		const memory = await start();
		const created = await new Http(killed.baseUrl, {
			'user-id': 'sandbox-user',
			token,
			Authorization: `Bearer ${token}`,
		}).post('/templates/createDocumentByTemplateV2', createBody(memory, 'v2'));
		await killed.kill();

		const next = await start(data);
		const { documentID } = created.data.responseData;
		expect(next.documents().map((one) => one.documentID)).toEqual([documentID]);
		// The key of the account is for the folder's owner only.
		expect((await stat(join(data.dataFolder, 'records'))).mode & 0o077).toBe(0);
	} finally {
		await killed.kill();
	}
});

test('a start that fails leaves the folder free', async () => {
	const other = await start();
	const port = Number(new URL(other.url).port);
	await expect(startSandbox({ ...data, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	await start(data);
});

test.each([
	[{ code: 'ENOSPC', path: '/data/x' }, '/data/x: The disk is full. Free some space, then'],
	[{ code: 'EACCES', path: '/data' }, '/data: You have no permission for this file or folder.'],
	[{ code: 'EROFS' }, 'The disk can only be read.'],
])('%j is a sentence', (error, sentence) => {
	expect(fileErrorText(error)).toContain(sentence);
});
