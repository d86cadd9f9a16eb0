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
			addedOn: '1970-01-01T00:00:00.005Z',
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
		expect(read.addedOn).toBeUndefined();
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
	const idOf = (event: string, body: IDataObject) => readNotification(event, body).id;
	const signed = (more: IDataObject = {}, document: IDataObject = {}) => ({
		addedOn: 5,
		Document: { ...lease, webhookData: { signatory: ana }, ...document },
		...more,
	});

	test('is that of its event, however much else has changed', () => {
		const id = idOf('signDocument', signed());
		expect(id).toMatch(/^[0-9a-f]{32}$/);
		expect(idOf('signDocument', signed({ sentAgain: 2 }, { title: 'Lease 2' }))).toBe(id);
		expect(idOf('signDocument', signed({ addedOn: 6 }))).toBe(id);
	});

	test('is another one for another event, document or signatory', () => {
		const other = { signatory: { ...ana, signatoryID: 's9' } };
		const ids = [
			idOf('signDocument', signed()),
			idOf('sendDocument', signed()),
			idOf('signDocument', signed({}, { documentID: 'e' })),
			idOf('signDocument', signed({}, { webhookData: other })),
		];
		expect(new Set(ids).size).toBe(ids.length);
	});

	test('needs no signatory for a completed document, but for a signature', () => {
		const nobody = { webhookData: {} };
		const completed = (more: IDataObject) => idOf('completedDocument', signed(more, nobody));
		expect(completed({ sentAgain: 2 })).toBe(completed({}));
		const unnamed = (more: IDataObject) => idOf('signDocument', signed(more, nobody));
		expect(unnamed({ sentAgain: 2 })).not.toBe(unnamed({}));
	});

	test('has the time of the event, unless it can happen only once', () => {
		const nobody = { webhookData: {} };
		const hasTime = (event: string, document: IDataObject = {}) => {
			const [one, other] = [5, 6].map((addedOn) => idOf(event, signed({ addedOn }, document)));
			return one !== other;
		};
		expect(hasTime('signDocument')).toBe(false);
		expect(hasTime('completedDocument', nobody)).toBe(false);
		expect(hasTime('signDocument', nobody)).toBe(true);
		expect(hasTime('completedDocument', { documentID: '', _id: null })).toBe(true);
		expect(hasTime('sendDocument')).toBe(true);
		expect(hasTime('failedBiometric')).toBe(true);
	});

	test('comes from all of it where its fields are not documented', () => {
		const unknown = (more: IDataObject) => idOf('validIdentity', signed(more));
		expect(unknown({ sentAgain: 2 })).not.toBe(unknown({}));
		const without = (more: IDataObject) => idOf('signDocument', { addedOn: 5, ...more });
		expect(without({ a: 1 })).not.toBe(without({ a: 2 }));
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
