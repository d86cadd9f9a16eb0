import { expectHarmless, HOSTILE, usePages } from './pages.fake';

const stage = usePages();
let { app, backend } = stage;
beforeEach(() => {
	({ app, backend } = stage);
});

const get = (url: string) => app.inject({ method: 'GET', url });
const post = (url: string, fields: Record<string, string> = {}) =>
	app.inject({
		method: 'POST',
		url,
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		payload: new URLSearchParams(fields).toString(),
	});

describe('what to enter in n8n', () => {
	test('the console shows the three values of the credential, with a button to copy each', async () => {
		const { body } = await get('/');
		const { baseUrl, userId, apiKey } = backend.reached;
		const shown = [...body.matchAll(/<code class="whole">(.+?)<\/code>/g)].map(
			([, value]) => value,
		);
		expect(shown).toEqual([baseUrl, userId, apiKey]);
		const copied = [...body.matchAll(/data-copy="(.+?)" data-label="(.+?)"/g)];
		expect(copied.map(([, value, label]) => [label, value])).toEqual([
			['Base URL', baseUrl],
			['User ID', userId],
			['API Key', apiKey],
		]);
	});

	test('no other page shows the key, nor does what the console fetches every two seconds', async () => {
		const others = ['/fragments/console', '/events', '/faults', '/mailbox', '/lists/requests'];
		for (const url of others) {
			const { statusCode, body } = await get(url);
			expect([url, statusCode, body.includes(backend.reached.apiKey)]).toEqual([url, 200, false]);
		}
	});

	test('a user ID of any characters becomes no markup', async () => {
		backend.reached.userId = HOSTILE;
		const { body } = await get('/');
		expectHarmless(body.replace(/<script src="[^"]*" defer><\/script>/g, ''));
	});
});

describe('lists', () => {
	test.each([
		'documents',
		'identityRequests',
		'deliveries',
		'registrations',
		'requests',
		'templates',
	])('%s has a page with a search and pages', async (name) => {
		const { statusCode, body } = await get(`/lists/${name}?q=ana+%22b&page=2`);
		expect(statusCode).toBe(200);
		expect(body).toContain('value="ana &quot;b"');
		expect(body).toContain(`href="/lists/${name}?q=ana+%22b"`);
		expect(body).toContain(`href="/lists/${name}?q=ana+%22b&amp;page=3"`);
		expect((await get(`/fragments/lists/${name}`)).body).not.toContain('<html');
	});

	test('another name is no list', async () => {
		expect((await get('/lists/constructor')).statusCode).toBe(404);
		expect((await get('/fragments/lists/none')).statusCode).toBe(404);
	});

	test('a mail that did not go out says why', async () => {
		const [signatory] = backend.view.documents[0]?.signatories ?? [];
		if (signatory) signatory.mailError = `552 ${HOSTILE}`;
		const { body } = await get('/');
		expect(body).toContain('The mail did not go out: 552');
		expectHarmless(body.replace(/<script src="[^"]*" defer><\/script>/g, ''));
	});
});

describe('resending', () => {
	test.each([
		['/', '/?done=resent'],
		['/events', '/events?done=resent'],
		['/lists/deliveries?q=failed&page=2', '/lists/deliveries?q=failed&page=2&done=resent'],
		['//evil.example.com/', '/?done=resent'],
		['/\\evil.example.com', '/?done=resent'],
		['https://evil.example.com/', '/?done=resent'],
		['/lists/../sign/x', '/?done=resent'],
	])('from %s leads back to %s', async (back, location) => {
		const answer = await post('/deliveries/d1/resend', { back });
		expect([answer.statusCode, answer.headers.location]).toEqual([303, location]);
		expect(backend.resent).toEqual(['d1']);
		expect((await get(location)).body).toContain('The delivery is on its way again.');
	});

	test('what is not there gives a page that says so', async () => {
		const answer = await post('/deliveries/none/resend');
		expect(answer.statusCode).toBe(404);
		expect(answer.body).toContain('not here any more');
	});
});

describe('events', () => {
	test('each of the seven is offered, and sent for what was chosen', async () => {
		const { body } = await get('/events?subject=v1');
		expect(body.match(/<option/g)).toHaveLength(9);
		expect(body).toContain('<option value="v1" selected>');
		const answer = await post('/events', { type: 'signDocument', subject: 'd' });
		expect(answer.headers.location).toBe('/events?done=sent');
		const unheard = await post('/events', { type: 'sendDocument', subject: 'd' });
		expect(unheard.headers.location).toBe('/events?done=nobody');
		expect(backend.fired).toEqual([
			['signDocument', 'd'],
			['sendDocument', 'd'],
		]);
	});

	test('an unknown event or subject is refused with the reason', async () => {
		const unknown = await post('/events', { type: 'nothing', subject: 'd' });
		expect([unknown.statusCode, unknown.body]).toEqual([
			422,
			expect.stringContaining('Choose one of the seven events.'),
		]);
		const nobody = await post('/events', { type: 'signDocument', subject: 'unknown' });
		expect([nobody.statusCode, nobody.body]).toEqual([
			422,
			expect.stringContaining('Document not found.'),
		]);
	});
});

describe('faults', () => {
	const form = { endpoint: 'GET /webhooks', effect: 'answer', status: '503' };

	test.each([
		[
			{ ...form, times: '2', skip: '1' },
			{ times: 2, skip: 1, answer: { status: 503 } },
		],
		[
			{ ...form, headers: 'Retry-After: 2\r\nX-A: b', body: '{"a":1}' },
			{ answer: { status: 503, headers: { 'Retry-After': '2', 'X-A': 'b' }, body: { a: 1 } } },
		],
		[{ ...form, body: '<html>' }, { answer: { status: 503, body: '<html>' } }],
		[
			{ ...form, effect: 'before', delayMs: '20' },
			{ reset: 'before', delayMs: 20 },
		],
		[{ ...form, effect: 'after' }, { reset: 'after' }],
		[{ ...form, effect: 'delay', delayMs: '300' }, { delayMs: 300 }],
	])('%j sets a fault', async (fields, fault) => {
		const answer = await post('/faults', fields);
		expect(answer.headers.location).toBe('/faults?done=faultSet');
		expect(backend.faultList).toEqual([{ endpoint: 'GET /webhooks', ...fault }]);
		expect((await get('/faults')).body).toContain('GET /webhooks');
	});

	test.each([
		[{ ...form, effect: 'other' }, 'Choose what the fault does'],
		[{ ...form, status: '99' }, 'Check the numbers'],
		[{ ...form, status: 'x' }, 'Check the numbers'],
		[{ ...form, times: '-1' }, 'Check the numbers'],
		[{ ...form, effect: 'delay' }, 'how long to wait'],
		[{ ...form, headers: 'no header' }, 'on a line of its own'],
		[{ ...form, endpoint: 'nonsense' }, 'Check the numbers'],
	])('%j is refused, and what was entered is kept', async (fields, reason) => {
		const answer = await post('/faults', { ...fields, body: HOSTILE });
		expect(answer.statusCode).toBe(422);
		expect(answer.body).toContain(reason);
		expectHarmless(answer.body.replace(/<script src="[^"]*" defer><\/script>/g, ''));
		expect(backend.faultList).toEqual([]);
	});

	test('one is removed, or all', async () => {
		for (const delayMs of ['1', '2', '3']) {
			await post('/faults', { ...form, effect: 'delay', delayMs });
		}
		expect((await post('/faults/0/remove')).headers.location).toBe('/faults?done=faultRemoved');
		expect(backend.faultList).toHaveLength(2);
		expect((await post('/faults/clear')).headers.location).toBe('/faults?done=faultsCleared');
		expect(backend.faultList).toEqual([]);
	});

	test('settings are saved, put back, or refused', async () => {
		const fields = { tokenLifetimeSeconds: '2', expiryStyle: '200', perSecond: '50' };
		await post('/settings', { ...fields, 'quirks.isSignedAsString': 'on' });
		expect(backend.changes).toEqual([
			{
				rateLimit: { perSecond: 50 },
				delivery: backend.settings().delivery,
				tokenLifetimeSeconds: 2,
				invalidateOnRenew: false,
				expiryStyle: '200',
				quirks: {
					trailingCreatedBy: false,
					createAnswersOnlySuccess: false,
					signingExpiryNull: false,
					isSignedAsString: true,
				},
			},
		]);
		expect((await post('/settings', { reset: '1' })).headers.location).toContain('settingsReset');
		expect(backend.changes[1]).toEqual({});
		expect((await post('/settings', { ...fields, perSecond: '0.5' })).statusCode).toBe(422);
		expect(backend.changes).toHaveLength(2);
	});
});
