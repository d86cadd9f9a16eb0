import { MAX_IMAGE_BYTES } from '../../sandbox/pages/uploads';
import { expectHarmless, HOSTILE, usePages } from './pages.fake';
import { png } from './documents.png';

const stage = usePages();
let { app, backend } = stage;
beforeEach(() => {
	({ app, backend } = stage);
});

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');

/** Posts the page's form as a browser would. */
async function submit(parts: Record<string, string | { name: string; content: Buffer }>) {
	const form = new FormData();
	for (const [field, value] of Object.entries(parts)) {
		if (typeof value === 'string') form.append(field, value);
		// What the file claims to be must not matter.
		else
			form.append(
				field,
				new File([new Uint8Array(value.content)], value.name, { type: 'text/html' }),
			);
	}
	const request = new Request('http://x/', { method: 'POST', body: form });
	return app.inject({
		method: 'POST',
		url: '/identity/id-open',
		headers: { 'content-type': request.headers.get('content-type') ?? '' },
		payload: Buffer.from(await request.arrayBuffer()),
	});
}

test('the samples are offered, and can be handed in', async () => {
	const page = (await app.inject('/identity/id-open')).body;
	expect(page.match(/src="\/assets\/samples\/[a-z]+-\d\.png"/g)).toHaveLength(4);
	for (const name of ['id-1', 'id-2', 'selfie-1', 'selfie-2']) {
		const sample = await app.inject(`/assets/samples/${name}.png`);
		expect([sample.statusCode, sample.headers['content-type']]).toEqual([200, 'image/png']);
	}
	const answer = await submit({ idSample: 'id-2', selfieSample: 'selfie-2', outcome: 'pass' });
	expect([answer.statusCode, answer.headers.location]).toEqual([303, '/identity/id-open']);
	expect(backend.outcomes).toEqual(['pass']);
	const done = (await app.inject('/identity/id-open')).body;
	expect(done).toContain('id-2.png');
	expect(done).toContain('/identity/id-open/images/selfie');
});

test('own images win over samples, and are served as what they are', async () => {
	const id = png(20, 10);
	const answer = await submit({
		idSample: 'id-1',
		id: { name: 'my id.png', content: id },
		selfie: { name: 'me.html', content: JPEG },
		outcome: 'manualReview',
	});
	expect(answer.statusCode).toBe(303);
	for (const [kind, type, content] of [
		['id', 'image/png', id],
		['selfie', 'image/jpeg', JPEG],
	] as const) {
		const image = await app.inject(`/identity/id-open/images/${kind}`);
		expect(image.headers['content-type']).toBe(type);
		expect(image.headers['x-content-type-options']).toBe('nosniff');
		expect(image.headers['content-security-policy']).toContain("default-src 'none'; sandbox");
		expect(image.rawPayload.equals(content)).toBe(true);
	}
	expect((await app.inject('/identity/id-open/images/other')).statusCode).toBe(404);
	// In review, the images are there already.
	const reviewed = await submit({ outcome: 'fail' });
	expect(reviewed.statusCode).toBe(303);
	expect(backend.outcomes).toEqual(['manualReview', 'fail']);
});

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

test.each([
	['an SVG', { name: 'x.png', content: SVG }, 'must be a PNG or a JPEG'],
	['a page', { name: 'x.jpg', content: Buffer.from('<html>') }, 'must be a PNG or a JPEG'],
	['an empty file', { name: 'x.png', content: Buffer.alloc(0) }, 'must be a PNG or a JPEG'],
	[
		'too large an image',
		{ name: 'x.png', content: Buffer.concat([png(2, 2), Buffer.alloc(MAX_IMAGE_BYTES)]) },
		'too large: at most 5 MB',
	],
])('%s is refused with the reason', async (_what, id, reason) => {
	const answer = await submit({ id, selfieSample: 'selfie-1', outcome: 'pass' });
	expect(answer.statusCode).toBe(422);
	expect(answer.body).toContain(reason);
	expect(answer.body).toContain('role="alert"');
	expect(backend.outcomes).toEqual([]);
	expect(backend.images.size).toBe(0);
});

test('without images the page asks for them; a script needs none', async () => {
	expect((await submit({ outcome: 'pass' })).body).toContain('Add a picture of the official ID.');
	const half = await submit({ idSample: 'id-1', outcome: 'pass' });
	expect(half.body).toContain('Add a selfie.');
	const traversal = await submit({
		idSample: '../icon',
		selfieSample: 'selfie-1',
		outcome: 'pass',
	});
	// The ID of the call before is kept, so this is complete: the made-up name found nothing.
	expect(traversal.statusCode).toBe(303);
	expect(backend.images.get('id-open/id')?.fileName).toBe('id-1.png');
});

test('a hostile file name stays text', async () => {
	// Without a slash: of a path only the last part is taken.
	const name = HOSTILE.replaceAll('/', '');
	const id = { name, content: png(4, 4) };
	await submit({ id, selfieSample: 'selfie-1', outcome: 'manualReview' });
	const { body } = await app.inject('/identity/id-open');
	expect(body).toContain('onerror=alert(1)&gt;');
	expectHarmless(
		body.replace(/<script src="[^"]*" defer><\/script>/g, '').replace(/<img src="\/[^>]*>/g, ''),
	);
});
