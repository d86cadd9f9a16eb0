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

	test('publishes with secrets of its own, and the original keeps its registrations', async () => {
		const { node, copy, urls } = await original();
		const [own = ''] = urls();
		await copy.create();
		expect(await copy.isPublished()).toBe(true);
		if (!isElsewhere) return;
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(4);
		// Where only the URL is another, n8n has restored itself, and the account is the same.
		const isRestored = Object.keys(self ?? {}).length === 1;
		expect(await copy.accepts('signDocument', own)).toBe(isRestored);
		// And the other way round.
		await copy.remove();
		expect(await node.isPublished()).toBe(true);
		expect(urls()).toHaveLength(2);
	});

	test('that was never published deletes nothing when it is unpublished', async () => {
		const { node, copy, log } = await original();
		expect(await copy.remove()).toBe(true);
		expect(log).toEqual(['GET /webhooks']);
		expect(await node.isPublished()).toBe(true);
		// What the original keeps is forgotten, too.
		expect(copy.state).toEqual({});
	});
});

describe('after the URL of n8n has changed', () => {
	const moved = async (state: IDataObject = {}) => {
		const service = setUp();
		await service.trigger(['signDocument'], { state }).create();
		return { ...service, node: service.trigger(['signDocument'], { state, at: elsewhere }) };
	};

	test('unpublishing leaves the old registrations, and says so', async () => {
		const { node, registered, warnings } = await moved();
		expect(await node.remove()).toBe(true);
		expect(registered()).toEqual(['signDocument id-1']);
		expect(warnings).toEqual([movedWarning]);
		expect(node.state).toEqual({});
	});

	test('publishing registers the new one, and says so, too, once', async () => {
		const state: IDataObject = {};
		const { node, registered, warnings } = await moved(state);
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', 'signDocument id-2']);
		expect(await node.isPublished()).toBe(true);
		expect(warnings).toEqual([movedWarning]);
		await node.create();
		expect(warnings).toHaveLength(1);
	});
});
