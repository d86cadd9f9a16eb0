import { passagesOf } from '../../sandbox/documents/text';
import { PageRefusal } from '../../sandbox/views';
import { png } from './documents.png';
import { AT, expectHarmless, HOSTILE, session, template, usePages } from './pages.fake';

const stage = usePages();
let { app, backend } = stage;
beforeEach(() => {
	({ app, backend } = stage);
});

const get = (url: string) => app.inject({ method: 'GET', url });

const post = (url: string, fields: Record<string, string>) =>
	app.inject({
		method: 'POST',
		url,
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		payload: new URLSearchParams(fields).toString(),
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

test('the page has the text of the document, with the inputs filled in, and its own times', async () => {
	backend.sessions.set(
		'tok-text',
		session({
			token: 'tok-text',
			expiresAt: Date.UTC(2026, 11, 21, 6, 30),
			text: passagesOf(
				[
					{ kind: 'paragraph', text: 'Between {{one}} and {{other}}.' },
					{ kind: 'clause', title: 'Purpose', text: 'To try.' },
				],
				{ one: HOSTILE },
			),
		}),
	);
	const { body } = await app.inject('/sign/tok-text');
	expect(body).toContain('<h3>1. Purpose</h3>');
	expect(body).toContain('and <em>(not stated)</em>.');
	expect(body).toContain('The link works until');
	expect(body).toContain('>21 December 2026, 00:30 (UTC−6)</time>');
	expectHarmless(body.replace(/<script src="[^"]*"[^>]*><\/script>/g, ''));
});
