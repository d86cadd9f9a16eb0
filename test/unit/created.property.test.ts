import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../nodes/SignVerify/api/types';
import {
	createdDocument,
	nameOfCreated,
} from '../../nodes/SignVerify/operations/document/documents';
import { requestIdentity } from '../../nodes/SignVerify/operations/identity/request';
import type { ItemContext } from '../../nodes/SignVerify/operations/types';
import type { Output } from '../../nodes/SignVerify/webhooks/output';
import { allOf } from '../support/allOf';

import type { Template } from '../../nodes/SignVerify/api/templates';

/** Fixed, so that a failure can be repeated. */
const seed = 20_260_101;
const signatories = [{ email: 'ana@example.com', name: 'Ana Lopez' }];
const body = { templateID: 'lease', country: 'Mexico', inputs: {}, signatories };
const template = { templateID: 'lease', name: 'Lease' } as Template;
const output = (envelope: Envelope, chosen: Output = 'simplified') =>
	createdDocument(envelope, { body, template }, chosen);

const id = fc.stringMatching(/^[0-9a-z]{8,24}$/);

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

test('the ID of a created document is found, whatever else the answer says', () => {
	const shapes = fc.record({
		id,
		name: fc.constantFrom('documentID', '_id'),
		around: envelopeAround,
		noise,
	});
	fc.assert(
		fc.property(shapes, ({ id, name, around, noise }) => {
			const envelope = around({ ...noise, [name]: id });
			const simplified = output(envelope);
			expect(simplified).toMatchObject({ documentId: id, title: 'Lease' });
			expect(nameOfCreated(simplified)).toBe(`document ${id}`);
			const before = allOf(envelope);
			const raw = output(envelope, 'raw');
			expect(nameOfCreated(raw)).toBe(`document ${id}`);
			// As it came.
			expect(raw).toBe(envelope.responseData);
			expect(allOf(envelope)).toBe(before);
		}),
		{ numRuns: 1000, seed },
	);
});

test.each<[string, Envelope]>([
	['nothing but a success', { success: true, message: 'Created' }],
	['an ID of the answer', { success: true, id: 'x', _id: 'x' } as Envelope],
])('an answer without the ID of a document gives none: %s', (_name, envelope) => {
	expect(output(envelope)).toEqual({
		title: 'Lease',
		templateId: 'lease',
		country: 'Mexico',
		signatories: [{ ...signatories[0], signed: false }],
	});
	expect(nameOfCreated(output(envelope))).toBe('a document');
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

test('the answer to an identity request is its output, and names it', async () => {
	const answered = { validationId: 'v1', url: 'https://example.com/v1', user: { _id: 'u1' } };
	expect(await requested({ success: true, responseData: answered })).toEqual({
		json: { email: 'ana@example.com', ...answered },
		created: 'identity request v1',
	});
});

test('an identity request whose answer says nothing comes out with the e-mail alone', async () => {
	for (const answer of [{ success: true }, { responseData: {} }, { responseData: [] }]) {
		expect(await requested(answer)).toEqual({
			json: { email: 'ana@example.com' },
			created: 'identity request',
		});
	}
});
