import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTransport } from 'nodemailer';

import { fetchFile } from '../../host/onboarding';
import { type RecordedRequest, type Sandbox, startSandbox } from '../../sandbox';
import { readPdf } from '../../sandbox/demo/papers/read';
import { expectLinear } from '../support/growth';
import { sampled } from '../support/sample';
import { until } from '../support/until';
import {
	create,
	createV1,
	createV2,
	createBody,
	type Http,
	httpAt,
	people,
	position,
	receiver,
	register,
	signedIn,
	start,
	stopAll,
	verify,
} from './serviceKit';

let sandbox: Sandbox;
let http: Http;
let control: Http;

beforeEach(async () => {
	sandbox = await start();
	http = await signedIn(sandbox);
	control = httpAt(`${sandbox.url}/sandbox`);
});
afterEach(stopAll);

const urlOk = 'http://127.0.0.1:9/hook';

/** The folder in which a sandbox saves its records, so that the next sandbox can load them. */
let dataFolder: string;
beforeAll(async () => void (dataFolder = await mkdtemp(join(tmpdir(), 'sandbox-'))));
afterAll(async () => await rm(dataFolder, { recursive: true, force: true }));

describe('a call', () => {
	test.each([
		['the wrong user-id header', { 'user-id': 'other' }, '/webhooks', 401, false],
		['the wrong token header', { token: 'made-up' }, '/webhooks', 401, false],
		['an api-key header', { 'api-key': 'x' }, '/webhooks', 400, true],
		[
			'the wrong bearer token for templates',
			{ Authorization: 'Bearer x' },
			'/templates/v2',
			401,
			true,
		],
	])('is rejected if it has %s', async (_what, headers, path, status, violates) => {
		const response = await http.get(path, { headers });
		expect(response.status).toBe(status);
		expect(response.data).toMatchObject({ success: false, responseCode: status, responseData: {} });
		const { violation } = sandbox.requests.at(-1)!;
		const heading = status === 401 ? 'authentication' : 'list-webhooks';
		if (violates) expect(violation).toMatch(new RegExp(`\\(docs/dev/service\\.md#${heading}\\)$`));
		else expect(violation).toBeUndefined();
	});
});

describe('a request to register a webhook', () => {
	test.each([
		['an unknown event', { url: urlOk, type: 'somethingElse' }],
		['text that is not a URL', { url: 'hook', type: 'signDocument' }],
		['an unknown parameter', { url: urlOk, type: 'signDocument', x: '1' }],
	])('is rejected if it contains %s', async (_what, params) => {
		const response = await http.post('/webhooks', undefined, { params });
		expect(response.status).toBe(400);
		expect(sandbox.requests.at(-1)?.violation).toBeTruthy();
		expect(sandbox.webhooks()).toEqual([]);
	});
});

describe('the PDF of a document', () => {
	const printed = async () => {
		const { documentFileObj } = sandbox.documents().at(-1)!;
		const { text, size } = await readPdf(await fetchFile(documentFileObj.url));
		return { text: text.replace(/\s+/g, ' '), size };
	};

	test.each([
		['Letter', { width: 612, height: 792 }, { width: 612, height: 792 }],
		[
			'a page that is too small to print',
			{ width: 20, height: 20 },
			{ width: 595.28, height: 841.89 },
		],
	])('has the page size of the first signature position (%s)', async (_name, viewport, size) => {
		const [signer] = people;
		const place = { ...position, parentImageSize: viewport, viewport };
		await create(sandbox, http, 'v1', { staticSignPositions: [place] });
		const pdf = await printed();
		expect(pdf.size.width).toBeCloseTo(size.width, 1);
		expect(pdf.size.height).toBeCloseTo(size.height, 1);
		expect(pdf.text).toContain(`To be signed by: ${signer?.name}`);
	});

	test('shows the placeholder for a key that was not sent if leavesPlaceholders is on, but not for an empty value', async () => {
		const { inputs } = createBody(sandbox, 'v2');
		const unsent: Record<string, string> = { ...inputs };
		delete unsent.workplace;
		sandbox.settings.set({ leavesPlaceholders: true });
		await create(sandbox, http, 'v2', { inputs: unsent });
		expect((await printed()).text).toContain('place of work is {{workplace}}.');
		await create(sandbox, http, 'v2', { inputs: { ...unsent, workplace: '' } });
		expect((await printed()).text).toContain('place of work is the Company’s main office.');
		sandbox.settings.set({});
		await create(sandbox, http, 'v2', { inputs: unsent });
		expect((await printed()).text).toContain('place of work is the Company’s main office.');
	});

	/** How many of the languages are printed, unless everything is tested. */
	const languagesInSample = 3;
	// Reading a PDF can change the order of letters that are joined, so only the letters are compared.
	const languages = [
		['Chinese', '北京市朝阳区建国路 合同編號'],
		['Japanese', '東京都千代田区 ひらがな カタカナ'],
		['Korean', '서울특별시 강남구'],
		['Hindi', 'अनिता कुमारी, नई दिल्ली'],
		['Thai', 'กรุงเทพมหานคร ผู้เช่า'],
		['Tamil', 'தமிழ்நாடு'],
		['Arabic', 'العقد'],
		['Lithuanian', 'Ąžuolas Šešėlis'],
	];
	test.each(sampled(languages, languagesInSample, 'languages of PDFs'))(
		'shows text in %s between other text',
		async (_language, value) => {
			const { inputs } = createBody(sandbox, 'v2');
			await create(sandbox, http, 'v2', {
				inputs: { ...inputs, role: `before ${value} after` },
			});
			const { text } = await printed();
			expect(text).toContain('before');
			expect(text).toContain('after');
			expect([...value].filter((letter) => !text.includes(letter))).toEqual([]);
			expect(text).not.toContain('the sandbox’s fonts don’t have');
		},
	);

	test('names a character that none of the fonts has', async () => {
		const { inputs } = createBody(sandbox, 'v2');
		await create(sandbox, http, 'v2', { inputs: { ...inputs, role: '𠮷野' } });
		expect((await printed()).text).toContain(
			'� is a character that the sandbox’s fonts don’t have',
		);
	});
});

test('the console warns about a name with fewer than four characters, which the sandbox accepts', async () => {
	const signatories = [
		{ email: 'wang@example.com', name: '王伟' },
		{ email: 'ana@example.com', name: 'Anna' },
	];
	expect((await create(sandbox, http, 'v2', { signatories })).status).toBe(200);
	const { data } = await httpAt(sandbox.url).get<string>('/');
	expect(data.match(/Some services reject names with fewer than 4 characters/g)).toHaveLength(1);
});

describe('a request to create a document', () => {
	const signatories = (...changes: object[]) => ({
		signatories: people.map((person, index) => ({ ...person, ...changes[index] })),
	});
	const breaks = true;

	test.each([
		['duplicate emails', signatories({}, { email: 'ANA@example.com' }), 'repeated', false],
		['a malformed email', signatories({ email: 'ana@' }), 'invalid format', false],
		['an empty name', signatories({ name: ' ' }), 'name', false],
		['a name of 101 characters', signatories({ name: 'a'.repeat(101) }), 'name', false],
		['an unknown template', { templateID: 'nothing' }, 'Template not found', false],
		['no signatories', { signatories: [] }, 'signatories', breaks],
		['a name that is a number', signatories({ name: 12345 }), 'name', breaks],
		['no inputs', { inputs: {} }, 'required key', breaks],
		['an input that is a number', { inputs: { employee_name: 12 } }, 'Expected string', breaks],
		['an unknown input', { inputs: { surprise: 'x' } }, 'surprise', breaks],
		['an unknown field', { subject: 'x' }, 'subject', breaks],
		[
			'signature positions for a version 2 template',
			{ staticSignPositions: [] },
			'staticSignPositions',
			breaks,
		],
	])('is rejected if it contains %s', async (_what, changes, message, violates) => {
		const response = await create(sandbox, http, 'v2', changes);
		expect(response.status).toBe(400);
		expect(response.data.message).toContain(message);
		expect(sandbox.requests.at(-1)?.violation !== undefined).toBe(violates);
		expect(sandbox.documents()).toEqual([]);
	});

	test('is rejected if its template belongs to the other version or is not active', async () => {
		const v1 = createBody(sandbox, 'v1');
		expect((await http.post(createV2, v1)).data.message).toBe('Template not found');
		expect((await http.post(createV1, createBody(sandbox, 'v2'))).status).toBe(400);
		const draft = sandbox.templates().find(({ status }) => status === 'DRAFT');
		const response = await create(sandbox, http, 'v2', { templateID: draft?.templateID });
		expect(response.data.message).toBe('Template is not active');
	});

	test('is rejected if its body or its content type is not JSON', async () => {
		const body = JSON.stringify(createBody(sandbox, 'v2'));
		const post = (data: string, type: string) =>
			http.post(createV2, data, {
				headers: { 'Content-Type': type },
				// Otherwise, the client would convert the text to JSON.
				transformRequest: [(text: string) => text],
			});
		expect((await post('{', 'application/json')).data.message).toContain('not JSON');
		expect(sandbox.requests.at(-1)?.body).toBe('{');
		expect((await post(body, 'text/plain')).data.message).toContain('content-type');
		expect((await post(body, 'application/json; charset=utf-8')).status).toBe(200);
	});
});

test('a call to an unknown path gets a 404 response in the usual envelope and is recorded in full', async () => {
	const response = await http.post('/nothing/here?a=1', { b: 2 });
	expect(response.data).toMatchObject({ success: false, responseCode: 404 });
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

describe('a delivery', () => {
	test('is retried after a 500 response and after a broken connection, before any later delivery is sent', async () => {
		const hook = await receiver();
		hook.statuses = [500, 0];
		await register(http, hook.url, 'sendDocument');
		await create(sandbox, http);
		await sandbox.idle();
		const sent = sandbox.deliveries();
		expect(sent.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
		const [first] = sent;
		expect(first?.attempts.map(({ status }) => status)).toEqual([500, undefined, 200]);
		expect(first?.attempts[1]?.error).toBe('ECONNRESET');
		const emails = hook.got.map(({ body }) => body.Document.webhookData?.signatory.emailID);
		const [ana, ben, cleo] = people.map(({ email }) => email);
		expect(emails).toEqual([ana, ana, ana, ben, cleo]);
		expect(hook.got[0]?.method).toBe('POST');
		expect(hook.got[0]?.headers['content-type']).toBe('application/json');
	});

	test('goes only to a loopback address', async () => {
		await register(http, 'https://hooks.example.com/a', 'sendDocument');
		await create(sandbox, http, 'v2', { signatories: people.slice(0, 1) });
		await sandbox.idle();
		const attempts = [{ error: 'the sandbox delivers only to this machine' }];
		expect(sandbox.deliveries()).toMatchObject([{ state: 'failed', attempts }]);
	});

	test('is not retried after its webhook is deleted', async () => {
		sandbox.settings.set({ deliveryBackoffMs: [500] });
		const hook = await receiver();
		hook.statuses = [500];
		const [webHookID] = await register(http, hook.url, 'sendDocument');
		await create(sandbox, http, 'v2', { signatories: people.slice(0, 1) });
		await until('the delivery has arrived', () => hook.got.length > 0);
		await http.delete('/webhooks', { params: { webHookID } });
		await sandbox.idle();
		expect(hook.got).toHaveLength(1);
		expect(sandbox.deliveries()[0]?.attempts.at(-1)?.error).toBe('the webhook was deleted');
	});
});

test('the control endpoints do not return any API keys, tokens, or webhook secrets', async () => {
	const hook = await receiver();
	await register(http, hook.url, 'sendDocument', 'VERIFICATION_REQUEST_FINISHED');
	await httpAt(sandbox.baseUrl).post('/access/token', { 'api-key': sandbox.account.apiKey });
	await httpAt(sandbox.baseUrl).post('/access/token', `api-key=${sandbox.account.apiKey}`);
	await create(sandbox, http);
	await sandbox.idle();

	const token = String(sandbox.requests.at(-1)?.headers.token);
	for (const path of ['requests', 'webhooks', 'deliveries', 'health', 'documents']) {
		const { status, data } = await control.get<unknown>(path);
		expect(status).toBe(200);
		const text = JSON.stringify(data);
		for (const secret of [sandbox.account.apiKey, token, 'webhook-secret']) {
			expect(text).not.toContain(secret);
		}
	}
	const [asked, registered] = (await control.get<RecordedRequest[]>('requests')).data;
	expect(asked?.headers['api-key']).toMatch(/^…[0-9a-f]{8}$/);
	expect(registered?.headers.token).toMatch(/^…[0-9a-f]{8}$/);
	expect(registered?.query.url).toMatch(/\/hook\?secret=…[0-9a-f]{8}$/);
	// Inside the process, the records keep the full values, because tests need them.
	expect(token).not.toContain('…');
});

test('only the start page shows the API key, and no page allows inline scripts', async () => {
	const pages = httpAt(sandbox.url);
	const { apiKey } = sandbox.account;
	for (const path of [
		'/',
		'/fragments/console',
		'/events',
		'/fragments/events-forms',
		'/faults',
		'/mailbox',
		'/lists/requests',
	]) {
		const { data, headers } = await pages.get<string>(path);
		expect([path, data.includes(apiKey)]).toEqual([path, path === '/']);
		expect(headers['x-content-type-options']).toBe('nosniff');
		expect(headers['content-security-policy']).toContain("default-src 'self'");
		expect(headers['content-security-policy']).not.toContain('unsafe');
	}
});

test.each([
	['Hi Ana,\n\nSign here.\n', 'Sign here.'],
	['5 rows need a correction.\n\nRow 3', '5 rows need a correction.'],
	['Hi Ana,', 'Hi Ana,'],
])('the mailbox previews the line after the greeting (%#)', async (text, preview) => {
	const sender = createTransport({ ...sandbox.smtp, ignoreTLS: true });
	const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Greeting' };
	await sender.sendMail({ ...mail, text });
	sender.close();
	const { data } = await httpAt(sandbox.url).get<string>('/mailbox');
	const [newest = ''] = data.match(/<li>.*?<\/li>/s) ?? [];
	const [, , shown] =
		/<span class="meta">(To .*?)<\/span>\s*<span class="meta">(.*?)<\/span>/s.exec(newest) ?? [];
	expect(shown).toBe(preview);
});

test('a link whose host consists of combining marks is shown as text in linear time', async () => {
	await expectLinear(100_000, async (length) => {
		const link = `https://x${'\u0301\u0327'.repeat(length / 2)}/`;
		const sender = createTransport({ ...sandbox.smtp, ignoreTLS: true });
		const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Link' };
		const text = `See https://sign.example/1 and ${link}.`;
		await sender.sendMail({ ...mail, text });
		sender.close();
		const id = sandbox.mails().find((mail) => mail.text.includes(link))?.id;
		return async () => {
			sandbox.forgetRequests();
			const { data } = await httpAt(sandbox.url).get<string>(`/mailbox/${id}`);
			expect(data).toContain('href="https://sign.example/1"');
			expect(data).not.toContain('href="https://x');
			await http.post('/webhooks', { value: link });
			await control.get('requests');
		};
	});
});

test('faults replace responses, break connections, delay calls, and end after the configured number of calls', async () => {
	await control.put('faults', [
		{ endpoint: 'GET /webhooks', times: 1, reset: 'before' },
		{
			endpoint: 'GET /identity/session/results/:sessionId',
			response: { status: 502, body: '<html>' },
		},
	]);
	await expect(http.get('/webhooks')).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect((await http.get('/webhooks')).status).toBe(200);
	expect((await http.get('/identity/session/results/1')).data).toBe('<html>');
	expect(sandbox.requests.slice(1).map(({ status }) => status)).toEqual([0, 200, 502]);
	expect((await control.get('faults')).data).toHaveLength(1);
	expect((await control.delete('faults')).data).toEqual([]);

	const refused = await control.put('faults', { endpoint: '*', times: 1 });
	expect([refused.status, refused.data]).toEqual([
		400,
		{ error: 'A fault needs a response, a reset, or a delay' },
	]);

	const undo = sandbox.faults.set({ endpoint: '*', reset: 'after' });
	await expect(create(sandbox, http)).rejects.toMatchObject({ code: 'ECONNRESET' });
	undo();
	expect(sandbox.documents()).toHaveLength(1);

	sandbox.faults.set({ endpoint: 'GET /webhooks', delayMs: 80 });
	expect((await http.get('/webhooks')).status).toBe(200);
	sandbox.faults.clear();
});

test('a delayed call waits while others are answered, and continues when its fault is removed', async () => {
	sandbox.faults.set({ endpoint: 'GET /webhooks', delayMs: 600_000 });
	let isAnswered = false;
	const call = http.get('/webhooks').finally(() => (isAnswered = true));
	await until('the call arrives', () => sandbox.requests.some(({ path }) => path === '/webhooks'));
	expect((await http.get('/templates')).status).toBe(200);
	expect(isAnswered).toBe(false);
	sandbox.faults.clear();
	expect((await call).status).toBe(200);
});

test('requests from other websites are rejected', async () => {
	const foreign = await control.post('fire', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
	expect(foreign.status).toBe(403);
	const pages = httpAt(sandbox.url);
	for (const path of ['/events', '/faults', '/faults/clear', '/time', '/deliveries/1/resend']) {
		for (const headers of [
			{ 'Sec-Fetch-Site': 'cross-site' },
			{ 'Sec-Fetch-Site': 'same-site' },
			// Some browsers send only Origin, and others send both headers.
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

const statuses = async (http: Http, count: number) =>
	Promise.all(Array.from({ length: count }, async () => (await http.get('/webhooks')).status));

test('a rate limit allows the configured number of calls in any second and rejects further calls with a 429', async () => {
	sandbox.settings.set({ rateLimit: { perSecond: 5 } });
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
	const first = await statuses(http, 8);
	expect(first.filter((status) => status === 200)).toHaveLength(5);
	const refused = await http.get('/webhooks');
	expect(refused.status).toBe(429);
	expect(refused.headers).not.toHaveProperty('retry-after');
	expect(refused.data).toMatchObject({ success: false, responseCode: 429 });
	expect(sandbox.requests.at(-1)?.violation).toBeUndefined();
	clock.mockReturnValue(now + 999);
	expect((await http.get('/webhooks')).status).toBe(429);
	clock.mockReturnValue(now + 1000);
	expect(await statuses(http, 3)).toEqual([200, 200, 200]);
	sandbox.settings.reset();
	expect(await statuses(http, 20)).toEqual(Array(20).fill(200));
	clock.mockRestore();
});

test.each([
	['401', 401, 401],
	['403', 403, 403],
	['200', 200, 401],
] as const)(
	'a call with an expired token gets the HTTP status configured for it (%s)',
	async (expiryStyle, http, code) => {
		const sandbox = await start({ expiryStyle, tokenLifetimeSeconds: 60 });
		const late = await signedIn(sandbox);
		sandbox.clock.set({ advance: '61s' });
		const { status, data } = await late.get('/webhooks');
		expect(status).toBe(http);
		expect(data).toMatchObject({ success: false, responseCode: code, message: 'Token expired' });
	},
);

test('file links and signing links expire', async () => {
	const made = await create(sandbox, http);
	const { documentFileObj, signatory } = made.data.responseData;
	const link = signatory[0]?.signing.url ?? '';
	const statusOf = async (url: string) => (await httpAt(url).get('')).status;
	expect(await statusOf(documentFileObj.url)).toBe(200);
	expect(await statusOf(documentFileObj.url.replace(/expires=(\d+)/, 'expires=99$1'))).toBe(403);
	sandbox.clock.set({ advance: '2d' });
	expect(await statusOf(documentFileObj.url)).toBe(403);
	expect(await statusOf(link)).toBe(200);
	sandbox.clock.set({ advance: '30d' });
	expect(await statusOf(link)).toBe(410);
});

test('a restart keeps all records and continues pending deliveries', async () => {
	const hook = await receiver();
	const first = await start({ dataFolder, deliveryBackoffMs: [60_000] });
	const http = await signedIn(first);
	await register(http, hook.url, 'sendDocument', 'completedDocument');
	hook.statuses = [500];
	const { documentID } = (await create(first, http)).data.responseData;
	await first.sign(documentID, people[0]?.email ?? '');
	await until('all emails have arrived', () => first.mails().length >= 3);
	await verify(http);
	const ids = first.deliveries().map(({ id }) => id);
	const { account } = first;
	const webhooks = first.webhooks();
	const mails = first.mails();
	const idle = first.idle();
	await first.close();
	// A delivery that is waiting for its next attempt ends when the sandbox closes.
	await idle;
	const second = await start({ dataFolder, deliveryBackoffMs: [20] });
	expect(second.account).toEqual(account);
	expect(second.webhooks()).toEqual(webhooks);
	expect(second.mails()).toEqual(mails);
	expect(second.identityRequests()).toMatchObject([{ emailId: 'ana@example.com' }]);
	expect(second.documents()[0]?.computedFields.pendingSignatoryCount).toBe(2);
	await second.idle();
	expect(second.deliveries().map(({ id }) => id)).toEqual(ids);
	expect(second.deliveries().every(({ state }) => state === 'delivered')).toBe(true);

	// The token is still valid at the new URL.
	expect((await http.get('/webhooks', { baseURL: second.baseUrl })).status).toBe(200);
});

test("a second sandbox cannot use the same folder, and the error contains the first sandbox's URL", async () => {
	const first = await start({ dataFolder });
	await expect(startSandbox({ dataFolder })).rejects.toThrow(
		new RegExp(
			`is in use by process ${process.pid} \\(${first.url}\\), which has been running since `,
		),
	);
	await first.close();
	const second = await start({ dataFolder });
	// Closing the first sandbox again does not affect the new one.
	await first.close();
	await expect(startSandbox({ dataFolder })).rejects.toThrow(`(${second.url})`);
});
