import { createHash } from 'node:crypto';
import axios from 'axios';
import type { RecordedRequest, Sandbox } from '../../sandbox';
import { until } from '../support/until';
import {
	create,
	CREATE_V1,
	CREATE_V2,
	createBody,
	Http,
	PEOPLE,
	receiver,
	register,
	type Registered,
	signedIn,
	start,
	stopAll,
} from './serviceKit';

let sandbox: Sandbox;
let http: Http;
/** What tools of the sandbox call. */
let control: Http;

beforeEach(async () => {
	sandbox = await start();
	http = await signedIn(sandbox);
	control = new Http(`${sandbox.url}/sandbox`);
});
afterEach(stopAll);

const URL_OK = 'http://127.0.0.1:9/hook';

describe('token', () => {
	test('is given for user-id and api-key as headers only', async () => {
		const { userId, apiKey } = sandbox.account;
		const ask = (headers: object, body?: object) =>
			new Http(sandbox.baseUrl).post('/access/token', body, { headers });
		const inBody = await ask({}, { 'user-id': userId, 'api-key': apiKey });
		expect(inBody.status).toBe(400);
		expect(inBody.data.message).toContain('user-id');
		expect(sandbox.requests.at(-1)?.violation).toContain('Missing headers: user-id, api-key');
		expect(sandbox.requests.at(-1)?.body).toEqual({ 'user-id': userId, 'api-key': apiKey });
		const wrong = await ask({ 'user-id': userId, 'api-key': `${apiKey}x` });
		expect(wrong.data).toEqual({
			responseData: {},
			message: 'Invalid user-id or api-key',
			success: false,
			responseCode: 401,
		});
		const right = await ask({ 'user-id': userId, 'api-key': apiKey });
		expect(right.data.message).toBe('Token generated Successfully');
		expect(sandbox.tokenExchanges()).toBe(2);
	});
});

describe('headers', () => {
	test.each([
		['a wrong user-id', { 'user-id': 'other' }, '/webhooks', 401, false],
		['a wrong token', { token: 'made-up' }, '/webhooks', 401, false],
		['an api-key', { 'api-key': 'x' }, '/webhooks', 400, true],
		['another bearer at templates', { Authorization: 'Bearer x' }, '/templates/v2', 401, true],
	])('%s is refused', async (_what, headers, path, status, violates) => {
		const answer = await http.get(path, { headers });
		expect(answer.status).toBe(status);
		expect(answer.data).toMatchObject({ success: false, responseCode: status, responseData: {} });
		const { violation } = sandbox.requests.at(-1)!;
		const heading = status === 401 ? 'authentication' : 'list-webhooks';
		if (violates) expect(violation).toMatch(new RegExp(`\\(docs/dev/service\\.md#${heading}\\)$`));
		else expect(violation).toBeUndefined();
	});
});

describe('webhooks', () => {
	test.each([
		['an unknown event', { url: URL_OK, type: 'somethingElse' }],
		['something that is no address', { url: 'hook', type: 'signDocument' }],
		['a parameter that there is not', { url: URL_OK, type: 'signDocument', x: '1' }],
	])('registering with %s is refused', async (_what, params) => {
		const answer = await http.post('/webhooks', undefined, { params });
		expect(answer.status).toBe(400);
		expect(sandbox.requests.at(-1)?.violation).toBeTruthy();
		expect(sandbox.webhooks()).toEqual([]);
	});

	test('deleting answers once, then 404', async () => {
		const [webHookID] = await register(http, URL_OK, 'signDocument');
		const remove = () => http.delete('/webhooks', { params: { webHookID } });
		expect((await remove()).data).toMatchObject({ success: true });
		expect((await remove()).data).toMatchObject({ success: false, responseCode: 404 });
	});

	test('whether identity webhooks are listed and deleted here can be chosen', async () => {
		const other = await start({ listIdentityWebhooks: false, deleteIdentityWebhooks: false });
		for (const [one, listed, status] of [
			[sandbox, 1, 200],
			[other, 0, 404],
		] as const) {
			const its = await signedIn(one);
			const body = { name: 'n', type: 'VERIFICATION_REQUEST_FINISHED', url: URL_OK };
			const { data } = await its.post<Registered>('/webhooks/verify', body);
			expect((await its.get('/webhooks')).data.responseData).toHaveLength(listed);
			const { webHookID } = data.responseData;
			expect((await its.delete('/webhooks', { params: { webHookID } })).status).toBe(status);
		}
	});
});

describe('creating a document', () => {
	const signatories = (...changes: object[]) => ({
		signatories: PEOPLE.map((person, index) => ({ ...person, ...changes[index] })),
	});
	const BREAKS = true;

	test.each([
		['repeated e-mails', signatories({}, { email: 'ANA@example.com' }), 'repeated', false],
		['a malformed e-mail', signatories({ email: 'ana@' }), 'invalid format', false],
		['a name of 3 characters', signatories({ name: 'Ana' }), 'name', false],
		['a name of 101 characters', signatories({ name: 'a'.repeat(101) }), 'name', false],
		['an unknown template', { templateID: 'nothing' }, 'Template not found', false],
		['nobody to sign', { signatories: [] }, 'signatories', BREAKS],
		['a name that is a number', signatories({ name: 12345 }), 'name', BREAKS],
		['an empty input', { inputs: {} }, 'required key', BREAKS],
		['a field that there is not', { subject: 'x' }, 'subject', BREAKS],
		['positions in version 2', { staticSignPositions: [] }, 'staticSignPositions', BREAKS],
	])('%s is refused', async (_what, changes, message, violates) => {
		const answer = await create(sandbox, http, 'v2', changes);
		expect(answer.status).toBe(400);
		expect(answer.data.message).toContain(message);
		expect(sandbox.requests.at(-1)?.violation !== undefined).toBe(violates);
		expect(sandbox.documents()).toEqual([]);
	});

	test('inputs must be strings of the template', async () => {
		const { inputs } = createBody(sandbox, 'v2');
		const [key = ''] = Object.keys(inputs);
		for (const changed of [
			{ ...inputs, [key]: 12 },
			{ ...inputs, surprise: 'x' },
		]) {
			const answer = await create(sandbox, http, 'v2', { inputs: changed });
			expect(answer.status).toBe(400);
			expect(sandbox.requests.at(-1)?.violation).toContain('inputs');
		}
	});

	test('a template of the other generation, or one that is not active, is refused', async () => {
		const v1 = createBody(sandbox, 'v1');
		expect((await http.post(CREATE_V2, v1)).data.message).toBe('Template not found');
		expect((await http.post(CREATE_V1, createBody(sandbox, 'v2'))).status).toBe(400);
		const draft = sandbox.templates().find(({ status }) => status === 'DRAFT');
		const answer = await create(sandbox, http, 'v2', { templateID: draft?.templateID });
		expect(answer.data.message).toBe('Template is not active');
	});

	test('a body that is not JSON, or not said to be, is refused', async () => {
		const body = JSON.stringify(createBody(sandbox, 'v2'));
		const post = (data: string, type: string) =>
			http.post(CREATE_V2, data, {
				headers: { 'Content-Type': type },
				// The client would make JSON out of whatever is not.
				transformRequest: [(text: string) => text],
			});
		expect((await post('{', 'application/json')).data.message).toContain('not JSON');
		expect(sandbox.requests.at(-1)?.body).toBe('{');
		expect((await post(body, 'text/plain')).data.message).toContain('Content-Type');
		expect((await post(body, 'application/json; charset=utf-8')).status).toBe(200);
	});
});

test('an unknown path is a 404 in the envelope, and recorded with what it brought', async () => {
	const answer = await http.post('/nothing/here?a=1', { b: 2 });
	expect(answer.data).toMatchObject({ success: false, responseCode: 404 });
	expect(sandbox.requests.at(-1)).toMatchObject({
		method: 'POST',
		path: '/nothing/here',
		query: { a: '1' },
		body: { b: 2 },
		status: 404,
		violation: 'No such endpoint: POST /nothing/here (docs/dev/service.md#endpoints)',
	});
	expect((await http.get('/access/token')).status).toBe(404);
});

test('a document of three signatories lives from creation to completion', async () => {
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'signDocument', 'completedDocument');

	const created = await create(sandbox, http);
	expect(created.status).toBe(200);
	const { documentID } = created.data.responseData;
	// Each signature comes after everybody was asked.
	await sandbox.idle();
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
		await register(http, 'https://hooks.example.com/a', 'sendDocument');
		await create(sandbox, http, 'v2', { signatories: PEOPLE.slice(0, 1) });
		await sandbox.idle();
		const attempts = [{ error: 'only loopback addresses are delivered to' }];
		expect(sandbox.deliveries()).toMatchObject([{ state: 'failed', attempts }]);
	});

	test('a deleted registration gets nothing more', async () => {
		sandbox.settings.set({ deliveryBackoffMs: [500] });
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

test('what tools see shows no key, no token and no secret of a callback', async () => {
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument');
	await http.post('/webhooks/verify', {
		name: 'n',
		type: 'VERIFICATION_REQUEST_FINISHED',
		url: hook.url,
	});
	await new Http(sandbox.baseUrl).post('/access/token', { 'api-key': sandbox.account.apiKey });
	await new Http(sandbox.baseUrl).post('/access/token', `api-key=${sandbox.account.apiKey}`);
	await create(sandbox, http);
	await sandbox.idle();

	const { token } = http.headers;
	for (const path of ['requests', 'webhooks', 'deliveries', 'health', 'documents']) {
		const { status, data } = await control.get<unknown>(path);
		expect(status).toBe(200);
		const text = JSON.stringify(data);
		for (const secret of [sandbox.account.apiKey, token, 'callback-secret']) {
			expect(text).not.toContain(secret);
		}
	}
	const [asked, registered] = (await control.get<RecordedRequest[]>('requests')).data;
	expect(asked?.headers['api-key']).toMatch(/^…[0-9a-f]{8}$/);
	expect(registered?.headers.token).toMatch(/^…[0-9a-f]{8}$/);
	expect(registered?.query.url).toMatch(/\/hook\?secret=…[0-9a-f]{8}$/);
	// In the process they are whole, for assertions.
	expect(sandbox.requests[1]?.headers.token).toBe(token);
});

test('faults answer in place of the service, break connections, delay, and run out', async () => {
	await control.put('faults', [
		{ endpoint: 'GET /webhooks', times: 1, reset: 'before' },
		{
			endpoint: 'GET /identity/session/results/:sessionId',
			answer: { status: 502, body: '<html>' },
		},
	]);
	await expect(http.get('/webhooks')).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect((await http.get('/webhooks')).status).toBe(200);
	expect((await http.get('/identity/session/results/1')).data).toBe('<html>');
	expect(sandbox.requests.slice(1).map(({ status }) => status)).toEqual([0, 200, 502]);
	expect((await control.get('faults')).data).toHaveLength(1);
	expect((await control.delete('faults')).data).toEqual([]);

	const undo = sandbox.faults.set({ endpoint: '*', reset: 'after' });
	await expect(create(sandbox, http)).rejects.toMatchObject({ code: 'ECONNRESET' });
	undo();
	expect(sandbox.documents()).toHaveLength(1);

	sandbox.faults.set({ endpoint: 'GET /webhooks', delayMs: 80 });
	const began = Date.now();
	expect((await http.get('/webhooks')).status).toBe(200);
	expect(Date.now() - began).toBeGreaterThanOrEqual(75);
	sandbox.faults.clear();
});

test('other web sites are kept out', async () => {
	const foreign = await control.post('fire', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
	expect(foreign.status).toBe(403);
	const pages = new Http(sandbox.url);
	for (const path of ['/events', '/faults', '/faults/clear', '/time', '/deliveries/1/resend']) {
		for (const headers of [
			{ 'Sec-Fetch-Site': 'cross-site' },
			{ 'Sec-Fetch-Site': 'same-site' },
			// What a browser without that header sends, and one that says both.
			{ Origin: 'https://evil.example' },
			{ Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-origin' },
			{ Origin: 'null' },
		]) {
			const { status } = await pages.post(path, 'a=b', { headers });
			expect([path, headers, status]).toEqual([path, headers, 403]);
		}
	}
	const forwarded = { Origin: 'https://name-4010.forwarded.example' };
	for (const headers of [
		{ Origin: sandbox.url },
		{ ...forwarded, 'X-Forwarded-Host': 'name-4010.forwarded.example' },
	]) {
		expect((await pages.post('/faults/clear', '', { headers })).status).toBe(200);
	}
	const renamed = await control.get('mails', { headers: { Host: 'evil.example' } });
	expect(renamed.status).toBe(403);
});

test('presets: answer lost, service down for a minute of its clock, token expired', async () => {
	const one = { signatories: PEOPLE.slice(0, 1) };
	const set = async (name: string) =>
		expect((await control.post(`/presets/${name}`)).status).toBe(200);
	await set('answer-lost');
	expect((await http.get('/webhooks')).status).toBe(200);
	await expect(create(sandbox, http, 'v1', one)).rejects.toThrow(/hang up|ECONNRESET/);
	expect(sandbox.documents()).toHaveLength(1);
	expect((await create(sandbox, http, 'v2', one)).status).toBe(200);

	await set('service-down');
	sandbox.clock.set({ advance: '59s' });
	expect((await http.get('/webhooks')).status).toBe(503);
	sandbox.clock.set({ advance: '1s' });
	expect((await http.get('/webhooks')).status).toBe(200);

	await set('token-expired');
	expect((await http.get('/webhooks')).data.message).toBe('Token expired');
	expect((await (await signedIn(sandbox)).get('/webhooks')).status).toBe(200);
});
