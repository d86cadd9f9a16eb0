import type { IDataObject } from 'n8n-workflow';

import { eventRow, events } from '../../nodes/SignVerify/api/events';
import { notificationOf } from '../../sandbox/schemas/notifications';
import { IdentityNotificationSchema } from '../../sandbox/schemas/events';
import { expectLinear } from '../support/growth';
import { sampled } from '../support/sample';
import { sampleOf } from '../support/schemaSample';
import { triggerNode, fileResponse } from '../support/triggerNode';

const all = events.map(({ type }) => type);

let unhandled = 0;
const count = () => (unhandled += 1);
beforeAll(() => process.on('unhandledRejection', count));
afterAll(() => {
	process.off('unhandledRejection', count);
	expect(unhandled).toBe(0);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

/** Returns the path to each string in a value, except the path to the event type. */
function textsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value === 'string') return path.join() === 'type' ? [] : [path];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/** Copies a value and replaces the string at a path. */
function withTextAt(value: unknown, [key, ...rest]: string[], text: unknown): unknown {
	if (key === undefined) return text;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as IDataObject) }) as IDataObject;
	copy[key] = withTextAt(copy[key], rest, text) as IDataObject;
	return copy;
}

const hostileValues: unknown[] = [
	'={{ 1+1 }}',
	'__proto__',
	'<img src=x onerror=1>',
	'\u202efdp.exe',
	'a\u0000b',
	JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	['x', { a: ['x'] }],
	null,
];
/** How many of these values replace each string, unless everything is tested. */
const valuesInSample = 1;
/**
 * The fields that have already been tested with long text. Each field is tested only once, because most
 * events have the same fields.
 */
const wereLong = new Set<string>();

/** The node treats all document events without a documented body alike, so one of them is enough. */
const alike = events.flatMap(({ type }) => {
	const { about, body } = eventRow(type);
	return about === 'document' && !body ? [type] : [];
});
const [like] = alike;

describe.each(all.filter((type) => type === like || !alike.includes(type)))(
	'Text in the event %s',
	(event) => {
		const { about } = eventRow(event);
		const isIdentity = about === 'identity';
		const isUnknown = event === like;
		const documented = notificationOf(isUnknown ? 'signDocument' : event);
		const sample = sampleOf(isIdentity ? IdentityNotificationSchema : documented) as object;
		/**
		 * These output fields may change whenever a string changes, because they are derived from several
		 * fields.
		 */
		const derived = [
			'signatoriesLeftOut',
			'signatoryEmails',
			'notSignedEmails',
			'sentBy',
			'linksExpireAt',
			'attachmentFields',
			'validationId',
		];
		const ignored = ['eventId', 'happenedAt', 'addedOn', 'missingFiles', ...derived];
		const named = (event: string) => ({ instance: event, fetch: () => fileResponse('%PDF-1.7') });
		const filters = { templates: ['x'] };
		const filtered = triggerNode({ filters }, named(`${event} filtered`));
		let addedOn = 0;
		const receive = async (body: unknown) => {
			const raw = JSON.stringify({ ...(body as object), type: event, addedOn: ++addedOn });
			// Each event gets a new trigger, because a single trigger would treat a second event about the
			// document as a repeat.
			const simplified = triggerNode({ downloadFiles: true }, named(`${event} ${addedOn}`));
			const { items } = await simplified.call({ body: raw, event });
			expect(items).toHaveLength(1);
			expect(simplified.logged).toEqual([]);
			const names = Object.values(items[0]?.binary ?? {}).map(({ fileName = '' }) => fileName);
			for (const name of names) {
				expect(name).toMatch(/^[^\p{Cc}\p{Bidi_Control}\\/:*?"<>|]{1,160}$/u);
			}
			return { raw, json: items[0]?.json ?? {} };
		};

		test('is harmless, whatever it contains: it is never executed, is handled in linear time, and changes no other field', async () => {
			const usual = (await receive(sample)).json;
			// A completed document's status decides whether the event starts the workflow (handle.test.ts).
			const isStatus = (path: string[]) => path.join('.') === 'Document.status';
			for (const path of textsIn(sample).filter((path) => !isStatus(path))) {
				const values = sampled(hostileValues, valuesInSample, `${event} ${path.join('.')}`);
				for (const value of values) {
					const { raw, json } = await receive(withTextAt(sample, path, value));
					const changedKeys = Object.keys({ ...usual, ...json })
						.filter((key) => !ignored.includes(key))
						.filter((key) => JSON.stringify(usual[key]) !== JSON.stringify(json[key]))
						// The event's signatory is one of the signatories.
						.map((key) => (key === 'signatory' ? 'signatories' : key));
					const changed = [...new Set(changedKeys)];
					expect({ path, value, changed }).toEqual({ path, value, changed: changed.slice(0, 1) });
					expect((await filtered.call({ body: raw, event })).status).toBe(200);
				}
				if (wereLong.has(path.join())) continue;
				wereLong.add(path.join());
				await expectLinear(40_000, (length) => {
					const body = withTextAt(sample, path, 'x'.repeat(length));
					return async () => await receive(body);
				});
			}
			expect(filtered.logged).toEqual([]);
		});
	},
);
