import type { IDataObject } from 'n8n-workflow';

import { type EventRow, events, eventsThatEndWait } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { expectLinear } from '../support/growth';

const ana = { signatoryID: 's1', emailID: ' Ana@Example.com ', name: 'Ana', isSigned: 1 };
const bo = { signatoryID: 's2', emailID: 'bo@example.com', name: 'Bo', isSigned: 0 };
const lease = {
	documentID: 'd',
	_id: 'm',
	title: 'Lease',
	status: 'PENDING',
	templateID: ' t ',
	addedOn: 1000,
	signatory: [ana, bo],
};

describe('A notification', () => {
	test('names the document and the person who signed', () => {
		const body = { addedOn: 5, Document: { ...lease, webhookData: { signatory: ana } } };
		expect(readNotification('signDocument', body)).toMatchObject({
			event: 'signDocument',
			body,
			document: {
				ids: ['d', 'm'],
				summary: { documentId: 'd', title: 'Lease', status: 'PENDING', templateId: 't' },
			},
			signatory: ana,
			happenedAt: '1970-01-01T00:00:00.005Z',
		});
	});

	test('contains empty values for missing fields', () => {
		const source = { _id: 'm', documentID: '' };
		const read = readNotification('sendDocument', { Document: source });
		expect(read.document).toEqual({
			source,
			ids: ['m'],
			summary: { documentId: 'm' },
			addedOn: undefined,
			sentBy: '',
			signatories: [],
			state: 'open',
		});
		expect(read.happenedAt).toBeUndefined();
	});

	test('without a document has no signatories', () => {
		const read = readNotification('sendDocument', {});
		expect(read).not.toHaveProperty('document');
		expect(read.entries).toEqual([]);
	});
});

describe('An event that is added as one row and means that its document is canceled', () => {
	const rows: EventRow[] = events;
	const type = 'rejectedDocument';
	beforeAll(() => {
		rows.push({ type, name: 'Rejected', description: '', about: 'document', means: 'canceled' });
	});
	afterAll(() => void rows.pop());

	test('ends the waits for a document', () => {
		expect(eventsThatEndWait('document')).toContain(type);
		expect(eventsThatEndWait('identity')).not.toContain(type);
	});

	test.each([
		[{}, 'canceled'],
		[{ status: 'PENDING' }, 'canceled'],
		[{ status: 'DENEGADO' }, 'canceled'],
		[{ status: 'PENDING', signatory: [{ emailID: 'a@example.com', isSigned: 1 }] }, 'canceled'],
		[{ status: 'COMPLETED' }, 'completed'],
		[{ status: 'COMPLETED', isCanceled: true }, 'canceled'],
	])('makes a document with %j %s', (document, state) => {
		const Document = { documentID: 'd', ...document };
		expect(readNotification(type, { type, Document }).document?.state).toBe(state);
	});
});

describe('An identity event', () => {
	test.each<[IDataObject, string[]]>([
		[{ validationId: 'v', sessionId: 's' }, ['v']],
		[{ sessionId: 's' }, ['s']],
		[{ sessionId: 7 }, ['7']],
		[{ validationId: '', data: { validationId: 'v' } }, ['v']],
		[{ sessionId: 's', data: { validationId: 'v' } }, ['v']],
		[{ validationId: 'v', data: { validationId: 'w' } }, ['v', 'w']],
		[{ first: {}, second: { sessionId: 's' } }, ['s']],
		[{ list: [{ validationId: 'v' }] }, []],
		[{ outer: { inner: { validationId: 'v' } } }, []],
		[{ status: 'FAILED' }, []],
	])('with the body %j names the requests %j', (body, ids) => {
		expect(readNotification('validIdentity', body).validationIds).toEqual(ids);
	});
});

describe("A verified person's data", () => {
	const scored = (status: string) => ({ score: { overall: { value: 90, status } } });
	/** The places where an event may contain the fields of a response. */
	const places: Array<[string, (fields: IDataObject) => IDataObject]> = [
		['in the body', (fields) => fields],
		['in an object of the body', (fields) => ({ responseData: fields })],
		["in the body's results", (results) => ({ results })],
		["in an object's results", (results) => ({ success: true, responseData: { results } })],
	];
	const verifiedIn = (body: IDataObject) =>
		readNotification('VERIFICATION_REQUEST_FINISHED', body).verified;

	test.each(places)('is found %s', (_place, placed) => {
		const fields = { status: 's', customerId: 'c', email: 'ana@example.com', validationId: 'v' };
		expect(verifiedIn(placed({ ...fields, ...scored('OK') }))).toEqual({ ...fields, passed: true });
		expect(verifiedIn(placed({ emailId: 'ana@example.com', sessionId: 'v' }))).toMatchObject({
			email: 'ana@example.com',
			validationId: 'v',
		});
		expect(verifiedIn(placed(scored('FAILED'))).passed).toBe(false);
		expect(verifiedIn(placed({ status: 'FAILED' })).passed).toBe(false);
	});

	test.each<[IDataObject, boolean | null]>([
		[{ score: {}, responseData: { results: scored('OK') } }, true],
		[{ ...scored('OK'), responseData: { results: scored('FAIL') } }, false],
		[{ status: 'REJECTED', responseData: { results: scored('OK') } }, false],
		[{ status: 'DELIVERED', data: { status: 'REJECTED', results: scored('OK') } }, false],
		[{ status: 200, data: { status: 'FAILED' } }, false],
		[{ status: 'DELIVERED', data: { status: 'COMPLETED', results: scored('OK') } }, true],
		[{ status: 'COMPLETED', results: scored('') }, null],
		[{ results: [scored('OK')] }, null],
		[{ data: { responseData: { results: scored('OK') } } }, null],
		[{ Document: { results: scored('OK') } }, null],
		[{ results: { score: 'OK' } }, null],
	])('%j results in the verdict %j', (body, passed) => {
		expect(verifiedIn(body).passed).toBe(passed);
	});
});

test.each([
	[{ status: 'DELIVERED', data: { status: 'REJECTED' } }, 'REJECTED'],
	[{ status: 'COMPLETED', data: { status: 'stored' } }, 'COMPLETED'],
])('%j has the status %j', (body, status) => {
	expect(readNotification('VERIFICATION_REQUEST_FINISHED', body).verified.status).toBe(status);
});

test('A body with many signatories and objects is read in linear time', async () => {
	await expectLinear(4000, (length) => {
		const signatory = Array.from({ length }, (_, at) => ({ signatoryID: `s${at}` }));
		const levels = Object.fromEntries(
			Array.from({ length }, (_, at) => [`a${at}`, { signatoryID: `t${at}` }]),
		);
		const person = { last: { signatoryID: 's7' } };
		const body: IDataObject = { Document: { documentID: 'd', signatory }, ...levels, ...person };
		return () =>
			expect(readNotification('failedBiometric', body).signatory).toEqual({ signatoryID: 's7' });
	});
});

describe('A notification ID', () => {
	const signed = (more: IDataObject = {}, document: IDataObject = {}) => ({
		addedOn: 5,
		Document: { ...lease, webhookData: { signatory: ana }, ...document },
		...more,
	});
	const idOf = (event: string, more: IDataObject = {}, document: IDataObject = {}) =>
		readNotification(event, signed(more, document)).id;
	const nobody = { webhookData: {} };

	test('is different for each event, document and signatory', () => {
		const other = { signatory: { ...ana, signatoryID: 's9' } };
		const ids = [
			idOf('signDocument'),
			idOf('sendDocument'),
			idOf('signDocument', {}, { documentID: 'e' }),
			idOf('signDocument', {}, { webhookData: other }),
		];
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.join(' ')).toMatch(/^([0-9a-f]{32} ?){4}$/);
	});

	// A notification without an ID is identified by its entire body.
	test.each<[string, string, string, IDataObject, { body: boolean; time: boolean }]>([
		[
			'signDocument',
			'with a signatory',
			'neither the body nor the time',
			{},
			{ body: false, time: false },
		],
		[
			'completedDocument',
			'without a signatory',
			'neither the body nor the time',
			nobody,
			{ body: false, time: false },
		],
		[
			'sendDocument',
			'with a signatory',
			'the time but not the body',
			{},
			{ body: false, time: true },
		],
		[
			'signDocument',
			'without a signatory',
			'the body and the time',
			nobody,
			{ body: true, time: true },
		],
		[
			'completedDocument',
			'without a document ID',
			'the body and the time',
			{ documentID: '', _id: null },
			{ body: true, time: true },
		],
		['validIdentity', 'with a signatory', 'the body and the time', {}, { body: true, time: true }],
	])('for %s %s depends on %s', (event, _what, _parts, document, changes) => {
		const id = idOf(event, {}, document);
		const body = idOf(event, { sentAgain: 2 }, { title: 'Lease 2', ...document }) !== id;
		const time = idOf(event, { addedOn: 6 }, document) !== id;
		expect({ body, time }).toEqual(changes);
	});

	test('is different if a document with an invalid signature is completed later', () => {
		const signatory = [{ ...ana, isSigned: 1, isInvalidSignature: 1 }];
		const ids = ['PENDING', 'COMPLETED'].map((status) =>
			idOf('completedDocument', { type: 'completedDocument' }, { status, signatory }),
		);
		expect(new Set(ids).size).toBe(2);
	});

	test('is the same if the time is a string, and depends on the entire body if the time is missing', () => {
		expect(idOf('sendDocument', { addedOn: '5' })).toBe(idOf('sendDocument'));
		const unsent = (more: IDataObject) => idOf('sendDocument', { addedOn: null, ...more });
		expect(unsent({ sentAgain: 2 })).not.toBe(unsent({}));
	});
});

const filesOf = (Document?: IDataObject) =>
	readNotification('completedDocument', Document ? { Document } : {}).files;

test('File links are read from the document, or from its webhookData if the document does not contain them', () => {
	const data = { documentURL: 'd2', certificateURL: 'c2', pscUrl: 'p2' };
	expect(filesOf({ webhookData: data })).toEqual({
		document: 'd2',
		certificate: 'c2',
		pscCertificate: 'p2',
	});
	const own = { documentURL: 'd1', certificateURL: '', pscCertificateURL: 'p1' };
	expect(filesOf({ ...own, webhookData: data })).toEqual({
		document: 'd1',
		certificate: 'c2',
		pscCertificate: 'p1',
	});
	expect(filesOf(undefined)).toEqual({ document: null, certificate: null, pscCertificate: null });
});
