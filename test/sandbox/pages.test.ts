import Fastify, { type FastifyInstance } from 'fastify';
import { registerPages } from '../../sandbox/pages';
import { PageRefusal } from '../../sandbox/pages/backend';
import { linkSegments, safeHref } from '../../sandbox/pages/view';
import { png } from './documents.png';
import { AT, consoleView, FakeBackend, HOSTILE, mail, session, template } from './pages.fake';

let app: FastifyInstance;
let backend: FakeBackend;

beforeEach(async () => {
	backend = new FakeBackend();
	app = Fastify();
	app.get('/api/thing', async () => ({ ok: true }));
	await registerPages(app, backend);
});

afterEach(() => app.close());

const get = (url: string) => app.inject({ method: 'GET', url });

const post = (url: string, fields: Record<string, string>) =>
	app.inject({
		method: 'POST',
		url,
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		payload: new URLSearchParams(fields).toString(),
	});

/** No tag, attribute or address of the hostile value may have become markup. */
function expectHarmless(html: string): void {
	expect(html).toContain('&lt;script&gt;');
	expect(html).not.toContain('<script>');
	expect(html).not.toMatch(/<img/);
	expect(html).not.toMatch(/href="(javascript|data):/i);
}

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

describe('signing', () => {
	const answers = { 'answer.registration_number': ' HRB 4711 ' };

	test('a typed signature goes to the backend, and the browser to the confirmation', async () => {
		const fields = { kind: 'typed', text: ' Ana Pereira ', ...answers, 'answer.other': 'x' };
		const answer = await post('/sign/tok-open', fields);
		expect(answer.statusCode).toBe(303);
		expect(answer.headers.location).toBe('/sign/tok-open');
		expect(backend.signed).toEqual([
			{
				signature: { kind: 'typed', text: 'Ana Pereira' },
				answers: { registration_number: 'HRB 4711' },
				sourceIP: '127.0.0.1',
			},
		]);
		const { body } = await get('/sign/tok-open');
		expect(body).toContain('You have signed');
		expect(body).toContain('One person still has to sign: Łukasz Żółć');
		expect(body).toContain('href="/files/document.pdf"');
	});

	test('a drawn signature goes to the backend as it was drawn', async () => {
		const dataUrl = `data:image/png;base64,${png(300, 100).toString('base64')}`;
		const answer = await post('/sign/tok-plain', { kind: 'drawn', dataUrl });
		expect(answer.statusCode).toBe(303);
		expect(backend.signed[0]?.signature).toEqual({ kind: 'drawn', dataUrl });
	});

	test('the same fields can come as JSON', async () => {
		const payload = { kind: 'typed', text: 'Ana', ...answers };
		const answer = await app.inject({ method: 'POST', url: '/sign/tok-open', payload });
		expect(answer.statusCode).toBe(303);
	});

	test.each([
		['no kind', { text: 'Ana' }, 'Choose whether to type or draw'],
		['no text', { kind: 'typed', text: '  ' }, 'Type your name to sign'],
		['a long text', { kind: 'typed', text: 'x'.repeat(101) }, 'at most 100 characters'],
		['no drawing', { kind: 'drawn' }, 'Draw your signature'],
		['no PNG', { kind: 'drawn', dataUrl: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'not a PNG'],
		['a broken PNG', { kind: 'drawn', dataUrl: 'data:image/png;base64,iVBORw0KGgo=' }, 'damaged'],
	])('%s is refused with the reason', async (_case, fields, reason) => {
		const answer = await post('/sign/tok-plain', fields);
		expect(answer.statusCode).toBe(422);
		expect(answer.body).toContain('role="alert"');
		expect(answer.body).toContain(reason);
		expect(backend.signed).toEqual([]);
	});

	test('a missing answer is refused, and what was entered is kept', async () => {
		const fields = { kind: 'typed', text: 'Ana P.', 'answer.position': HOSTILE };
		const answer = await post('/sign/tok-open', fields);
		expect(answer.statusCode).toBe(422);
		expect(answer.body).toContain('Answer this first: Registration number');
		expect(answer.body).toContain('value="Ana P."');
		expect(answer.body).toContain('value="&quot;&gt;&lt;img');
		expect(answer.body).not.toContain('<img');
	});

	test('a refusal of the backend is shown; other errors are not', async () => {
		backend.refuse = new PageRefusal('It is not your turn yet.');
		const fields = { kind: 'typed', text: 'Ana' };
		const refused = await post('/sign/tok-plain', fields);
		expect(refused.statusCode).toBe(422);
		expect(refused.body).toContain('It is not your turn yet.');
		backend.refuse = new Error('secret detail');
		const failed = await post('/sign/tok-plain', fields);
		expect(failed.statusCode).toBe(500);
		expect(failed.body).not.toContain('secret detail');
	});

	test('a link signs once, not after its end, and only when it is known', async () => {
		const fields = { kind: 'typed', text: 'Ana', ...answers };
		expect((await post('/sign/tok-signed', fields)).statusCode).toBe(410);
		expect((await post('/sign/tok-expired', fields)).statusCode).toBe(410);
		expect((await post('/sign/none', fields)).statusCode).toBe(404);
		expect(backend.signed).toEqual([]);
	});

	test('too large a form is refused as a page', async () => {
		const answer = await post('/sign/tok-plain', { kind: 'drawn', dataUrl: 'x'.repeat(3e6) });
		expect(answer.statusCode).toBe(413);
		expect(answer.body).toContain('too large');
	});

	test('hostile names, titles and questions stay text', async () => {
		const hostile = { ...template('mutual_nda'), name: HOSTILE };
		hostile.questions = [{ key: HOSTILE, type: 'text', isRequired: true, label: HOSTILE }];
		const person = { name: HOSTILE, email: HOSTILE };
		const changes = { template: hostile, title: HOSTILE, signatory: person, others: [person] };
		const pdfPath = 'javascript:alert(1)';
		backend.sessions.set('tok-open', session({ ...changes, pdfPath }));
		const signed = { ...person, signedAt: AT };
		backend.sessions.set('t2', session({ ...changes, pdfPath, signatory: signed }));
		for (const url of ['/sign/tok-open', '/sign/t2']) {
			expectHarmless((await get(url)).body.replace(/<script src=/g, ''));
		}
	});

	test('everybody has signed', async () => {
		const signed = { name: 'Ana Pereira', email: 'ana@example.com', signedAt: AT };
		backend.sessions.set('t2', session({ signatory: signed, others: [signed], completed: true }));
		expect((await get('/sign/t2')).body).toContain('Everybody has signed');
	});
});

describe('identity', () => {
	test('says that nothing real happens', async () => {
		expect((await get('/identity/id-open')).body).toContain('No real verification happens here');
		expect((await get('/identity/id-done')).body).toContain('This check is finished');
	});

	test.each(['pass', 'fail'])('%s ends the check', async (outcome) => {
		const answer = await post('/identity/id-open', { outcome });
		expect(answer.statusCode).toBe(303);
		expect(answer.headers.location).toBe('/identity/id-open');
		expect(backend.outcomes).toEqual([outcome]);
		expect((await get('/identity/id-open')).body).toContain('This check is finished');
	});

	test('manual review leaves the check open and says so', async () => {
		const answer = await post('/identity/id-open', { outcome: 'manualReview' });
		expect(answer.statusCode).toBe(303);
		expect((await get(String(answer.headers.location))).body).toContain('Sent to manual review');
		expect((await post('/identity/id-open', { outcome: 'pass' })).statusCode).toBe(303);
		expect(backend.outcomes).toEqual(['manualReview', 'pass']);
	});

	test('an unknown outcome, a finished check and an unknown link are refused', async () => {
		expect((await post('/identity/id-open', { outcome: 'maybe' })).statusCode).toBe(422);
		expect((await post('/identity/id-done', { outcome: 'pass' })).statusCode).toBe(410);
		expect((await post('/identity/none', { outcome: 'pass' })).statusCode).toBe(404);
		expect(backend.outcomes).toEqual([]);
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
