import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { WebhookRegistration } from '../../nodes/SignVerify/interface';
import {
	checkExists,
	create,
	readEvents,
	remove,
} from '../../nodes/SignVerify/notifications/lifecycle';
import { coded, standIn, type StandInAnswer } from '../support/standIn';

jest.mock('../../nodes/SignVerify/transport/pause', () => ({
	pause: async (ms: number) => ms < 5000 || (await new Promise(() => {})),
}));

const address = 'https://n8n.example/webhook/abc/signverify';
const identity = 'VERIFICATION_REQUEST_FINISHED';
const refusedOf = { status: 400, body: { success: false, message: 'no such webhook' } };
const brokenService = { status: 500, body: { message: 'broken' } };

/** What the interface leaves open about identity registrations, and what a service may do wrong. */
interface Behaviour {
	listsIdentity?: boolean;
	deletesIdentity?: boolean;
	/** Whether a registration is answered with its ID. */
	givesIds?: boolean;
	/** In place of the answer, by `METHOD path` of the call; it does not act then. */
	fault?: (what: string, call: IDataObject) => StandInAnswer | undefined;
}

/** A service's registrations, and a trigger that listens for events. */
function setUp(behaviour: Behaviour = {}) {
	let list: WebhookRegistration[] = [];
	let count = 0;
	const log: string[] = [];
	const { context, calls } = standIn(({ options }) => {
		const { method = 'GET', url, qs = {}, body } = options;
		const path = url.replace(/^.*\/api/, '');
		const { url: at, type, webHookID } = { ...qs, ...(body as IDataObject) };
		log.push(`${method} ${path} ${String(type ?? webHookID ?? '')}`.trim());
		const fault = behaviour.fault?.(`${method} ${path}`, { ...qs, ...(body as IDataObject) });
		if (fault) return fault;
		if (method === 'GET') {
			const hidden = behaviour.listsIdentity === false ? identity : '';
			return { body: { responseData: list.filter((each) => each.type !== hidden) } };
		}
		if (method === 'DELETE') {
			const found = list.find((each) => each.webHookID === webHookID);
			const isKept = behaviour.deletesIdentity === false && found?.type === identity;
			if (!found || isKept) return { status: isKept ? 400 : 404, body: { message: 'not found' } };
			list = list.filter((each) => each !== found);
			return undefined;
		}
		const registration = {
			webHookID: `id-${++count}`,
			type,
			webHookUrl: at,
		} as WebhookRegistration;
		list.push(registration);
		return behaviour.givesIds === false
			? undefined
			: { body: { success: true, responseData: registration } };
	});
	const warnings: string[] = [];
	const trigger = (
		events: unknown,
		{ at = address, state = {}, options = {}, workflow = 'Contracts' }: Setting = {},
	) => {
		const hooks = {
			...context,
			getNodeParameter: (name: string, fallback: unknown) =>
				({ events, options })[name as 'events'] ?? fallback,
			getWorkflowStaticData: () => state,
			getNodeWebhookUrl: () => at,
			getWorkflow: () => ({ name: workflow }),
			logger: { warn: (line: string) => warnings.push(line) },
		} as unknown as IHookFunctions;
		return {
			state,
			checkExists: async () => await checkExists.call(hooks),
			create: async () => await create.call(hooks),
			remove: async () => await remove.call(hooks),
		};
	};
	return {
		trigger,
		calls,
		log,
		warnings,
		/** What is registered: `type ID`. */
		registered: () => list.map(({ type, webHookID }) => `${type} ${webHookID}`),
		add: (type: string, at: string) => {
			list.push({ webHookID: `id-${++count}`, type, webHookUrl: at });
		},
		forget: (id: string) => (list = list.filter((each) => each.webHookID !== id)),
		behaviour,
	};
}

interface Setting {
	at?: string | undefined;
	state?: IDataObject;
	options?: IDataObject;
	workflow?: string | undefined;
}

const failure = async (work: Promise<unknown>) =>
	(await work.then(
		() => undefined,
		(error: unknown) => error,
	)) as { message: string; description?: string; httpCode?: string };

describe('events', () => {
	test('are each registered once', () => {
		expect(readEvents(['signDocument', 'signDocument', identity])).toEqual([
			'signDocument',
			identity,
		]);
	});

	test.each([
		[[], 'Events: none is chosen', 'Choose at least one event.'],
		['signDocument', 'Events: none is chosen', 'Choose at least one event.'],
		[['signDocument', 'x'], 'Events: there is no event "x"', 'Choose events from the list.'],
		[[undefined], 'Events: there is no event ""', 'Choose events from the list.'],
	])('%j are refused', (value, message, description) => {
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
	test('registers each event as the interface shows it, the identity event last', async () => {
		const { trigger, calls, log, registered } = setUp();
		const node = trigger([identity, 'signDocument'], { workflow: 'x'.repeat(200) });
		expect(await node.checkExists()).toBe(false);
		expect(calls).toHaveLength(0);
		expect(await node.create()).toBe(true);
		expect(log).toEqual([
			'GET /webhooks',
			'POST /webhooks signDocument',
			`POST /webhooks/verify ${identity}`,
			'GET /webhooks',
		]);
		const url = `${address}?secret=${String(node.state.secret)}`;
		expect(calls[1]?.options).toMatchObject({ qs: { url, type: 'signDocument' } });
		expect(calls[2]?.options.body).toEqual({
			name: `n8n: ${'x'.repeat(95)}`,
			type: identity,
			url,
		});
		expect(registered()).toEqual(['signDocument id-1', `${identity} id-2`]);
		expect(node.state).toEqual({
			secret: expect.stringMatching(/^[\w-]{43}$/) as string,
			address: url,
			webHookIDs: { signDocument: 'id-1', [identity]: 'id-2' },
			identityListed: true,
		});
		expect(await node.checkExists()).toBe(true);
	});

	test('again changes nothing', async () => {
		const { trigger, log } = setUp();
		const node = trigger(['signDocument', identity]);
		await node.create();
		const before = { ...node.state };
		log.length = 0;
		await node.create();
		expect(log).toEqual(['GET /webhooks']);
		expect(node.state).toEqual(before);
	});

	test('names a workflow that has no name', async () => {
		const { trigger, calls } = setUp();
		const { state } = trigger([identity]);
		const node = trigger([identity], { state, workflow: '' });
		await node.create();
		expect((calls[1]?.options.body as IDataObject).name).toBe('n8n: ');
	});

	test('after a change of events adds what is missing and removes what is too much', async () => {
		const { trigger, registered } = setUp();
		const { state, ...before } = trigger(['signDocument', 'sendDocument']);
		await before.create();
		const after = trigger(['sendDocument', 'completedDocument'], { state });
		expect(await after.checkExists()).toBe(false);
		await after.create();
		expect(registered()).toEqual(['sendDocument id-2', 'completedDocument id-3']);
		expect(state.webHookIDs).toEqual({ sendDocument: 'id-2', completedDocument: 'id-3' });
		const fewer = trigger(['sendDocument'], { state });
		expect(await fewer.checkExists()).toBe(false);
		await fewer.create();
		expect(await fewer.checkExists()).toBe(true);
	});

	test("leaves other people's alone, and replaces its own older and double ones", async () => {
		const { trigger, registered, add } = setUp();
		add('signDocument', 'https://n8n.example/webhook/other/signverify?secret=x');
		add('signDocument', `${address}?secret=older`);
		add('signDocument', 'no address');
		const node = trigger(['signDocument']);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', 'signDocument id-3', 'signDocument id-4']);
		add('signDocument', `${address}?secret=${String(node.state.secret)}`);
		expect(await node.checkExists()).toBe(false);
		await node.create();
		expect(registered()).toEqual(['signDocument id-1', 'signDocument id-3', 'signDocument id-4']);
	});

	test('finds an address that the service writes differently', async () => {
		const { trigger, registered, add } = setUp();
		const node = trigger(['signDocument'], { state: { secret: 's' } });
		add('signDocument', `${address.replace('n8n.example', 'N8N.example:443')}?secret=s`);
		expect(await node.checkExists()).toBe(true);
		await node.create();
		expect(registered()).toHaveLength(1);
	});

	test('finds the ID in the list where the answer carries none', async () => {
		const { trigger, log } = setUp({ givesIds: false });
		const node = trigger(['signDocument']);
		await node.create();
		expect(node.state.webHookIDs).toEqual({ signDocument: 'id-1' });
		expect(log).toEqual(['GET /webhooks', 'POST /webhooks signDocument', 'GET /webhooks']);
	});

	test('of an event that is confirmed but not listed is an error', async () => {
		const { trigger } = setUp({ fault: (what) => (what === 'GET /webhooks' ? empty : {}) });
		expect(await failure(trigger(['signDocument']).create())).toMatchObject({
			message:
				'The event signDocument could not be registered: The service confirmed the registration, but does not list it',
			description: 'Activate the workflow again in a moment.',
		});
	});

	test('of the identity event believes that it is there where it is never listed', async () => {
		const { trigger, log, registered } = setUp({ listsIdentity: false, givesIds: false });
		const node = trigger([identity]);
		await node.create();
		expect(node.state.webHookIDs).toEqual({ [identity]: '' });
		expect(await node.checkExists()).toBe(true);
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
		expect(await failure(node.create())).toMatchObject({
			message:
				'The event sendDocument could not be registered: The service failed (HTTP 500: broken)',
			description: 'The fault is at the service. Try again in a moment.',
			httpCode: '500',
		});
		expect(registered()).toEqual([]);
		expect(log.slice(-2)).toEqual(['DELETE /webhooks id-1', 'DELETE /webhooks id-2']);
		expect(node.state.webHookIDs).toEqual({});
	});

	test('that cannot be undone says what is left, and keeps it in mind', async () => {
		const { trigger, registered } = setUp({
			fault: (_what, { type, webHookID }) =>
				type === 'sendDocument' || webHookID === 'id-1' ? brokenService : undefined,
		});
		const node = trigger(['completedDocument', 'signDocument', 'sendDocument']);
		expect((await failure(node.create())).description).toBe(
			'The fault is at the service. Try again in a moment. Could not be undone: registration id-1.',
		);
		expect(node.state.webHookIDs).toEqual({ completedDocument: 'id-1' });
		expect(registered()).toEqual(['completedDocument id-1']);
	});

	test('that is refused shows neither address nor secret', async () => {
		const state = { secret: 'the-secret' };
		const { trigger } = setUp({
			fault: (what, { url }) =>
				what === 'POST /webhooks'
					? { status: 400, body: { message: `${String(url)} with the-secret` } }
					: undefined,
		});
		expect((await failure(trigger(['signDocument'], { state }).create())).message).toBe(
			'The event signDocument could not be registered: The service refused the request (HTTP 400: … with …)',
		);
	});

	test.each([
		[{ allowedSenders: 'x' }, /^Allowed Sender Addresses/],
		[{ fileSeconds: 0 }, /^File Time Limit: it is out of range/],
		[{ fileSeconds: 61 }, /^File Time Limit/],
	])('with %j is refused before anything is sent', async (options, message) => {
		const { trigger, calls } = setUp();
		const node = trigger(['signDocument'], { options });
		expect((await failure(node.create())).message).toMatch(message);
		expect(calls).toHaveLength(0);
		expect(node.state).toEqual({});
	});

	test('without an address says what to do', async () => {
		const { trigger } = setUp();
		expect(await failure(trigger(['signDocument'], { at: '' }).create())).toMatchObject({
			message: 'Webhook: n8n gives this node no address',
			description: 'Save the workflow and activate it again.',
		});
	});

	test('at a service without a list of webhooks says so', async () => {
		const { trigger } = setUp({ fault: () => ({ body: { responseData: {} } }) });
		expect(await failure(trigger(['signDocument']).create())).toMatchObject({
			message: 'The service answered without a list of webhooks',
			description: 'Check the Base URL in the credential, its path included.',
		});
	});

	test('looks past what is no registration', async () => {
		const { trigger } = setUp({
			fault: (what) =>
				what === 'GET /webhooks' ? { body: { responseData: [null, 3] } } : undefined,
		});
		expect(await trigger(['signDocument']).create()).toBe(true);
	});

	test('takes over what is known of an identity registration at another address', async () => {
		const { trigger, registered } = setUp({ listsIdentity: false });
		const { state, ...node } = trigger([identity]);
		await node.create();
		const moved = trigger([identity], { state, at: 'https://new.example/webhook/abc/signverify' });
		expect(await moved.checkExists()).toBe(false);
		await moved.create();
		expect(registered()).toEqual([`${identity} id-2`]);
		expect(await moved.checkExists()).toBe(true);
	});
});

const empty = { body: { responseData: [] } };

describe('deactivating', () => {
	test('removes by the kept IDs and forgets everything', async () => {
		const { trigger, log, registered, calls } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		log.length = 0;
		expect(await node.remove()).toBe(true);
		expect(log).toEqual(['DELETE /webhooks id-1', 'DELETE /webhooks id-2', 'GET /webhooks']);
		expect(calls.at(-2)?.options).toMatchObject({ qs: { webHookID: 'id-2' } });
		expect(registered()).toEqual([]);
		expect(node.state).toEqual({});
	});

	test('finds by address what was not kept, and nothing else', async () => {
		const { trigger, registered, add } = setUp();
		await trigger(['completedDocument', 'signDocument']).create();
		add('signDocument', 'https://n8n.example/webhook/other/signverify');
		await trigger(['signDocument']).remove();
		expect(registered()).toEqual(['signDocument id-3']);
	});

	test('finds by ID what stands at an older address', async () => {
		const { trigger, registered } = setUp();
		const { state, ...before } = trigger(['signDocument']);
		await before.create();
		await trigger(['signDocument'], { state, at: 'https://new.example/x' }).remove();
		expect(registered()).toEqual([]);
	});

	test('counts as done what is gone already', async () => {
		const { trigger, forget } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		forget('id-1');
		expect(await node.remove()).toBe(true);
		expect(node.state).toEqual({});
	});

	test('that fails for one removes the others, and keeps what it needs to try again', async () => {
		const { trigger, registered, behaviour } = setUp();
		const node = trigger(['completedDocument', 'signDocument']);
		await node.create();
		behaviour.fault = (_what, { webHookID }) => (webHookID === 'id-1' ? brokenService : undefined);
		expect((await failure(node.remove())).message).toBe('The service failed (HTTP 500: broken)');
		expect(registered()).toEqual(['completedDocument id-1']);
		expect(node.state).toMatchObject({
			secret: expect.any(String) as string,
			webHookIDs: { completedDocument: 'id-1', signDocument: 'id-2' },
		});
		delete behaviour.fault;
		await node.remove();
		expect(registered()).toEqual([]);
	});

	test('that failed, but is not listed any more, is done', async () => {
		const { trigger, forget, behaviour } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		behaviour.fault = (what) => {
			if (what !== 'DELETE /webhooks') return undefined;
			forget('id-1');
			return brokenService;
		};
		expect(await node.remove()).toBe(true);
		expect(node.state).toEqual({});
	});

	test('that is refused at first and works at the second try leaves no failure', async () => {
		let tries = 0;
		const { trigger, behaviour, registered } = setUp();
		const node = trigger(['signDocument']);
		await node.create();
		behaviour.fault = (what) =>
			what === 'DELETE /webhooks' && ++tries === 1 ? { status: 403, body: {} } : undefined;
		expect(await node.remove()).toBe(true);
		expect(registered()).toEqual([]);
	});

	test.each([400, 404])(
		'a document event of which the service says %i is gone only by 404',
		async (status) => {
			const { trigger, behaviour } = setUp();
			const node = trigger(['signDocument']);
			await node.create();
			behaviour.fault = (what) =>
				what === 'DELETE /webhooks' ? { status, body: {} } : status === 404 ? empty : undefined;
			if (status === 404) expect(await node.remove()).toBe(true);
			else expect((await failure(node.remove())).httpCode).toBe('400');
		},
	);
});

describe('an identity registration', () => {
	test.each([true, false])(
		'that the service does not delete is kept with its secret; listed: %s',
		async (listsIdentity) => {
			const { trigger, registered, warnings, log } = setUp({
				listsIdentity,
				deletesIdentity: false,
			});
			const node = trigger([identity, 'signDocument']);
			await node.create();
			const { secret } = node.state;
			log.length = 0;
			expect(await node.remove()).toBe(true);
			expect(warnings).toEqual([
				'SignVerify Trigger: the service did not delete the registration for identity verifications. It stays at the service, is refused here from now on, and is used again when the workflow is activated.',
			]);
			// Once is enough, whether it is listed or not.
			expect(log.filter((line) => line === 'DELETE /webhooks id-2')).toHaveLength(1);
			expect(registered()).toEqual([`${identity} id-2`]);
			expect(node.state).toMatchObject({ secret, webHookIDs: { [identity]: 'id-2' } });
			expect(await node.checkExists()).toBe(false);
			await node.create();
			expect(registered()).toEqual([`${identity} id-2`, 'signDocument id-3']);
			expect(await node.checkExists()).toBe(true);
		},
	);

	test('that cannot be deleted and is not listed any more is gone', async () => {
		const { trigger, forget, warnings } = setUp();
		const node = trigger([identity]);
		await node.create();
		forget('id-1');
		expect(await node.remove()).toBe(true);
		expect(node.state).toEqual({});
		expect(warnings).toEqual([]);
	});

	test('that was deleted once is believed to be gone when there is none', async () => {
		const { trigger, forget } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		await node.remove();
		expect(node.state).toEqual({ identityRemovable: true });
		await node.create();
		forget('id-2');
		await node.remove();
		expect(node.state).toEqual({ identityRemovable: true });
	});

	test('that was never deleted before may be there all the same', async () => {
		const { trigger, forget } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		forget('id-1');
		await node.remove();
		expect(node.state.webHookIDs).toEqual({ [identity]: 'id-1' });
	});

	test.each([
		['broke off', 500, true],
		['refused', 403, false],
	])(
		'of which the deletion %s is a failure; may have worked: HTTP %i',
		async (_name, status, may) => {
			const { trigger, behaviour, log } = setUp({ listsIdentity: false });
			const node = trigger([identity]);
			await node.create();
			log.length = 0;
			behaviour.fault = (what) => (what === 'DELETE /webhooks' ? { status, body: {} } : undefined);
			expect((await failure(node.remove())).httpCode).toBe(String(status));
			// Never twice: "not found" the second time could not be understood.
			expect(log.filter((line) => line.startsWith('DELETE'))).toHaveLength(status === 403 ? 2 : 1);
			expect(node.state.identityRemovable ?? false).toBe(may);
			expect(node.state.webHookIDs).toEqual({ [identity]: 'id-1' });
		},
	);

	test('of which the deletion got no answer may have been deleted', async () => {
		const { trigger, behaviour } = setUp({ listsIdentity: false });
		const node = trigger([identity]);
		await node.create();
		behaviour.fault = (what) => {
			if (what === 'DELETE /webhooks') throw coded('ECONNRESET');
			return undefined;
		};
		expect((await failure(node.remove())).message).toMatch('broke the connection off');
		behaviour.fault = (what) => (what === 'DELETE /webhooks' ? refusedOf : undefined);
		await node.remove();
		expect(node.state).toEqual({ identityRemovable: true });
	});

	test('without an ID is not deleted by one', async () => {
		const { trigger, log, behaviour } = setUp({ listsIdentity: false, givesIds: false });
		const node = trigger([identity]);
		await node.create();
		log.length = 0;
		behaviour.fault = () => undefined;
		await node.remove();
		expect(log).toEqual(['GET /webhooks']);
		expect(node.state.webHookIDs).toEqual({ [identity]: '' });
	});
});
