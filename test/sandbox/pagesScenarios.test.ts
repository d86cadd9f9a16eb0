import { PageRefusal } from '../../sandbox/views';
import { expectHarmless, HOSTILE, usePages } from './pages.fake';

const stage = usePages();
let { app, backend } = stage;
beforeEach(() => {
	({ app, backend } = stage);
});

/** Sends a file as the page's form does. */
async function upload(content: string, field = 'file') {
	const form = new FormData();
	form.append(field, new File([content], 'sandbox.json', { type: 'application/json' }));
	const request = new Request('http://x/', { method: 'POST', body: form });
	return app.inject({
		method: 'POST',
		url: '/scenarios/file',
		headers: { 'content-type': request.headers.get('content-type') ?? '' },
		payload: Buffer.from(await request.arrayBuffer()),
	});
}

const choose = (name: string) =>
	app.inject({
		method: 'POST',
		url: '/scenarios',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		payload: new URLSearchParams({ name }).toString(),
	});

test('the page offers every scenario and a file to save, and is marked in the navigation', async () => {
	const { body } = await app.inject('/scenarios');
	for (const { name, title, text } of backend.scenarios()) {
		expect(body).toContain(`value="${name}"`);
		expect(body).toContain(title);
		expect(body).toContain(text);
	}
	expect(body).toContain('href="/sandbox/state" download="sandbox.json"');
	expect(body).toMatch(/href="\/scenarios" aria-current="page"/);
});

test('a scenario is loaded by its button', async () => {
	const answer = await choose('hr-team');
	expect([answer.statusCode, answer.headers.location]).toEqual([
		303,
		'/scenarios?done=stateLoaded',
	]);
	expect(backend.loaded).toEqual(['hr-team']);
	expect((await app.inject('/scenarios?done=stateLoaded')).body).toContain(
		'The sandbox has the state that you chose.',
	);
	const unknown = await choose(HOSTILE);
	expect(unknown.statusCode).toBe(422);
	expectHarmless(unknown.body);
});

test('a file is loaded; one that is none is refused with a sentence', async () => {
	expect((await upload('{"signingSandbox":1}')).statusCode).toBe(303);
	expect(backend.loaded).toEqual([{ signingSandbox: 1 }]);
	const why = async (content: string, field?: string) => {
		const { statusCode, body } = await upload(content, field);
		expect(statusCode).toBe(422);
		return body;
	};
	expect(await why('no JSON')).toContain('This file is not JSON.');
	expect(await why('')).toContain('Choose a file.');
	backend.refuse = new PageRefusal(`Mistake at /${HOSTILE}`);
	expectHarmless(await why('{}'));
});
