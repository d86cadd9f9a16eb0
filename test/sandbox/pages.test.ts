import { linkSegments, safeHref } from '../../sandbox/pages/view';
import { AT, consoleView, expectHarmless, HOSTILE, mail, usePages } from './pages.fake';

const stage = usePages();
let { app, backend } = stage;
beforeEach(() => {
	({ app, backend } = stage);
});

const get = (url: string) => app.inject({ method: 'GET', url });

describe('statuses and headers', () => {
	test.each([
		['/', 200],
		['/fragments/console', 200],
		['/mailbox', 200],
		['/fragments/mailbox', 200],
		['/mailbox/m1', 200],
		['/mailbox/m1/message', 200],
		['/mailbox/none', 404],
		['/mailbox/none/message', 404],
		['/mailbox/m1/attachments/7', 404],
		['/mailbox/m1/attachments/x', 404],
		['/sign/tok-open', 200],
		['/sign/tok-plain', 200],
		['/sign/tok-signed', 200],
		['/sign/tok-expired', 410],
		['/sign/none', 404],
		['/identity/id-open', 200],
		['/identity/id-done', 200],
		['/identity/none', 404],
		['/no/such/page', 404],
	])('GET %s answers %d as a strict HTML page', async (url, status) => {
		const answer = await get(url);
		expect(answer.statusCode).toBe(status);
		expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(answer.headers['x-content-type-options']).toBe('nosniff');
		expect(answer.headers['referrer-policy']).toBe('no-referrer');
		const policy = String(answer.headers['content-security-policy']);
		expect(policy).toMatch(/default-src '(self|none)'/);
		expect(policy).not.toMatch(/script-src[^;]*unsafe/);
		if (url.startsWith('/fragments') || url.endsWith('/message')) return;
		expect(answer.body).toContain('<html lang="en">');
		expect(answer.body).toContain('name="viewport"');
		expect(answer.body.match(/<h1/g)).toHaveLength(1);
		expect(answer.body).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style="/);
	});

	test('the service’s own endpoints keep their own headers', async () => {
		const answer = await get('/api/thing');
		expect(answer.json()).toEqual({ ok: true });
		expect(answer.headers['content-security-policy']).toBeUndefined();
	});

	test.each([
		['/assets/style.css', 'text/css'],
		['/assets/live.js', 'javascript'],
		['/assets/sign.js', 'javascript'],
		['/assets/viewer.js', 'javascript'],
		['/assets/icon.svg', 'image/svg+xml'],
		['/assets/pdfjs/pdf.min.mjs', 'javascript'],
		['/assets/pdfjs/pdf.worker.min.mjs', 'javascript'],
		['/assets/signature-pad/signature_pad.umd.min.js', 'javascript'],
	])('%s is served', async (url, type) => {
		const answer = await get(url);
		expect(answer.statusCode).toBe(200);
		expect(answer.headers['content-type']).toContain(type);
		expect(answer.headers['x-content-type-options']).toBe('nosniff');
	});

	test.each([
		'/assets/none.js',
		'/assets/',
		'/assets/pdfjs/pdf.mjs',
		'/assets/pdfjs/../../package.json',
		'/assets/..%2findex.ts',
		'/assets/signature-pad/..%2fpackage.json',
	])('%s is not', async (url) => {
		expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400);
	});

	test('a failing backend gives a page without details', async () => {
		backend.console = () => {
			throw new Error('secret detail');
		};
		const answer = await get('/');
		expect(answer.statusCode).toBe(500);
		expect(answer.body).toContain('Something went wrong');
		expect(answer.body).not.toContain('secret detail');
	});
});

describe('console', () => {
	test('shows what the sandbox holds', async () => {
		const { body } = await get('/');
		for (const part of ['http://127.0.0.1:4000/api', 'user-1', '127.0.0.1:2525', 'Łukasz Żółć']) {
			expect(body).toContain(part);
		}
		expect(body).toContain('href="http://127.0.0.1:4000/sign/tok-open"');
		expect(body).not.toContain('href="http://127.0.0.1:4000/sign/tok-signed"');
		expect(body).toContain('2 attempts');
		expect(body).toContain('connection refused');
		expect(body).toMatch(/class="violation"[\s\S]*type is not an event type/);
	});

	test('an empty one says what comes next', async () => {
		backend.view = consoleView({
			documents: [],
			identityRequests: [],
			registrations: [],
			deliveries: [],
			requests: [],
		});
		const { body } = await get('/fragments/console');
		expect(body).toContain('No documents yet');
		expect(body).not.toContain('<html');
	});

	test('hostile values stay text, and hostile addresses are no links', async () => {
		const [name, email, url] = [HOSTILE, HOSTILE, 'javascript:alert(1)'];
		backend.view = consoleView({
			documents: [
				{
					documentID: HOSTILE,
					title: HOSTILE,
					status: HOSTILE,
					addedOn: NaN,
					signatories: [{ name, email, signed: false, signingUrl: url }],
				},
			],
			identityRequests: [{ validationId: HOSTILE, email, status: HOSTILE, url }],
			registrations: [{ webHookID: HOSTILE, type: HOSTILE, webHookUrl: url, addedOn: AT }],
			requests: [{ at: AT, method: HOSTILE, path: HOSTILE, status: 400, violation: HOSTILE }],
		});
		expectHarmless((await get('/')).body.replace(/<script src="[^"]*" defer><\/script>/g, ''));
	});
});

describe('mailbox', () => {
	test('a mail is shown in a frame that runs nothing', async () => {
		const { body } = await get('/mailbox/m1');
		expect(body).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
		expect(body).toContain('<a href="http://127.0.0.1:4000/sign/tok-open" target="_blank"');
		const message = await get('/mailbox/m1/message');
		const policy = String(message.headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain('sandbox allow-popups');
		expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
		expect(message.body).toContain('<base target="_blank">');
	});

	test('hostile mails stay text outside the frame', async () => {
		const files = [{ fileName: HOSTILE, mimeType: HOSTILE, size: 1 }];
		const hostile = { from: HOSTILE, to: [HOSTILE], subject: HOSTILE, text: HOSTILE };
		backend.mailList[0] = mail({ ...hostile, html: HOSTILE, attachments: files });
		expectHarmless((await get('/mailbox/m1')).body);
		expectHarmless((await get('/fragments/mailbox')).body);
	});

	test.each([
		['text/html', 'page.html', 'application/octet-stream', 'page.html'],
		['application/pdf', 'a"b\r\nX: y.pdf', 'application/pdf', 'a_b__X_ y.pdf'],
		['image/svg+xml', '../../Ñandú.svg', 'application/octet-stream', '.._.._'],
	])('an attachment (%s) is only ever saved', async (mimeType, fileName, type, name) => {
		backend.files[0] = { fileName, mimeType, content: Buffer.from('x') };
		const { headers, body } = await get('/mailbox/m1/attachments/0');
		expect(headers['content-type']).toBe(type);
		expect(headers['content-disposition']).toContain(`attachment; filename="${name}`);
		expect(headers['x-content-type-options']).toBe('nosniff');
		expect(body).toBe('x');
	});
});

describe('links', () => {
	test.each([
		['http://127.0.0.1/x', 'http://127.0.0.1/x'],
		['/files/a.pdf?x=1', '/files/a.pdf?x=1'],
		['files/a.pdf', '/files/a.pdf'],
		['javascript:alert(1)', ''],
		[' java\nscript:alert(1)', ''],
		['data:text/html,x', ''],
		['//evil.example.com/x', 'http://evil.example.com/x'],
		['http://[', ''],
	])('%j leads to %j', (address, href) => expect(safeHref(address)).toBe(href));

	test('text is split at its addresses, nothing gets lost', () => {
		const text = 'see https://a.example.com/x?y=1. And (http://b.example.com)\nend';
		const pieces = linkSegments(text);
		expect(pieces.map((piece) => piece.text).join('')).toBe(text);
		expect(pieces.flatMap(({ href }) => href ?? [])).toEqual([
			'https://a.example.com/x?y=1',
			'http://b.example.com/',
		]);
	});
});
