import { createTransport } from 'nodemailer';
import type { Sandbox } from '../../sandbox';
import { readPdf } from '../../sandbox/demo/papers/read';
import { linkSegments, safeHref } from '../../sandbox/demo/pages/view';
import { fileName } from '../../sandbox/demo/papers/files';
import { readDuration } from '../../sandbox/util/time';
import { processorTimeUntil } from '../support/processorTime';
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
			from: '"Some Body" <some@example.com>',
			to: 'ana@example.com',
			bcc: 'hidden@example.com',
			subject: 'Grüße',
			text: 'see http://127.0.0.1:9/x',
			html: '<script>1</script>',
			attachments: [
				{ filename: 'page.html', content: 'x', contentType: 'text/html' },
				{ filename: 'a"b.pdf', content: 'x', contentType: 'application/pdf' },
			],
		});
		const large = [{ filename: 'big', content: Buffer.alloc(20 * 1024 * 1024) }];
		await expect(
			transport.sendMail({ from: 'a@example.com', to: 'b@example.com', attachments: large }),
		).rejects.toThrow(/size|large/i);
		transport.close();
		expect(sandbox.mails()).toMatchObject([
			{
				from: 'Some Body <some@example.com>',
				to: ['ana@example.com', 'hidden@example.com'],
				subject: 'Grüße',
			},
		]);
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

	test.each([
		['files/a.pdf', '/files/a.pdf'],
		[' java\nscript:alert(1)', ''],
		['data:text/html,x', ''],
		['http://[', ''],
	])('the link %j leads to %j', (address, href) => expect(safeHref(address)).toBe(href));
});

// Each took seconds for 100 kB, or (the length of time) read all of it.
test.each<[string, () => Promise<void> | void]>([
	[
		'a link in a mail',
		() => expect(linkSegments(`http://a${'!'.repeat(1e5)}a`).at(-1)?.text).toHaveLength(100_009),
	],
	['a title', () => expect(fileName(`a${'.'.repeat(1e5)}a`, 'document')).toBe('a.pdf')],
	['a length of time', () => expect(readDuration('1m'.repeat(5e4))).toBeUndefined()],
])('100 kB in %s keep nobody waiting', async (_what, handle) => {
	expect(await processorTimeUntil(async () => await handle())).toBeLessThan(500);
});

describe('signing', () => {
	const answered = { 'answer.registration_number': ' HRB 4711 ' };

	test('a typed signature is taken once, with the answers', async () => {
		const path = await toSign();
		const fields = { kind: 'typed', text: ' Ana P. ', ...answered };
		const answer = await post(path, fields);
		expect([answer.status, answer.headers.location]).toEqual([303, path]);
		expect((await get(path)).data).toContain('Ben Okafor');
		expect((await post(path, fields)).status).toBe(410);
		const url = sandbox.documents()[0]?.documentFileObj.url ?? '';
		const file = await pages.get<Buffer>(url, { responseType: 'arraybuffer' });
		const { text } = await readPdf(file.data);
		for (const given of ['Ana P.', 'HRB 4711']) expect(text).toContain(given);
	});

	test('what is not enough is refused with the reason, and what was entered is kept', async () => {
		const path = await toSign();
		for (const [fields, reason] of [
			[{ kind: 'typed', text: '  ' }, 'Type your name to sign'],
			[{ kind: 'typed', text: 'x'.repeat(101) }, 'at most 100 characters'],
			[{ kind: 'drawn' }, 'Draw your signature'],
			[{ kind: 'drawn', dataUrl: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'not a PNG'],
			[{ kind: 'drawn', dataUrl: 'data:image/png;base64,iVBORw0KGgo=' }, 'damaged'],
		] as Array<[Record<string, string>, string]>) {
			const { status, data } = await post(path, { ...fields, ...answered });
			expect([reason, status]).toEqual([reason, 422]);
			expect(data).toContain(reason);
			expect(data).toContain('role="alert"');
			expect(data).toContain('HRB 4711');
		}
		const unanswered = await post(path, { kind: 'typed', text: 'Ana P.' });
		expect(unanswered.data).toContain('Answer this first: Registration number');
		expect(unanswered.data).toContain('value="Ana P."');
		expect((await post(path, { kind: 'drawn', dataUrl: 'x'.repeat(3e6) })).status).toBe(413);
		expect(sandbox.documents()[0]?.computedFields.pendingSignatoryCount).toBe(3);
		sandbox.clock.set({ advance: '31d' });
		expect((await post(path, { kind: 'typed', text: 'Ana P.', ...answered })).status).toBe(410);
	});
});

describe('identity', () => {
	test('a check ends once, and only as the page offers it', async () => {
		const path = await toVerify();
		const samples = (await get(path)).data.match(/\/assets\/samples\/[a-z]+-\d\.png/g) ?? [];
		expect(samples).toHaveLength(4);
		for (const sample of samples) expect((await get(sample)).status).toBe(200);
		expect((await post(path, { outcome: 'maybe' })).status).toBe(422);
		expect(sandbox.identityRequests()[0]?.status).toBe('IN_PROGRESS');
		expect((await post(path, { outcome: 'fail' })).status).toBe(303);
		expect((await get(path)).data).toContain('This check is finished: failed');
		expect((await post(path, { outcome: 'pass' })).status).toBe(410);
	});
});
