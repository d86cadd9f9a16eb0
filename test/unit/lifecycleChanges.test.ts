import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/SignVerify/api/events';
import { linked } from '../support/errors';
import { failure, identity, setUp } from '../support/registrations';
import { sleep, useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const all = events.map(({ value }) => value);

/** A service that needs so many seconds for each call. */
const slow = (seconds: number) => async () => {
	await sleep(seconds);
	return undefined;
};

describe('publishing a changed trigger', () => {
	test('keeps the webhook of an event that stays, and removes last what goes', async () => {
		const service = setUp({ fault: slow(1) });
		const { trigger, log, urls, registered } = service;
		const { state, ...before } = trigger(['signDocument', 'sendDocument', identity]);
		await before.create();
		const kept = urls().slice(0, 1);
		log.length = 0;
		// n8n deletes the trigger as it was, and creates it as it is.
		await before.removeOnly();
		const after = trigger(['signDocument', 'completedDocument', identity], { state });
		await after.create();
		await sleep(100);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks completedDocument',
			'DELETE /webhooks id-2',
		]);
		expect(urls().slice(0, 1)).toEqual(kept);
		expect(registered()).toEqual([
			'signDocument id-1',
			`${identity} id-3`,
			'completedDocument id-4',
		]);
		expect(await after.isPublished()).toBe(true);
	});

	test('that comes when the removal has begun waits for it, and registers all', async () => {
		const { trigger, log, registered } = setUp({ fault: slow(1) });
		const node = trigger(['signDocument']);
		await node.create();
		await node.removeOnly();
		// In the middle of the deletion.
		await sleep(11.5);
		await node.create();
		await sleep(100);
		expect(log.slice(-3)).toEqual([
			'DELETE /webhooks id-1',
			'GET /webhooks',
			'POST /webhooks signDocument',
		]);
		expect(registered()).toEqual(['signDocument id-2']);
	});
});

describe('unpublishing', () => {
	test('removes everything a moment later, and tries again for minutes if it fails', async () => {
		const { trigger, registered, behaviour, warnings } = setUp();
		const node = trigger(['signDocument', identity]);
		await node.create();
		behaviour.fault = () => ({ status: 503, body: {} });
		await node.removeOnly();
		await sleep(40);
		expect(registered()).toHaveLength(2);
		expect(warnings).toEqual([
			'SignVerify Trigger: its webhooks could not be deleted: The service failed (HTTP 503)',
		]);
		delete behaviour.fault;
		await sleep(60);
		expect(registered()).toEqual([]);
	});

	test('removes what the service refused to delete and did not list in the first try', async () => {
		const { trigger, registered, behaviour } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		// As some services answer a second deletion.
		behaviour.fault = () => ({ status: 400, body: { message: 'Not now' } });
		await node.removeOnly();
		await sleep(40);
		delete behaviour.fault;
		await sleep(60);
		expect(registered()).toEqual([]);
	});
});

describe('a service that is slow', () => {
	test('with 14 s a call gets seven webhooks before n8n gives up', async () => {
		const { trigger } = setUp({ fault: slow(14) });
		const node = trigger(all);
		const start = performance.now();
		await node.create();
		expect(performance.now() - start).toBeLessThan(60_000);
		expect(await node.isPublished()).toBe(true);
	});

	test('and too slow for that keeps none, also if an answer comes later', async () => {
		const { trigger, registered, log, credential } = setUp({ fault: slow(35) });
		credential.timeoutSeconds = 100;
		const node = trigger(all);
		const start = Date.now();
		const remedy =
			'n8n waits about 85 seconds for a workflow to be published. What was registered in the first 60 is deleted again. Publish the workflow again in a few minutes.';
		expect(await failure(node.create())).toMatchObject({
			message: `The service is too slow to register the webhooks in time. ${remedy}`,
			description: linked(remedy, 'the-service-is-too-slow-to-register-the-webhooks-in-time'),
		});
		expect(Date.now() - start).toBe(60_000);
		// n8n deletes it, and tries again; what would be registered now, n8n would not know.
		await node.removeOnly();
		await sleep(1);
		expect((await failure(node.create())).message).toMatch('too slow');
		expect(log.filter((line) => line.startsWith('POST'))).toHaveLength(7);
		await sleep(600);
		expect(registered()).toEqual([]);
	});
});

describe('a service whose list is late', () => {
	test('has all webhooks after publishing, and none after unpublishing', async () => {
		const { trigger, registered } = setUp({ listedAfter: 12 });
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		// What is deleted is still listed, with the right secret.
		await node.create();
		expect(await node.isPublished()).toBe(true);
		await sleep(13);
		await node.removeOnly();
		await sleep(20);
		expect(registered()).toEqual([]);
		await node.create();
		expect(await node.isPublished()).toBe(true);
	});
});

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
