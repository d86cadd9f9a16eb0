import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import axios from 'axios';
import {
	create,
	createBody,
	Http,
	PEOPLE,
	receiver,
	register,
	signedIn,
	start,
	useDataFolder,
} from './serviceKit';
import { startSandbox } from '../../sandbox';
import { until } from '../support/until';

const data = useDataFolder();

test('everything is there after a restart, and what was pending goes on', async () => {
	const hook = await receiver();
	const first = await start({ ...data, deliveryBackoffMs: [60_000] });
	const http = await signedIn(first);
	await register(http, hook.url, 'sendDocument', 'completedDocument');
	hook.answers = [500];
	const { documentID } = (await create(first, http)).data.responseData;
	await first.sign(documentID, PEOPLE[0]?.email ?? '');
	await until('all mails are there', () => first.mails().length >= 3);
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: true,
	});
	const ids = first.deliveries().map(({ id }) => id);
	const before = [first.account, first.webhooks(), first.mails()];
	const idle = first.idle();
	await first.close();
	// What waits for its next try ends with the sandbox.
	await idle;
	const second = await start({ ...data, deliveryBackoffMs: [20] });
	expect([second.account, second.webhooks(), second.mails()]).toEqual(before);
	expect(second.identityRequests()).toMatchObject([{ emailId: 'ana@example.com' }]);
	expect(second.documents()[0]?.computedFields.pendingSignatoryCount).toBe(2);
	await second.idle();
	expect(second.deliveries().map(({ id }) => id)).toEqual(ids);
	expect(second.deliveries().every(({ state }) => state === 'delivered')).toBe(true);

	// The token survives, under the new address.
	const { status } = await http.get('/webhooks', { baseURL: second.baseUrl });
	expect(status).toBe(200);
	for (const { email } of PEOPLE.slice(1)) await second.sign(documentID, email);
	await second.idle();
	const completed = hook.got.at(-1)?.body.Document;
	expect(completed?.status).toBe('COMPLETED');
	expect(completed?.documentURL?.startsWith(second.url)).toBe(true);
	const file = await axios.get(completed?.documentURL ?? '', { proxy: false });
	expect(file.status).toBe(200);
});

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
