import { runAction } from '../support/contexts';
import { v2 } from '../support/contract';
import { allOf } from '../support/allOf';
import { failureOf, useService } from '../support/service';
import { until } from '../support/until';
import { useWaitingHost } from '../support/waitingHost';
import { axios } from '../e2e/support/http';

const service = useService();
const host = useWaitingHost();
const creation = 'POST /templates/createDocumentByTemplateV2';
const request = 'POST /identity/validation/request';

const answers = (endpoint: string, responseData: unknown) => {
	const body = { success: true, responseCode: 200, message: 'OK', responseData };
	service.sandbox.faults.set({ endpoint, answer: { status: 200, body } });
};
const waiting = async (parameters: object) =>
	await host.start(service.credential(), {
		parameters: { ...parameters, operation: 'sendAndWait' },
	});
/** Tells the execution that waits of something, as the service does. */
async function tell(body: object): Promise<number> {
	const url = service.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
	return (await axios.post(url, body)).status;
}
const noRegistration = async () =>
	await until('no registration is left', () => service.sandbox.webhooks().length === 0);

let count = 0;
const newId = () => `created-${++count}`;

afterEach(() => service.sandbox.faults.clear());

describe('a creation that answers with _id', () => {
	const shape = (id: string) => ({ _id: id, title: 'Lease' });

	test('gives the documentId, and the answer as it came without Simplify', async () => {
		const id = newId();
		answers(creation, shape(id));
		const [item] = await runAction(service.credential(), { parameters: v2 });
		expect(item?.json).toMatchObject({ documentId: id, country: 'Mexico' });
		const setup = { parameters: { ...v2, simplify: false } };
		const [raw] = await runAction(service.credential(), setup);
		expect(raw?.json).toEqual(shape(id));
	});

	test('is named in the error of a run that fails later', async () => {
		const id = newId();
		answers(creation, shape(id));
		const error = await failureOf(
			runAction(service.credential(), {
				parameters: { ...v2, options: { parallelRequests: 1 } },
				items: [{}, {}],
				perItem: [{}, { country: '' }],
			}),
		);
		expect(allOf(error)).toContain(`document ${id}`);
	});

	test('is waited for by that ID alone', async () => {
		const id = newId();
		answers(creation, shape(id));
		const execution = await waiting(v2);
		expect(execution.output[0]?.json.documentId).toBe(id);
		const event = (documentID: string) => ({ type: 'completedDocument', Document: { documentID } });
		await tell(event('another'));
		expect(execution.status).toBe('waiting');
		await tell(event(id));
		expect(execution.status).toBe('success');
		await noRegistration();
	});
});

test.each([
	['a list', [{ documentID: 'x' }]],
	['a member', { document: { documentID: 'x' } }],
])('a document in %s is sent, without an ID', async (_name, responseData) => {
	answers(creation, responseData);
	const [item] = await runAction(service.credential(), { parameters: v2 });
	expect(item?.json).toMatchObject({ country: 'Mexico' });
	expect(item?.json).not.toHaveProperty('documentId');
	const raw = await runAction(service.credential(), { parameters: { ...v2, simplify: false } });
	expect(raw[0]?.json).toEqual(
		Array.isArray(responseData) ? expect.objectContaining({ responseData }) : responseData,
	);
});

test('where a creation gives no ID, a document of which less is known ends no wait', async () => {
	answers(creation, {});
	const execution = await waiting(v2);
	const own = {
		documentID: 'd',
		templateID: v2.templateId.value,
		addedOn: Date.now(),
		signatory: [{ signatoryID: 's', emailID: ' ADA@example.com', isSigned: 1 }],
	};
	for (const change of [
		{ templateID: '' },
		{ addedOn: undefined },
		{ addedOn: new Date(Date.now() - 86_400_000).toISOString() },
		{ addedOn: Date.now() + 86_400_000 },
	]) {
		await tell({ type: 'completedDocument', Document: { ...own, ...change, documentID: newId() } });
		expect(execution.status).toBe('waiting');
	}
	await tell({ type: 'completedDocument', Document: { ...own, documentID: newId() } });
	expect(execution.status).toBe('success');
	await noRegistration();
});

test('an identity request without any ID cannot be waited for, and says that it may exist', async () => {
	answers(request, { request: { validationId: 'x' }, url: 'https://example.com/x' });
	const error = await failureOf(waiting({ resource: 'identity', email: 'ada@example.com' }));
	expect(error.message).toBe(
		'The service gave no validationId to wait for, so the identity request may have been created',
	);
	await noRegistration();
});

test('a person who is not done is waited for until an event names the request', async () => {
	const validationId = newId();
	answers('GET /identity/validation/request/:validationId', { status: 'PENDING' });
	const empty = { results: { score: { overall: { value: '', status: '' } }, ocr: {} } };
	const endpoint = 'GET /identity/session/results/:sessionId';
	const body = { success: true, responseData: empty };
	service.sandbox.faults.set({ endpoint, answer: { status: 200, body } });
	const existing = { resource: 'identity', verification: 'existing', validationId };
	const execution = await waiting(existing);
	expect(execution.status).toBe('waiting');
	expect(await tell({ type: 'VERIFICATION_REQUEST_FINISHED' })).toBe(200);
	expect(execution.status).toBe('waiting');
	expect(await tell({ type: 'VERIFICATION_REQUEST_FINISHED', validationId })).toBe(200);
	expect(execution.status).toBe('success');
	expect(execution.output[0]?.json).toMatchObject({ validationId, status: 'PENDING', score: null });
	await noRegistration();
});
