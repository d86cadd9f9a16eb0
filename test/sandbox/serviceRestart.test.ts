import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { readPdf } from '../../sandbox/documents/read';
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

test('images of an identity check survive a restart', async () => {
	const first = await start(data);
	await (
		await signedIn(first)
	).post('/identity/validation/request', {
		email: 'ana@example.com',
		type: 'FACE',
		backgroundCheck: true,
	});
	const { pathname } = new URL(first.identityRequests()[0]?.url ?? '');
	const form = new FormData();
	form.append('idSample', 'id-1');
	form.append('selfieSample', 'selfie-2');
	form.append('outcome', 'manualReview');
	await axios.post(first.url + pathname, form, { maxRedirects: 0, validateStatus: () => true });
	const fetchImage = async (root: string, kind: string) =>
		(await axios.get<Buffer>(`${root}${pathname}/images/${kind}`, { responseType: 'arraybuffer' }))
			.data;
	const before = await fetchImage(first.url, 'selfie');
	await first.close();
	const second = await start(data);
	expect((await fetchImage(second.url, 'selfie')).equals(before)).toBe(true);
	expect(second.identityRequests()).toMatchObject([{ outcome: 'manualReview' }]);
	const end = await axios.post(second.url + pathname, 'outcome=pass', {
		maxRedirects: 0,
		validateStatus: () => true,
	});
	expect(end.status).toBe(303);
});

test('what was answered is on the disk before the answer, for its owner only', async () => {
	const sandbox = await start(data);
	const http = await signedIn(sandbox);
	const { documentID } = (await create(sandbox, http)).data.responseData;
	expect(await readdir(join(data.dataFolder, 'documents'))).toContain(`${documentID}.json`);
	const { mode } = await stat(join(data.dataFolder, 'account', 'account.json'));
	expect(mode & 0o077).toBe(0);
});

test('a file that is not JSON is named', async () => {
	await (await start(data)).close();
	const path = join(data.dataFolder, 'documents', 'broken.json');
	await writeFile(path, '{"half":');
	await expect(start(data)).rejects.toThrow(path);
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

test('what a crash left half written is removed at the next start', async () => {
	const first = await start(data);
	await create(first, await signedIn(first));
	await first.close();
	const folder = join(data.dataFolder, 'documents');
	await writeFile(join(folder, 'abc.json.tmp'), '{"documentID":');
	const second = await start(data);
	expect(second.documents()).toHaveLength(1);
	expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a record is on the disk, not in a cache, before its call is answered', async () => {
	const sandbox = await start(data);
	const http = await signedIn(sandbox);
	const handle = await open(join(data.dataFolder, 'any'), 'w');
	const methods = Object.getPrototypeOf(handle) as typeof handle;
	await handle.close();
	const content = jest.spyOn(methods, 'datasync');
	const names = jest.spyOn(methods, 'sync');
	try {
		await create(sandbox, http);
		expect(content).toHaveBeenCalled();
		expect(names).toHaveBeenCalled();
	} finally {
		content.mockRestore();
		names.mockRestore();
	}
});

test('a document that an older sandbox printed differently gets the hash of its file', async () => {
	const first = await start(data);
	const http = await signedIn(first);
	const { documentID } = (await create(first, http)).data.responseData;
	for (const { email } of PEOPLE) await first.sign(documentID, email);
	const [signed] = first.documents();
	const printed = signed?.documentHash ?? '';
	await first.close();
	const file = join(data.dataFolder, 'documents', `${documentID}.json`);
	const older = (await readFile(file, 'utf8')).replace(printed, 'f'.repeat(64));
	await writeFile(file, older);

	const second = await start(data);
	expect(second.documents()[0]?.documentHash).toBe('f'.repeat(64));
	const [row] = (await axios.get<string>(`${second.url}/lists/documents`)).data.match(
		/\/files\/[^"]+certificate[^"]+/,
	) ?? [''];
	const certificate = await axios.get<Buffer>(second.url + row.replaceAll('&amp;', '&'), {
		responseType: 'arraybuffer',
	});
	expect((await readPdf(certificate.data)).text).toContain(printed);
	expect(second.documents()[0]?.documentHash).toBe(printed);
});
