import { CredentialKeeper } from '../support/credentials';
import { proving, useWaitingTest } from '../support/waiting';

const { service, host, begin, lastIdentity, registrations, call } = useWaitingTest();

const type = 'VERIFICATION_REQUEST_FINISHED';
const results = 'GET /identity/session/results/:sessionId';
const request = 'GET /identity/validation/request/:validationId';
/** The service answers so, and says nothing of the overall score. */
const half = (given: object) => {
	const body = { success: true, responseCode: 200, responseData: { results: given } };
	return { endpoint: results, answer: { status: 200, body } };
};
const onlyId = half({ score: {}, ocr: { name: { fullName: 'ADA' } } });
const onlyOneCheck = half({ score: { idValidation: { overall: { value: 97, status: 'OK' } } } });
const unknown = { status: 404, body: { success: false, message: 'not found' } };

/** How each delivery of the last event was answered. */
const answers = () =>
	service.sandbox
		.deliveries()
		.at(-1)
		?.attempts.map(({ status }) => status);

test.each([
	['only the ID was read', onlyId],
	['only the ID was checked', onlyOneCheck],
])('while %s, events of other people do not end the wait', async (_name, fault) => {
	const execution = await begin(proving());
	service.sandbox.faults.set(fault);
	for (const event of [{ type }, { type, validationId: 'another' }]) {
		expect(await call(event)).toEqual([200, 'This execution waits for something else.']);
	}
	expect(execution.status).toBe('waiting');
	service.sandbox.faults.clear();
	await service.sandbox.completeIdentity(lastIdentity(), 'pass');
	await service.sandbox.idle();
	expect(execution.output).toMatchObject([{ json: { passed: true } }]);
});

test('while only the ID was read, a wait for a request made before begins', async () => {
	await begin(proving());
	service.sandbox.faults.set(onlyId);
	const validationId = lastIdentity();
	const execution = await begin(proving({ verification: 'existing', validationId }));
	expect(execution.status).toBe('waiting');
});

// For its first event, the service is asked four times.
test.each([
	['gives the overall score', { ...onlyOneCheck, times: 6 }],
	['has the results', { endpoint: results, times: 6, answer: unknown }],
])('an event that comes before the service %s is refused, and comes again', async (_, fault) => {
	const execution = await begin(proving());
	service.sandbox.faults.set(fault);
	await service.sandbox.completeIdentity(lastIdentity(), 'pass');
	await service.sandbox.idle();
	expect(answers()).toEqual([503, 200]);
	const [{ json = {} } = {}] = execution.output;
	expect(json).toMatchObject({ status: 'COMPLETED', passed: true });
	expect(json).not.toHaveProperty('resultsMissing');
	await registrations(0);
});

test('if the service knows nothing of the request, the third event ends the wait and says so', async () => {
	const execution = await begin(proving());
	const validationId = lastIdentity();
	for (const endpoint of [request, results]) {
		service.sandbox.faults.set({ endpoint, answer: unknown });
	}
	const event = { type, validationId };
	const refused = [503, 'The service does not say so yet. Send it again.'];
	expect([await call(event), await call(event)]).toEqual([refused, refused]);
	expect(execution.status).toBe('waiting');
	expect(await call(event)).toEqual([200, 'Workflow was started']);
	const [{ json } = {}] = execution.output;
	expect(json).toMatchObject({ validationId, status: '', passed: null, resultsMissing: true });
	expect(json?.timedOut).toBe(false);
});

test('if n8n can no longer read the credential, events are refused, and the log says why once', async () => {
	const keeper = new CredentialKeeper(service.credential().stored);
	const execution = await host.start(keeper, proving());
	keeper.read = () => {
		throw new Error('Credential with ID "7" does not exist for type "signVerifyApi".');
	};
	const event = { type, validationId: lastIdentity() };
	for (let count = 0; count < 3; count++) expect((await call(event))[0]).toBe(503);
	expect(execution.status).toBe('waiting');
	expect(execution.logged).toEqual([
		expect.stringMatching(
			/^SignVerify could not process the event that it waits for: .*Credential with ID "7"/,
		),
	]);
});
