import { create, Http, PEOPLE, signedIn, start, stopAll } from './serviceKit';

afterEach(stopAll);

const ONE = { signatories: PEOPLE.slice(0, 1) };

/** A sandbox with one preset set, over HTTP. */
async function withPreset(name: string) {
	const sandbox = await start();
	const http = await signedIn(sandbox);
	const control = new Http(`${sandbox.url}/sandbox`);
	const set = await control.post<{ title: string }>(`/presets/${name}`);
	expect(set.status).toBe(200);
	const status = async () => (await http.get('/webhooks')).status;
	return { sandbox, http, control, status, title: set.data.title };
}

test('too many requests: three calls get a 429 that says when to come back', async () => {
	const { http, status } = await withPreset('too-many-requests');
	const first = await http.get('/webhooks');
	expect([first.status, first.headers['retry-after']]).toEqual([429, '2']);
	expect(first.data).toMatchObject({ success: false, responseCode: 429 });
	expect([await status(), await status(), await status()]).toEqual([429, 429, 200]);
});

test('answer lost: the document is there, and its answer is not', async () => {
	const { sandbox, http, status } = await withPreset('answer-lost');
	expect(await status()).toBe(200);
	await expect(create(sandbox, http, 'v2', ONE)).rejects.toThrow(/hang up|ECONNRESET/);
	expect(sandbox.documents()).toHaveLength(1);
	expect((await create(sandbox, http, 'v2', ONE)).status).toBe(200);
});

test.each([
	['v1', 'v2'],
	['v2', 'v1'],
] as const)(
	'what strikes the next document is over after %s, for %s as well',
	async (struck, other) => {
		const { sandbox, http, control } = await withPreset('answer-lost');
		await expect(create(sandbox, http, struck, ONE)).rejects.toThrow(/hang up|ECONNRESET/);
		expect((await control.get<object[]>('/faults')).data).toEqual([]);
		await control.post('/presets/refused-in-200');
		await create(sandbox, http, struck, ONE);
		await create(sandbox, http, other, ONE);
		expect(sandbox.documents()).toHaveLength(2);
	},
);

test('refused inside a 200: nothing is there, and the next try works', async () => {
	const { sandbox, http } = await withPreset('refused-in-200');
	const { status, data } = await create(sandbox, http, 'v2', ONE);
	expect([status, data]).toEqual([200, { responseCode: 400, message: 'Some emails are repeated' }]);
	expect(sandbox.documents()).toEqual([]);
	await create(sandbox, http, 'v2', ONE);
	expect(sandbox.documents()).toHaveLength(1);
});

test('service down: for a minute of the sandbox’s clock', async () => {
	const { sandbox, control, status } = await withPreset('service-down');
	expect([await status(), await status()]).toEqual([503, 503]);
	sandbox.clock.set({ advance: '59s' });
	expect(await status()).toBe(503);
	expect((await control.get<object[]>('/faults')).data).toHaveLength(1);
	sandbox.clock.set({ advance: '1s' });
	expect(await status()).toBe(200);
	expect((await control.get<object[]>('/faults')).data).toEqual([]);
});

test('token expires at once: the one that is there ends, the next one is taken', async () => {
	const { sandbox, http } = await withPreset('token-expired');
	expect((await http.get('/webhooks')).data.message).toBe('Token expired');
	expect((await (await signedIn(sandbox)).get('/webhooks')).status).toBe(200);
});

test('web page instead of an answer, once', async () => {
	const { http, status } = await withPreset('web-page');
	const page = await http.get<string>('/webhooks');
	expect(page.headers['content-type']).toContain('text/html');
	expect(page.data).toContain('Please sign in');
	expect(await status()).toBe(200);
});

test('a preset that does not exist is refused with the names that do', async () => {
	const sandbox = await start();
	const control = new Http(`${sandbox.url}/sandbox`);
	const answer = await control.post<{ error: string }>('/presets/nothing');
	expect(answer.status).toBe(404);
	expect(answer.data.error).toContain('too-many-requests, refused-in-200');
});

test('the page offers each, sets it, and shows it by its name', async () => {
	const sandbox = await start();
	sandbox.clock.set({ frozen: true });
	const page = new Http(sandbox.url);
	const set = (name: string) =>
		page.post<string>('/faults', new URLSearchParams({ name }), { maxRedirects: 0 });
	const { data } = await new Http(`${sandbox.url}/sandbox`).get<
		Array<{ name: string; title: string }>
	>('/presets');
	expect(data.map(({ title }) => title)).toEqual([
		'Too many requests',
		'Refused inside a 200',
		'Answer lost',
		'Service down for a minute',
		'Token expires at once',
		'Web page instead of an answer',
	]);
	for (const { name } of data) expect((await set(name)).status).toBe(303);
	const shown = (await page.get<string>('/fragments/faults')).data;
	expect(shown).toContain('<h3>Service down for a minute</h3>');
	expect(shown).toContain('answers 503; every time, for 1 minute more');
	expect((await set('nothing')).status).toBe(422);
	const inForce = async () =>
		(await new Http(`${sandbox.url}/sandbox`).get<object[]>('/faults')).data.length;
	const before = await inForce();
	const [, remove = ''] = /action="(\/faults\/[^"]+\/remove)"/.exec(shown) ?? [];
	expect((await page.post(remove, '', { maxRedirects: 0 })).status).toBe(303);
	expect(await inForce()).toBe(before - 1);
	expect((await page.post('/faults/clear', '', { maxRedirects: 0 })).status).toBe(303);
	expect(await inForce()).toBe(0);
});
