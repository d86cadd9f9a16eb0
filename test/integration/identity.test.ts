import type { NodeExecutionHint } from 'n8n-workflow';
import { identityProblems } from '../../nodes/SignVerify/operations/identity/identityProblems';
import { ProcessedStore } from '../n8n/processedStore';
import { runAction } from '../support/contexts';
import { failureOf, useService } from '../support/service';
const service = useService();
const run = async (operation: string, rest: object) =>
	await runAction(service.credential(), {
		parameters: { resource: 'identity', operation, ...rest },
	});
const results = async (validationId: string, rest: object = {}) =>
	(await run('getResults', { validationId, ...rest }))[0]?.json;

async function requested(): Promise<string> {
	const [item] = await run('request', { email: 'ada@example.com' });
	service.sandbox.forgetRequests();
	return item?.json.validationId as string;
}

test('identity / request sends the email and returns the validation ID and the link', async () => {
	const [item] = await run('request', {
		email: ' ada@example.com ',
		options: { backgroundCheck: true },
	});
	expect(service.sandbox.requests.at(-1)).toMatchObject({
		query: {},
		body: { email: 'ada@example.com', type: 'FACE', backgroundCheck: true },
	});
	const { validationId, url } = service.sandbox.identityRequests().at(-1) ?? {};
	expect(item?.json).toEqual({
		outcome: 'sent',
		email: 'ada@example.com',
		validationId,
		url,
		warnings: [],
	});
});

describe('an identity request that the service accepts', () => {
	/** Requests a verification with a Send Once Key. If the request may exist, the key must remain stored. */
	const requestWith = async (responseData: object | undefined, store = new ProcessedStore()) => {
		const response = { status: 200, body: { success: true, message: 'OK', responseData } };
		service.sandbox.faults.set({ endpoint: 'POST /identity/validation/request', response });
		const hints: NodeExecutionHint[] = [];
		const parameters = {
			resource: 'identity',
			operation: 'request',
			email: 'ada@example.com',
			options: { sendOnceKey: "={{ 'C-1' }}" },
		};
		const setup = { parameters, store, hints, continueOnFail: true };
		const [item] = await runAction(service.credential(), setup);
		return { json: item?.json, hints: hints.map(({ message }) => message) };
	};

	test.each([
		['no data', undefined],
		['neither an ID nor a link', {}],
		['a link but no ID', { url: 'https://example.com/x' }],
		['an empty ID', { url: 'https://example.com/x', validationId: ' ' }],
	])(
		'keeps its Send Once Key if the response contains %s, because the request may have been created',
		async (_what, responseData) => {
			const store = new ProcessedStore();
			const { json } = await requestWith(responseData, store);
			const message: unknown = expect.stringMatching(
				/\bvalidationId\b.*\bidentity request may have been created\b/,
			);
			expect(json?.error).toMatchObject({ message, outcome: 'check' });
			const again = await requestWith({ validationId: 'v', url: 'https://example.com/x' }, store);
			const note: unknown = expect.stringContaining('look for the identity request in your ');
			expect(again.json).toMatchObject({ outcome: 'check', note });
		},
	);

	test('returns the ID as trimmed text along with the email address that was entered', async () => {
		const response = { email: 'another@example.com', url: 'https://example.com/x' };
		const entered = { email: 'ada@example.com', validationId: '64' };
		const padded = await requestWith({ ...response, validationId: ' 64 ' });
		expect(padded.json).toMatchObject(entered);
		const number = await requestWith({ ...response, validationId: 64 });
		expect(number.json).toMatchObject(entered);
	});

	test('causes a warning if the response contains an ID but no link', async () => {
		const { json, hints } = await requestWith({ validationId: 'v' });
		const warning = expect.stringContaining(
			"The response doesn't contain a link (url) for the person",
		) as string;
		const response = { email: 'ada@example.com', validationId: 'v', url: null };
		const fields = { outcome: 'sent', sendOnceKey: 'C-1', ...response };
		expect(json).toEqual({ ...fields, warnings: [warning] });
		expect(hints).toEqual(json?.warnings);
	});
});

describe('Identity: Get Results', () => {
	test('includes personal data in the raw output only if Include Personal Data is on', async () => {
		const sessionId = await requested();
		await service.sandbox.completeIdentity(sessionId, 'pass');
		const { score, customerId } = (await results(sessionId)) ?? {};
		const raw = await results(sessionId, { output: 'raw' });
		expect(raw).toEqual({ results: { score }, customerId });
		const whole = await results(sessionId, {
			output: 'raw',
			options: { includePersonalData: true },
		});
		expect(whole).toEqual({
			results: {
				score,
				ocr: expect.objectContaining({ birthDate: Date.UTC(1990, 0, 1) }) as object,
			},
			customerId,
		});
	});

	test('fails and reports the current status while the results are not ready', async () => {
		const sessionId = await requested();
		await service.sandbox.completeIdentity(sessionId, 'manualReview');
		expect((await failureOf(results(sessionId))).message).toBe(
			identityProblems.noResultsYet('IN_PROGRESS').problem,
		);
		await service.sandbox.completeIdentity(sessionId, 'pass');
		const response = { status: 200, body: { success: true, responseData: {} } };
		service.sandbox.faults.set({
			endpoint: `GET /identity/session/results/${sessionId}`,
			response,
		});
		expect((await failureOf(results(sessionId))).message).toBe(
			identityProblems.noResults('COMPLETED').problem,
		);
	});

	test("shows a status without the account's key and tokens, on one short line", async () => {
		const sessionId = await requested();
		const credential = service.credential();
		const shownFor = async (status: unknown) => {
			const none = { status: 200, body: { success: true, responseData: {} } };
			const request = { validationId: sessionId, status };
			const found = { status: 200, body: { success: true, responseData: request } };
			const endpoint = (path: string) => `GET /identity/${path}/${sessionId}`;
			service.sandbox.faults.clear();
			service.sandbox.faults.set({ endpoint: endpoint('session/results'), response: none });
			service.sandbox.faults.set({ endpoint: endpoint('validation/request'), response: found });
			const parameters = {
				resource: 'identity',
				operation: 'getResults',
				validationId: sessionId,
			};
			const { message } = await failureOf(runAction(credential, { parameters }));
			return message;
		};
		const shown = (status: string) => identityProblems.noResultsYet(status).problem;
		const { apiKey } = credential.stored as { apiKey: string };
		for (const secret of [apiKey, apiKey.toLowerCase(), apiKey.split('').join(' ')]) {
			expect(await shownFor(`WAITING for ${secret}`)).toBe(shown('WAITING for …'));
		}
		expect(await shownFor(`OF ${credential.token}`)).toBe(shown('OF …'));
		expect(await shownFor('IN\n<b>REVIEW</b>\u202e')).toBe(shown('IN ‹b›REVIEW‹/b›'));
		expect((await shownFor('x'.repeat(100_000))).length).toBeLessThan(150);
		for (const status of ['IN_PROGRESS', 'Manual review', 'En revisión', 7]) {
			expect(await shownFor(status)).toBe(shown(String(status)));
		}
		expect(await shownFor(null)).toBe(shown('unknown'));
	});
});
