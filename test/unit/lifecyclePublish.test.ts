import { readEvents } from '../../nodes/SignVerify/trigger/lifecycle';
import { linked } from '../support/errors';
import { address, brokenService, failure, identity, keptIn, setUp } from '../support/registrations';
import { processorTimeUntil } from '../support/processorTime';
import { coded } from '../support/standIn';
import { useVirtualTime } from '../support/virtualTime';

useVirtualTime();

const secretIn = (url: unknown) => new URL(String(url)).searchParams.get('secret');

describe('events', () => {
	test('are each registered once', () => {
		expect(readEvents(['signDocument', 'signDocument', identity])).toEqual([
			'signDocument',
			identity,
		]);
	});

	test.each([
		[[], 'Events: none is chosen'],
		['signDocument', 'Events: none is chosen'],
		[['signDocument', 'x'], 'Events: there is no event "x"'],
		[[undefined], 'Events: there is no event ""'],
	])('%j are refused', (value, message) => {
		const description = 'Choose at least one event from the list.';
		const refusal = () => {
			try {
				return readEvents(value);
			} catch (error) {
				return error;
			}
		};
		expect(refusal()).toMatchObject({ message, description });
	});
});

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
		expect(calls[1]?.options).toMatchObject({ qs: { url, type: 'signDocument' } });
		expect(calls[2]?.options.body).toEqual({
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

	test('after a change of events adds what is missing, and then removes what is too much', async () => {
		const { trigger, registered, log, urls } = setUp();
		const { state, ...before } = trigger(['signDocument', 'sendDocument']);
		await before.create();
		const [, stays] = urls();
		const after = trigger(['sendDocument', 'completedDocument'], { state });
		expect(await after.isPublished()).toBe(false);
		log.length = 0;
		await after.create();
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks completedDocument',
			'DELETE /webhooks id-1',
		]);
		expect(registered()[0]).toBe('sendDocument id-2');
		expect(urls()[0]).toBe(stays);
		expect(keptIn(state)).toEqual(registered());
		expect(await after.isPublished()).toBe(true);
		const fewer = trigger(['sendDocument'], { state });
		expect(await fewer.isPublished()).toBe(false);
		await fewer.create();
		expect(await fewer.isPublished()).toBe(true);
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

	test('of the identity event believes that it is there where it is never listed', async () => {
		const { trigger, log, registered } = setUp({ listsIdentity: false, registered: 'nothing' });
		const node = trigger([identity]);
		await node.create();
		expect(keptIn(node.state)).toEqual([]);
		expect(await node.isPublished()).toBe(true);
		log.length = 0;
		await node.create();
		expect(log).toEqual(['GET /webhooks']);
		expect(registered()).toHaveLength(1);
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

	test('says at once all that is wrong with its form', async () => {
		const { trigger, calls } = setUp();
		const form = { filters: { signatory: 'Ana', sentBy: 'Eve' }, output: 'all' };
		const { message } = await failure(trigger([], { form }).create());
		expect(message).toMatch(
			/^4 fields are missing or wrong: \(1\) Events: .* \(2\) Signatory: "Ana" is not .* \(3\) Sent By: "Eve".* \(4\) Output: there is no such choice/,
		);
		expect(calls).toHaveLength(0);
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
		['a text', 'x'],
		['an object', { signDocument: { hash: {}, id: [] } }],
		['no texts', [{ webHookID: {}, type: [] }]],
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
