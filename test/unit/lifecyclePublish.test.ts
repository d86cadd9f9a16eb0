import { linked } from '../support/errors';
import { brokenService, failure, identity, setUp } from '../support/registrations';
import { address } from '../support/triggerNode';
import { processorTimeUntil } from '../support/processorTime';
import { coded } from '../support/standIn';
import { useVirtualTime, sleep } from '../support/virtualTime';
import { events } from '../../nodes/SignVerify/api/events';

useVirtualTime();

const secretIn = (url: unknown) => new URL(String(url)).searchParams.get('secret');

describe('activating', () => {
	test('registers each event as the interface shows it, all at the same time', async () => {
		const { trigger, calls, log, registered, urls } = setUp();
		const node = trigger(['signDocument', identity], { workflow: `${'x'.repeat(94)}😀 and more` });
		expect(await node.isPublished()).toBe(false);
		expect(await node.create()).toBe(true);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks signDocument',
			`POST /webhooks/verify ${identity}`,
		]);
		const [url = '', identityUrl = ''] = urls();
		expect(calls[1]).toMatchObject({ qs: { url, type: 'signDocument' } });
		expect(calls[2]?.body).toEqual({
			// Cut, but not in the middle of a character.
			name: `n8n: ${'x'.repeat(94)}`,
			type: identity,
			url: identityUrl,
		});
		// Each has a secret of its own.
		const [secret, other] = [url, identityUrl].map(secretIn);
		expect([url, identityUrl]).toEqual([
			`${address}?secret=${secret}`,
			`${address}?secret=${other}`,
		]);
		expect(secret).toMatch(/^[\w-]{43}$/);
		expect(secret).not.toBe(other);
		expect(registered()).toEqual(['signDocument id-1', `${identity} id-2`]);
		expect(node.state).toEqual({
			url: address,
			owner: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
			webhooks: [
				{ type: 'signDocument', webHookID: 'id-1' },
				{ type: identity, webHookID: 'id-2' },
			],
		});
		expect(await node.isPublished()).toBe(true);
	});

	test("leaves other people's alone, and replaces its own older and double ones", async () => {
		const { trigger, registered, add, urls } = setUp();
		add('signDocument', 'https://n8n.example/webhook/other/signverify?secret=x');
		add('signDocument', `${address}?secret=older`);
		add('signDocument', 'no address');
		add('signDocument', { url: address });
		const node = trigger(['signDocument']);
		await node.create();
		const left = ['id-1', 'id-3', 'id-4', 'id-5'].map((id) => `signDocument ${id}`);
		expect(registered()).toEqual(left);
		add('signDocument', urls().at(-1));
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(left);
	});

	test('replaces what has the secret of another event', async () => {
		const { trigger, registered, add, forget, urls } = setUp();
		const node = trigger(['signDocument', 'sendDocument']);
		await node.create();
		const [own, other] = urls();
		forget('id-1');
		forget('id-2');
		add('signDocument', other);
		add('sendDocument', own?.replace(/secret=./, 'secret='));
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-5', 'sendDocument id-6']);
		expect(await node.isPublished()).toBe(true);
	});

	test('that fails at the third event undoes the first two', async () => {
		const { trigger, registered, log } = setUp({
			fault: (what, { type }) =>
				what === 'POST /webhooks' && type === 'sendDocument' ? brokenService : undefined,
		});
		const node = trigger(['completedDocument', 'signDocument', 'sendDocument']);
		// The editor shows only the message of a publication that failed.
		const remedy = 'The fault is at the service. Try again in a moment.';
		expect(await failure(node.create())).toMatchObject({
			message: `The event sendDocument could not be registered: The service failed (HTTP 500: broken). ${remedy}`,
			description: linked(remedy, 'the-trigger'),
			httpCode: '500',
		});
		expect(registered()).toEqual([]);
		expect(log.slice(-2)).toEqual(['DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
	});

	test('that cannot be undone says what is left', async () => {
		const { trigger, registered } = setUp({
			fault: (_what, { type, webHookID }) =>
				type === 'sendDocument' || webHookID === 'id-1' ? brokenService : undefined,
		});
		const node = trigger(['completedDocument', 'signDocument', 'sendDocument']);
		expect((await failure(node.create())).description).toBe(
			linked(
				'The fault is at the service. Try again in a moment. Could not be undone: webhook id-1.',
				'the-trigger',
			),
		);
		expect(registered()).toEqual(['completedDocument id-1']);
	});

	test('that is refused shows neither address nor secret', async () => {
		const { trigger } = setUp({
			fault: (what, { url }) =>
				what === 'POST /webhooks'
					? { status: 400, body: { message: `${String(url)} with ${secretIn(url)}` } }
					: undefined,
		});
		expect((await failure(trigger(['signDocument']).create())).message).toBe(
			'The event signDocument could not be registered: The service refused the request (HTTP 400: … with …). Correct what it names and run again.',
		);
	});

	test('at a service without a list of webhooks says so', async () => {
		const { trigger } = setUp({ fault: () => ({ body: { success: true, responseData: {} } }) });
		expect(await failure(trigger(['signDocument']).create())).toMatchObject({
			message: expect.stringMatching(/ not an answer of the signing service\. Check /) as string,
			description: linked(
				'Check the Base URL in the credential, its path included.',
				'the-service-answered-but-not-like-the-signing-service',
			),
		});
	});

	test('says at once all that is wrong with its form', async () => {
		const { trigger, calls } = setUp();
		const form = { filters: { signatory: 'Ana', sentBy: 'Eve' }, output: 'all' };
		const { message } = await failure(trigger([], { form }).create());
		expect(message).toMatch(
			/^4 fields are missing or wrong: \(1\) Events: .* \(2\) Signatory: "Ana" is not .* \(3\) Sent By: "Eve".* \(4\) Output: there is no such choice/,
		);
		expect(calls).toHaveLength(0);
	});
});

describe('activating', () => {
	test('finds what was registered although the answer was lost', async () => {
		const { trigger, behaviour, add, registered } = setUp();
		const node = trigger(['signDocument']);
		let url = '';
		behaviour.fault = (what, call) => {
			if (what !== 'POST /webhooks') return url ? brokenService : undefined;
			url = String(call.url);
			throw coded('ECONNRESET');
		};
		await failure(node.create());
		delete behaviour.fault;
		add('signDocument', url);
		await node.create();
		expect(registered()).toHaveLength(1);
		expect(await node.isPublished()).toBe(true);
	});

	test.each([
		['a list of nothing', [null, 7, 'x', [], {}]],
		['an object', { signDocument: { hash: {}, id: [] } }],
		['of events that there are not', [{ webHookID: 'constructor', type: '__proto__' }]],
	])(
		'finds webhooks in its state that are %s, and keeps what is there',
		async (_name, webhooks) => {
			const { trigger, registered } = setUp();
			const { state } = trigger(['signDocument']);
			await trigger(['signDocument'], { state }).create();
			const node = trigger(['signDocument', identity], {
				state: { ...state, webhooks: webhooks as never },
			});
			expect(await node.isPublished()).toBe(false);
			await node.create();
			expect(registered()).toEqual(['signDocument id-1', `${identity} id-2`]);
			expect(await node.isPublished()).toBe(true);
			await node.remove();
			expect(registered()).toEqual([]);
		},
	);

	test('deletes at most 100 webhooks in a run, says what is left, and goes on in the next', async () => {
		const { trigger, registered, add, warnings } = setUp();
		for (let count = 0; count < 250; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toHaveLength(151);
		expect(warnings).toEqual(['SignVerify: 150 webhooks of this node are left for the next run.']);
		expect(await node.isPublished()).toBe(false);
		await node.create();
		expect(registered()).toHaveLength(51);
		// First the one that it knows, so that the next run need not know it any more.
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('of 40,000 listed webhooks at its URL is over in a moment', async () => {
		const { trigger, add, log } = setUp();
		for (let count = 0; count < 40_000; count++) add('signDocument', `${address}?secret=${count}`);
		const node = trigger(['signDocument']);
		const time = await processorTimeUntil(async () => await node.create());
		expect(time).toBeLessThan(2000);
		expect(log.filter((line) => line.startsWith('DELETE'))).toHaveLength(100);
	});
});

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
