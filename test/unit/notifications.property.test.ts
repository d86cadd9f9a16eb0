import type { IDataObject } from 'n8n-workflow';

import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { notificationOf } from '../../sandbox/schemas/notifications';
import { IdentityNotificationSchema } from '../../sandbox/schemas/events';
import { processorTimeUntil } from '../support/processorTime';
import { sampleOf } from '../support/schemaSample';
import { triggerNode, file, type Result } from '../support/triggerNode';

const all = events.map(({ type }) => type);

let unhandled = 0;
const count = () => (unhandled += 1);
beforeAll(() => process.on('unhandledRejection', count));
afterAll(() => {
	process.off('unhandledRejection', count);
	expect(unhandled).toBe(0);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

/** The way to each text of a value, but its type. */
function textsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value === 'string') return path.join() === 'type' ? [] : [path];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/** A copy of a value with another one in place of a text. */
function withTextAt(value: unknown, [key, ...rest]: string[], text: unknown): unknown {
	if (key === undefined) return text;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as IDataObject) }) as IDataObject;
	copy[key] = withTextAt(copy[key], rest, text) as IDataObject;
	return copy;
}

const hostileValues: unknown[] = [
	...['={{ 1+1 }}', '__proto__', '<img src=x onerror=1>', '\u202efdp.exe', 'a\u0000b'],
	JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	['x', { a: ['x'] }],
	null,
];
const long = 'x'.repeat(900_000);
/** The fields that were given a long text: most events have the same ones. */
const wereLong = new Set<string>();

/** Document events whose bodies are not known are all alike to the node, so one of them stands for all. */
const alike = events.flatMap(({ type }) => {
	const { about, body } = eventRow(type);
	return about === 'document' && !body ? [type] : [];
});
const [like] = alike;

describe.each(all.filter((type) => type === like || !alike.includes(type)))(
	'each text of a %s',
	(event) => {
		const { about } = eventRow(event);
		const isIdentity = about === 'identity';
		const isUnknown = event === like;
		const documented = notificationOf(isUnknown ? 'signDocument' : event);
		const sample = sampleOf(isIdentity ? IdentityNotificationSchema : documented) as object;
		/** What of the output differs in any case, and what is passed on whole. */
		const derived = [
			'signatoryEmails',
			'notSignedEmails',
			'sentBy',
			'linksExpireAt',
			'attachmentFields',
			'validationId',
		];
		const always = ['eventId', 'happenedAt', 'addedOn', 'missingFiles', ...derived];
		const ignored = [...always, ...(isUnknown ? ['Document'] : [])];
		const named = (event: string) => ({ instance: event, fetch: () => file('%PDF-1.7') });
		const nobody = 'nobody@example.com';
		const filters = { filters: { titleContains: 'x' }, templates: ['x'], sentBy: nobody };
		const filtered = triggerNode({ ...filters, signatory: nobody }, named(`${event} filtered`));
		let addedOn = 0;
		const receive = async (body: unknown) => {
			const raw = JSON.stringify({ ...(body as object), type: event, addedOn: ++addedOn });
			// Each time another one, to which the same document is no repeat.
			const simplified = triggerNode({ downloadFiles: true }, named(`${event} ${addedOn}`));
			let items: Result['items'] = [];
			const time = await processorTimeUntil(async () => {
				({ items } = await simplified.call({ body: raw, event }));
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
					expect((await filtered.call({ body: raw, event })).status).toBe(200);
				}
				if (wereLong.has(path.join())) continue;
				wereLong.add(path.join());
				await receive(withTextAt(sample, path, long));
			}
			expect(filtered.logged).toEqual([]);
		});
	},
);
