import { clientOf } from '../support/client';
import { until } from '../support/until';
import { proving, signing, useWaitingTest } from '../support/waiting';

const { service, host, begin, sign, registrations } = useWaitingTest();

const registered = () => service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);

describe('registrations of other executions', () => {
	const page = '<!doctype html><html><body>We are back soon. No action required.</body></html>';

	test('stay where a page of somebody else is at the address of n8n', async () => {
		await begin(signing());
		host.page = page;
		await begin(signing());
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(registered()).toHaveLength(2);
	});

	test('of another n8n at the same address stay, too', async () => {
		const [theirs] = await Promise.all([begin(signing())]);
		theirs.status = 'canceled';
		const url = new URL(registered()[0] ?? '');
		url.searchParams.set('n8n', 'another');
		await clientOf(service.sandbox).registerWebhook('completedDocument', url.href);
		await begin(signing());
		await registrations(2);
		expect(registered()).toContain(url.href);
	});

	test('that the service did not delete once are not chosen again', async () => {
		service.sandbox.forgetRequests();
		const refusal = { endpoint: 'DELETE /webhooks', answer: { status: 404, body: {} } };
		service.sandbox.faults.set(refusal);
		const asked = () =>
			service.sandbox.requests
				.filter(({ method }) => method === 'DELETE')
				.map(({ query }) => query.webHookID);
		for (let before = 0; before < 5; before++) {
			const execution = await begin(proving());
			await until('the one before was refused', () => asked().length >= before);
			execution.status = 'canceled';
		}
		expect(asked()).toHaveLength(4);
		expect(new Set(asked()).size).toBe(4);
	});

	test('of executions that have ended are removed', async () => {
		service.sandbox.faults.set({ endpoint: 'DELETE /webhooks', answer: { status: 500 } });
		const ended = await begin(signing());
		await sign();
		expect([ended.status, registered().length]).toEqual(['success', 1]);
		service.sandbox.faults.clear();
		await begin(signing());
		await registrations(1);
		expect(registered()[0]).not.toContain(ended.address);
	});
});
