import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import { until } from '../support/until';
import {
	create,
	PEOPLE,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
	DOCUMENT_TYPES,
} from './serviceKit';

afterEach(stopAll);

test('a delivery is tried again after a 500 and a broken connection, in order', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	hook.answers = [500, 0];
	await register(http, hook.url, 'sendDocument');
	await create(sandbox, http);
	await sandbox.idle();
	const sent = sandbox.deliveries();
	expect(sent.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
	const [first] = sent;
	expect(first?.attempts.map(({ status }) => status)).toEqual([500, undefined, 200]);
	expect(first?.attempts[1]?.error).toBe('ECONNRESET');
	const emails = hook.got.map(({ body }) => body.Document.webhookData?.signatory.emailID);
	const [ana, ben, cleo] = PEOPLE.map(({ email }) => email);
	expect(emails).toEqual([ana, ana, ana, ben, cleo]);
	expect(hook.got[0]?.method).toBe('POST');
	expect(hook.got[0]?.headers['content-type']).toBe('application/json');
});

test('it is given up after the last delay, a redirect is not followed, resending sends it anew', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	hook.answers = [302, 404, 503];
	await register(http, hook.url, 'sendDocument');
	await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
	await sandbox.idle();
	const [failed] = sandbox.deliveries();
	expect(failed).toMatchObject({ state: 'failed' });
	expect(failed?.attempts.map(({ status }) => status)).toEqual([302, 404, 503]);

	const answer = await axios.post(`${sandbox.url}/sandbox/deliveries/${failed?.id}/resend`);
	expect(answer.status).toBe(200);
	await sandbox.idle();
	expect(sandbox.deliveries().map(({ state }) => state)).toEqual(['failed', 'delivered']);
	expect(hook.got.at(-1)?.body).toEqual(failed?.body);
});

test('only loopback is delivered to', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	await register(http, 'https://hooks.example.com/a', 'sendDocument');
	await create(sandbox, http);
	await sandbox.idle();
	for (const { state, attempts } of sandbox.deliveries()) {
		expect(state).toBe('failed');
		expect(attempts).toMatchObject([{ error: 'only loopback addresses are delivered to' }]);
	}
	expect(sandbox.deliveries()).toHaveLength(3);
});

test('a deleted registration gets nothing more', async () => {
	const sandbox = await start({ deliveryBackoffMs: [500] });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	hook.answers = [500];
	const [webHookID] = await register(http, hook.url, 'sendDocument');
	await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
	await until('it has come', () => hook.got.length > 0);
	await http.delete('/webhooks', { params: { webHookID } });
	await sandbox.idle();
	expect(hook.got).toHaveLength(1);
	expect(sandbox.deliveries()[0]?.attempts.at(-1)?.error).toBe('the webhook was deleted');
});

test('closing does not wait for a back-off, and leaves no timer', async () => {
	const sandbox = await start({ deliveryBackoffMs: [60_000] });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	hook.answers = [500];
	await register(http, hook.url, 'sendDocument');
	await create(sandbox, http);
	await until('it has come', () => hook.got.length > 0);
	const idle = sandbox.idle();
	const began = Date.now();
	await sandbox.close();
	await idle;
	expect(Date.now() - began).toBeLessThan(10_000);
	await expect(axios.get(`${sandbox.url}/sandbox/health`)).rejects.toThrow('ECONNREFUSED');
});

test('every event can be fired on demand, and changes nothing', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	const { documentID } = (await create(sandbox, http)).data.responseData;
	await sandbox.idle();
	await register(http, hook.url, ...DOCUMENT_TYPES);
	for (const type of DOCUMENT_TYPES) expect(await sandbox.fire(type, documentID)).toHaveLength(1);
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.type)).toEqual([...DOCUMENT_TYPES]);
	expect(hook.got[2]?.body.Document).toMatchObject({
		status: 'COMPLETED',
		documentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		documentURL: expect.stringContaining('/files/') as string,
	});
	expect(sandbox.documents()[0]).toMatchObject({ status: 'PENDING', documentHash: '' });
	await expect(sandbox.fire('signDocument', 'nothing')).rejects.toThrow('Document not found');
});

test('receivers that hang keep no other receiver waiting', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hanging = createServer(() => {});
	await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
	const { port } = hanging.address() as AddressInfo;
	for (const name of ['a', 'b', 'c']) {
		await register(http, `http://127.0.0.1:${port}/${name}?secret=x`, 'failedBiometric');
	}
	const healthy = await receiver();
	await register(http, healthy.url, 'failedBiometric');
	const ids: string[] = [];
	for (let index = 0; index < 67; index += 1) {
		ids.push(
			(await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) })).data.responseData
				.documentID,
		);
	}
	for (const id of ids) await sandbox.fire('failedBiometric', id);
	await until('all have come', () => healthy.got.length === ids.length);
	hanging.closeAllConnections();
	hanging.close();
});

test('a made-up document can be signed and fired, and a completed one has its file', async () => {
	const sandbox = await start({ seed: { documents: 2 } });
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'completedDocument');
	const open = sandbox
		.documents()
		.find(({ computedFields }) => computedFields.isAllSignatoryPending);
	for (const { emailID } of open?.signatory ?? []) {
		await sandbox.sign(open?.documentID ?? '', emailID);
	}
	const done = sandbox.documents().find(({ status }) => status === 'COMPLETED');
	await sandbox.fire('completedDocument', done?.documentID ?? '');
	await sandbox.idle();
	expect(hook.got.map(({ body }) => body.Document.documentID)).toEqual([
		open?.documentID,
		done?.documentID,
	]);
	for (const { body } of hook.got) {
		expect(body.Document.documentHash).toMatch(/^[0-9a-f]{64}$/);
		const file = await axios.get<Buffer>(body.Document.documentURL ?? '', {
			responseType: 'arraybuffer',
		});
		expect(file.data.subarray(0, 5).toString()).toBe('%PDF-');
	}
});
