import type { IDataObject } from 'n8n-workflow';
import { hookContext, trigger } from '../support/contexts';
import { failureOf, useService } from '../support/service';
import { idsIn } from '../support/registrations';

const service = useService();
const address = 'http://127.0.0.1:5678/webhook/abc/signverify';
const hooksOf = trigger.webhookMethods.default;

/** A trigger in a workflow: its static data, and the hooks as n8n calls them. */
function triggerOf(
	events: unknown,
	{ at = address, state = {} }: { at?: string; state?: IDataObject } = {},
) {
	const context = () => hookContext(service.credential(), { events } as IDataObject, state, at);
	return {
		state,
		checkExists: async () => await hooksOf.checkExists.call(context()),
		create: async () => await hooksOf.create.call(context()),
		remove: async () => await hooksOf.delete.call(context()),
	};
}

/** Registrations as `type address`, without the secret. */
const registered = () =>
	service.sandbox
		.webhooks()
		.map((each) => `${each.type} ${each.webHookUrl.split('?')[0]}`)
		.sort();

afterEach(async () => {
	service.sandbox.faults.clear();
	// A new node takes over what is at its address.
	const node = triggerOf(['signDocument']);
	await node.create();
	await node.remove();
	expect(registered()).toEqual([]);
});

describe('registering', () => {
	test('is one call for each event, as the interface shows it, at an address with a secret', async () => {
		const node = triggerOf(['completedDocument', 'signDocument']);
		expect(await node.checkExists()).toBe(false);
		expect(await node.create()).toBe(true);

		const [first, second] = service.sandbox.webhooks().map(({ webHookUrl }) => webHookUrl);
		const calls = service.sandbox.requests.filter(
			(each) => each.method === 'POST' && each.path === '/webhooks',
		);
		expect(calls.map(({ query, body }) => ({ query, body }))).toEqual([
			{ query: { url: first, type: 'completedDocument' }, body: undefined },
			{ query: { url: second, type: 'signDocument' }, body: undefined },
		]);
		expect(calls[0]?.headers).not.toHaveProperty('authorization');
		expect(service.sandbox.requests.every((each) => !each.violation)).toBe(true);
		expect(await node.checkExists()).toBe(true);
	});

	test('of which the answer is lost is undone, and made once at the next try', async () => {
		const node = triggerOf(['signDocument']);
		service.sandbox.faults.set({ endpoint: 'POST /webhooks', times: 1, reset: 'after' });
		await failureOf(node.create());
		expect(registered()).toEqual([]);
		await node.create();
		expect(registered()).toEqual([`signDocument ${address}`]);
		expect(idsIn(node.state)).toEqual({
			signDocument: service.sandbox.webhooks()[0]?.webHookID,
		});
	});
});

describe('deregistering', () => {
	test('removes by the kept ids, as the interface shows it, and forgets the secret', async () => {
		const node = triggerOf(['completedDocument', 'signDocument']);
		await node.create();
		const ids = Object.values(idsIn(node.state));
		service.sandbox.forgetRequests();
		expect(await node.remove()).toBe(true);
		const calls = service.sandbox.requests.filter((each) => each.method === 'DELETE');
		expect(calls.map((each) => each.query.webHookID)).toEqual(ids);
		expect(calls[0]).toMatchObject({ path: '/webhooks', body: undefined, status: 200 });
		expect(calls[0]?.headers['content-type']).toBe('application/json');
		expect(registered()).toEqual([]);
		expect(node.state).toEqual({});
	});
});
