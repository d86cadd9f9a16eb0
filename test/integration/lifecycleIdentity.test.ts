import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { hookContext, trigger } from '../support/contexts';
import { clientOf, keeperOf } from '../support/client';
import { failureOf } from '../support/service';
import { textOf } from '../../nodes/SignVerify/util/values';

const address = 'http://127.0.0.1:5678/webhook/abc/signverify';
const identity = 'VERIFICATION_REQUEST_FINISHED';
const hooksOf = trigger.webhookMethods.default;

/** The two things that the interface leaves open about identity registrations. */
const services: Array<[string, SandboxOptions]> = [
	['lists and deletes them', {}],
	['deletes, but does not list them', { listIdentityWebhooks: false }],
	['lists, but does not delete them', { deleteIdentityWebhooks: false }],
	[
		'neither lists nor deletes them',
		{ listIdentityWebhooks: false, deleteIdentityWebhooks: false },
	],
];

describe.each(services)('a service that %s', (_name, options) => {
	const deletes = options.deleteIdentityWebhooks !== false;
	const lists = options.listIdentityWebhooks !== false;
	let sandbox: Sandbox;
	let state: IDataObject;

	const hooks = (events: string[], at = address) => {
		const keeper = keeperOf(sandbox);
		const context = () => hookContext(keeper, { events }, state, at);
		return {
			checkExists: async () => await hooksOf.checkExists.call(context()),
			create: async () => await hooksOf.create.call(context()),
			remove: async () => await hooksOf.delete.call(context()),
		};
	};
	const types = () =>
		sandbox
			.webhooks()
			.map((each) => each.type)
			.sort();

	beforeEach(async () => {
		sandbox = await startSandbox(options);
		state = {};
	});
	afterEach(async () => await sandbox.close());

	test('gets one registration as the interface shows it, and keeps one over any number of changes', async () => {
		const node = hooks(['signDocument', identity]);
		expect(await node.checkExists()).toBe(false);
		await node.create();
		const [call] = sandbox.requests.filter((each) => each.path === '/webhooks/verify');
		expect(call?.body).toEqual({
			name: 'n8n: Contracts',
			type: identity,
			url: `${address}?secret=${textOf(state.secret)}&event=${identity}`,
		});
		expect(await node.checkExists()).toBe(true);
		await node.create();
		expect(types()).toEqual([identity, 'signDocument']);

		// Published again three times, as n8n does it.
		for (let round = 0; round < 3; round++) {
			await node.remove();
			if (!(await node.checkExists())) await node.create();
			expect(types()).toEqual([identity, 'signDocument']);
			expect(await node.checkExists()).toBe(true);
		}
		// It is the secret in place that the one registration carries.
		for (const each of sandbox.webhooks()) {
			expect(each.webHookUrl).toBe(`${address}?secret=${textOf(state.secret)}&event=${each.type}`);
		}
	});

	test('is left as clean as it allows', async () => {
		const node = hooks(['signDocument', identity]);
		await node.create();
		expect(await node.remove()).toBe(true);
		expect(types()).toEqual(deletes ? [] : [identity]);
		if (deletes) expect(state.secret).toBeUndefined();
		// What could not be removed is not forgotten, and not said to be removed.
		else expect(state.webHookIDs).toEqual({ [identity]: sandbox.webhooks()[0]?.webHookID });
	});

	test('without the event loses the registration where that is possible', async () => {
		await hooks(['signDocument', identity]).create();
		const after = hooks(['signDocument']);
		expect(await after.checkExists()).toBe(false);
		await after.create();
		expect(types()).toEqual(deletes ? ['signDocument'] : [identity, 'signDocument']);
	});

	test('that failed at the registration is tried again without a second one', async () => {
		const node = hooks(['signDocument', identity]);
		sandbox.faults.set({ endpoint: 'POST /webhooks/verify', times: 1, answer: { status: 500 } });
		const error = await failureOf(node.create());
		expect(error.message).toMatch(`The event ${identity} could not be registered`);
		expect(types()).toEqual([]);
		await node.remove();
		await node.create();
		expect(types()).toEqual([identity, 'signDocument']);
	});

	test('that breaks off while deleting is not trusted to have kept it', async () => {
		const node = hooks([identity]);
		await node.create();
		sandbox.faults.set({ endpoint: 'DELETE /webhooks', times: 1, reset: 'after' });
		await failureOf(node.remove());
		await node.remove();
		if (!(await node.checkExists())) await node.create();
		const own = sandbox.webhooks().filter((each) => each.webHookUrl.includes(textOf(state.secret)));
		expect(own).toHaveLength(1);
		expect(sandbox.webhooks()).toHaveLength(deletes || lists ? 1 : 2);
	});

	test('is registered anew where the address of n8n has changed', async () => {
		await hooks([identity]).create();
		const moved = hooks([identity], 'http://localhost:5678/webhook/abc/signverify');
		await moved.remove();
		expect(await moved.checkExists()).toBe(false);
		await moved.create();
		expect(await moved.checkExists()).toBe(true);
		const at = sandbox.webhooks().map((each) => new URL(each.webHookUrl).hostname);
		// The old one is not this node's any more: whoever has the old address may still need it.
		expect(at).toEqual(['127.0.0.1', 'localhost']);
	});
});

test('a registration that somebody deleted at the service comes back when the workflow is published', async () => {
	const sandbox = await startSandbox();
	const keeper = keeperOf(sandbox);
	const state: IDataObject = {};
	const context = () => hookContext(keeper, { events: [identity] }, state, address);
	await hooksOf.create.call(context());
	await clientOf(sandbox).deleteWebhook(sandbox.webhooks()[0]?.webHookID ?? '');
	await hooksOf.delete.call(context());
	expect(await hooksOf.checkExists.call(context())).toBe(false);
	await hooksOf.create.call(context());
	expect(sandbox.webhooks()).toHaveLength(1);
	await sandbox.close();
});
