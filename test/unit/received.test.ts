import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/SignVerify/api/events';
import { readNotification } from '../../nodes/SignVerify/api/notification';
import { comparedName, openNames, receivedIn } from '../../nodes/SignVerify/events/received';
import * as schemas from '../../sandbox/schemas';
import { sampleOf } from '../support/schemaSample';

const identityFinished = 'VERIFICATION_REQUEST_FINISHED';

const receivedFor = (body: IDataObject, include?: string[], event: string = identityFinished) =>
	receivedIn(readNotification(event, body), include);

/** The API's names whose values are left out, by the reason. */
const closedNames = {
	people: [
		...['userID', 'userId', 'adminID', 'fullName', 'emailID', 'emailId', 'email', 'name', 'phone'],
		...['nickname', 'user', 'createdBy', 'signatory', 'signatories', 'operationBy', 'sourceIP'],
		...['voBo', 'forwardings', 'search', 'signatoryMessage', 'signatoryTitle'],
	],
	links: [
		...['url', 'documentURL', 'certificateURL', 'pscCertificateURL', 'pscUrl', 'webHookUrl'],
		...['signing', 'expiry', 'attachmentUrl'],
	],
	files: [
		...['documentFileObj', 'documentFiles', 'documentImage', 'savedDocument', 'originalKey'],
		...['apiNomFileName', 'pdfNomFileName', 'photo', 'signature', 'signatureArray', 'attachment'],
		...['imageName', 'svgCoordinates', 'biometric'],
	],
	secrets: ['password', 'verificationCode', 'key'],
	/** What people filled in, and `value`, which is an answer or a score. */
	answers: ['formAnswer', 'formSignatory', 'form', 'fieldArray', 'inputs', 'value', 'extraData'],
	/** Who did what, with IP addresses. */
	history: ['logsStatus'],
	scores: [
		...['score', 'idValidation', 'liveness', 'faceRecognition', 'overall', 'livenessScore'],
		...['digitalAttack', 'evasionAttack', 'maskCheck', 'lensesCheck', 'faceBrightness'],
		...['nameMatch'],
	],
	whatAnIdSays: ['ocr', ...namesIn(schemas.IdentityOcrSchema)],
	/** The API uses these names for something else, but an ID's data can have them, too. */
	whatAnIdMaySay: [
		...['_id', 'Document', 'documentType', 'country', 'height', 'color'],
		...['providerSdkDocumentType', 'providerSdkDefaultCountry', 'providerSdkResidentPermit'],
	],
};

/** Returns all names of fields in a schema, or in an object or a list of schemas. */
function namesIn(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	const { properties } = schema as { properties?: object };
	const inner = Object.values(schema).flatMap(namesIn);
	return [...new Set([...Object.keys(properties ?? {}), ...inner])];
}

describe('The names of fields that `received` shows', () => {
	const apiNames = namesIn([
		Object.values(schemas),
		schemas.eventTypes.map((type) => schemas.notificationOf(type)),
	]);
	/** Names that aren't the API's, but that services use for a reason. */
	const others = ['reason', 'code', 'error', 'result'];

	test('are, together with the closed ones, exactly the names in the API', () => {
		const compared = (names: string[]) => [...new Set(names.map(comparedName))].sort();
		const named = [...openNames, ...Object.values(closedNames).flat()];
		expect(compared(named)).toEqual(compared([...apiNames, ...others]));
	});

	test('differ from the closed ones in letters or digits', () => {
		const closed = new Set(Object.values(closedNames).flat().map(comparedName));
		expect(openNames.filter((name) => closed.has(comparedName(name)))).toEqual([]);
		expect(new Set(openNames).size).toBe(openNames.length);
	});
});

describe('`received` leaves out personal data and secrets', () => {
	const id = sampleOf(schemas.IdentityOcrSchema) as IDataObject;
	const results = sampleOf(schemas.IdentityResultsSchema) as IDataObject;
	const json = JSON.stringify(results);

	test.each<[string, IDataObject, string[]]>([
		['in the documented shape', { responseData: { results: results.results } }, ['score', 'ocr']],
		['as text of JSON', { results: json }, ['results']],
		['as text of JSON after a byte order mark', { results: `\ufeff ${json}` }, ['results']],
		['as text of JSON in JSON', { message: JSON.stringify(json) }, ['message']],
		['as a list of texts', { responseData: [json] }, ['responseData']],
		[
			'as text',
			{ results: ['text of curp'], responseData: 'text of name' },
			['results', 'responseData'],
		],
		['as a number', { webhookData: 631152000000 }, ['webhookData']],
		['without a name around it', id, Object.keys(id)],
		['with spaces, dots, or dashes in the names', spaced(' '), ['birth date', 'issuing country']],
		['with dots', spaced('.'), ['birth.date', 'issuing.country']],
		['with dashes', spaced('-'), ['birth-date', 'issuing-country']],
		['in capitals', { CURP: 'text of curp' }, ['CURP']],
		['in a list', { results: [{ gender: 'text of gender' }] }, ['gender']],
		['in a value', { curp: { result: 'text of curp' }, ID: 'text of cic' }, ['curp', 'ID']],
		['below another name', { card: { status: 'text of curp' } }, ['card']],
		['links', { signingUrl: 'text of url', sign_link: 'text of url' }, ['signingUrl', 'sign_link']],
		['passwords', { signatoryPassword: 'text of password' }, ['signatoryPassword']],
		['people', { contact: 'text of name', emailAddress: 'text of e' }, ['contact', 'emailAddress']],
	])('%s', (_shape, body, leftOut) => {
		for (const { type } of events) {
			const received = receivedFor({ ...body }, [], type);
			expect(JSON.stringify(received)).not.toContain('text of');
			expect(received).toEqual({ leftOut });
		}
	});

	function spaced(separator: string): IDataObject {
		return {
			[['birth', 'date'].join(separator)]: 631152000000,
			[['issuing', 'country'].join(separator)]: 'text of country',
		};
	}

	test('whatever their names are', () => {
		const open = new Set(openNames.map(comparedName));
		const closed = fc
			.oneof(fc.string(), fc.constantFrom(...Object.values(closedNames).flat()))
			.filter((name) => !open.has(comparedName(name)));
		const value = fc.oneof(
			fc.constant('MARK'),
			fc.constant(['MARK']),
			fc.constant({ status: 'MARK' }),
		);
		const place = fc.constantFrom<(field: IDataObject) => IDataObject>(
			(field) => field,
			(field) => ({ responseData: { results: [field] } }),
			(field) => ({ more: { ...field, status: 'MARK' } }),
		);
		fc.assert(
			fc.property(closed, value, place, (name, given, placed) => {
				const field = JSON.parse(
					`{${JSON.stringify(name)}:${JSON.stringify(given)}}`,
				) as IDataObject;
				expect(JSON.stringify(receivedFor(placed(field)))).not.toContain('"MARK"');
			}),
		);
	});
});

describe('`received` shows', () => {
	test.each<[IDataObject]>([
		[{ reason: 'The selfie is blurred', code: 'E12' }],
		[{ code: '404', description: '[photo] is dark', message: '{' }],
		[{ error: { code: 7, message: 'No face', reason: null }, result: 'REJECTED' }],
		[{ success: true, responseCode: 200, message: 'OK', responseData: { customerId: 'c' } }],
		[{ Reason: 'x', RESULT: [{ code: 1 }, { code: 2 }] }],
		[{ is_invalid_signature: true, invalidSignatureReason: 'x', identity_session_id: 's' }],
		[{ computedFields: { signatoryCount: 2 }, results: {}, options: [], __v: 0 }],
	])('%j', (body) => {
		const sent = JSON.parse(JSON.stringify(body)) as IDataObject;
		expect(receivedFor(sent, [], 'failedBiometric')).toEqual(sent);
	});
});

test('`received` is null if what is left out is empty', () => {
	expect(receivedFor({ curp: '', phone: null, ocr: {}, list: [[], { a: '' }] })).toBeNull();
});

describe('What the user has selected in Include', () => {
	const field = { value: 'M', type: 'TEXT' };
	const body = {
		responseData: { signatory: [{ name: 'Ana', fieldArray: [field], signing: { url: 'u' } }] },
		'logs-status': [{ sourceIP: '192.0.2.1' }],
		other: { formAnswer: { color: 'Blue' } },
	};

	test('is shown wherever it is, and nothing around it', () => {
		expect(receivedFor(body, ['answers'])).toEqual({
			responseData: { signatory: [{ fieldArray: [field] }] },
			other: { formAnswer: { color: 'Blue' } },
			leftOut: ['signatory', 'logs-status'],
		});
		expect(receivedFor(body, ['answers', 'history', 'signingLinks'])).toEqual({
			responseData: { signatory: [{ fieldArray: [field], signing: { url: 'u' } }] },
			'logs-status': [{ sourceIP: '192.0.2.1' }],
			other: { formAnswer: { color: 'Blue' } },
			leftOut: ['signatory'],
		});
		expect(receivedFor(body)).toEqual({ leftOut: ['signatory', 'logs-status', 'other'] });
	});
});

describe('The names in `leftOut`', () => {
	test.each([
		...[
			'curp',
			'_hidden',
			'birth date',
			'birth.date',
			'sign_link',
			'BirthDate',
			'Fecha de emisión',
		],
		...['sha256', 'línea-2', 'дата'],
	])('include %j', (name) => {
		expect(receivedFor({ [name]: 'x' })).toEqual({ leftOut: [name] });
	});

	test.each([
		...['ana@example.com', 'Ana Torres', 'GARC850101HDFRRL09', '+52 55 1234 5678', '65f1c0de'],
		...['', ' ', '={{ 1 }}', '<b>', 'a'.repeat(41), 'https://sign.example.com', 'a\u202eb'],
	])('do not include %j, which can be data', (name) => {
		expect(receivedFor({ [name]: 'x', curp: 'x' })).toEqual({ leftOut: ['curp', 'and 1 more'] });
	});

	test('are at most 50, and each is listed once', () => {
		const letters = Array.from({ length: 26 * 26 }, (_, at) =>
			String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26)),
		);
		const fields = Object.fromEntries(letters.map((name) => [`n${name}`, 1]));
		const { leftOut } = receivedFor({ ...fields, results: [fields, fields] }) ?? {};
		expect(leftOut).toHaveLength(51);
		expect((leftOut as string[]).at(-1)).toBe(`and ${26 * 26 - 50} more`);
	});
});
