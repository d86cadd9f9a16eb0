import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/events/eventItem';
import { expectLinear } from '../support/growth';
import { nightlyTest } from '../support/sample';

/** The size of most of these events, in characters. */
const usualSize = 60_000;
const largeSize = 400_000;
/** Almost as large as the trigger accepts. */
const largestSize = 1_900_000;

const everything = ['history', 'signingLinks'];

const simplify = (body: IDataObject, include = everything, event = 'signDocument') =>
	simplifyNotification(readNotification(event, body), { include });

const sizeOf = (value: unknown) => JSON.stringify(value).length;

/** Expects an output in linear time, and for a large event, an output of at most a size. */
async function expectCost(
	bodyOf: (size: number) => IDataObject,
	maxOutputSize: (body: IDataObject) => number,
	...options: [include?: string[], event?: string]
) {
	await expectLinear(usualSize, (size) => {
		const body = bodyOf(size);
		return () => simplify(body, ...options);
	});
	const body = bodyOf(largeSize);
	expect(sizeOf(simplify(body, ...options))).toBeLessThanOrEqual(maxOutputSize(body));
}

/** The size of an output for an empty event. */
const emptySize = sizeOf(simplify({}));

const numbered = <Entry>(entryOf: (at: number) => Entry, length: number): Entry[] =>
	Array.from({ length }, (_, at) => entryOf(at));

/** Repeats an entry, but at most until the event has a size. */
function repeated<Entry>(entry: Entry, times = Infinity, size = usualSize): Entry[] {
	const count = Math.min(times, Math.floor(size / (sizeOf(entry) + 1)));
	return numbered(() => entry, count);
}

const inDocument = (Document: IDataObject) => ({ Document: { documentID: 'd', ...Document } });

/** Entries that hold nothing that an output shows. */
const hollow = [
	...[{}, null, '', [], [[]]],
	...[{ isSigned: 0 }, { emailID: '', name: ' ' }, { a: 1 }],
	{ operationType: '', operationBy: {}, addedOn: 0 },
] as IDataObject[];

const places: Array<[string, (list: IDataObject[]) => IDataObject]> = [
	['signatory', (signatory) => inDocument({ signatory })],
	['logsStatus', (logsStatus) => inDocument({ logsStatus })],
	["the event's signatory", (list) => inDocument({ webhookData: { signatory: { list } } })],
	['an unknown field', (results) => ({ responseData: { results } })],
	[
		'the body',
		(list) => Object.fromEntries(list.slice(0, 30_000).map((entry, at) => [`a${at}`, entry])),
	],
];

describe.each(places)('A list of entries that hold nothing in %s', (_place, placed) => {
	const wasteful = (body: IDataObject) =>
		[[], everything].some(
			(include) => sizeOf(simplify(body, include)) > 2 * sizeOf(body) + emptySize,
		);

	test.each([10, 1000])('costs at most twice its size (%j entries)', (times) => {
		expect(hollow.filter((entry) => wasteful(placed(repeated(entry, times))))).toEqual([]);
	});

	test('costs at most twice its size, and linear time, in a large event', async () => {
		await expectCost(
			(size) => placed(repeated({}, Infinity, size)),
			(body) => 2 * sizeOf(body) + emptySize,
		);
	});
});

// The tests above check events of a usual size.
nightlyTest(
	'The largest event with entries that hold nothing costs at most twice its size',
	async () => {
		const body = inDocument({ signatory: repeated({}, Infinity, largestSize) });
		expect(sizeOf(await Promise.resolve(simplify(body)))).toBeLessThan(2 * sizeOf(body));
	},
);

describe('The output for a large event', () => {
	const email = 'a@example.com';
	const signed = (more: IDataObject) => ({ operationType: 'SIGNED', addedOn: 1, ...more });

	/** Makes half of an event: a list of entries, and the other half: a long text. */
	type Halves = { half: <Entry>(entry: Entry) => Entry[]; long: string };
	const eventOf =
		(make: (halves: Halves) => IDataObject) =>
		(size: number): IDataObject =>
			make({
				half: (entry) => repeated(entry, Infinity, size / 2),
				long: '1'.repeat(size / 2),
			});

	test.each<[string, (halves: Halves) => IDataObject]>([
		['people', ({ half }) => ({ signatory: half({ emailID: email }) })],
		['people with an ID', ({ half }) => ({ signatory: half({ signatoryID: 's' }) })],
		[
			'signatures',
			({ half }) => ({ logsStatus: half(signed({ operationBy: { emailID: email } })) }),
		],
		[
			'signatures of one person with a long name',
			({ half, long }) => ({
				logsStatus: half(signed({ operationData: { signatoryID: 's' } })),
				signatory: [{ signatoryID: 's', name: long }],
			}),
		],
		[
			'people whose signature has a long time',
			({ half, long }) => ({
				logsStatus: [signed({ operationBy: { emailID: email }, addedOn: `x${long}` })],
				signatory: half({ emailID: email }),
			}),
		],
		[
			'people whose signature has a time of many digits',
			({ half, long }) => ({
				logsStatus: [signed({ operationBy: { emailID: email }, addedOn: long })],
				signatory: half({ emailID: email }),
			}),
		],
		[
			'people whose signature has a long IP address',
			({ half, long }) => ({
				logsStatus: [signed({ operationBy: { emailID: email }, sourceIP: long })],
				signatory: half({ emailID: email }),
			}),
		],
		[
			'people and an event about a long address',
			({ half, long }) => ({
				signatory: half({ _id: 1 }),
				webhookData: { signatory: { emailID: long } },
			}),
		],
	])('with many %s is small and made in linear time', async (_kind, make) => {
		await expectCost(
			(size) => inDocument(eventOf(make)(size)),
			(body) => 25 * sizeOf(body),
		);
	});

	// A search through equal entries would find the first one.
	test('with signatures of as many people is made in linear time', async () => {
		await expectLinear(16_000, (count) => {
			const body = inDocument({
				logsStatus: numbered((at) => signed({ operationData: { signatoryID: `p${at}` } }), count),
				signatory: numbered((at) => ({ signatoryID: `p${at}` }), count),
			});
			return () => simplify(body);
		});
	});

	const entries = <Entry>(list: Entry[], nameOf: (at: number) => string) =>
		Object.fromEntries(list.map((one, at) => [nameOf(at), one]));

	test.each<[string, (halves: Halves) => IDataObject]>([
		['texts like JSON', ({ half }) => ({ message: half('[1') })],
		['names', ({ half }) => entries(half('1234567890'), (at) => `name of ${at}`)],
		[
			'scores beside a long status',
			({ half, long }) => ({ status: long, ...entries(half({ score: {} }), (at) => `a${at}`) }),
		],
	])('about an identity with many %s is small and made in linear time', async (_kind, make) => {
		await expectCost(
			eventOf(make),
			(body) => 2 * sizeOf(body) + emptySize,
			[],
			'VERIFICATION_REQUEST_FINISHED',
		);
	});
});

describe('A long list in an event', () => {
	const entry = { operationType: 'CREATED', addedOn: 1 };

	test('shows the first 1,000 entries of the history, and how many are left out', () => {
		const Document = {
			logsStatus: Array.from({ length: 1200 }, (_, at) => ({ ...entry, addedOn: at + 1 })),
		};
		const output = simplify({ Document });
		expect(output.history).toHaveLength(1000);
		expect((output.history as IDataObject[]).at(-1)).toMatchObject({
			at: new Date(1000).toISOString(),
		});
		expect(output.historyLeftOut).toBe(200);
	});

	test('of up to 1,000 entries is complete', () => {
		const output = simplify({ Document: { logsStatus: repeated(entry, 1000) } });
		expect(output.history).toHaveLength(1000);
		expect(output.historyLeftOut).toBe(0);
	});
});

describe('An entry of `signatory`', () => {
	test.each<[IDataObject, boolean]>([
		[{ signatoryID: 's' }, true],
		[{ _id: 7 }, true],
		[{ emailID: 'a@example.com' }, true],
		[{ name: 'Ana' }, true],
		[{}, false],
		[{ name: '', emailID: ' ', signatoryID: null }, false],
		[{ isSigned: 1, phone: '1', signing: { url: 'u' } }, false],
	])('%j is listed: %j', (entry, isListed) => {
		expect(simplify({ Document: { signatory: [entry] } }).signatories).toHaveLength(
			isListed ? 1 : 0,
		);
	});

	test('counts for the document even if it is not listed', () => {
		const body = (entry: IDataObject) => ({
			type: 'completedDocument',
			Document: { status: '', signatory: [{ emailID: 'a@example.com', isSigned: 1 }, entry] },
		});
		const stateOf = (entry: IDataObject) =>
			readNotification('completedDocument', body(entry)).document?.state;
		expect(stateOf({ isSigned: 1 })).toBe('completed');
		expect(stateOf({ isSigned: 0 })).toBe('open');
		expect(stateOf({ isSigned: 1, isInvalidSignature: true })).toBe('disputed');
		const output = simplify(body({ isSigned: 0, signing: { expiry: 1000 } }));
		expect(output).toMatchObject({
			notSignedCount: 1,
			linksExpireAt: '1970-01-01T00:00:01.000Z',
		});
	});
});
