import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { identity } from '../support/registrations';
import { triggerNode, stored } from '../support/triggerNode';
import { useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const lease = {
	_id: 'm-1',
	templateID: 't-1',
	name: 'Lease',
	description: '',
	status: 'ACTIVE',
	key: '',
	form: [],
	formSignatory: [],
	signatories: [{ key: 'landlord' }, { key: 'tenant' }],
};
const people = ['ana@example.com', 'ben@example.com'].map((emailID) => ({ emailID, name: 'N' }));

let count = 0;

/** Returns the roles in the output of a trigger whose service responds with this list of templates. */
async function rolesIn(document: IDataObject, answer: () => unknown, form: IDataObject = {}) {
	const fetched: string[] = [];
	const fetch = async ({ url = '' }: IHttpRequestOptions & { url?: string }) => {
		fetched.push(url);
		const isToken = url.endsWith('/access/token');
		const token = { success: true, responseData: { accessToken: 'token' } };
		const body = Readable.from([Buffer.from(JSON.stringify(isToken ? token : await answer()))]);
		return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
	};
	// Each call gets its own account, because calls for the same account share a list for ten seconds.
	const credential = { ...stored, userId: `roles-${count++}`, accessToken: 'token' };
	const { call } = triggerNode(form, { credential, fetch });
	const Document = { documentID: `r${count}`, templateID: 't-1', signatory: people, ...document };
	const body = {
		type: 'signDocument',
		Document: { ...Document, webhookData: { signatory: people[1] } },
	};
	const start = performance.now();
	const { items, status } = await call({ body });
	const { signatories, signatory } = items[0]?.json ?? {};
	return {
		status,
		roles: (signatories as IDataObject[] | undefined)?.map(({ role }) => role),
		ofSigner: (signatory as IDataObject | undefined)?.role,
		time: performance.now() - start,
		fetched,
	};
}

const list = (...templates: IDataObject[]) => ({
	success: true,
	responseCode: 200,
	responseData: { templates },
});

describe("A signatory's role in an event", () => {
	test('is determined by the order of the signatories in the template', async () => {
		const found = await rolesIn({}, () => list(lease));
		expect(found).toMatchObject({ roles: ['Landlord', 'Tenant'], ofSigner: 'Tenant' });
		expect(found.fetched.filter((url) => url.endsWith('/templates/v2'))).toHaveLength(1);
	});

	test("is found with either of the template's IDs, even if some of the roles have no signatory", async () => {
		const [ana] = people;
		const document = { templateID: 'm-1', signatory: [ana] };
		expect((await rolesIn(document, () => list(lease))).roles).toEqual(['Landlord']);
	});

	test.each<[string, IDataObject, IDataObject[]]>([
		[
			'some signatories have no role in the template',
			{ signatory: [...people, { emailID: 'c@x.com' }] },
			[lease],
		],
		['the template is not in the list', { templateID: 't-2', signatory: [people[0]] }, [lease]],
		[
			'the signatories do not have email addresses',
			{ signatory: [{ name: 'A' }, { name: 'B' }] },
			[lease],
		],
		['two templates have the same ID', {}, [lease, { ...lease, _id: 'm-2', name: 'Other' }]],
		['the document is from a version 1 template', { isTemplateV2: false }, [lease]],
		['the document does not have a template', { templateID: '' }, [lease]],
	])('is null if %s', async (_name, document, templates) => {
		const { roles, status } = await rolesIn(document, () => list(...templates));
		expect(status).toBe(200);
		expect(new Set(roles)).toEqual(new Set([null]));
	});

	test('is null if the templates cannot be loaded within three seconds', async () => {
		const silent = await rolesIn({}, async () => await new Promise(() => {}));
		expect(silent).toMatchObject({ status: 200, roles: [null, null], time: 3000 });
		const document = { signatory: [people[0]] };
		const refusal = { success: false, responseCode: 403, message: 'No' };
		const failing = await rolesIn(document, () => refusal);
		expect(failing).toMatchObject({ status: 200, roles: [null] });
	});

	test('is found in the right template even if events for two templates arrive at the same time', async () => {
		const sale = { ...lease, _id: 'm-2', templateID: 't-2', signatories: [{ key: 'seller' }] };
		const fetch = ({ url = '' }: IHttpRequestOptions & { url?: string }) => {
			const isToken = url.endsWith('/access/token');
			const token = { success: true, responseData: { accessToken: 'token' } };
			const body = isToken ? token : list(lease, sale);
			return { statusCode: 200, headers: {}, body };
		};
		const credential = { ...stored, userId: `roles-${count++}` };
		const { call } = triggerNode({}, { credential, fetch });
		const roleIn = async (templateID: string) => {
			const document = { documentID: templateID, templateID, signatory: [people[0]] };
			const { items } = await call({ body: { type: 'signDocument', Document: document } });
			return (items[0]?.json.signatories as IDataObject[])[0]?.role;
		};
		expect(await Promise.all([roleIn('t-1'), roleIn('t-2')])).toEqual(['Landlord', 'Seller']);
	});

	// Reading a credential is more work for n8n than everything else that the trigger does with an event.
	test('is found without reading the credential again if another event arrives within ten seconds', async () => {
		const fetch = ({ url = '' }: IHttpRequestOptions & { url?: string }) => {
			const isToken = url.endsWith('/access/token');
			const token = { success: true, responseData: { accessToken: 'token' } };
			const body = Readable.from([Buffer.from(JSON.stringify(isToken ? token : list(lease)))]);
			return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
		};
		const credential = { ...stored, userId: 'roles-shared' };
		const { call, credentialReads } = triggerNode({}, { credential, fetch });
		const event = (id: string) => ({
			type: 'signDocument',
			Document: { documentID: id, templateID: 't-1', signatory: people },
		});
		const rolesOfFirst = async (id: string) => {
			const { items } = await call({ body: event(id) });
			return (items[0]?.json.signatories as IDataObject[])[0]?.role;
		};
		expect(await rolesOfFirst('one')).toBe('Landlord');
		const readsOfFirstEvent = credentialReads.length;
		expect(await rolesOfFirst('two')).toBe('Landlord');
		expect(await rolesOfFirst('three')).toBe('Landlord');
		expect(credentialReads).toHaveLength(readsOfFirstEvent);
	});

	test.each<[string, IDataObject]>([
		['a document from a version 1 template', { isTemplateV2: false }],
		['a document without a template', { templateID: '' }],
		['a document without signatories', { signatory: [] }],
	])('is not looked up for %s', async (_name, document) => {
		const { fetched, status } = await rolesIn(document, () => list(lease));
		expect(status).toBe(200);
		expect(fetched).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['an identity event', {}],
		[
			'an identity event that contains a document',
			{ Document: { documentID: 'd', templateID: 't-1', signatory: people } },
		],
	])('is not looked up for %s', async (_name, more) => {
		const { call, fetched } = triggerNode({}, { credential: { ...stored, accessToken: 'token' } });
		const body = { type: identity, validationId: 'v', emailId: 'ana@example.com', ...more };
		const { status, items } = await call({ body });
		expect({ status, json: items[0]?.json }).toMatchObject({
			status: 200,
			json: { event: identity, validationId: 'v' },
		});
		expect(fetched).toEqual([]);
	});

	test('is not looked up for raw output', async () => {
		const { fetched, status } = await rolesIn({}, () => list(lease), { output: 'raw' });
		expect(status).toBe(200);
		expect(fetched).toEqual([]);
	});
});
