import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import {
	type AwaitedDocument,
	identityOutcome,
	isAwaited,
} from '../../nodes/SignVerify/wait/outcome';
import { useFakeDelay, waits } from '../support/fakeDelay';
import { coded, standIn } from '../support/standIn';

const now = Date.now();
const awaitedDocument: AwaitedDocument = {
	documentId: '',
	templateId: 'lease',
	emails: ['ana@example.com', 'Ben@example.com'],
	since: now,
	until: now + 2000,
};
const signatory = (emailID: string) => ({
	signatoryID: emailID,
	emailID,
	isSigned: 1,
	signing: {},
});
const both = [signatory('ben@example.com'), signatory('ANA@example.com')];
const body = (Document: object) => ({ type: 'completedDocument', Document });
const isAbout = (given: object, wanted: AwaitedDocument) =>
	isAwaited(readNotification('completedDocument', given as IDataObject).document, wanted);

test.each([
	['its ID', { documentID: 'one' }, true],
	['its other ID', { _id: 'one' }, true],
	[
		'another ID, all else the same',
		{ documentID: 'two', templateID: 'lease', signatory: both },
		false,
	],
	['no ID', { templateID: 'lease', signatory: both }, false],
])('where the ID is known: %s', (_name, document, expected) => {
	expect(isAbout(body(document), { ...awaitedDocument, documentId: 'one' })).toBe(expected);
});

const minute = 60_000;
const own = { templateID: 'lease', signatory: both, addedOn: now };
const iso = (time: number) => new Date(time).toISOString();

test.each<[string, object, boolean]>([
	['template and people, in any order and case', own, true],
	['the time as digits', { ...own, addedOn: String(now) }, true],
	['the time as ISO text', { ...own, addedOn: iso(now) }, true],
	['a clock that is a little behind', { ...own, addedOn: now - minute }, true],
	['a clock that is a little ahead', { ...own, addedOn: iso(now + minute) }, true],
	['no template', { ...own, templateID: undefined }, false],
	['an empty template', { ...own, templateID: '' }, false],
	['another template', { ...own, templateID: 'nda' }, false],
	['one person less', { ...own, signatory: both.slice(1) }, false],
	['nobody', { ...own, signatory: [] }, false],
	['no list of people', { ...own, signatory: 'ana@example.com' }, false],
	['a document made before', { ...own, addedOn: now - 60 * minute }, false],
	['a document made later', { ...own, addedOn: now + 60 * minute }, false],
	['no time', { ...own, addedOn: undefined }, false],
	['a time of another kind', { ...own, addedOn: { $date: now } }, false],
	['a time of no zone', { ...own, addedOn: iso(now).slice(0, -1) }, false],
	['a year', { ...own, addedOn: new Date(now).getFullYear() }, false],
	['no moment at all', { ...own, addedOn: '2026-13-45T99:99:99Z' }, false],
])('where it is not: %s', (_name, document, expected) => {
	expect(isAbout(body(document), awaitedDocument)).toBe(expected);
});

test('where the answer took long: a document made meanwhile', () => {
	const slow = { ...awaitedDocument, until: now + 30 * minute };
	expect(isAbout(body({ ...own, addedOn: now + 20 * minute }), slow)).toBe(true);
	expect(isAbout(body({ ...own, addedOn: now + 40 * minute }), slow)).toBe(false);
});

test('a wait that knows neither ID nor people nor template takes nothing', () => {
	const unknown = { documentId: '', templateId: '', emails: [], since: 0, until: 0 };
	const signatories = [signatory('')];
	for (const document of [own, { ...own, templateID: '' }, { ...own, signatory: signatories }]) {
		expect(isAbout(body(document), { ...unknown, since: now, until: now })).toBe(false);
		expect(isAbout(body({ ...document, templateID: '', addedOn: 0 }), unknown)).toBe(false);
	}
});

test.each([[{}], [{ Document: null }], [{ Document: 'one' }], [{ Document: [] }]])(
	'a body without a document: %j',
	(given) => {
		expect(isAbout(given, awaitedDocument)).toBe(false);
		expect(isAbout(given, { ...awaitedDocument, documentId: 'one' })).toBe(false);
	},
);

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);
useFakeDelay();

const awaited = { validationId: 'v1', email: 'ana@example.com', personal: false };
const passed = { score: { overall: { value: 98, status: 'OK' } }, ocr: {} };

/** The form of the results before the person has done anything. */
const empty = {
	score: {
		idValidation: { overall: { value: '', status: '' } },
		liveness: { digitalAttack: { status: ' ' } },
		overall: { value: '', status: '' },
	},
	ocr: { name: { fullName: '' }, address: '', birthDate: null, gender: '' },
};

/** The same, with 0 for each number. */
const zeros = {
	score: { idValidation: { overall: { value: 0, status: '' } }, overall: { value: 0, status: '' } },
	ocr: { name: { fullName: '' }, address: '', birthDate: 0 },
};

/** What the service says of the request, and of its results, at each time that it is asked. */
interface Says {
	status?: unknown;
	results?: unknown;
}

const nothing = { status: 404, body: { success: false, message: 'no' } };

/** A service; the last thing that it says stays. */
function serviceThat(...says: Array<Says | 'fails'>) {
	let round = -1;
	const { context, calls } = standIn(({ options }) => {
		const isRequest = options.url.includes('/identity/validation/request/');
		if (isRequest) round++;
		const now = says[Math.min(round, says.length - 1)];
		if (now === 'fails' || now === undefined) throw coded('ECONNRESET');
		const [name, value] = isRequest ? ['status', now.status] : ['results', now.results];
		if (value === undefined) return nothing;
		const responseData = { [name]: value, ...(isRequest ? { emailId: 'ana@example.com' } : {}) };
		return { body: { success: true, responseData } };
	});
	return { service: new ServiceClient(context, 0), calls };
}

const ended = (more: IDataObject) => ({
	validationId: 'v1',
	email: 'ana@example.com',
	sessionId: 'v1',
	customerId: null,
	passed: null,
	score: null,
	timedOut: false,
	...more,
});

/** The waits between its questions; those for an answer are longer. */
const pauses = () => waits.filter((wait) => wait < 10_000);

describe('a request that was made before', () => {
	test.each<[string, unknown]>(
		[
			...['', 'CREATED', 'PENDING', 'ACCEPTED', 'SUCCESS', 'NOT_VERIFIED', 'TO_BE_APPROVED'],
			'a word of its own',
		].map((status): [string, unknown] => [status, status]),
	)('with status "%s" and without content in its results is not over', async (_name, status) => {
		for (const results of [
			undefined,
			{},
			empty,
			zeros,
			{ score: {}, ocr: null },
			{ score: null },
			[],
		]) {
			const { service } = serviceThat({ status, results });
			expect(await identityOutcome(service, awaited)).toBeUndefined();
		}
		expect(pauses()).toEqual([]);
	});

	test.each([
		...['COMPLETED', 'completed', ' Completed ', 'FINISHED', 'DONE', 'VERIFIED', 'APPROVED'],
		...['REJECTED', 'DECLINED', 'FAILED', 'EXPIRED', 'CANCELED', 'CANCELLED', 'cancelled'],
	])('with status "%s" is over, and without results nobody looks verified', async (status) => {
		const { service } = serviceThat({ status, results: empty });
		const outcome = await identityOutcome(service, awaited);
		const passed = /^(REJECTED|DECLINED|FAILED)$/.test(status) ? false : null;
		expect(outcome).toEqual(ended({ status, passed }));
	});

	const overall = (status: unknown) => ({ overall: { value: 97, status } });
	test.each<[string, IDataObject, unknown, boolean | null]>([
		[
			'a value',
			{ score: { liveness: { livenessScore: { value: 7 } } } },
			{ liveness: { livenessScore: { value: 7 } } },
			null,
		],
		['what was read from the ID', { score: {}, ocr: { name: { fullName: 'ADA' } } }, null, null],
		...[' ok ', 'FAIL', 'Failed', 'REJECTED', 'DECLINED', 'DENIED'].map(
			(status): [string, IDataObject, unknown, boolean] => {
				const score = overall(status);
				return [`the verdict "${status}"`, { score }, score, status === ' ok '];
			},
		),
		// Nobody knows what another word means, and a part of the checks is no verdict.
		...['', 'PENDING', 'NOT_OK', true].map((status): [string, IDataObject, unknown, null] => {
			const score = { ...overall(status), liveness: { digitalAttack: { status: 'FAIL' } } };
			return [`no verdict but "${String(status)}"`, { score }, score, null];
		}),
	])('is over when its results hold %s', async (_name, results, score, passed) => {
		const { service } = serviceThat({ status: 'CREATED', results });
		const outcome = await identityOutcome(service, awaited);
		expect(outcome).toMatchObject({ status: 'CREATED', score, passed });
		expect(JSON.stringify(outcome)).not.toContain('ADA');
	});

	test('that is COMPLETED gets its results where they come a moment later', async () => {
		const { service } = serviceThat(
			{ status: 'COMPLETED' },
			{ status: 'COMPLETED', results: passed },
		);
		const outcome = await identityOutcome(service, awaited);
		expect(outcome).toMatchObject({ passed: true });
		expect(pauses()).toHaveLength(1);
	});
});

describe('an event that names the request', () => {
	const finished = async (...says: Array<Says | 'fails'>) => {
		const { service, calls } = serviceThat(...says);
		const outcome = await identityOutcome(service, awaited, ['w', 'v1']);
		return { outcome, calls };
	};

	test('brings its results', async () => {
		const { outcome, calls } = await finished({ status: 'COMPLETED', results: passed });
		expect(outcome).toEqual(ended({ status: 'COMPLETED', passed: true, score: passed.score }));
		expect(calls).toHaveLength(2);
	});

	test.each<[string, Says]>([
		['PENDING', { status: 'PENDING', results: empty }],
		['IN_PROGRESS', { status: 'IN_PROGRESS' }],
		['REJECTED', { status: 'REJECTED', results: {} }],
		['', {}],
	])('ends the wait without results, with the status "%s"', async (status, says) => {
		const start = Date.now();
		const { outcome } = await finished(says);
		expect(outcome).toEqual(ended({ status, passed: status === 'REJECTED' ? false : null }));
		expect(pauses().length).toBeGreaterThanOrEqual(2);
		expect(Date.now() - start).toBeLessThanOrEqual(5000);
	});

	test('fails where the service cannot be read', async () => {
		await expect(finished('fails')).rejects.toThrow('closed the connection');
		await expect(finished({ status: 'PENDING' }, 'fails')).rejects.toThrow();
	});

	test('is not answered by a service that takes long, over and over', async () => {
		const { context, calls } = standIn(() => {
			const clock = Date.now() + 4000;
			jest.spyOn(Date, 'now').mockImplementation(() => clock);
			return nothing;
		});
		const service = new ServiceClient(context, 0);
		expect(await identityOutcome(service, awaited, ['w', 'v1'])).toEqual(ended({ status: '' }));
		expect(calls).toHaveLength(2);
	});
});

test('an event that names another request is for that one, and the service is not asked', async () => {
	const { service, calls } = serviceThat({ status: 'COMPLETED', results: passed });
	expect(await identityOutcome(service, awaited, ['v2'])).toBeUndefined();
	expect(calls).toEqual([]);
});

describe('an event that names none', () => {
	test.each<[string, Says, unknown]>([
		[
			'the service says that it is over',
			{ status: 'COMPLETED', results: passed },
			ended({ status: 'COMPLETED', passed: true, score: passed.score }),
		],
		['the service says that it is not', { status: 'PENDING', results: empty }, undefined],
		['the service knows nothing of it', {}, undefined],
	])('where %s', async (_name, says, expected) => {
		const { service } = serviceThat(says);
		expect(await identityOutcome(service, awaited)).toEqual(expected);
	});
});
