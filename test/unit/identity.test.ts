import {
	isFinalStatus,
	readIdentityRequest,
	readIdentityResults,
	requestVerification,
} from '../../nodes/SignVerify/api/identity';
import type { IdentityRequestBody } from '../../nodes/SignVerify/api/types';
import { ServiceClient } from '../../nodes/SignVerify/http/client';
import { coded, standIn } from '../support/standIn';

const answering = (body: unknown, status = 200) => {
	const { context, calls } = standIn(() => ({ status, body }));
	return { service: new ServiceClient(context), calls };
};

describe('a request for a verification', () => {
	const body = { email: 'ana@example.com' } as unknown as IdentityRequestBody;
	const created = async (answer: unknown) =>
		await requestVerification(answering(answer).service, body);

	test('is one call with what was asked for', async () => {
		const { service, calls } = answering({ responseData: { validationId: 'v' } });
		await requestVerification(service, body);
		expect(calls.map(({ options }) => [options.method, options.url, options.body])).toEqual([
			['POST', 'https://sign.example.com/api/identity/validation/request', body],
		]);
	});

	test('that breaks says that it may exist', async () => {
		const { context } = standIn(() => {
			throw coded('ECONNRESET');
		});
		await expect(requestVerification(new ServiceClient(context), body)).rejects.toMatchObject({
			mayHaveCreated: true,
			message: expect.stringContaining('the identity request') as string,
		});
	});

	const url = 'https://verify.example.com/v';
	test.each<[string, unknown, unknown]>([
		[
			'its ID and URL, and what else the service says',
			{ responseData: { validationId: 'v', url, status: 'CREATED' } },
			{ validationId: 'v', url, status: 'CREATED' },
		],
		['nothing of a list', { success: true, responseData: [{ validationId: 'v' }] }, {}],
		[
			'nothing that is not there',
			{ success: true, responseData: { status: 'CREATED' } },
			{ status: 'CREATED' },
		],
		['nothing of an empty answer', { success: true }, {}],
	])('gives %s', async (_name, answer, output) => {
		expect(await created(answer)).toEqual(output);
	});
});

describe('the status of a request', () => {
	test('is read by its ID, whatever is in it', async () => {
		const { service, calls } = answering({ success: true, responseData: { status: 'CREATED' } });
		expect(await readIdentityRequest(service, 'a/b c')).toEqual({ status: 'CREATED' });
		expect(calls.map(({ options }) => [options.method, options.url])).toEqual([
			['GET', 'https://sign.example.com/api/identity/validation/request/a%2Fb%20c'],
		]);
	});

	test.each([400, 404, 410, 422])('is not there after HTTP %i', async (status) => {
		const { service } = answering({ success: false, message: 'no' }, status);
		expect(await readIdentityRequest(service, 'v')).toBeUndefined();
	});

	test.each<[unknown]>([[{}], ['none'], [[]], [null]])(
		'is not there in %j',
		async (responseData) => {
			const { service } = answering({ success: true, responseData });
			expect(await readIdentityRequest(service, 'v')).toBeUndefined();
		},
	);

	test('is an error where the service refuses for another reason', async () => {
		const { service } = answering({ success: false, message: 'no' }, 409);
		await expect(readIdentityRequest(service, 'v')).rejects.toThrow('409');
	});

	test.each([
		...['COMPLETED', 'COMPLETE', 'FINISHED', 'DONE', 'VERIFIED', 'APPROVED', 'PASSED'],
		...['REJECTED', 'DECLINED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED', 'CANCELLED'],
		' completed ',
	])('%j is the end', (status) => {
		expect(isFinalStatus(status)).toBe(true);
	});

	test.each(['CREATED', 'PENDING', 'PROCESSING', 'STARTED', 'created', 'ACCEPTED', 'SUCCESS', ''])(
		'%j is not',
		(status) => {
			expect(isFinalStatus(status)).toBe(false);
		},
	);
});

describe('the results of a verification', () => {
	const results = async (found: unknown, personal = false) =>
		await readIdentityResults(
			answering({ success: true, responseData: found }).service,
			's',
			personal,
		);

	test('are read by the session', async () => {
		const { service, calls } = answering({ responseData: {} });
		await readIdentityResults(service, 's 1', false);
		expect(calls[0]?.options.url).toBe(
			'https://sign.example.com/api/identity/session/results/s%201',
		);
	});

	test('have the values and statuses of the scores, and no personal data unless asked for', async () => {
		const score = { face: { value: 0.9, status: 'OK', photo: 'x' }, name: 'Ana', value: 1 };
		const found = { customerId: 'c', results: { score, ocr: { name: 'Ana', birthDate: '0' } } };
		const shown = { face: { value: 0.9, status: 'OK' }, value: 1 };
		expect(await results(found)).toEqual({
			sessionId: 's',
			customerId: 'c',
			passed: null,
			score: shown,
		});
		expect(await results(found, true)).toMatchObject({
			ocr: { name: 'Ana', birthDate: '0', birthDateIso: '1970-01-01T00:00:00.000Z' },
		});
	});

	test('have no score where only the ID was read, and no date where there is none', async () => {
		expect(await results({ results: { ocr: { name: 'Ana' } } }, true)).toEqual({
			sessionId: 's',
			customerId: null,
			passed: null,
			score: null,
			ocr: { name: 'Ana' },
		});
		const scored = { results: { score: { value: 0, status: 'FAIL' }, ocr: 'none' } };
		expect(await results(scored, true)).toMatchObject({ score: { value: 0 }, ocr: null });
	});

	test.each<[unknown]>([
		[{ results: { score: { face: { value: null, status: ' ' } }, ocr: { names: ['', null] } } }],
		[{ results: { score: { value: 0, face: { value: '0', status: '' } }, ocr: { birthDate: 0 } } }],
		[{ results: { score: 0.9 } }],
		[{ results: [] }],
		[{ results: null }],
		[{ status: 'CREATED' }],
	])('are not there yet in %j', async (found) => {
		expect(await results(found, true)).toBeUndefined();
	});

	test('are there as soon as one field says something', async () => {
		expect(await results({ results: { ocr: { names: ['', 'Ana'] } } })).toBeDefined();
		expect(await results({ results: { score: { face: { status: 'OK' } } } })).toBeDefined();
	});
});
