import { failureOf, useService, v2 } from '../support/service';
import { until } from '../support/until';
import { useWaitingHost } from '../support/waiting';
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
		parameters: { ...parameters, operation: 'sendAndWait', verification: 'new' },
	});
/** Tells the execution that waits of something, as the service does. */
async function tell(body: object): Promise<number> {
	const url = service.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
	return (await axios.post(url, body)).status;
}
const noRegistration = async () =>
	await until('no webhook is left', () => service.sandbox.webhooks().length === 0);

let count = 0;
const newId = () => `created-${++count}`;

afterEach(() => service.sandbox.faults.clear());

test('a document is waited for by the ID of the answer, and by that alone', async () => {
	const id = newId();
	answers(creation, { _id: id });
	const execution = await waiting(v2);
	expect(execution.output[0]?.json.documentId).toBe(id);
	const event = (documentID: string) => ({
		type: 'completedDocument',
		Document: { documentID, status: 'COMPLETED' },
	});
	await tell(event('another'));
	expect(execution.status).toBe('waiting');
	await tell(event(id));
	expect(execution.status).toBe('success');
	await noRegistration();
});

test('an identity request is waited for by the ID of the answer, and by that alone', async () => {
	const id = newId();
	answers(request, { validationId: id, url: 'https://example.com/x' });
	const execution = await waiting({ resource: 'identity', email: 'ada@example.com' });
	expect(execution.output[0]?.json.validationId).toBe(id);
	const results = { score: { overall: { value: 98, status: 'OK' } } };
	answers('GET /identity/validation/request/:validationId', { status: 'COMPLETED' });
	service.sandbox.faults.set({
		endpoint: 'GET /identity/session/results/:sessionId',
		answer: { status: 200, body: { success: true, responseData: { results } } },
	});
	await tell({ type: 'VERIFICATION_REQUEST_FINISHED', validationId: 'another' });
	expect(execution.status).toBe('waiting');
	await tell({ type: 'VERIFICATION_REQUEST_FINISHED', validationId: id });
	expect(execution.status).toBe('success');
	expect(execution.output[0]?.json).toMatchObject({ validationId: id, score: results.score });
	await noRegistration();
});

test('an identity request without any ID cannot be waited for, and says that it may exist', async () => {
	answers(request, { url: 'https://example.com/x' });
	const error = await failureOf(waiting({ resource: 'identity', email: 'ada@example.com' }));
	expect(error.message).toBe(
		'The service gave no validationId to wait for, so the identity request may have been created',
	);
	await noRegistration();
});
