import { randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { events } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { validateBody } from '../../nodes/SignVerify/webhooks/request';
import { NOTIFICATIONS } from '../../sandbox/schemas/notifications';
import { IdentityNotificationSchema } from '../../sandbox/schemas/events';
import { hostile, sampleOf, textsIn, valid, withTextAt } from '../support/notifications';
import { processorTimeUntil } from '../support/processorTime';
import { activeTrigger, file, type Result } from '../support/triggerNode';

const all = events.map(({ value }) => value);
/** Fixed, so that a failure can be repeated. */
const seed = 20_260_101;
const secret = randomBytes(32).toString('base64url');

/** A new node for each property, with its own memory of events. */
const node = (name: string) => activeTrigger({}, { secret: `${secret}${name}` });

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

test('500 valid notifications: exactly one item each, without a secret in it', async () => {
	const { call } = node('valid');
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(valid, async (body) => {
			const { repeatKey } = readNotification(String(body.type), body);
			const { status, items } = await call({ body });
			expect(status).toBe(200);
			// The generator may give a small body or ID twice; that is a repeat.
			expect(items).toHaveLength(seen.has(repeatKey) ? 0 : 1);
			seen.add(repeatKey);
			const json = JSON.stringify(items);
			expect(json).not.toContain('MARKED');
			expect(json).not.toContain(secret);
			// And once more: dropped.
			expect(await call({ body })).toMatchObject({ status: 200, items: [] });
		}),
		{ numRuns: 500, seed },
	);
}, 60_000);

test('500 hostile bodies: no crash, and an execution only where one is right', async () => {
	const { call, logged } = node('hostile');
	let taken = 0;
	await fc.assert(
		fc.asyncProperty(hostile, async (given) => {
			const result = await call(given);
			sane(result);
			if (result.items.length === 0) return;
			taken += 1;
			// Only an object of JSON, of a subscribed type or (undocumented bodies) of none.
			const validated = validateBody(given.raw, 'completedDocument', all);
			expect(validated).not.toHaveProperty('status');
			expect(all).toContain(result.items[0]?.json.event);
		}),
		{ numRuns: 500, seed },
	);
	expect(logged).toEqual([]);
	// Other encodings of valid ones, and objects without a type, are among them.
	expect(taken).toBeLessThan(250);
}, 60_000);

test('5,000 forged calls start no execution', async () => {
	const { call, secretFor } = node('forged');
	const own = secretFor('signDocument');
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
	for (let index = 0; index < 5_000; index++) {
		const forged = forgeries[index % forgeries.length]?.(index);
		const { status, items } = await call({ secret: forged, body });
		if (status === 401 && items.length === 0) refused += 1;
	}
	expect(refused).toBe(5_000);
	expect((await call({ body, event: 'signDocument' })).items).toHaveLength(1);
}, 60_000);

const hostileValues: unknown[] = [
	...['={{ 1+1 }}', '__proto__', '<img src=x onerror=1>', '\u202efdp.exe', 'a\u0000b'],
	JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	['x', { a: ['x'] }],
	null,
];
const long = 'x'.repeat(900_000);
/** The fields that were given a long text: most events have the same ones. */
const wereLong = new Set<string>();

// Two of the events whose bodies are not known are like failedBiometric to the node.
describe.each(all.filter((each) => !each.startsWith('pending') && !each.endsWith('Request')))(
	'each text of a %s',
	(event) => {
		const isUnknown = event === 'failedBiometric';
		const isIdentity = event === 'VERIFICATION_REQUEST_FINISHED';
		const documented = NOTIFICATIONS[isUnknown ? 'signDocument' : event];
		const sample = sampleOf(isIdentity ? IdentityNotificationSchema : documented) as object;
		/** What of the output differs in any case, and what is passed on whole. */
		const derived = ['signatoryEmails', 'missing', 'linksExpire', 'fileNames', 'validationId'];
		const always = ['eventId', 'addedOn', 'missingFiles', ...derived];
		const ignored = [...always, ...(isUnknown ? ['Document'] : [])];
		const named = (event: string) => ({ secret: event, fetch: () => file('%PDF-1.7') });
		const nobody = 'nobody@example.com';
		const filters = { filters: { titleContains: 'x' }, templates: ['x'], sentBy: nobody };
		const filtered = activeTrigger({ ...filters, signatory: nobody }, named(`${event} filtered`));
		let addedOn = 0;
		const receive = async (body: unknown) => {
			const raw = JSON.stringify({ ...(body as object), type: event, addedOn: ++addedOn });
			// Each time another one, to which the same document is no repeat.
			const simplified = activeTrigger({ downloadFiles: true }, named(`${event} ${addedOn}`));
			let items: Result['items'] = [];
			const time = await processorTimeUntil(async () => {
				({ items } = await simplified.call({ raw, event }));
			});
			expect(time).toBeLessThan(250);
			expect([items.length, simplified.logged]).toEqual([1, []]);
			const names = Object.values(items[0]?.binary ?? {}).map(({ fileName = '' }) => fileName);
			for (const name of names) {
				expect(name).toMatch(/^[^\p{Cc}\p{Bidi_Control}\\/:*?"<>|]{1,160}$/u);
			}
			return { raw, json: items[0]?.json ?? {} };
		};

		test('may be anything: nothing is run, nothing takes long, and its neighbours stay', async () => {
			const usual = (await receive(sample)).json;
			for (const path of textsIn(sample)) {
				for (const value of hostileValues) {
					const { raw, json } = await receive(withTextAt(sample, path, value));
					const changed = Object.keys({ ...usual, ...json })
						.filter((key) => !ignored.includes(key))
						.filter((key) => JSON.stringify(usual[key]) !== JSON.stringify(json[key]));
					expect([path, value, changed]).toEqual([path, value, changed.slice(0, 1)]);
					expect((await filtered.call({ raw, event })).status).toBe(200);
				}
				if (wereLong.has(path.join())) continue;
				wereLong.add(path.join());
				await receive(withTextAt(sample, path, long));
			}
			expect(filtered.logged).toEqual([]);
		}, 60_000);
	},
);
