import type { IDataObject } from 'n8n-workflow';

import { readNotification } from '../../nodes/SignVerify/api/notification';
import { simplifyNotification } from '../../nodes/SignVerify/webhooks/simplify';

const signatory = (email: string, isSigned: number | string) => ({
	signatoryID: `id-${email}`,
	emailID: email,
	name: `Name of ${email}`,
	isSigned,
	password: 'pass-word',
	verificationCode: '4711',
	signing: { url: 'https://sign.example/secret-link', expiry: 1 },
});

const document = {
	documentID: 'doc-1',
	title: 'Lease',
	status: 'PENDING',
	templateID: 'tpl-1',
	signatory: [
		signatory('a@example.com', 1),
		signatory('b@example.com', '1'),
		signatory('c@example.com', 0),
		// An entry like createdBy can follow the last signatory (docs/dev/service.md#document).
		{ userID: 'u', adminID: 'a', fullName: 'Creator', emailID: 'x@example.com', isSigned: '0' },
	],
};

const simplify = (event: string, body: IDataObject) =>
	simplifyNotification(readNotification(event, body));

describe('a simplified notification', () => {
	test('signDocument says who signed and how many are missing', () => {
		const body = {
			type: 'signDocument',
			addedOn: 1_767_225_600_000,
			Document: { ...document, webhookData: { signatory: signatory('b@example.com', 1) } },
		};
		expect(simplify('signDocument', body)).toEqual({
			event: 'signDocument',
			eventId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
			documentId: 'doc-1',
			title: 'Lease',
			status: 'PENDING',
			templateId: 'tpl-1',
			signatory: { email: 'b@example.com', name: 'Name of b@example.com' },
			signatories: [
				{ email: 'a@example.com', name: 'Name of a@example.com', signed: true },
				{ email: 'b@example.com', name: 'Name of b@example.com', signed: true },
				{ email: 'c@example.com', name: 'Name of c@example.com', signed: false },
			],
			pendingSignatories: 1,
			documentUrl: null,
			certificateUrl: null,
			pscCertificateUrl: null,
			addedOn: '2026-01-01T00:00:00.000Z',
		});
	});

	test('never holds the secrets of a signatory', () => {
		const body = {
			type: 'completedDocument',
			addedOn: 1,
			Document: { ...document, webhookData: { signatory: signatory('a@example.com', 1) } },
		};
		expect(JSON.stringify(simplify('completedDocument', body))).not.toMatch(
			/pass-word|4711|secret-link/,
		);
	});

	test('a body that the interface does not show passes through whole', () => {
		const body = { anything: { at: ['all'] }, reason: 'blurred' };
		expect(simplify('failedBiometric', body)).toMatchObject({
			event: 'failedBiometric',
			...body,
		});
	});

	test('of an event that is not documented keeps everything but secrets and findings on the person', () => {
		const body = {
			type: 'VERIFICATION_REQUEST_FINISHED',
			validationId: 'v',
			event: 'its own',
			results: { ocr: { curp: 'X' }, score: { overall: 1 }, at: 3 },
			Document: document,
		};
		const output = simplify('VERIFICATION_REQUEST_FINISHED', body);
		expect(output).toMatchObject({
			event: 'VERIFICATION_REQUEST_FINISHED',
			type: 'VERIFICATION_REQUEST_FINISHED',
			validationId: 'v',
			results: { at: 3 },
			documentId: 'doc-1',
			Document: { documentID: 'doc-1', signatory: [{ emailID: 'a@example.com' }, {}, {}, {}] },
			received: { event: 'its own' },
		});
		expect(JSON.stringify(output)).not.toMatch(/pass-word|4711|secret-link|curp|overall/);
	});

	test.each([
		[{}],
		[{ signatory: null }],
		[{ signatory: 'x', webhookData: [] }],
		[{ signatory: [null, 3] }],
	])('a document of another shape is no reason to fail: %j', (Document) => {
		expect(simplify('signDocument', { Document })).toMatchObject({
			event: 'signDocument',
			signatories: [],
		});
	});
});
