import {
	createDocument,
	documentIdOf,
	readPerson,
	signatoriesOf,
} from '../../nodes/SignVerify/api/documents';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { coded, standIn } from '../support/standIn';

const body = { templateID: 'lease', country: 'MX', inputs: {}, signatories: [] };

describe('creating a document', () => {
	test.each([
		['v1', '/api/templates/createDocumentByTemplate'],
		['v2', '/api/templates/createDocumentByTemplateV2'],
	] as const)('from a template of %s is one call', async (version, path) => {
		const { context, calls } = standIn(() => ({ body: { responseData: { documentID: 'd' } } }));
		const service = new ServiceClient(context);
		const answer = await createDocument(service, version, body);
		expect(answer).toMatchObject({ responseData: { documentID: 'd' } });
		expect(calls.map(({ options }) => [options.method, new URL(options.url).pathname])).toEqual([
			['POST', path],
		]);
		expect(calls[0]?.options.body).toEqual(body);
	});

	test('that breaks says that the document may exist', async () => {
		const { context } = standIn(() => {
			throw coded('ECONNRESET');
		});
		const creating = createDocument(new ServiceClient(context), 'v2', body);
		await expect(creating).rejects.toMatchObject({
			mayHaveCreated: true,
			message: expect.stringContaining('the document') as string,
		});
	});
});

describe('the ID of a created document', () => {
	test.each<[string, unknown, string]>([
		['documentID', { documentID: 'd', _id: 'x' }, 'd'],
		['that of an output', { documentId: 'd' }, 'd'],
		['_id alone', { documentID: '', _id: 'd' }, 'd'],
		['not in a list', [{ documentID: 'd' }], ''],
		['not in a member', { document: { documentID: 'd' } }, ''],
		['not the one of a signatory', { signatory: { documentID: 'x' } }, ''],
		['not one of people', { people: [{ _id: 'x' }], user: { id: 'x' }, templateID: 'x' }, ''],
		['not an empty one', { documentID: '', _id: null }, ''],
		['nowhere', 'created', ''],
		['in nothing', undefined, ''],
	])('%s', (_name, answer, id) => {
		expect(documentIdOf(answer)).toBe(id);
	});
});

describe('the signatories of a document', () => {
	test('have signed where the service says 1 or true, in any type', () => {
		const signed = (isSigned: unknown) =>
			signatoriesOf([{ signatoryID: 's', isSigned }])[0]?.signed;
		for (const yes of [1, '1', true, 'true', 'TRUE']) expect(signed(yes)).toBe(true);
		for (const no of [0, '0', false, 'no', '', null, undefined]) expect(signed(no)).toBe(false);
	});

	test('are all but the creator, and nothing else of a list that is none', () => {
		const list = [
			{ signatoryID: 's', userID: 'u', emailID: 'a@example.com', name: 'Ana' },
			{ emailID: 'b@example.com' },
			{ userID: 'u', emailID: 'creator@example.com' },
			'somebody',
			null,
		];
		expect(signatoriesOf(list)).toEqual([
			{ email: 'a@example.com', name: 'Ana', signed: false },
			{ email: 'b@example.com', signed: false },
		]);
		expect(signatoriesOf({ emailID: 'a@example.com' })).toEqual([]);
	});

	test('are named without their link', () => {
		expect(readPerson({ emailID: 'a@example.com', name: 7, signing: { url: 'x' } })).toEqual({
			email: 'a@example.com',
			name: '7',
		});
		expect(readPerson({})).toEqual({});
		expect(readPerson('Ana')).toEqual({});
	});
});
