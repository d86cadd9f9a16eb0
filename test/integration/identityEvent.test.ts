import type { IDataObject } from 'n8n-workflow';
import { credentialProblems } from '../../nodes/SignVerify/account/credentialProblems';
import { IdentityOcrSchema } from '../../sandbox/schemas';
import { clientOf } from '../support/credentials';
import { identityFinished } from '../support/events';
import { useService } from '../support/service';
import { triggerNode } from '../support/triggerNode';
import { useWaitingTest } from '../support/waiting';

const { service, host, beginVerification, lastIdentity, urlFor, call } = useWaitingTest();

beforeEach(() => service.sandbox.settings.set({ identityEventsHaveResults: true }));
afterAll(() => service.sandbox.settings.set({}));

/** Finishes a new verification, and returns the body of the event that the sandbox sends. */
async function bodyAfter(outcome: 'pass' | 'fail'): Promise<IDataObject> {
	const client = clientOf(service.sandbox);
	await client.registerWebhook(identityFinished, `${service.sandbox.url}/nobody`);
	await client.requestIdentity('ana@example.com');
	await service.sandbox.completeIdentity(lastIdentity(), outcome);
	const [delivery] = await service.sandbox.fire(identityFinished, lastIdentity());
	return delivery?.body as IDataObject;
}

describe('An event that contains the response with the results', () => {
	test.each([
		['pass', true],
		['fail', false],
	] as const)('starts a workflow after a %s with passed: %j', async (outcome, passed) => {
		const body = await bodyAfter(outcome);
		const { results, customerId } = body.responseData as IDataObject;
		expect(Object.keys(results as object)).toEqual(['score', 'ocr']);
		const [item] = (await triggerNode().call({ body, event: identityFinished })).items;
		expect(item?.json).toMatchObject({
			event: identityFinished,
			passed,
			customerId,
			validationId: null,
			email: null,
		});
	});

	test('shows nothing of what was read from the ID', async () => {
		const body = await bodyAfter('pass');
		const [item] = (await triggerNode().call({ body, event: identityFinished })).items;
		const shown = JSON.stringify(item?.json);
		for (const name of Object.keys(IdentityOcrSchema.properties)) {
			if (name !== 'ocr') expect(shown).not.toContain(`"${name}"`);
		}
		expect(shown).not.toMatch(/SAMPLE|INVENTED|MADE UP|NOWHERE|SANDBOX|FICTITIOUS|631152000000/);
	});

	test.each([
		['pass', true],
		['fail', false],
	] as const)('ends a wait with what the service returns after a %s', async (outcome, passed) => {
		const execution = await beginVerification();
		const read = () =>
			service.sandbox.requests.filter(({ path }) => path.startsWith('/identity/session/results/'))
				.length;
		const before = read();
		await service.sandbox.completeIdentity(lastIdentity(), outcome);
		await service.sandbox.idle();
		expect(execution.status).toBe('success');
		expect(read()).toBeGreaterThan(before);
		expect(execution.output[0]?.json).toMatchObject({
			passed,
			validationId: lastIdentity(),
			status: 'COMPLETED',
		});
		expect(execution.output[0]?.json).not.toHaveProperty('ocr');
	});
});

describe('If the credential has been changed to another account', () => {
	const other = useService();

	test('an event of the account in which the wait began does not end the wait without a result', async () => {
		const execution = await beginVerification();
		const event = { type: identityFinished, validationId: lastIdentity() };
		const url = urlFor(event);
		const credential = Object.values(host.n8n.database.credentials).at(-1) as IDataObject;
		const before = { ...credential };
		Object.assign(credential, other.credential().stored);
		for (let delivery = 0; delivery < 4; delivery++) {
			expect(await call(event, url)).toEqual([
				503,
				expect.stringContaining('Send the event again'),
			]);
		}
		expect(execution.status).toBe('waiting');
		expect(JSON.stringify(host.n8n.logged)).toContain(credentialProblems.otherAccount.problem);

		Object.assign(credential, before);
		await service.sandbox.completeIdentity(lastIdentity(), 'pass');
		await service.sandbox.idle();
		expect(execution.output[0]?.json).toMatchObject({ outcome: 'completed', passed: true });
	});
});
