import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { ClassicLevel } from 'classic-level';
import { create, PEOPLE, receiver, register, signedIn, start, useDataFolder } from './serviceKit';

const data = useDataFolder();

test('everything is there after a restart, and what was pending goes on', async () => {
	const hook = await receiver();
	const first = await start({ ...data, deliveryBackoffMs: [60_000] });
	const http = await signedIn(first);
	await register(http, hook.url, 'sendDocument', 'completedDocument');
	hook.answers = [500];
	const { documentID } = (await create(first, http)).data.responseData;
	await first.sign(documentID, PEOPLE[0]?.email ?? '');
	while (first.mails().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
	await http.post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: true,
	});
	const before = {
		account: first.account,
		webhooks: first.webhooks(),
		mails: first.mails(),
		deliveries: first.deliveries().map(({ id }) => id),
	};
	await first.close();

	const second = await start({ ...data, deliveryBackoffMs: [20] });
	expect(second.account).toEqual(before.account);
	expect(second.webhooks()).toEqual(before.webhooks);
	expect(second.mails()).toEqual(before.mails);
	expect(second.identityRequests()).toMatchObject([{ emailId: 'ana@example.com' }]);
	expect(second.documents()[0]?.computedFields.pendingSignatoryCount).toBe(2);

	await second.idle();
	expect(second.deliveries().map(({ id }) => id)).toEqual(before.deliveries);
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

test('records that cannot be read are a refusal that names the folder', async () => {
	await (await start(data)).close();
	await writeFile(join(data.dataFolder, 'records', 'CURRENT'), 'half a');
	await expect(start(data)).rejects.toThrow(`${data.dataFolder} cannot be read (Corruption`);
});

test('a taken port is refused with its code, and leaves nothing running', async () => {
	const sandbox = await start();
	const port = Number(new URL(sandbox.url).port);
	await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
	await expect(start({ smtpPort: sandbox.smtp.port })).rejects.toMatchObject({
		code: 'EADDRINUSE',
		port: sandbox.smtp.port,
	});
});

test('a record is on the disk, not in a cache, before its call is answered', async () => {
	const sandbox = await start(data);
	const http = await signedIn(sandbox);
	const write = jest.spyOn(ClassicLevel.prototype, 'batch');
	try {
		const { documentID } = (await create(sandbox, http)).data.responseData;
		expect(write).toHaveBeenCalledWith(
			expect.arrayContaining([expect.objectContaining({ key: `documents/${documentID}` })]),
			{ sync: true },
		);
	} finally {
		write.mockRestore();
	}
});

test('on a full disk calls fail, and what is answered once there is room survives', async () => {
	const sandbox = await start(data);
	const http = await signedIn(sandbox);
	await sandbox.idle();
	const full = new Error('IO error: 000003.log: No space left on device');
	const write = jest.spyOn(ClassicLevel.prototype, 'batch').mockRejectedValue(full as never);
	const said = jest.spyOn(console, 'error').mockImplementation(() => {});
	const reopened = jest.spyOn(ClassicLevel.prototype, 'open');
	try {
		expect((await create(sandbox, http)).status).toBe(500);
		const health = `${sandbox.url}/sandbox/health`;
		expect((await axios.get(health)).data).toMatchObject({ ok: false, saveError: full.message });
		write.mockRestore();
		expect((await create(sandbox, http)).status).toBe(200);
		expect((await axios.get(health)).data).toMatchObject({ ok: true });
		// LevelDB loses what it appends to a log whose end is broken.
		expect(reopened).toHaveBeenCalled();
	} finally {
		write.mockRestore();
		reopened.mockRestore();
		said.mockRestore();
	}
	await sandbox.close();
	expect((await start(data)).documents()).toHaveLength(2);
});
