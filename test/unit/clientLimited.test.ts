import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { settle } from '../../nodes/SignVerify/util/async';
import { creation, standIn } from '../support/standIn';
import { sleep, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

/** Seconds. */
const latency = 0.02;
const maxRetryTime = 300_000;

interface Limit {
	perSecond: number;
	/** In place of a second (ms). */
	window?: number;
	/** Whether the calls of each second are counted, or those of the last 1,000 ms. */
	isSliding: boolean;
	headers?: Record<string, string>;
}

/** Creates so many documents at a service with a limit. */
async function createAll(
	items: number,
	{ perSecond, window = 1000, isSliding, headers = {} }: Limit,
) {
	let accepted: number[] = [];
	let refused = 0;
	let created = 0;
	const start = performance.now();
	const { context } = standIn(async () => {
		await sleep(latency);
		const now = Date.now();
		const from = isSliding ? now - window + 1 : Math.floor(now / window) * window;
		accepted = accepted.filter((at) => at >= from);
		if (accepted.length >= perSecond) {
			refused++;
			return { status: 429, headers };
		}
		accepted.push(now);
		created++;
		return {};
	});
	const client = new ServiceClient(context, maxRetryTime);
	const settled: Array<Awaited<ReturnType<typeof settle>>> = [];
	let begun = 0;
	const worker = async () => {
		while (begun++ < items) settled.push(await settle(client.call(creation)));
	};
	await Promise.all(Array.from({ length: 10 }, worker));
	return { settled, seconds: (performance.now() - start) / 1000, refused, created };
}

describe('500 documents at a limit of 50 a second', () => {
	test.each([
		['of the last second', true, undefined],
		['of each second', false, undefined],
		['of the last second, with Retry-After 0', true, { 'retry-after': '0' }],
		['of each second, with Retry-After 1', false, { 'retry-after': '1' }],
	])(
		'%s: all created, none twice, in 1.3 times the ideal time',
		async (_name, isSliding, headers) => {
			const limit = { perSecond: 50, isSliding, ...(headers ? { headers } : {}) };
			const { settled, seconds, refused, created } = await createAll(500, limit);
			expect(settled.filter(({ ok }) => ok)).toHaveLength(500);
			expect(created).toBe(500);
			expect(seconds).toBeLessThanOrEqual(13);
			expect(refused).toBeGreaterThan(0);
			expect(refused).toBeLessThanOrEqual(500);
		},
		60_000,
	);
});

test.each([
	['of the last 3 seconds', true, undefined],
	['of each 3 seconds', false, undefined],
	['of each 3 seconds, with Retry-After 1', false, { 'retry-after': '1' }],
])(
	'50 documents at a limit of 20 calls %s: one call goes first after a pause',
	async (_name, isSliding, headers) => {
		const limit = { perSecond: 20, window: 3000, isSliding, ...(headers ? { headers } : {}) };
		const { settled, seconds, refused, created } = await createAll(50, limit);
		expect(settled.filter(({ ok }) => ok)).toHaveLength(50);
		expect(created).toBe(50);
		expect(refused).toBeLessThanOrEqual(60);
		expect(seconds).toBeLessThan(12);
	},
);

test('a service that answers 429 for ever: each call ends with its time', async () => {
	const limit = { perSecond: 0, isSliding: true };
	const { settled, seconds, refused } = await createAll(20, limit);
	// Twice ten calls of five minutes each, and a pause that was on when they were over.
	expect(seconds).toBeLessThan(2 * (300 + 31));
	expect(refused).toBeLessThan(20 * 30);
	for (const each of settled) {
		expect(each).toMatchObject({
			ok: false,
			error: {
				message: 'The service says that there were too many requests (HTTP 429)',
				mayHaveCreated: false,
			},
		});
	}
}, 60_000);
