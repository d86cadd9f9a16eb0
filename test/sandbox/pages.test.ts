import { createTransport } from 'nodemailer';
import type { Sandbox } from '../../sandbox';
import { create, Http, receiver, register, signedIn, start, stopAll } from './serviceKit';

// What hostile values do in a browser is tested in one: test/e2e/sandboxPages.test.ts.
let sandbox: Sandbox;
let pages: Http;
beforeEach(async () => {
	sandbox = await start();
	pages = new Http(sandbox.url);
});
afterEach(stopAll);

const get = (url: string) => pages.get<string>(url, { maxRedirects: 0 });
const post = (url: string, fields: Record<string, string> = {}) =>
	pages.post<string>(url, new URLSearchParams(fields), { maxRedirects: 0 });
const pathOf = (address = '') => new URL(address).pathname;

/** A document whose template asks each signatory a question, and the path of the first link. */
async function toSign(): Promise<string> {
	const { templateID = '', fields = [] } =
		sandbox.templates().find(({ key }) => key === 'mutual_nda') ?? {};
	const inputs = Object.fromEntries(fields.map(({ key }) => [key, `The ${key}`]));
	await create(sandbox, await signedIn(sandbox), 'v2', { templateID, inputs });
	await sandbox.idle();
	return pathOf(sandbox.documents()[0]?.signatory[0]?.signing.url);
}

/** The path of the link of an identity request. */
async function toVerify(): Promise<string> {
	const body = { email: 'ana@example.com', type: 'FACE', backgroundCheck: true };
	await (await signedIn(sandbox)).post('/identity/validation/request', body);
	return pathOf(sandbox.identityRequests()[0]?.url);
}

describe('every page', () => {
	test('is strict HTML that runs nothing inline, and says so when there is none', async () => {
		const sign = await toSign();
		const identity = await toVerify();
		const [mail] = sandbox.mails();
		const lists = [
			'documents',
			'identityRequests',
			'deliveries',
			'registrations',
			'requests',
			'templates',
		];
		for (const [url, status] of [
			...['/', '/events', '/faults', '/time', '/mailbox'].map((page) => [page, 200]),
			...lists.map((name) => [`/lists/${name}?q=a`, 200]),
			['/lists/constructor', 404],
			[`/mailbox/${mail?.id}`, 200],
			['/mailbox/none', 404],
			[`/mailbox/${mail?.id}/attachments/7`, 404],
			[sign, 200],
			['/sign/none', 404],
			[identity, 200],
			['/identity/none', 404],
			['/no/such/page', 404],
		] as Array<[string, number]>) {
			const answer = await get(url);
			expect([url, answer.status]).toEqual([url, status]);
			expect(answer.headers).toMatchObject({
				'content-type': 'text/html; charset=utf-8',
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'same-origin',
			});
			const policy = String(answer.headers['content-security-policy']);
			expect(policy).toContain("default-src 'self'");
			expect(policy).not.toContain('unsafe');
			expect(answer.data).toContain('<html lang="en">');
			expect(answer.data.match(/<h1/g)).toHaveLength(1);
			expect(answer.data).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style="/);
		}
		const { headers } = await get('/api/nothing');
		expect(headers['content-security-policy']).toBeUndefined();
	});

	test('has only its own files', async () => {
		expect((await get('/assets/pdfjs/pdf.min.mjs')).headers['content-type']).toContain(
			'javascript',
		);
		for (const file of ['', 'none.js', 'pdfjs/pdf.mjs', '..%2findex.ts', 'pdfjs/..%2fLICENSE']) {
			expect((await get(`/assets/${file}`)).status).toBeGreaterThanOrEqual(400);
		}
	});
});

describe('console', () => {
	// What it shows otherwise is seen in a browser: test/e2e/sandboxPages.test.ts.
	test('no other page shows the key', async () => {
		const { apiKey } = sandbox.account;
		expect((await get('/')).data).toContain(apiKey);
		for (const url of ['/fragments/console', '/events', '/faults', '/mailbox', '/lists/requests']) {
			expect([url, (await get(url)).data.includes(apiKey)]).toEqual([url, false]);
		}
	});

	test('a delivery is sent again, and the browser goes back to where it came from', async () => {
		const hook = await receiver();
		await register(await signedIn(sandbox), hook.url, 'sendDocument');
		await toSign();
		const [{ id } = { id: '' }] = sandbox.deliveries();
		for (const [back, location] of [
			['/', '/?done=resent'],
			['/lists/deliveries?q=failed&page=2', '/lists/deliveries?q=failed&page=2&done=resent'],
			['//evil.example.com/', '/?done=resent'],
			['/\\evil.example.com', '/?done=resent'],
			['/lists/../sign/x', '/?done=resent'],
		] as const) {
			const answer = await post(`/deliveries/${id}/resend`, { back });
			expect([back, answer.status, answer.headers.location]).toEqual([back, 303, location]);
		}
		await sandbox.idle();
		expect(hook.got).toHaveLength(3 + 5);
		expect((await post('/deliveries/none/resend')).status).toBe(404);
	});
});

describe('mailbox', () => {
	test('a mail is shown in a frame that runs nothing; an attachment is only ever saved', async () => {
		const transport = createTransport({ ...sandbox.smtp, secure: false });
		await transport.sendMail({
			from: 'some@example.com',
			to: 'ana@example.com',
			text: 'see http://127.0.0.1:9/x',
			html: '<script>1</script>',
			attachments: [
				{ filename: 'page.html', content: 'x', contentType: 'text/html' },
				{ filename: 'a"b.pdf', content: 'x', contentType: 'application/pdf' },
			],
		});
		transport.close();
		const path = `/mailbox/${sandbox.mails()[0]?.id}`;
		const { data } = await get(path);
		expect(data).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
		expect(data).toContain('<a href="http://127.0.0.1:9/x" target="_blank"');
		const policy = String((await get(`${path}/message`)).headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
		for (const [index, type, name] of [
			[0, 'application/octet-stream', 'page.html'],
			[1, 'application/pdf', 'a_b.pdf'],
		] as const) {
			const { headers } = await get(`${path}/attachments/${index}`);
			expect(headers['content-type']).toBe(type);
			expect(headers['content-disposition']).toContain(`attachment; filename="${name}`);
			expect(headers['x-content-type-options']).toBe('nosniff');
		}
	});
});

// A browser goes through signing and the identity check: test/e2e/sandboxPages.test.ts.
test('a signature that is not enough is refused, and what was entered is kept', async () => {
	const path = await toSign();
	const answered = { 'answer.registration_number': ' HRB 4711 ' };
	for (const [fields, reason] of [
		[{ kind: 'typed', text: '  ' }, 'Type your name to sign'],
		[{ kind: 'drawn', dataUrl: 'data:image/png;base64,iVBORw0KGgo=' }, 'damaged'],
	] as Array<[Record<string, string>, string]>) {
		const { status, data } = await post(path, { ...fields, ...answered });
		expect([reason, status]).toEqual([reason, 422]);
		expect(data).toContain(reason);
		expect(data).toContain('HRB 4711');
	}
	const typed = { kind: 'typed', text: 'Ana P.' };
	const unanswered = await post(path, typed);
	expect(unanswered.data).toContain('Answer this first: Registration number');
	expect((await post(path, { ...typed, ...answered })).status).toBe(303);
	expect((await post(path, { ...typed, ...answered })).status).toBe(410);
});
