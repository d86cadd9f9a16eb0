import type { RecordedRequest, Sandbox } from '../../sandbox';
import { create, Http, PEOPLE, receiver, register, signedIn, start, stopAll } from './serviceKit';

let sandbox: Sandbox;
let http: Http;
let control: Http;

beforeEach(async () => {
	sandbox = await start();
	http = await signedIn(sandbox);
	control = new Http(`${sandbox.url}/sandbox`);
});
afterEach(stopAll);

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
