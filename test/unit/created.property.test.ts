import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../nodes/SignVerify/api/types';
import {
	createdDocument,
	nameOfCreated,
} from '../../nodes/SignVerify/operations/document/documents';
import { requestIdentity } from '../../nodes/SignVerify/operations/identity/request';
import type { ItemContext } from '../../nodes/SignVerify/operations/types';
import { allOf } from '../support/allOf';

import type { Template } from '../../nodes/SignVerify/api/templates';
import { createdDocumentId } from '../../nodes/SignVerify/api/documents';

/** Fixed, so that a failure can be repeated. */
const seed = 20_260_101;
const signatories = [{ email: 'ana@example.com', name: 'Ana Lopez' }];
const body = { templateID: 'lease', country: 'Mexico', inputs: {}, signatories };
const template = { templateID: 'lease', name: 'Lease' } as Template;
const output = (envelope: Envelope, simplify = true) =>
	createdDocument(envelope, body, template, simplify);

const id = fc.stringMatching(/^[0-9a-z]{8,24}$/);

/** How an answer holds a thing: as it is, in a list, in a member; one or two of these. */
const wrapping = (names: string[]) =>
	fc
		.array(
			fc.constantFrom<(inner: unknown) => unknown>(
				(inner) => [inner],
				...names.map((name) => (inner: unknown) => ({ [name]: inner })),
			),
			{ maxLength: 2 },
		)
		// A list in a list is no shape that anybody has.
		.filter((wraps) => wraps.filter((wrap) => Array.isArray(wrap(0))).length < 2)
		.map((wraps) => (inner: unknown) => wraps.reduce((value, wrap) => wrap(value), inner));

/** What else an answer may say. */
const noise = fc.record(
	{
		status: fc.constantFrom('PENDING', ''),
		title: fc.constant('Lease'),
		signatory: fc.constant([
			{ signatoryID: 's1', _id: 's1', id: 's1', emailID: 'ana@example.com' },
		]),
		createdBy: fc.constant({ userID: 'u1', _id: 'u1', id: 'u1' }),
		templateID: fc.constant('lease'),
		webhookData: fc.constant({ documentID: 'another', signatory: { _id: 's1' } }),
	},
	{ requiredKeys: [] },
);

/** What is around it: an envelope, or nothing. */
const envelopeAround = fc.constantFrom<(responseData: unknown) => Envelope>(
	(responseData) => ({ success: true, responseCode: 200, message: 'OK', responseData }),
	(responseData) => ({ responseData }),
	(responseData) =>
		({ success: true, responseData, id: 'of-the-answer', _id: 'of-the-answer' }) as Envelope,
);

test('the ID of a created document is found in every shape, by everybody who asks for it', () => {
	const names = ['documentID', 'documentId', '_id', 'id'];
	const shapes = fc.record({
		id,
		name: fc.constantFrom(...names),
		wrap: wrapping(['document', 'Document', 'data', 'result']),
		around: envelopeAround,
		noise,
	});
	fc.assert(
		fc.property(shapes, ({ id, name, wrap, around, noise }) => {
			const envelope = around(wrap({ ...noise, [name]: id }));
			const simplified = output(envelope);
			expect(simplified.documentId).toBe(id);
			expect(simplified.title).toBe('Lease');
			expect(createdDocumentId(envelope)).toBe(id);
			expect(nameOfCreated(simplified)).toBe(`document ${id}`);
			const before = allOf(envelope);
			const raw = output(envelope, false);
			expect(nameOfCreated(raw)).toBe(`document ${id}`);
			// As it came.
			expect([envelope, envelope.responseData]).toContain(raw);
			expect(allOf(envelope)).toBe(before);
		}),
		{ numRuns: 2000, seed },
	);
});

/** The output of an identity request that is answered so. */
async function requested(answer: unknown): Promise<{ json: IDataObject; created: unknown }> {
	const form: IDataObject = { email: 'ana@example.com', verificationType: 'FACE' };
	const prepared = await requestIdentity.prepare({
		parameter: (name: string) => form[name],
		rawParameter: (name: string) => form[name],
		service: { call: async () => answer },
	} as unknown as ItemContext);
	const [item] = await prepared.send();
	return { json: item?.json ?? {}, created: item?.created };
}

test('the ID and the link of an identity request are found in every shape', async () => {
	const shapes = fc.record({
		id,
		name: fc.constantFrom('validationId', 'validationID', 'sessionId'),
		wrap: wrapping(['request', 'data', 'validation']),
		around: envelopeAround,
		noise: fc.record(
			{
				user: fc.constant({ _id: 'u1', sessionId: 'of-the-login', url: 'https://example.com/u1' }),
				status: fc.constant('CREATED'),
			},
			{ requiredKeys: [] },
		),
	});
	await fc.assert(
		fc.asyncProperty(shapes, async ({ id, name, wrap, around, noise }) => {
			const url = `https://example.com/${id}`;
			const answered = wrap({ ...noise, [name]: id, url });
			const { json, created } = await requested(around(answered));
			expect(json).toMatchObject({ email: 'ana@example.com', validationId: id, url });
			expect(created).toBe(`identity request ${id}`);
			// Nothing of what came is lost.
			expect(json).toMatchObject(Array.isArray(answered) ? {} : { ...(answered as object), url });
		}),
		{ numRuns: 1000, seed },
	);
});
