import { createHash } from 'node:crypto';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { events, isIdentityEvent, type EventType } from '../../nodes/SignVerify/api/events';
import { startSandbox } from '../../sandbox';
import { clientOf } from '../support/credentials';
import { expectLinear } from '../support/growth';
import { agreement, bodiesOfEvents } from '../support/outputs';
import { fileResponse, triggerNode } from '../support/triggerNode';
import { until } from '../support/until';

type Body = { type: EventType; Document: IDataObject };
type Row = IDataObject;

const perPerson = { oneItemPerPerson: true };
const everything = { ...perPerson, include: ['history', 'signingLinks'] };
const ana = { signatoryID: 's1', emailID: ' Ana@Example.com', name: 'Ana', isSigned: 0 };
const bo = { signatoryID: 's2', emailID: 'bo@example.com', name: 'Bo', isSigned: 0 };
const lease = { documentID: 'd', title: 'Lease', status: 'PENDING', signatory: [ana, bo] };
const at = (second: number) => new Date(second * 1000).toISOString();

let count = 0;
/** Sends an event to a new trigger, because a trigger would take a second event for a repeat. */
async function itemsFor(
	body: IDataObject,
	{ event, form = { options: perPerson } }: { event?: EventType; form?: IDataObject } = {},
) {
	const { call } = triggerNode(form, {
		instance: `per person ${count++}`,
		fetch: () => fileResponse('%PDF-1.7'),
	});
	const result = await call({ body, ...(event ? { event } : {}) });
	expect(result.status).toBe(200);
	return result.items;
}
const rowsFor = async (...given: Parameters<typeof itemsFor>): Promise<Row[]> =>
	(await itemsFor(...given)).map(({ json }) => json);

/** What n8n's Data Table node makes of items: it sets the columns that an item has, and leaves the others as they are. */
function upserted(items: Row[]): Row[] {
	const table = new Map<string, Row>();
	for (const item of items) {
		const key = String(item.rowId);
		table.set(key, { ...table.get(key), ...item });
	}
	return [...table.values()]
		.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'event')))
		.sort((left, right) => String(left.name).localeCompare(String(right.name)));
}

/** The events about a document that two people sign one after the other, as the sandbox delivers them. */
async function lifeOfDocument(): Promise<Body[]> {
	const sandbox = await startSandbox({ deliveryBackoffMs: [] });
	try {
		const client = clientOf(sandbox);
		const types: EventType[] = ['sendDocument', 'signDocument', 'completedDocument'];
		for (const type of types) await client.registerWebhook(type, `${sandbox.url}/nobody`);
		sandbox.clock.set({ at: '2027-01-11T09:00Z', frozen: true });
		const id = await client.createDocument(agreement);
		const delivered = (number: number) => sandbox.deliveries().length === number;
		await until('the document is sent to both', () => delivered(2));
		for (const [index, { email }] of agreement.signatories.entries()) {
			sandbox.clock.set({ at: `2027-01-1${2 + index}T09:00Z` });
			await sandbox.sign(id, email);
		}
		return sandbox.deliveries().map(({ body }) => body as Body);
	} finally {
		await sandbox.close();
	}
}

/** Removes what a provider may not send. */
const withoutLog = (body: Body): Body => ({
	...body,
	Document: { ...body.Document, logsStatus: [] },
});
/** Leaves only who signs, by their IDs and addresses, and whom the event is about. */
const poor = ({ Document, ...body }: Body): Body => {
	const { documentID, status, webhookData } = Document;
	const people = Document.signatory as IDataObject[];
	const signatory = people.map(({ signatoryID, emailID }) => ({ signatoryID, emailID }));
	return { ...body, Document: { documentID, status, webhookData, signatory } };
};

describe('A table whose rows are the items of One Item per Person', () => {
	let life: Body[];
	/** The items for each event of the document's life, complete, without a log, and with almost nothing. */
	let complete: Row[][];
	let withoutHistory: Row[][];
	let meager: Row[][];
	beforeAll(async () => {
		life = await lifeOfDocument();
		const itemsOf = async (bodies: Body[]) =>
			await Promise.all(bodies.map((body) => rowsFor(body, { form: { options: everything } })));
		complete = await itemsOf(life);
		withoutHistory = await itemsOf(life.map(withoutLog));
		meager = await itemsOf(life.map(poor));
	});

	const [zoe, mateo] = agreement.signatories;
	const rowOf = (person: object, signedAt: string) => ({
		rowId: expect.stringMatching(/^\w{24}\/\w{24}$/) as string,
		documentId: expect.stringMatching(/^\w{24}$/) as string,
		...person,
		people: agreement.signatories.map(({ name }) => name).join(', '),
		title: 'Mutual non-disclosure agreement',
		sentAt: '2027-01-11T09:00:00.000Z',
		signed: true,
		signedAt,
		completedAt: '2027-01-13T09:00:00.000Z',
		documentHash: expect.stringMatching(/^\w{64}$/) as string,
		signingLink: expect.stringContaining('/sign/') as string,
	});
	const rows = [
		rowOf({ ...mateo }, '2027-01-13T09:00:00.000Z'),
		rowOf({ ...zoe }, '2027-01-12T09:00:00.000Z'),
	];
	const addresses = [{ ip: '127.0.0.1' }, { ip: '127.0.0.1' }];

	test('contains everything that the events report, in every order and with repeats', () => {
		expect(life.map(({ type }) => type)).toEqual([
			...['sendDocument', 'sendDocument', 'signDocument', 'signDocument', 'completedDocument'],
		]);
		const order = fc.shuffledSubarray([...complete.keys()], { minLength: complete.length });
		fc.assert(
			fc.property(order, fc.array(fc.nat(complete.length - 1)), (inOrder, repeats) => {
				for (const indexes of [
					[...repeats, ...inOrder],
					[...inOrder, ...repeats],
				]) {
					const table = upserted(indexes.flatMap((index) => complete[index] ?? []));
					expect(table).toEqual(rows.map((row, index) => ({ ...row, ...addresses[index] })));
				}
			}),
		);
	});

	test('contains the times of sending and signing even if no event contains a log', () => {
		expect(upserted(withoutHistory.flat())).toEqual(rows);
		expect(upserted([...withoutHistory].reverse().flat())).toEqual(rows);
	});

	test('never loses a value to an event that is repeated, late, or knows less', () => {
		const all = [...complete, ...withoutHistory, ...meager];
		fc.assert(
			fc.property(fc.array(fc.nat(all.length - 1), { minLength: 2 }), (indexes) => {
				const items = indexes.flatMap((index) => all[index] ?? []);
				const before = upserted(items.slice(0, -1));
				const after = upserted(items);
				for (const row of before) {
					expect(after.find(({ rowId }) => rowId === row.rowId)).toMatchObject({
						...row,
						people: expect.any(String) as string,
					});
				}
			}),
		);
	});

	test('has only columns whose values are known', () => {
		for (const row of [...complete, ...withoutHistory, ...meager].flat()) {
			expect(Object.values(row)).not.toContain(null);
			expect(Object.values(row)).not.toContain(undefined);
			expect(row.signed).not.toBe(false);
			expect(Object.values(row)).not.toContain('');
		}
	});
});

test.each([
	['contain a history', true, ['email', 'event', 'name', 'people', 'title']],
	['contain no history', false, ['email', 'event', 'name', 'people', 'sentAt', 'title']],
])(
	'A late event changes only what can be different in each event, if the events %s',
	async (_what, hasHistory, expected) => {
		const log = ['SENT_FOR_SIGNATURE', 'SIGNED'].map((operationType, index) => ({
			...{ operationType, operationData: { signatoryID: 's1' }, addedOn: 1000 + index },
			sourceIP: '192.0.2.1',
		}));
		/** Each event is the first with a title, a name, and an address of its own. */
		const eventAt = (type: EventType, second: number, more: IDataObject = {}) => {
			const changed = { name: `Ana ${second}`, emailID: `ana-${second}@example.com` };
			const signatory = { ...ana, ...changed, signing: { url: 'https://sign.example/a' } };
			const status = type === 'completedDocument' ? 'COMPLETED' : 'PENDING';
			const Document = {
				...{ documentID: 'd', title: `Lease ${second}`, status, signatory: [signatory] },
				...(hasHistory ? { logsStatus: log } : {}),
				...(type === 'completedDocument' ? {} : { webhookData: { signatory } }),
				...more,
			};
			return { type, addedOn: second * 1000, Document };
		};
		const life = [
			eventAt('sendDocument', 1),
			eventAt('sendDocument', 2),
			eventAt('signDocument', 3),
			eventAt('completedDocument', 4, { documentHash: 'ab' }),
		];
		const form = { options: everything };
		const items = await Promise.all(life.map((body) => rowsFor(body, { form })));
		const tableOf = (order: Row[][]) => {
			const [row = {}] = upserted(order.flat());
			return { ...row, event: order.at(-1)?.[0]?.event };
		};
		const inOrder: Row = tableOf(items);
		const changed = items.flatMap((late) => {
			const after: Row = tableOf([...items, late]);
			expect(Object.keys(after).sort()).toEqual(Object.keys(inOrder).sort());
			return Object.keys(after).filter((name) => after[name] !== inOrder[name]);
		});
		expect([...new Set(changed)].sort()).toEqual(expected);
	},
);

describe('An item of One Item per Person', () => {
	const signing = (Document: IDataObject, addedOn: unknown = 5000) =>
		({ type: 'signDocument', addedOn, Document: { documentID: 'd', ...Document } }) as IDataObject;
	const completion = (Document: IDataObject, addedOn: unknown = 9000) =>
		({ type: 'completedDocument', addedOn, Document: { ...lease, ...Document } }) as IDataObject;
	const people = 'Ana, Bo';
	const [anas, bos] = [
		{ rowId: 'd/s1', documentId: 'd', email: 'ana@example.com', name: 'Ana', people },
		{ rowId: 'd/s2', documentId: 'd', email: 'bo@example.com', name: 'Bo', people },
	];
	const signers = [ana, bo].map((person) => ({ ...person, isSigned: '1' }));
	const by = (signatory: IDataObject) => ({ ...lease, webhookData: { signatory } });
	const log = (operationType: string, signatoryID: string, addedOn: unknown) => ({
		operationType,
		operationData: { signatoryID },
		sourceIP: '192.0.2.1',
		addedOn,
	});

	test('contains only what the event knows', async () => {
		const event = 'signDocument';
		expect(await rowsFor(signing(by(ana)))).toEqual([
			{ event, ...anas, title: 'Lease', signed: true, signedAt: at(5) },
			{ event, ...bos, title: 'Lease' },
		]);
	});

	test.each<[string, IDataObject, Row[]]>([
		[
			'of a completed document has no time of the signature, which only the history and the own event know',
			completion({ status: 'COMPLETED', documentHash: 'ab', signatory: signers }),
			[anas, bos].map((person) => ({
				...person,
				title: 'Lease',
				signed: true,
				completedAt: at(9),
				documentHash: 'ab',
			})),
		],
		[
			'of a completed document is not signed if the list says so',
			completion({ status: 'COMPLETED', signatory: [ana, { ...bo, isSigned: 1 }] }),
			[anas, { ...bos, signed: true }].map((person) => ({
				...person,
				title: 'Lease',
				completedAt: at(9),
			})),
		],
		[
			'of a disputed document is signed but not completed',
			completion({
				status: '',
				signatory: [
					{ ...ana, isSigned: 1, isInvalidSignature: true },
					{ ...bo, isSigned: '1' },
				],
			}),
			[anas, bos].map((person) => ({ ...person, title: 'Lease', signed: true })),
		],
		[
			'takes the time of the signature from the history',
			signing({ ...by(ana), logsStatus: [log('SIGNED', 's1', 4000), log('SIGNED', 's2', 3000)] }),
			[
				{ ...anas, title: 'Lease', signed: true, signedAt: at(4) },
				{ ...bos, title: 'Lease', signed: true, signedAt: at(3) },
			],
		],
		[
			'shows when the document was sent to the person, if there is a signing order',
			signing({
				...by(ana),
				logsStatus: [log('SENT_FOR_SIGNATURE', 's1', 1000), log('SENT_FOR_SIGNATURE', 's1', 2000)],
			}),
			[
				{ ...anas, title: 'Lease', sentAt: at(1), signed: true, signedAt: at(5) },
				{ ...bos, title: 'Lease' },
			],
		],
		[
			'shows when the document was sent, if the history names nobody',
			signing({
				signatory: [ana, bo],
				logsStatus: [
					log('SENT_FOR_SIGNATURE', '', 2000),
					log('SENT_FOR_SIGNATURE', 'unknown', 1000),
				],
			}),
			[
				{ ...anas, sentAt: at(1) },
				{ ...bos, sentAt: at(1) },
			],
		],
		[
			'exists even if the event only names its person',
			signing({ webhookData: { signatory: { emailID: 'ANA@example.com' } } }),
			[
				{
					rowId: 'd/ana@example.com',
					documentId: 'd',
					email: 'ana@example.com',
					people: 'ANA@example.com',
					signed: true,
					signedAt: at(5),
				},
			],
		],
		[
			'exists for the person of the event, whom the list lacks',
			signing({ signatory: [bo], webhookData: { signatory: ana } }),
			[
				{ ...bos, people: 'Bo, Ana' },
				{ ...anas, people: 'Bo, Ana', signed: true, signedAt: at(5) },
			],
		],
		[
			'says nothing about two people with one address, if it is unclear who has signed',
			signing({
				signatory: [ana, { ...ana, signatoryID: 's3' }],
				webhookData: { signatory: { emailID: 'ana@example.com' } },
			}),
			[anas, { ...anas, rowId: 'd/s3' }].map((row) => ({ ...row, people: 'Ana, Ana' })),
		],
		[
			'has no address if the person has none',
			signing({ signatory: [{ name: 'Ana' }, bo], title: ' ' }),
			[{ rowId: 'd/Ana', documentId: 'd', name: 'Ana', people }, bos],
		],
		[
			'exists even without people',
			signing({ title: 'Lease', logsStatus: [log('SENT_FOR_SIGNATURE', 's1', 1000)] }),
			[{ rowId: 'd', documentId: 'd', title: 'Lease', sentAt: at(1) }],
		],
		[
			'exists even without a document',
			{ type: 'failedBiometric' },
			[{ rowId: expect.stringMatching(/^[0-9a-f]{32}$/) as string }],
		],
	])('%s', async (_what, body, expected) => {
		expect(await rowsFor(body)).toEqual(expected.map((row) => ({ event: body.type, ...row })));
	});

	test.each([null, '', 0, 'yesterday', '2027-01-11', 9e15, 3e14])(
		'lacks a time that a table would refuse: %j',
		async (time) => {
			const body = {
				...by(ana),
				logsStatus: ['SENT_FOR_SIGNATURE', 'SIGNED'].map((type) => log(type, 's1', time)),
			};
			for (const event of [
				signing(body, time),
				completion({ ...body, status: 'COMPLETED', signatory: signers }, time),
			]) {
				const [row] = await rowsFor(event);
				expect(row).toEqual({ event: event.type, ...anas, title: 'Lease', signed: true });
			}
		},
	);

	test('has the IP address and the signing link only if they are included', async () => {
		const link = { signing: { url: 'https://sign.example/a', expiry: 1000 } };
		const body = signing({
			signatory: [{ ...ana, ...link }, bo],
			logsStatus: [log('SIGNED', 's1', 4000)],
		});
		const signed = { event: 'signDocument', ...anas, signed: true, signedAt: at(4) };
		const withInclude = async (...include: string[]) =>
			await rowsFor(body, { form: { options: { ...perPerson, include } } });
		const other = { event: 'signDocument', ...bos };
		expect(await withInclude()).toEqual([signed, other]);
		expect(await withInclude('history')).toEqual([{ ...signed, ip: '192.0.2.1' }, other]);
		expect(await withInclude('signingLinks')).toEqual([
			{ ...signed, signingLink: 'https://sign.example/a' },
			other,
		]);
	});

	test('has the files, their checksums, and what is missing', async () => {
		const Document = { documentURL: 'https://files.example/document', certificateURL: '' };
		const form = { downloadFiles: true, files: ['document', 'certificate'], options: perPerson };
		const items = await itemsFor(completion({ ...Document, status: 'COMPLETED' }), { form });
		expect(items).toHaveLength(2);
		for (const { json, binary } of items) {
			expect(json).toMatchObject({
				documentSha256: createHash('sha256').update('%PDF-1.7').digest('hex'),
				attachmentFields: 'document',
				missingFiles: [{ file: 'certificate', reason: "the event didn't contain a link to it" }],
				isSupplement: false,
			});
			expect(json).not.toHaveProperty('certificateSha256');
			expect(Object.keys(binary ?? {})).toEqual(['document']);
		}
		const none = await itemsFor(signing(by(ana)), { form });
		expect(none.map(({ json }) => json)).toMatchObject([
			{ attachmentFields: '', missingFiles: [], isSupplement: false },
			{ attachmentFields: '', missingFiles: [], isSupplement: false },
		]);
	});

	test('exists neither in raw output nor for an identity event', async () => {
		const bodies = await bodiesOfEvents();
		const body = signing(by(ana));
		const form = { options: { ...perPerson, output: 'raw' } };
		expect(await rowsFor(body, { form })).toEqual([body]);
		for (const { type } of events.filter(({ type }) => isIdentityEvent(type))) {
			const sent = { body: bodies[type], event: type };
			const usual = await rowsFor(sent.body, { event: type, form: {} });
			expect(await rowsFor(sent.body, { event: type })).toEqual(usual);
		}
	});

	test('exists for every event about a document', async () => {
		const bodies = await bodiesOfEvents();
		for (const { type } of events.filter(({ type }) => !isIdentityEvent(type))) {
			const rows = await rowsFor(bodies[type], { event: type });
			const people = (bodies[type].Document as { signatory: IDataObject[] }).signatory;
			expect(rows.map(({ event, email }) => [event, email])).toEqual(
				people.map(({ emailID }) => [type, emailID]),
			);
		}
	});

	describe('contains each field of the item for the document', () => {
		/** Why an item for a person leaves out a field of the item for the document. */
		const leftOut: Record<string, string> = {
			status: 'it changes with each event, and a late event would take it back',
			signatory: "this person's own facts are in their item",
			signatories: 'each of them has an item of their own',
			signatoriesLeftOut: 'the item for the document and the log have it, and a row would keep it',
			signatoryEmails: 'each of them has an item of their own',
			notSignedCount: 'a late event would take it back',
			notSignedEmails: 'a late event would take it back',
			linksExpireAt: "it's the time of someone else's link",
			documentUrl: 'the link expires, but the row stays',
			certificateUrl: 'the link expires, but the row stays',
			pscCertificateUrl: 'the link expires, but the row stays',
			sentBy: "it's about the document, and the same in each row",
			templateId: "it's about the document, and the same in each row",
			country: "it's about the document, and the same in each row",
			createdAt: 'a data table has a column of this name itself',
			nomHash: "it's about the document, and the same in each row",
			happenedAt: 'a late event would take it back',
			eventId: 'a late event would take it back',
			history: "each person's item has the times and the address of their own entries",
			historyLeftOut: 'there is no history',
		};
		/** Fields about one person that the item for the document has in `signatory`, or not at all. */
		const ofPerson = [
			...['rowId', 'email', 'name', 'people', 'signed', 'signedAt', 'completedAt', 'ip'],
			'signingLink',
		];

		test('or there is a reason', async () => {
			const bodies = await bodiesOfEvents();
			const downloads = { downloadFiles: true, files: ['document', 'certificate'] };
			const include = ['history', 'signingLinks'];
			const ofDocument = new Set<string>();
			const ofPeople = new Set<string>();
			for (const { type } of events.filter(({ type }) => !isIdentityEvent(type))) {
				for (const oneItemPerPerson of [false, true]) {
					const form = { ...downloads, options: { include, oneItemPerPerson } };
					for (const row of await rowsFor(bodies[type], { event: type, form })) {
						const names = oneItemPerPerson ? ofPeople : ofDocument;
						Object.keys(row).forEach((name) => names.add(name));
					}
				}
			}
			const isThere = (name: string) => ofPeople.has(name);
			expect([...ofDocument].filter((name) => !isThere(name)).sort()).toEqual(
				Object.keys(leftOut).sort(),
			);
			expect([...ofPeople].filter((name) => !ofDocument.has(name)).sort()).toEqual(ofPerson.sort());
		});
	});

	describe('has the ID of its row', () => {
		const rowIdsOf = async (signatory: IDataObject[], more: IDataObject = {}) =>
			(await rowsFor(signing({ ...lease, signatory, ...more }))).map(({ rowId }) => rowId);
		const tableOf = async (...lists: IDataObject[][]) => {
			const events = lists.map((signatory, index) => signing({ ...lease, signatory }, index + 1));
			return upserted((await Promise.all(events.map((body) => rowsFor(body)))).flat());
		};

		test.each<[string, IDataObject[], string[]]>([
			['the signatoryID', [{ ...ana, _id: 'i1' }, bo], ['d/s1', 'd/s2']],
			['the _id, if there is no other', [{ ...ana, signatoryID: '', _id: 'i1' }], ['d/i1']],
			['the address', [{ emailID: ' Ana@Example.com', name: 'Ana' }], ['d/ana@example.com']],
			['the name', [{ name: ' Ana ' }, { name: 'Ben' }], ['d/Ana', 'd/Ben']],
		])('from %s', async (_what, signatory, expected) => {
			expect(await rowIdsOf(signatory)).toEqual(expected);
		});

		test('which is that of no other document', async () => {
			const [one, other] = [await rowIdsOf([ana]), await rowIdsOf([ana], { documentID: 'e' })];
			expect([one, other]).toEqual([['d/s1'], ['e/s1']]);
			expect(await rowIdsOf([])).toEqual(['d']);
		});

		test('so that two people without an address, or with the same, have two rows', async () => {
			const [ben, withoutAddress] = [
				{ signatoryID: 's2', name: 'Ben', isSigned: 0 },
				{ signatoryID: 's1', name: 'Ana', isSigned: 0 },
			];
			const shared = { emailID: 'office@example.com' };
			for (const [first, second] of [
				[withoutAddress, ben],
				[
					{ ...withoutAddress, ...shared },
					{ ...ben, ...shared },
				],
			] as const) {
				const table = await tableOf([first, second], [{ ...first, isSigned: 1 }, second]);
				expect(table.map(({ name, signed }) => [name, signed])).toEqual([
					['Ana', true],
					['Ben', undefined],
				]);
			}
		});

		test('so that a person whose address is corrected keeps their row', async () => {
			const table = await tableOf([{ ...ana, emailID: 'an@example.com' }], [ana]);
			expect(table).toEqual([expect.objectContaining({ email: 'ana@example.com' })]);
		});

		test("but there is no row for the document's creator, whom the list may end with", async () => {
			const creator = { userID: 'u', adminID: 'a', fullName: 'Cy', emailID: 'cy@example.com' };
			expect(await rowIdsOf([ana, { ...creator, isSigned: '0' }])).toEqual(['d/s1']);
		});
	});

	test.each([
		'<iframe src="//evil.example">@example.com',
		'ana@example.com, ben@example.com',
		'Ana <ana@example.com>',
		'ana',
		`${'a'.repeat(300)}@example.com`,
	])('has no address that does not look like one: %s', async (emailID) => {
		const [row] = await rowsFor(signing({ ...lease, signatory: [{ ...ana, emailID }] }));
		expect(row).toMatchObject({ rowId: 'd/s1', name: 'Ana' });
		expect(row).not.toHaveProperty('email');
	});

	test.each<[string, IDataObject[], string]>([
		['everyone who signs', [bo, ana], 'Bo, Ana'],
		[
			'a person without a name by their address',
			[{ emailID: 'x@example.com' }, bo],
			'x@example.com, Bo',
		],
		[
			'as many as fit into 200 characters, and the number of the others',
			Array.from({ length: 1012 }, (_, index) => ({ name: `${1000 + index}`.padEnd(48, 'x') })),
			`${[1000, 1001, 1002, 1003].map((text) => `${text}`.padEnd(48, 'x')).join(', ')}, and 1008 more`,
		],
		[
			'a long name, without its end',
			[{ name: 'x'.repeat(300) }, bo],
			`${'x'.repeat(200)}, and 1 more`,
		],
	])('names %s', async (_what, signatory, names) => {
		const [row] = await rowsFor(signing({ ...lease, signatory }));
		expect(row?.people).toBe(names);
	});

	test('is made for 1,000 people at most, always including the one that the event is about', async () => {
		const crowd = Array.from({ length: 2500 }, (_, index) => ({
			signatoryID: `p${index}`,
			emailID: `${index}@example.com`,
		}));
		const rowsAbout = async (who: IDataObject) =>
			await rowsFor(signing({ signatory: crowd, webhookData: { signatory: who } }));
		const stranger = { emailID: 'stranger@example.com' };
		for (const [who, position, rowId] of [
			[crowd[5], 5, 'd/p5'],
			[crowd[2000], 999, 'd/p2000'],
			[stranger, 999, 'd/stranger@example.com'],
		] as const) {
			const rows = await rowsAbout(who ?? {});
			expect(rows).toHaveLength(1000);
			expect(rows[position]).toMatchObject({ rowId, signed: true });
			expect(rows.filter(({ signed }) => signed)).toHaveLength(1);
			expect(rows[0]?.people).toMatch(/^0@example\.com, .*, and 24\d\d more$/);
			expect(rows[0]).not.toHaveProperty('signatoriesLeftOut');
		}
		// Nothing shows which of the two people with this address has signed.
		const shared = { emailID: 'shared@example.com' };
		for (const index of [2000, 2001]) Object.assign(crowd[index] ?? {}, shared);
		expect(await rowsAbout(shared)).toEqual(await rowsAbout({}));
	});

	test('repeats no long text for each person, and takes linear time', async () => {
		const long = 'x'.repeat(100_000);
		await expectLinear(2000, (length) => {
			const body = completion({
				...{ documentID: long, title: long, documentHash: long, status: 'COMPLETED' },
				signatory: Array.from({ length }, (_, index) => ({ emailID: `${index}@example.com` })),
			});
			return async () => {
				const rows = await rowsFor(body, { form: { options: everything } });
				expect(rows).toHaveLength(Math.min(length, 1000));
				expect(JSON.stringify(rows[0]).length).toBeLessThan(5000);
			};
		});
	});
});
