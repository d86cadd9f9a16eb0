import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';

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

describe('a notification', () => {
	test('of a signature names the document and the one who signed', () => {
		const body = { addedOn: 5, Document: { ...lease, webhookData: { signatory: ana } } };
		expect(readNotification('signDocument', body)).toMatchObject({
			event: 'signDocument',
			body,
			isDocumented: true,
			document: {
				ids: ['d', 'm'],
				summary: { documentId: 'd', title: 'Lease', status: 'PENDING', templateId: 't' },
				addedOn: 1000,
			},
			signatory: { email: ' Ana@Example.com ', name: 'Ana' },
			emails: ['ana@example.com'],
			sentAt: '1970-01-01T00:00:00.005Z',
		});
	});

	test('leaves out what it does not say', () => {
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
		expect(read.emails).toEqual([]);
		expect(read.sentAt).toBeUndefined();
	});

	test('is documented where its event is, and its document is there', () => {
		const isDocumented = (event: string, body: IDataObject) =>
			readNotification(event, body).isDocumented;
		expect(isDocumented('sendDocument', { Document: {} })).toBe(true);
		expect(isDocumented('sendDocument', { Document: [] })).toBe(false);
		expect(isDocumented('failedBiometric', { Document: {} })).toBe(false);
		expect(readNotification('sendDocument', {})).not.toHaveProperty('document');
	});
});

describe('the request of an identity event', () => {
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
	])('of %j is one of %j', (body, ids) => {
		expect(readNotification('validIdentity', body).validationIds).toEqual(ids);
	});
});

describe('the ID of a notification', () => {
	const signed = (more: IDataObject = {}, document: IDataObject = {}) => ({
		addedOn: 5,
		Document: { ...lease, webhookData: { signatory: ana }, ...document },
		...more,
	});
	const idOf = (event: string, more: IDataObject = {}, document: IDataObject = {}) =>
		readNotification(event, signed(more, document)).id;
	const nobody = { webhookData: {} };

	test('is another one for another event, document or signatory', () => {
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

	// What has no ID of its own is told apart by all that it says.
	test.each<[string, IDataObject, { body: boolean; time: boolean }]>([
		['signDocument', {}, { body: false, time: false }],
		['completedDocument', nobody, { body: false, time: false }],
		['sendDocument', {}, { body: false, time: true }],
		['signDocument', nobody, { body: true, time: true }],
		['completedDocument', { documentID: '', _id: null }, { body: true, time: true }],
		['validIdentity', {}, { body: true, time: true }],
	])('of a %s with %j changes with its body, its time: %j', (event, document, changes) => {
		const id = idOf(event, {}, document);
		const body = idOf(event, { sentAgain: 2 }, { title: 'Lease 2', ...document }) !== id;
		const time = idOf(event, { addedOn: 6 }, document) !== id;
		expect({ body, time }).toEqual(changes);
	});

	test('is the same for a time as text, and without one, that of the whole body', () => {
		expect(idOf('sendDocument', { addedOn: '5' })).toBe(idOf('sendDocument'));
		const unsent = (more: IDataObject) => idOf('sendDocument', { addedOn: null, ...more });
		expect(unsent({ sentAgain: 2 })).not.toBe(unsent({}));
	});
});

const filesOf = (Document?: IDataObject) =>
	readNotification('completedDocument', Document ? { Document } : {}).files;

test('the files stand among the fields of the document or in what was sent with it', () => {
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
