import { createHash } from 'node:crypto';

import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { unknownDocument } from '../../nodes/SignVerify/api/documents';
import { events } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification, toItem } from '../../nodes/SignVerify/events/eventItem';
import { DocumentSchema } from '../../sandbox/schemas/document';
import { SignatorySchema } from '../../sandbox/schemas/signatory';
import { sampleOf } from '../support/schemaSample';
import {
	triggerNode,
	completedEvent,
	fileResponse,
	storedCredential,
} from '../support/triggerNode';
import { expectLinear } from '../support/growth';
import { errorWithCode, neverRespond } from '../support/standIn';
import { sleep, stopwatch, useVirtualTime } from '../support/virtualTime';

const signing = { url: 'https://sign.example/secret-link', expiry: 1_767_225_600_000 };
const signatory = (email: string, isSigned: number | string) => ({
	signatoryID: `id-${email}`,
	emailID: email,
	name: `Name of ${email}`,
	isSigned,
	password: 'pass-word',
	verificationCode: '4711',
	signing,
});

const document = {
	documentID: 'doc-1',
	title: 'Lease',
	status: 'PENDING',
	templateID: 'tpl-1',
	country: 'Mexico',
	createdBy: { emailID: 'HR@example.com' },
	signatory: [
		signatory('a@example.com', 1),
		signatory('b@example.com', '1'),
		{ ...signatory('c@example.com', 0), _id: 7 },
		// An entry like createdBy can follow the last signatory (docs/dev/service.md#document).
		{ userID: 'u', adminID: 'a', fullName: 'Creator', emailID: 'x@example.com', isSigned: '0' },
	],
};

const simplify = (event: string, body: IDataObject, include?: string[]) =>
	simplifyNotification(readNotification(event, body), { include });

/** What is known about a signatory if the event contains nothing but their name and email address. */
const unchecked = { signedAt: null, invalid: null, invalidReason: null, validationId: null };

/** The fields of an event without a document. */
const nothing = {
	...unknownDocument,
	signatory: { email: null, name: null, signed: null, ...unchecked },
	signatories: [],
	signatoriesLeftOut: 0,
	signatoryEmails: '',
	notSignedCount: 0,
	notSignedEmails: '',
	linksExpireAt: null,
	documentUrl: null,
	certificateUrl: null,
	pscCertificateUrl: null,
	attachmentFields: '',
	missingFiles: [],
	sentBy: null,
	documentHash: null,
	nomHash: null,
	happenedAt: null,
	eventId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
};

const eventsAbout = (subject: string) =>
	events.filter(({ about }) => about === subject).map(({ type }) => type);

describe('A simplified event', () => {
	const many = <Entry>(length: number, entryOf: (at: number) => Entry) =>
		Array.from({ length }, (_, at) => entryOf(at));

	test.each<[string, number, (size: number) => IDataObject]>([
		[
			'many entries that name no one and a long log',
			16_000,
			(size) => ({
				signatory: many(size, () => ({})),
				logsStatus: many(size, () => ({ operationType: 'SIGNED' })),
			}),
		],
		[
			// Nobody is the first in the list, or the one whom the log names first.
			'many people who have signed',
			16_000,
			(size) => ({
				signatory: many(size, (at) => ({ signatoryID: `p${at}`, emailID: `${at}@example.com` })),
				logsStatus: many(size, (at) => ({
					operationType: 'SIGNED',
					addedOn: 1,
					operationData: { signatoryID: `p${size - at}` },
				})),
			}),
		],
		[
			'a long address',
			40_000,
			(size) => ({ signatory: [{ emailID: `${'a@'.repeat(size / 2)},` }] }),
		],
	])('is generated in linear time from a document with %s', async (_name, size, documentOf) => {
		await expectLinear(size, (size) => {
			const Document = documentOf(size);
			return () => simplify('signDocument', { Document });
		});
	});

	test('of the type signDocument shows who has signed and who has not', () => {
		const body = {
			type: 'signDocument',
			addedOn: 1_767_225_600_000,
			Document: { ...document, webhookData: { signatory: signatory('b@example.com', 1) } },
		};
		const person = (email: string, signed: boolean) => ({
			...unchecked,
			email,
			name: `Name of ${email}`,
			signed,
		});
		expect(simplify('signDocument', body)).toEqual({
			...nothing,
			event: 'signDocument',
			documentId: 'doc-1',
			title: 'Lease',
			status: 'PENDING',
			signatory: person('b@example.com', true),
			signatories: [
				person('a@example.com', true),
				person('b@example.com', true),
				person('c@example.com', false),
			],
			signatoryEmails: 'a@example.com, b@example.com, c@example.com',
			notSignedCount: 1,
			notSignedEmails: 'c@example.com',
			linksExpireAt: '2026-01-01T00:00:00.000Z',
			sentBy: 'hr@example.com',
			templateId: 'tpl-1',
			country: 'Mexico',
			happenedAt: '2026-01-01T00:00:00.000Z',
		});
	});

	test.each(eventsAbout('document'))(
		'of the type %s has the same fields as every other document event, whatever the body is',
		(event) => {
			const signed = { ...document, webhookData: { signatory: document.signatory[0] } };
			const bodies = [{ addedOn: 1, Document: signed, more: 1 }, { Document: {} }, { a: 1 }, {}];
			for (const body of bodies) {
				for (const include of [[], ['history', 'signingLinks']]) {
					const output = simplify(event, body, include);
					const names = Object.keys(simplify('completedDocument', { Document: signed }, include));
					expect(Object.keys(output)).toEqual(names);
					expect(Object.values(output)).not.toContain(undefined);
				}
			}
			expect(simplify(event, {})).toEqual({ ...nothing, event });
		},
	);

	test('shows the same fields for the signatory as for each of the signatories', () => {
		for (const event of eventsAbout('document')) {
			const body = { Document: { ...document, webhookData: { signatory: { emailID: 'x@y.z' } } } };
			const { signatory, signatories } = simplify(event, body, ['signingLinks']);
			for (const one of signatories as IDataObject[]) {
				expect(Object.keys(signatory as object)).toEqual(Object.keys(one));
			}
			expect(signatory).toMatchObject({
				email: 'x@y.z',
				name: null,
				signed: event === 'signDocument' ? true : null,
			});
		}
	});

	describe('the name of the signatory', () => {
		const nameIn = (event: string, webhookData: IDataObject, list: IDataObject[]) =>
			(simplify(event, { Document: { signatory: list, webhookData } }).signatory as IDataObject)
				.name;
		const ana = { signatoryID: 's1', emailID: 'ana@example.com', name: 'Ana' };
		const ben = { signatoryID: 's2', emailID: 'ben@example.com', name: 'Ben' };

		test.each(eventsAbout('document'))(
			'is shown in %s, even if it contains only their address',
			(event) => {
				const webhookData = { signatory: { emailID: ' Ana@example.com' } };
				expect(nameIn(event, webhookData, [ben, ana])).toBe('Ana');
			},
		);

		test('is left out if two signatories share the address, because it may be the wrong one', () => {
			const shared = { ...ben, emailID: 'ana@example.com' };
			const webhookData = { signatory: { emailID: 'ana@example.com' } };
			expect(nameIn('sendDocument', webhookData, [ana, shared])).toBeNull();
			const byId = { signatory: { emailID: 'ana@example.com', signatoryID: 's2' } };
			expect(nameIn('sendDocument', byId, [ana, shared])).toBe('Ben');
			const { signatories } = simplify('signDocument', {
				Document: { signatory: [ana, shared], webhookData },
			});
			// Nothing shows which of the two has signed.
			expect((signatories as IDataObject[]).map(({ signed }) => signed)).toEqual([false, false]);
		});
	});

	describe('about an identity check shows whose check it was', () => {
		const ana = { signatoryID: 's1', emailID: 'ana@example.com', name: 'Ana' };
		const ben = {
			signatoryID: 's2',
			emailID: 'ben@example.com',
			name: 'Ben',
			isInvalidSignature: true,
			invalidSignatureReason: 'The selfie is blurred',
			identitySessionId: 'session-1',
		};
		const both = {
			documentID: 'd',
			title: 'Lease',
			status: 'PENDING',
			addedOn: 1,
			signatory: [ana, ben],
		};
		const checked = {
			email: 'ben@example.com',
			name: 'Ben',
			signed: null,
			signedAt: null,
			invalid: true,
			invalidReason: 'The selfie is blurred',
			validationId: 'session-1',
		};
		const checks = ['failedBiometric', 'pendingBiometric', 'failedBiometricRequest'];

		test.each<[string, string[], IDataObject]>([
			['by webhookData', checks, { Document: { ...both, webhookData: { signatory: ben } } }],
			[
				'by an address in webhookData',
				checks,
				{ Document: { ...both, webhookData: { signatory: { emailID: 'ben@example.com' } } } },
			],
			['beside the document', checks, { Document: both, signatory: { signatoryID: 's2' } }],
			['without a document', checks, { signatory: ben }],
			[
				'by an address beside the document',
				checks,
				{ Document: both, data: { email: 'BEN@example.com' } },
			],
			['because no one else signs', checks, { Document: { ...both, signatory: [ben] } }],
			[
				'because no other check has failed',
				['failedBiometric', 'failedBiometricRequest'],
				{ Document: both },
			],
		])('%s', (_how, types, body) => {
			for (const type of types) {
				expect(simplify(type, { ...body, type })).toMatchObject({
					event: type,
					signatory: checked,
				});
			}
		});

		test.each<[string, string, IDataObject]>([
			['an earlier check may have failed', 'pendingBiometric', { Document: both }],
			[
				'two checks have failed',
				'failedBiometric',
				{ Document: { ...both, signatory: [ben, { ...ben, signatoryID: 's3' }] } },
			],
			[
				'the address belongs to someone else',
				'pendingBiometric',
				{ Document: both, email: 'owner@example.com' },
			],
			[
				'nothing says that the address is a signatory',
				'failedBiometric',
				{ email: 'owner@example.com' },
			],
		])('but not if %s', (_why, type, body) => {
			expect(simplify(type, body).signatory).toEqual(nothing.signatory);
		});

		test('and the document, with its creation and the time of the event', () => {
			expect(simplify('failedBiometric', { addedOn: 2, Document: both })).toMatchObject({
				documentId: 'd',
				title: 'Lease',
				status: 'PENDING',
				createdAt: '1970-01-01T00:00:00.001Z',
				happenedAt: '1970-01-01T00:00:00.002Z',
			});
		});
	});

	test.each(['documentHash', 'nomHash'])('shows the %s, or null if there is none', (name) => {
		for (const event of eventsAbout('document')) {
			for (const [sent, shown] of [
				['0a1b', '0a1b'],
				['', null],
				[null, null],
				[{}, null],
			]) {
				expect(simplify(event, { Document: { [name]: sent } })[name]).toBe(shown);
			}
		}
	});

	test('shows when the document was sent only if its log does', () => {
		const sentAt = (logsStatus?: unknown) =>
			simplify('signDocument', { addedOn: 9, Document: { addedOn: 1, logsStatus } }).sentAt;
		const sent = (addedOn: unknown) => ({ operationType: 'SENT_FOR_SIGNATURE', addedOn });
		expect(sentAt()).toBeNull();
		expect(sentAt([{ operationType: 'CREATED', addedOn: 1 }, sent(null)])).toBeNull();
		expect(sentAt([sent('3000'), sent(2000), sent(4000)])).toBe('1970-01-01T00:00:02.000Z');
	});

	test('sets "signed" for the person who has just signed, even if the list is outdated', () => {
		const signed = (event: string, signer: object) =>
			(
				simplify(event, { Document: { ...document, webhookData: { signatory: signer } } })
					.signatories as IDataObject[]
			).map((person) => person.signed);
		const all = [true, true, true];
		expect(signed('signDocument', signatory('c@example.com', 0))).toEqual(all);
		expect(signed('signDocument', { emailID: 'C@example.com ' })).toEqual(all);
		expect(signed('signDocument', { _id: 7 })).toEqual(all);
		// The list may identify people by a different kind of ID than the event.
		expect(signed('signDocument', { _id: 'other', emailID: 'c@example.com' })).toEqual(all);
		// Two people can share an email address, so a different ID of the same kind identifies a different
		// person.
		const others = [{}, { emailID: '' }, { signatoryID: 'x', emailID: 'c@example.com' }];
		for (const signer of others)
			expect(signed('signDocument', signer)).toEqual([true, true, false]);
		expect(signed('sendDocument', { emailID: 'c@example.com' })).toEqual([true, true, false]);
	});

	describe('about more than 1,000 people', () => {
		const crowd = Array.from({ length: 2500 }, (_, index) => ({
			...signatory(`${index}@example.com`, index === 2001 ? 0 : 1),
			signing: { expiry: index === 2001 ? 1_767_225_600_000 : 1 },
		}));
		const about = (index: number) => {
			const signer = { ...crowd[index], isSigned: 1 } as IDataObject;
			const Document = { ...document, signatory: crowd, webhookData: { signatory: signer } };
			return { type: 'signDocument', Document } as IDataObject;
		};
		const emailsOf = (people: unknown) => (people as IDataObject[]).map(({ email }) => email);

		test('lists 1,000 of them, always including the one that it is about, and counts the others', () => {
			const first = crowd.slice(0, 1000).map(({ emailID }) => emailID);
			const near = simplify('signDocument', about(7));
			expect(emailsOf(near.signatories)).toEqual(first);
			const far = simplify('signDocument', about(2000));
			expect(emailsOf(far.signatories)).toEqual([...first.slice(0, -1), '2000@example.com']);
			for (const { signatoriesLeftOut, signatoryEmails } of [near, far]) {
				expect(signatoriesLeftOut).toBe(1500);
				expect(String(signatoryEmails).split(', ')).toHaveLength(1000);
			}
		});

		test('considers all of them for everything that decides', () => {
			const body = about(7);
			expect(simplify('signDocument', body)).toMatchObject({
				notSignedCount: 1,
				linksExpireAt: '2026-01-01T00:00:00.000Z',
			});
			const { document: read } = readNotification('completedDocument', {
				type: 'completedDocument',
				Document: { ...document, signatory: crowd },
			});
			expect(read?.state).toBe('open');
		});

		test("is reported in n8n's log", async () => {
			const warned: string[] = [];
			const logger = { warn: (line: string) => void warned.push(line) };
			const context = { logger } as unknown as IWebhookFunctions;
			const event = readNotification('signDocument', about(7));
			for (const output of ['raw', 'simplified', 'simplified'] as const)
				await toItem(context, event, { output, files: [] });
			expect(warned).toEqual([
				'SignVerify lists only 1000 people of the document "doc-1", and leaves out 1500.',
			]);
		});
	});

	describe('of a completed document', () => {
		const completed = (isSigned: unknown, status = 'COMPLETED') => {
			const signatory = [{ emailID: 'a@example.com', isSigned }] as IDataObject[];
			const webhookData = { signatory: { emailID: 'a@example.com' } };
			const body = { type: 'completedDocument', Document: { status, signatory, webhookData } };
			const item = simplify('completedDocument', body);
			const people = [...(item.signatories as IDataObject[]), item.signatory as IDataObject];
			return { ...item, people: people.map(({ signed }) => signed) };
		};

		test.each([0, '0', false])(
			'shows who has not signed according to the list: isSigned is %j',
			(isSigned) => {
				expect(completed(isSigned)).toMatchObject({
					people: [false, false],
					notSignedCount: 1,
					notSignedEmails: 'a@example.com',
				});
			},
		);

		test.each([1, '1', true, undefined, null, ''])(
			'shows that everyone has signed unless the list contradicts it: isSigned is %j',
			(isSigned) => {
				expect(completed(isSigned)).toMatchObject({
					people: [true, true],
					notSignedCount: 0,
					notSignedEmails: '',
				});
			},
		);

		test('shows people who are not in the list as not signed if the document was rejected', () => {
			expect(completed(undefined, 'REJECTED')).toMatchObject({ notSignedCount: 1 });
		});
	});

	test('ignores malformed addresses and links and shows when the first open link expires', () => {
		const expiry = (value: unknown, isSigned = 0) => ({ isSigned, signing: { expiry: value } });
		const list = (...signatory: object[]) =>
			simplify('sendDocument', { Document: { signatory: signatory as IDataObject[] } });
		const nobody = { signatoryEmails: '', notSignedEmails: '', linksExpireAt: null };
		expect(list()).toMatchObject(nobody);
		const several = ['a@example.com,b@example.com', 'A <a@example.com>', 'a@example.com\nb@x.com'];
		const odd = [' ', null, ...several].map((emailID) => ({ emailID }));
		expect(list(...odd, expiry(null), expiry(0), expiry('-1'))).toMatchObject(nobody);
		expect(list(expiry(3000), expiry('2000'), expiry(1000, 1), expiry('never'))).toMatchObject({
			linksExpireAt: '1970-01-01T00:00:02.000Z',
			notSignedCount: 3,
		});
	});

	const logEntry = (emailID: string, addedOn: number, more: IDataObject = {}) => ({
		operationType: 'SIGNED',
		operationBy: { name: 'N', emailID },
		operationData: {},
		sourceIP: '192.0.2.1:443',
		addedOn,
		...more,
	});
	const [first, second, third, creator] = document.signatory;
	const detailed = {
		...document,
		signatory: [
			first,
			{ ...second, signing: { url: '', expiry: null } },
			{ ...third, signing: null },
			creator,
		],
		logsStatus: [
			logEntry('', 500, { operationType: 'SENT_FOR_SIGNATURE', sourceIP: '' }),
			logEntry('', 1000, { operationData: { signatoryID: 'id-b@example.com' } }),
			logEntry(' A@Example.com', 2000, { sourceIP: '[2001:db8::1]:443' }),
			{ operationType: 'SIGNED', operationData: { signatoryID: 'id-a@example.com' } },
		],
	};
	const link = { signingLink: signing.url, expiresAt: '2026-01-01T00:00:00.000Z' };
	const noLink = { signingLink: null, expiresAt: null };
	const at = (second: number) => new Date(second * 1000).toISOString();

	test.each<[string[], IDataObject, IDataObject[]]>([
		[[], {}, [{}, {}, {}]],
		[['other', 'constructor'], {}, [{}, {}, {}]],
		[['signingLinks'], {}, [link, noLink, noLink]],
		[
			['history'],
			{
				history: [
					{ what: 'SENT_FOR_SIGNATURE', who: 'N', email: null, at: at(0.5), ip: null },
					{ what: 'SIGNED', who: 'N', email: null, at: at(1), ip: '192.0.2.1' },
					{ what: 'SIGNED', who: 'N', email: ' A@Example.com', at: at(2), ip: '2001:db8::1' },
					{
						...{ what: 'SIGNED', who: 'Name of a@example.com', email: 'a@example.com' },
						...{ at: null, ip: null },
					},
				],
				historyLeftOut: 0,
			},
			[{ ip: '2001:db8::1' }, { ip: '192.0.2.1' }, { ip: null }],
		],
	])(
		'contains only the additional fields selected in Include: %j',
		(include, ofDocument, ofEach) => {
			const without = simplify('completedDocument', { Document: detailed });
			const people = without.signatories as IDataObject[];
			// The time of a signature is always shown, because it is not a secret.
			expect(people.map(({ signedAt }) => signedAt)).toEqual([at(2), at(1), null]);
			const added = ofEach.at(-1);
			expect(simplify('completedDocument', { Document: detailed }, include)).toEqual({
				...without,
				...ofDocument,
				signatory: { ...nothing.signatory, ...added },
				signatories: people.map((person, index) => ({ ...person, ...ofEach[index] })),
			});
		},
	);

	describe('the person in the history', () => {
		const ana = { signatoryID: 's1', _id: 'm1', emailID: 'ana@example.com', name: 'Ana' };
		const ben = { signatoryID: 's2', emailID: 'ben@example.com', name: 'Ben' };
		const entryOf = (entry: IDataObject, signatory: IDataObject[] = [ana, ben]) => {
			const logsStatus = [{ operationType: 'SIGNED', ...entry }];
			const output = simplify('completedDocument', { Document: { signatory, logsStatus } }, [
				'history',
			]);
			const [{ who, email } = {}] = output.history as IDataObject[];
			return [who, email];
		};
		const by = (signatoryID: unknown) => ({ operationData: { signatoryID } }) as IDataObject;
		const unknown = [null, null];

		test.each<[string, IDataObject]>([
			['has no operationBy', by('s1')],
			['has an empty operationBy', { ...by('s1'), operationBy: {} }],
			['has empty texts in operationBy', { ...by('s1'), operationBy: { name: '', emailID: ' ' } }],
			['has null in operationBy', { ...by('s1'), operationBy: { name: null, emailID: null } }],
			['uses the other ID', by('m1')],
		])('is the one with the ID if the entry of a signature %s', (_how, entry) => {
			expect(entryOf(entry)).toEqual(['Ana', 'ana@example.com']);
		});

		const both = [ana, ben];

		test.each<[string, IDataObject, unknown[], IDataObject[]]>([
			['names someone', { ...by('s1'), operationBy: { name: 'Office' } }, ['Office', null], both],
			['has an address', { ...by('s1'), operationBy: { emailID: 'x@y.z' } }, [null, 'x@y.z'], both],
			['is of another kind', { ...by('s1'), operationType: 'SENT_FOR_SIGNATURE' }, unknown, both],
			['is of no kind', { ...by('s1'), operationType: '', sourceIP: '192.0.2.1' }, unknown, both],
			['has an unknown ID', by('s9'), unknown, both],
			['has an empty ID', by(''), unknown, [{ signatoryID: '', emailID: 'x@y.z' }]],
			['has an ID that two people share', by('s1'), unknown, [ana, { ...ben, signatoryID: 's1' }]],
			[
				"has one person's ID and another's second ID",
				by('s2'),
				['Ben', 'ben@example.com'],
				[{ ...ana, _id: 's2' }, ben],
			],
			['has the ID of an entry without a name', by('s1'), unknown, [{ signatoryID: 's1' }]],
		])('is what the entry contains if it %s', (_how, entry, expected, people) => {
			expect(entryOf(entry, people)).toEqual(expected);
		});
	});

	test.each([
		['192.0.2.1', '192.0.2.1'],
		['192.0.2.1:51234', '192.0.2.1'],
		[' [2001:db8::1]:443 ', '2001:db8::1'],
		['2001:db8::1', '2001:db8::1'],
		['unknown', 'unknown'],
	])('shows the IP address %j as %j', (sourceIP, ip) => {
		const Document = { logsStatus: [{ sourceIP }] };
		expect(simplify('signDocument', { Document }, ['history'])).toMatchObject({
			history: [{ ip }],
		});
	});

	test.each(eventsAbout('document'))('contains no time in milliseconds in %s', (event) => {
		const time = 1_767_225_600_000;
		const sample = JSON.parse(
			JSON.stringify(sampleOf(DocumentSchema)).replace(
				/("(?:addedOn|modifiedOn|lastUpdatedAt|expiry)":)\d+/g,
				`$1${time}`,
			),
		) as IDataObject;
		const output = simplify(
			event,
			{
				type: event,
				addedOn: time,
				Document: {
					...sample,
					addedOn: time,
					logsStatus: [logEntry('', time)],
					signatory: document.signatory,
				},
			},
			['history', 'signingLinks'],
		);
		expect(JSON.stringify(output)).not.toMatch(/\d{13}/);
		expect(JSON.stringify(output).split('2026-01-01T00:00:00.000Z').length - 1).toBeGreaterThan(4);
	});

	test('trims the addresses and joins them for an email node', () => {
		const signatory = [
			{ emailID: ' ana.torres@example.com\n', isSigned: 1 },
			{ emailID: 'ben.cruz@mail.example.com', isSigned: 0 },
		];
		expect(simplify('sendDocument', { Document: { signatory } })).toMatchObject({
			signatoryEmails: 'ana.torres@example.com, ben.cruz@mail.example.com',
			notSignedEmails: 'ben.cruz@mail.example.com',
		});
	});

	test.each(['history', ['history']])(
		"contains what the trigger's Include option selects: %j",
		async (include) => {
			const { call } = triggerNode({ options: { include } });
			const body = { type: 'signDocument', Document: { ...detailed, documentID: typeof include } };
			const [item] = (await call({ body })).items;
			expect(item?.json.history).toHaveLength(detailed.logsStatus.length);
			expect(JSON.stringify(item?.json)).not.toContain('signingLink');
		},
	);

	test("is the trigger's output, unless raw output is selected", async () => {
		const body = { type: 'signDocument', addedOn: 1, Document: document };
		const itemOf = async (output: string) => {
			const { call } = triggerNode({ options: { output } }, { instance: output });
			return (await call({ body })).items[0]?.json;
		};
		const simplified = await itemOf('simplified');
		expect(simplified).toEqual(simplify('signDocument', body));
		expect(await itemOf('raw')).toEqual(body);
	});

	test('contains the country and the roles of a document that this execution has sent', () => {
		const roles = [
			{ email: 'A@example.com', role: 'Employer' },
			{ email: 'b@example.com', role: 'Employee' },
		];
		const itemOf = (country?: string) =>
			simplifyNotification(
				readNotification('completedDocument', { Document: { ...document, country } }),
				{ knownDocument: { country: 'Chile', roles } },
			);
		const output = itemOf();
		expect(output.country).toBe('Chile');
		expect(Object.keys(itemOf('Peru')).sort()).toEqual(Object.keys(output).sort());
		const people = output.signatories as IDataObject[];
		expect(people.map(({ email, role }) => [email, role])).toEqual([
			['a@example.com', 'Employer'],
			['b@example.com', 'Employee'],
			['c@example.com', null],
		]);
	});

	test('begins with the fields that the next node needs', () => {
		const first = (output: IDataObject) => Object.keys(output).slice(0, 3);
		const body = { validationId: 'v', status: 'COMPLETED' };
		expect(first(simplify('completedDocument', { Document: document }))).toEqual([
			'event',
			'documentId',
			'title',
		]);
		expect(first(simplify('VERIFICATION_REQUEST_FINISHED', body))).toEqual([
			'event',
			'passed',
			'validationId',
		]);
	});

	test.each(events.map(({ type }) => type))('contains no unknown field of %s', (event) => {
		const unknown = ['message', 'reason', 'code', 'responseData', 'Status', 'attempt', 'curp'];
		const field = fc.tuple(fc.constantFrom(...unknown), fc.jsonValue());
		fc.assert(
			fc.property(field, ([name, value]) => {
				const body = { type: event, Document: { title: 'Lease' }, addedOn: 1 };
				const usual = { ...simplify(event, body), eventId: nothing.eventId };
				const more = { ...body, [name]: ['MARK', value] } as IDataObject;
				expect(simplify(event, more)).toEqual(usual);
			}),
		);
	});

	describe('unselected personal data', () => {
		/**
		 * Fields, grouped by the choice of Include that adds them. Those under "raw" appear only in raw
		 * output.
		 */
		const marks = {
			history: ['logsStatus'],
			signingLinks: ['signing'],
			raw: [
				'formAnswer',
				'formSignatory',
				'fieldArray',
				'password',
				'verificationCode',
				'phone',
				'biometric',
				'ocr',
				'score',
				'sourceIP',
				'photo',
				'signature',
				'signatureArray',
				'attachment',
				'attachmentUrl',
				'documentImage',
				'curp',
				'claveDeElector',
				'birthDate',
				'address',
				'faceRecognition',
				// A service may spell names differently, as in the next three.
				'Biometric',
				'source_ip',
				'SIGNATURE',
			],
		};
		const names = Object.values(marks).flat();
		const personal = fc.tuple(
			fc.constantFrom(...names),
			fc.constantFrom<(mark: string) => unknown>(
				(mark) => mark,
				(mark) => [mark],
				(mark) => ({ value: mark }),
				(mark) => [{ list: [{ value: mark }] }],
			),
		);
		/** Where the field is: in the Document, a signatory, webhookData, the body, or a nested object. */
		const place = fc.constantFrom('document', 'signatory', 'webhookData', 'body', 'nested');
		const include = fc.subarray(['history', 'signingLinks']);

		const bodyWith = (where: string, field: IDataObject): IDataObject => {
			const sample = (at: string) => (where === at ? field : {});
			const person = { emailID: 'ada@example.com', name: 'Ada', ...sample('signatory') };
			const webhookData = { signatory: { ...person, ...sample('webhookData') } };
			const Document = {
				documentID: 'd',
				title: 'Lease',
				signatory: [person],
				webhookData,
				...sample('document'),
			};
			return { Document, ...sample('body'), more: [{ in: sample('nested') }] };
		};

		test.each(events.map(({ type }) => type))('is hidden in %s', (event) => {
			fc.assert(
				fc.property(
					personal,
					place,
					include,
					fc.boolean(),
					([name, shape], where, chosen, isBare) => {
						const { Document, ...rest } = bodyWith(where, { [name]: shape('MARK') as IDataObject });
						// An event with a documented body may arrive without its Document.
						const body = isBare ? { ...rest, document: Document } : { Document, ...rest };
						const shown = JSON.stringify(simplify(event, body, chosen));
						const choice = Object.entries(marks).find(([, fields]) => fields.includes(name))?.[0];
						if (!chosen.includes(choice as never)) expect(shown).not.toContain('MARK');
					},
				),
				{ numRuns: 500 },
			);
		});

		test("is hidden in any event with the contract's complete Document", () => {
			const signatories = sampleOf(SignatorySchema) as IDataObject;
			const sample = { ...(sampleOf(DocumentSchema) as IDataObject), signatory: [signatories] };
			const forbidden = new Set(names.map((name) => name.toLowerCase()));
			const found = (value: unknown): string[] =>
				typeof value !== 'object' || value === null
					? []
					: Object.entries(value).flatMap(([name, inner]) => [
							...(forbidden.has(name.toLowerCase()) ? [name] : []),
							...found(inner),
						]);
			for (const { type } of events) {
				const output = simplify(type, { type, Document: sample });
				// The name and the email address of the person who signed are always shown, so leave them out
				// of the search.
				delete output.signatory;
				expect({ type, found: found(output) }).toEqual({ type, found: [] });
			}
		});
	});

	test.each<[IDataObject, IDataObject]>([
		[{}, {}],
		[{ validationId: 'v' }, { validationId: 'v' }],
		[{ validationId: '', sessionId: null, customerId: null, emailId: '', status: null }, {}],
		[
			{ data: { sessionId: 's', customerId: 'c' }, status: 'rejected' },
			{
				validationId: 's',
				passed: false,
				status: 'rejected',
				customerId: 'c',
			},
		],
		[{ validationId: 'v', data: { validationId: 'w' }, status: 'OK' }, { status: 'OK' }],
		[
			{ validationId: 'v', results: { score: { overall: { status: 'OK' } } }, passed: 'yes' },
			{ validationId: 'v', passed: true },
		],
		[
			{
				type: 'FACE',
				emailId: 'Ana@example.com',
				sessionId: 's',
				status: 'COMPLETED',
				addedOn: 1,
				customerId: 'c',
			},
			{
				email: 'Ana@example.com',
				validationId: 's',
				status: 'COMPLETED',
				customerId: 'c',
				happenedAt: '1970-01-01T00:00:00.001Z',
			},
		],
		[{ emailId: 'ana@example.com', owner: { email: 'owner@example.com' } }, {}],
	])('shows the request and its result for the identity event %j', (body, expected) => {
		const event = 'VERIFICATION_REQUEST_FINISHED';
		expect(simplify(event, body)).toEqual({
			event,
			passed: null,
			validationId: null,
			email: null,
			status: null,
			customerId: null,
			happenedAt: null,
			eventId: nothing.eventId,
			...expected,
		});
	});
});

/**
 * Sends an event to a trigger that downloads files. Returns the item that starts the workflow, and the calls.
 */
async function receive(body: IDataObject, setting: Parameters<typeof triggerNode>[1] = {}) {
	const { call, fetched } = triggerNode(
		{ downloadFiles: true },
		{ fetch: () => fileResponse('%PDF-content'), ...setting },
	);
	const { items } = await call({ body });
	return { item: items[0], fetched };
}

useVirtualTime();

describe('Download Files', () => {
	test.each(['false', '', false])('is off if its value is %j', async (downloadFiles) => {
		const { call, fetched } = triggerNode({ downloadFiles });
		const [item] = (await call({ body: completedEvent({ documentURL: at('d') }) })).items;
		expect(fetched).toEqual([]);
		expect(item).not.toHaveProperty('binary');
		expect(item?.json).toMatchObject({ attachmentFields: '', missingFiles: [] });
	});

	test('does not attach anything if the event does not contain a document', async () => {
		const { item, fetched } = await receive({ type: 'failedBiometric', a: 1 });
		const json = { event: 'failedBiometric', missingFiles: [] };
		expect(item).toMatchObject({ json, binary: {} });
		expect(fetched).toEqual([]);
	});

	test('attaches a file even if its link begins with http://', async () => {
		const link = 'http://files.example/d';
		const { item } = await receive({
			...completedEvent({ documentURL: link }),
			type: 'sendDocument',
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
	});

	const at = (name: string) => `https://files.example/${name}`;
	const three = () =>
		completedEvent({
			documentURL: at('d'),
			certificateURL: at('c'),
			pscCertificateURL: at('p'),
		});
	const missing = (item: { json: IDataObject } | undefined) => item?.json.missingFiles;

	test.each<[string, string | undefined, unknown]>([
		['Lease – Ana Torres', 'Lease', 'Ana Torres'],
		['Lease', 'Lease', ''],
		['Lease', 'Lease', { first: 'Ana' }],
		['document – Ana Torres', '', 'Ana Torres'],
		['document – Ana Torres', undefined, 'Ana Torres'],
	])(
		'begins file names with "%s" for the document %j and the first signatory %j',
		async (expected, title, name) => {
			const signatory = [{ name }, { name: 'Ben Cruz' }] as IDataObject[];
			const event = three();
			const { documentID } = event.Document;
			const { item } = await receive({
				...event,
				Document: { ...event.Document, title, signatory },
			});
			expect(Object.values(item?.binary ?? {}).map(({ fileName }) => fileName)).toEqual(
				['', ' - certificate', ' - PSC certificate'].map(
					(suffix) => `${expected} – ${documentID}${suffix}.pdf`,
				),
			);
		},
	);

	test('lists a file as missing if a completed document does not contain a link to it', async () => {
		const { item } = await receive(completedEvent({ documentURL: at('d') }));
		expect(item?.json.attachmentFields).toBe('document');
		expect(missing(item)).toEqual(
			['certificate', 'pscCertificate'].map((name) => ({
				file: name,
				reason: "the event didn't contain a link to it",
			})),
		);
	});

	test('lists missing files in the raw event but does not change anything else', async () => {
		const body = completedEvent({ documentURL: at('d') });
		const files = ['document', 'certificate'];
		const form = { downloadFiles: true, files, options: { output: 'raw' } };
		const { call } = triggerNode(form, { fetch: () => fileResponse('%PDF-content') });
		const [item] = (await call({ body })).items;
		const reason = "the event didn't contain a link to it";
		expect(item?.json).toEqual({ ...body, missingFiles: [{ file: 'certificate', reason }] });
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
	});

	test.each([
		[
			"its link isn't a URL that begins with http:// or https://",
			'ftp://files.example/x',
			() => undefined,
		],
		[
			"its link isn't a URL that begins with http:// or https://",
			'x-https://files.example',
			() => undefined,
		],
		[
			"Couldn't download the document: https://files.example is refusing connections",
			at('d'),
			() => {
				throw errorWithCode('ECONNREFUSED');
			},
		],
		[
			"The link to the document isn't valid, most likely because it has expired (HTTP 200). The server returned 20 B of text/plain",
			at('d'),
			() => ({
				...fileResponse('Unknown key 5f3a9c1e'),
				headers: { 'content-type': 'text/plain' },
			}),
		],
	])('states the reason for a missing file: %s (%s)', async (reason, documentURL, fetch) => {
		const body = { ...completedEvent({ documentURL }), type: 'sendDocument' };
		const { item } = await receive(body, { fetch });
		expect(missing(item)).toEqual([{ file: 'document', reason }]);
	});

	test.each([403, 404])(
		'attaches a file that is there 3 seconds after HTTP %i',
		async (statusCode) => {
			const body = { ...completedEvent({ documentURL: at('d') }), type: 'sendDocument' };
			const responses = [{ ...fileResponse('Not here'), statusCode }, fileResponse('%PDF-content')];
			const { item } = await receive(body, { fetch: () => responses.shift() });
			expect(item?.json).toMatchObject({ attachmentFields: 'document', missingFiles: [] });
		},
	);

	test("lists a file as missing if n8n cannot store it, but omits n8n's reason", async () => {
		const body = { ...completedEvent({ documentURL: at('d') }), type: 'sendDocument' };
		const store = async () => await Promise.reject(new Error('at /some/folder'));
		const { item } = await receive(body, { store });
		expect(missing(item)).toEqual([{ file: 'document', reason: "n8n couldn't store it" }]);
	});

	test.each<[string, IDataObject['files'], string[]]>([
		['all files by default', undefined, ['document', 'certificate', 'pscCertificate']],
		['the chosen files', ['certificate', 'document'], ['document', 'certificate']],
		['the file that an expression selects', 'pscCertificate', ['pscCertificate']],
	])('attaches %s', async (_name, files, attached) => {
		const { call, fetched } = triggerNode(
			{ downloadFiles: true, files },
			{ fetch: () => fileResponse('%PDF-content') },
		);
		const [item] = (await call({ body: three() })).items;
		expect(Object.keys(item?.binary ?? {})).toEqual(attached);
		expect(item?.json).toMatchObject({ attachmentFields: attached.join(','), missingFiles: [] });
		const checksums = Object.entries(item?.json ?? {}).filter(([field]) => /sha256/i.test(field));
		const checksum = createHash('sha256').update('%PDF-content').digest('hex');
		expect(checksums).toEqual(attached.map((file) => [`${file}Sha256`, checksum]));
		expect(fetched.filter(({ url }) => url.startsWith('https://files.'))).toHaveLength(
			attached.length,
		);
	});

	test.each([[['photo']], [[]], [null]])(
		'rejects an event if Files is %j, so the service sends the event again',
		async (files) => {
			const { call, logged } = triggerNode({
				downloadFiles: true,
				files: files ?? '={{ $json.x }}',
			});
			expect((await call({ body: three() })).status).toBe(500);
			expect(logged.join()).toContain('Files: ');
		},
	);

	test("keeps half of the slots free of the account in the node's credential", async () => {
		const ofAccount = (userId: string, nodeId: string, fetch: () => unknown) =>
			triggerNode(
				{ downloadFiles: true },
				{ fetch, nodeId, credential: { ...storedCredential, userId } },
			);
		const hang = async () => await new Promise(() => {});
		const slow = ['first', 'second'].map((nodeId) => ofAccount('slow', nodeId, hang));
		const deliver = async ({ call }: ReturnType<typeof triggerNode>) =>
			(await call({ body: { ...completedEvent({ documentURL: at('d') }), type: 'sendDocument' } }))
				.items[0];
		const late = slow.flatMap((node) =>
			Array.from({ length: 30 }, async () => await deliver(node)),
		);
		await sleep(1);
		expect(slow.flatMap(({ fetched }) => fetched)).toHaveLength(25);
		const other = ofAccount('other', 'third', () => fileResponse('%PDF-content'));
		const elapsedMs = stopwatch();
		expect((await deliver(other))?.json.attachmentFields).toBe('document');
		expect(elapsedMs()).toBeLessThan(100);
		const reasons = (await Promise.all(late)).map((item) => JSON.stringify(missing(item)));
		const tooMany = reasons.filter((reason) => reason.includes('too many other files'));
		expect([reasons.length, tooMany.length]).toEqual([60, 35]);
	});

	test('gets the files even if n8n cannot read the credential', async () => {
		const context = {
			helpers: {
				httpRequest: async () => await Promise.resolve(fileResponse('%PDF-content')),
				prepareBinaryData: async () => await Promise.resolve({ data: '', mimeType: '' }),
			},
			getCredentials: async () => await Promise.reject(new Error('no credential')),
			getNode: () => ({}),
		} as unknown as IWebhookFunctions;
		const notification = readNotification(
			'completedDocument',
			completedEvent({ documentURL: at('d') }),
		);
		const choice = { output: 'simplified' as const, files: ['document' as const] };
		const { binary } = await toItem(context, notification, choice);
		expect(Object.keys(binary ?? {})).toEqual(['document']);
	});

	test('ends after ten seconds with the files that have arrived', async () => {
		const body = three();
		const fetch = async (options: IHttpRequestOptions) =>
			options.url === at('d') ? fileResponse('%PDF-content') : await neverRespond({ options });
		const elapsedMs = stopwatch();
		const { item } = await receive(body, { fetch });
		expect(elapsedMs()).toBe(10_000);
		expect(Object.keys(item?.binary ?? {})).toEqual(['document']);
		expect(missing(item)).toEqual(
			[
				['certificate', 'certificate'],
				['pscCertificate', 'PSC certificate'],
			].map(([name, noun]) => ({
				file: name,
				reason: `Couldn't download the ${noun}: the download didn't finish within 10 s`,
			})),
		);
	});
});
