import type { INode } from 'n8n-workflow';

import type { CredentialKeeper } from '../support/credentials';
import { runAction } from '../support/contexts';
import { failureOf, useService } from '../support/service';
import { envelope, Stub, text } from '../support/stub';

const service = useService();
const listTemplates = {
	parameters: {
		resource: 'template',
		operation: 'getAll',
		returnAll: true,
		filters: { generation: 'v2' },
	},
};

const listWebhooks = { parameters: { resource: 'webhook', operation: 'getAll' } };

describe('the token exchange', () => {
	test('is the only call that carries the key', async () => {
		await runAction(service.credential(), listTemplates);
		const { apiKey } = service.sandbox.account;
		const others = service.sandbox.requests.filter((each) => each.path !== '/access/token');
		expect(others.length).toBeGreaterThan(0);
		expect(JSON.stringify(others)).not.toContain(apiKey);
	});

	test('happens once for 50 calls at once, and not again while the token lives', async () => {
		const credential = service.credential();
		const before = service.sandbox.tokenExchanges();
		await Promise.all(
			Array.from({ length: 50 }, async () => await runAction(credential, listWebhooks)),
		);
		expect(service.sandbox.tokenExchanges() - before).toBe(1);
	});
});

describe('the token stays at home', () => {
	const wanted = async (keeper: CredentialKeeper, call: () => Promise<unknown>) => {
		await runAction(keeper, listTemplates);
		const { baseUrl, account } = service.sandbox;
		const first = keeper.token;
		const stub = await new Stub().start();
		stub.answer = text(envelope({ templates: [] }));
		try {
			Object.assign(keeper.stored, { baseUrl: stub.url });
			await call();
			expect(stub.tokens).toEqual(['token']);
			// Back again, to another account.
			Object.assign(keeper.stored, { baseUrl, apiKey: `${account.apiKey}x` });
			await expect(call()).rejects.toThrow();
			expect(stub.tokens).not.toContain(first);
		} finally {
			await stub.close();
		}
	};

	test('when the credential is edited: the nodes', async () => {
		const keeper = service.credential();
		await wanted(keeper, async () => await runAction(keeper, listTemplates));
	});

	test('when the credential is edited: an HTTP Request node', async () => {
		const keeper = service.credential();
		await wanted(keeper, async () => {
			const url = `${String(keeper.stored.baseUrl)}/templates/v2`;
			return await keeper.request({ name: 'HTTP Request' } as INode, { url });
		});
	});

	test('a redirect is not followed', async () => {
		service.sandbox.faults.set({
			endpoint: 'GET /templates/v2',
			answer: { status: 302, headers: { location: `${service.sandbox.url}/elsewhere` } },
		});
		const error = await failureOf(runAction(service.credential(), listTemplates));
		expect(error.message).toBe('The service redirects this call to another URL (HTTP 302)');
	});
});
