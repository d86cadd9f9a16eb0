import { createHash } from 'node:crypto';
import axios from 'axios';
import { until } from '../support/until';
import { create, PEOPLE, receiver, register, signedIn, start, stopAll } from './serviceKit';

afterEach(stopAll);

test('a document of three signatories lives from creation to completion', async () => {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument', 'completedDocument');

	const created = await create(sandbox, http);
	expect(created.status).toBe(200);
	const { documentID } = created.data.responseData;

	for (const { email } of PEOPLE) await sandbox.sign(documentID, email);
	await sandbox.idle();
	const bodies = hook.got.map(({ body }) => body);
	expect(bodies.map(({ type }) => type)).toEqual([
		...Array<string>(3).fill('sendDocument'),
		...Array<string>(3).fill('signDocument'),
		'completedDocument',
	]);
	const [send, , , sign1, sign2, sign3, completed] = bodies.map(({ Document }) => Document);
	expect(
		[send, sign1, sign2, sign3, completed].map((one) => one?.computedFields.pendingSignatoryCount),
	).toEqual([3, 2, 1, 0, 0]);
	expect(sign3?.status).toBe('PENDING');
	const url = completed?.documentURL ?? '';
	const file = await axios.get<Buffer>(url, { responseType: 'arraybuffer', proxy: false });
	expect(file.headers['content-type']).toBe('application/pdf');
	expect(file.headers['content-disposition']).toContain('filename=');
	expect(createHash('sha256').update(file.data).digest('hex')).toBe(completed?.documentHash);
});

describe('deliveries', () => {
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
		await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
		await sandbox.idle();
		const attempts = [{ error: 'only loopback addresses are delivered to' }];
		expect(sandbox.deliveries()).toMatchObject([{ state: 'failed', attempts }]);
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
});
