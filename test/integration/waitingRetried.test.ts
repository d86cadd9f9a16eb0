import { hashOfSecret } from '../../nodes/SignVerify/registrations/url';
import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, host, begin, lastDocuments, sign, registrations } = useWaitingTest();
const withLimit = { limitWaitTime: 2, limitWaitTimeUnit: 'hours' };

describe.each([
	['original', false],
	['currently saved', true],
])('an execution that is retried with the %s workflow', (_name, withSaved) => {
	test('after it was stopped while it waited: the output of sending leaves, and nothing is sent', async () => {
		const stopped = await begin(signing(withLimit));
		const [documentId] = lastDocuments(1);
		const sent = service.sandbox.documents().length;
		const retried = await host.retry(stopped, withSaved);
		expect([retried.status, retried.runs]).toEqual(['success', 0]);
		expect(retried.output).toMatchObject([
			{
				json: {
					documentId,
					completed: false,
					timedOut: true,
					waitUntil: stopped.until?.toISOString(),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(service.sandbox.documents()).toHaveLength(sent);
	});

	test('after its worker died with the event: the signed document leaves, and nothing is sent', async () => {
		const died = await begin(signing());
		died.dies = true;
		await sign();
		expect(died.status).toBe('error');
		const [documentId] = lastDocuments(1);
		const sent = service.sandbox.documents().length;
		const retried = await host.retry(died, withSaved);
		expect(retried.status).toBe('success');
		expect(retried.output).toMatchObject([{ json: { documentId, completed: true } }]);
		expect(service.sandbox.documents()).toHaveLength(sent);
		await registrations(0);
	});
});

test('at the limit of a wait for a person, the request leaves, which looks like no result', async () => {
	const execution = await begin(proving(withLimit));
	const [{ json = {} } = {}] = await execution.timeOut();
	expect(json).toMatchObject({ email: 'ada@example.com', completed: false, timedOut: true });
	expect(json).not.toHaveProperty('score');
});

test('nothing that makes its URL secret is kept or leaves', async () => {
	const execution = await begin(signing(withLimit));
	const [{ webHookUrl = '' } = {}] = service.sandbox.webhooks();
	const secret = new URL(webHookUrl).searchParams.get('secret');
	expect(secret).toMatch(/^[\w-]{43}$/);
	expect(execution.kept).toContain(hashOfSecret(secret ?? ''));
	expect(execution.kept).not.toContain(secret);
	expect(JSON.stringify(await execution.timeOut())).not.toContain(secret);
});
