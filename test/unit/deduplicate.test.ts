import { claimEvent } from '../../nodes/SignVerify/webhooks/seen';
import { FakeResponse } from '../support/response';

/** What became of a delivery. */
const claim = async (...given: Parameters<typeof claimEvent>) =>
	(await claimEvent(...given)) ? 'repeat' : 'new';
const day = 86_400_000;
let count = 0;
const newKey = () => `key ${count++}`;
const answered = (status: number) => {
	const response = new FakeResponse();
	return { response, end: () => (response.status(status).json({}), response.close()) };
};

describe('an event that comes again', () => {
	test('is a repeat once it was answered 2xx', async () => {
		const key = newKey();
		const first = answered(200);
		expect(await claim(key, first.response)).toBe('new');
		first.end();
		expect(await claim(key, new FakeResponse())).toBe('repeat');
		expect(await claim(newKey(), new FakeResponse())).toBe('new');
	});

	test('is a repeat for a day after n8n has accepted it', async () => {
		const key = newKey();
		const first = answered(200);
		await claim(key, first.response);
		const later = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(start + ms);
		const start = Date.now();
		later(2 * day);
		first.end();
		await new Promise(setImmediate);
		later(3 * day - 1);
		expect(await claim(key, new FakeResponse())).toBe('repeat');
		later(3 * day);
		expect(await claim(key, new FakeResponse())).toBe('new');
		jest.restoreAllMocks();
	});

	test.each([500, 503, 422])('is taken when the first one was answered %i', async (status) => {
		const key = newKey();
		const first = answered(status);
		await claim(key, first.response);
		first.end();
		expect(await claim(key, new FakeResponse())).toBe('new');
	});

	test('is taken by exactly one of those that waited when the first failed', async () => {
		const key = newKey();
		const first = answered(500);
		await claim(key, first.response);
		const waiting = [answered(200), answered(200), answered(200)];
		const claims = waiting.map(async ({ response, end }) => {
			const claimed = await claim(key, response);
			setImmediate(end);
			return claimed;
		});
		first.end();
		expect((await Promise.all(claims)).sort()).toEqual(['new', 'repeat', 'repeat']);
	});

	test.each([
		[200, 'repeat'],
		[500, 'new'],
	])(
		'is under way until n8n answers %i, however long it is held back',
		async (status, expected) => {
			jest.useFakeTimers();
			const key = newKey();
			const first = answered(status);
			await claim(key, first.response);
			first.response.close();
			// Hours later, and its sender does not wait for ever either.
			await jest.advanceTimersByTimeAsync(3 * 3_600_000);
			const early = new FakeResponse();
			const claimed = claim(key, early);
			await jest.advanceTimersByTimeAsync(120_000);
			early.close();
			expect(await claimed).toBe('repeat');
			expect(jest.getTimerCount()).toBe(0);
			jest.useRealTimers();
			const late = claim(key, new FakeResponse());
			first.end();
			expect(await late).toBe(expected);
		},
	);

	test('is forgotten after ten thousand others', async () => {
		const key = newKey();
		const first = answered(200);
		await claim(key, first.response);
		first.end();
		for (let other = 0; other < 10_000; other++) {
			const next = answered(200);
			await claim(newKey(), next.response);
			next.end();
		}
		expect(await claim(key, new FakeResponse())).toBe('new');
	});
});
