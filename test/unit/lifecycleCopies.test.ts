import type { IDataObject } from 'n8n-workflow';

import { identity, setUp } from '../support/registrations';

jest.mock('../../nodes/SignVerify/util/async', () =>
	jest.requireActual<object>('../support/fakeDelay'),
);

const elsewhere = 'https://other.example/webhook/abc/signverify';
const movedWarning =
	'SignVerify Trigger: the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".';

/** What each kind of copying changes (docs/dev/architecture.md, "The trigger"); static data comes along. */
const copies: Array<[string, Parameters<ReturnType<typeof setUp>['trigger']>[1]]> = [
	['exported and imported into another n8n', { instance: 'another', at: elsewhere }],
	['imported into an n8n with the same encryption key', { at: elsewhere }],
	['imported into another n8n that has taken over the address', { instance: 'another' }],
	['made by the API in the same n8n', { workflowId: 'another', at: elsewhere }],
	['made by the API with the same webhook ID', { workflowId: 'another' }],
	['of the node, beside it', { nodeId: 'another', at: elsewhere }],
	['of a database, restored at another address', { at: elsewhere }],
];

/** What n8n writes to its database. */
const storedOf = ({ state }: { state: IDataObject }) =>
	JSON.parse(JSON.stringify(state)) as IDataObject;

describe.each(copies)('a copy %s', (_name, self) => {
	const isElsewhere = self?.at === elsewhere;

	/** A published original, and its copy with all that n8n keeps for it. */
	async function original() {
		const service = setUp();
		const node = service.trigger(['signDocument', identity]);
		await node.create();
		const state = storedOf(node);
		const copy = service.trigger(['signDocument', identity], { ...self, state });
		service.log.length = 0;
		return { ...service, node, copy };
	}

	test('publishes with a secret of its own, and the original keeps its registrations', async () => {
		const { node, copy, registered } = await original();
		await copy.create();
		expect(Object.keys(copy.state.webhooks as IDataObject)).toEqual(['signDocument', identity]);
		for (const { hash } of Object.values(copy.state.webhooks as Record<string, IDataObject>)) {
			expect(JSON.stringify(node.state)).not.toContain(hash);
		}
		expect(copy.isPublished()).toBe(true);
		if (!isElsewhere) return;
		expect(node.isPublished()).toBe(true);
		expect(registered()).toHaveLength(4);
		// And the other way round.
		await copy.remove();
		expect(node.isPublished()).toBe(true);
		expect(registered()).toHaveLength(2);
	});

	test('that was never published touches nothing when it is unpublished', async () => {
		const { node, copy, registered, log } = await original();
		expect(await copy.remove()).toBe(true);
		expect(log).toEqual([]);
		expect(registered()).toHaveLength(2);
		expect(node.isPublished()).toBe(true);
		// What the original keeps is forgotten, too.
		expect(copy.state).toEqual({});
	});
});

describe('after the address of n8n has changed', () => {
	const moved = async (state: IDataObject = {}) => {
		const service = setUp();
		await service.trigger(['signDocument'], { state }).create();
		return { ...service, node: service.trigger(['signDocument'], { state, at: elsewhere }) };
	};

	test('unpublishing leaves the old registrations, says so, and forgets the secret', async () => {
		const { node, registered, warnings } = await moved();
		expect(await node.remove()).toBe(true);
		expect(registered()).toEqual(['signDocument id-1']);
		expect(warnings).toEqual([movedWarning]);
		expect(node.state).toEqual({});
	});

	test('publishing registers the new one with a new secret, and says so, too', async () => {
		const state: IDataObject = {};
		const { node, registered, warnings, calls } = await moved(state);
		const { webhooks } = state;
		expect(node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', 'signDocument id-2']);
		expect(calls.at(-1)?.options.qs?.url).toMatch(`${elsewhere}?`);
		expect(state.webhooks).not.toEqual(webhooks);
		expect(warnings).toEqual([movedWarning]);
		await node.create();
		expect(warnings).toHaveLength(1);
	});
});
