import { createHash, randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { events } from '../../nodes/SignVerify/api/events';
import { validateBody } from '../../nodes/SignVerify/webhooks/validate';
import { hostile, valid } from '../support/notifications';
import { activeTrigger, type Result } from '../support/webhook';

const all = events.map(({ value }) => value);
/** Fixed, so that a failure can be repeated. */
const seed = 20_260_101;
const secret = randomBytes(32).toString('base64url');

/** A new node for each property, with its own memory of events. */
const node = (name: string, simplify = true) =>
	activeTrigger({ events: all, simplify }, { secret: `${secret}${name}` });

/** What holds for every answer, whatever came in. */
function sane({ status, items }: Result): void {
	expect([200, 400, 413, 422]).toContain(status);
	expect(items.length).toBe(status === 200 && items.length > 0 ? 1 : 0);
}

let unhandled = 0;
const count = () => (unhandled += 1);
beforeAll(() => process.on('unhandledRejection', count));
afterAll(() => {
	process.off('unhandledRejection', count);
	expect(unhandled).toBe(0);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('4,000 valid notifications: exactly one item each, without a secret in it', async () => {
	const { call } = node('valid');
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(valid, async (body) => {
			const whole = createHash('sha256').update(JSON.stringify(body)).digest('hex');
			const { status, items } = await call({ body });
			expect(status).toBe(200);
			// The generator may give a small body twice; that is a repeat.
			expect(items).toHaveLength(seen.has(whole) ? 0 : 1);
			seen.add(whole);
			const json = JSON.stringify(items);
			expect(json).not.toContain('MARKED');
			expect(json).not.toContain(secret);
			// And once more: dropped.
			expect(await call({ body })).toMatchObject({ status: 200, items: [] });
		}),
		{ numRuns: 4000, seed },
	);
}, 180_000);

test('3,000 hostile bodies: no crash, and an execution only where one is right', async () => {
	const { call, logged } = node('hostile');
	let taken = 0;
	await fc.assert(
		fc.asyncProperty(hostile, async (given) => {
			const result = await call(given);
			sane(result);
			if (result.items.length === 0) return;
			taken += 1;
			// Only an object of JSON, of a subscribed type or (undocumented bodies) of none.
			const validated = validateBody({ body: undefined, rawBody: given.raw }, all);
			expect(validated).not.toHaveProperty('status');
			expect([...all, 'unknown']).toContain(result.items[0]?.json.event);
		}),
		{ numRuns: 3000, seed },
	);
	expect(logged).toEqual([]);
	// Other encodings of valid ones, and objects without a type, are among them.
	expect(taken).toBeLessThan(1500);
}, 180_000);

test('100,000 forged calls start no execution', async () => {
	const { call, secret: own } = node('forged');
	const body = { type: 'signDocument', Document: { documentID: 'd' }, addedOn: 1 };
	const forgeries: Array<(index: number) => unknown> = [
		() => undefined,
		() => '',
		() => randomBytes(32).toString('base64url'),
		(index) => own.slice(0, index % own.length),
		(index) => `${own}${index}`,
		(index) => own.slice(0, index % own.length) + 'é' + own.slice((index % own.length) + 1),
		() => [own],
		() => ({ secret: own }),
		() => own.toUpperCase(),
		() => true,
	];
	let refused = 0;
	for (let index = 0; index < 100_000; index++) {
		const forged = forgeries[index % forgeries.length]?.(index);
		const { status, items } = await call({ secret: forged, body });
		if (status === 401 && items.length === 0) refused += 1;
	}
	expect(refused).toBe(100_000);
	expect((await call({ body })).items).toHaveLength(1);
}, 180_000);
