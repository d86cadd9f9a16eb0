import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import {
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type IWebhookFunctions,
	ObservableObject,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { events, isEvent } from '../../nodes/SignVerify/api/events';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { withDefaults } from '../n8n/execute';
import { requestPart, Response } from '../n8n/incoming';
import { emptyDatabase } from '../n8n/instance';
import { Process } from '../n8n/process';
import { realClock } from '../n8n/surroundings';
import { triggerContext } from '../n8n/triggers';
import { action, trigger } from './contexts';
import { httpRequest } from './http';
import { standInOrigin } from './standIn';
import { sleep } from './virtualTime';

/** A call to the trigger's URL. The default is an event that no other test has sent. */
export interface Call {
	/** Replaces the secret of the event's URL. */
	secret?: unknown;
	/** The event that the URL was registered for. The default is the event in the body. */
	event?: string;
	/** The body. A string is sent as is. Any other value is sent as JSON. */
	body?: unknown;
	/** Replaces parts of n8n's request, whose body n8n has already read. */
	request?: IDataObject;
	response?: Response;
}

/** What the trigger did in response to a call. */
export interface Result {
	status: number;
	body: unknown;
	/** The items that the workflow starts with; empty if it does not start. */
	items: INodeExecutionData[];
}

/** The URL and the environment of a trigger node. */
export interface Setting {
	/** The URL without a secret. */
	at?: string | undefined;
	state?: IDataObject;
	/** The name of the workflow. */
	workflow?: string | undefined;
	instance?: string;
	workflowId?: string;
	nodeId?: string;
	/**
	 * The mode of n8n's calls to `checkExists`, `create` and `webhook()`: "manual" for a test in the editor.
	 * n8n calls `delete` with "internal", even after a test (`test-webhooks.js` in n8n 2.41.1).
	 */
	mode?: string;
	/** Why n8n publishes the workflow: "init" after a restart. */
	activation?: WorkflowActivateMode;
	/** The stored credential; undefined if n8n cannot find it. */
	credential?: IDataObject | undefined;
	/** Responds to the node's calls, including its downloads. */
	fetch?: (options: IHttpRequestOptions) => unknown;
	store?: (stream: Readable, fileName: string) => Promise<unknown>;
	/** Collects the lines that the node writes to n8n's log. */
	logged?: string[];
}

export const address = 'https://n8n.example/webhook/abc/signverify';

/** The credential of a published trigger. */
export const storedCredential = {
	apiKey: 'the API key',
	baseUrl: `${standInOrigin}/api`,
	userId: 'u-1',
	accessToken: '',
};
let count = 0;

/** Makes a completedDocument event that no other test has sent. */
export const completedEvent = (more: IDataObject = {}) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID: `d${count++}`, title: 'Lease', status: 'COMPLETED', ...more },
});

/**
 * Makes a trigger node with its URLs and their secrets. The node listens for all events unless `form` selects
 * specific ones.
 */
export function triggerNode(form: IDataObject = {}, setting: Setting = {}) {
	const {
		at = address,
		instance = 'instance',
		mode = 'webhook',
		logged = [],
		activation = 'activate',
	} = setting;
	const { workflowId = 'workflow', nodeId = 'node', fetch = httpRequest } = setting;
	const credential = 'credential' in setting ? setting.credential : { ...storedCredential };
	const fetched: IHttpRequestOptions[] = [];
	const request = async (_caller: unknown, options: IHttpRequestOptions) => {
		fetched.push(options);
		return await Promise.resolve(fetch(options));
	};
	const process = new Process(
		'main',
		instance,
		{ action, trigger, credential: new SignVerifyApi() },
		// A step must not wait for a real timer, because the clock may be virtual.
		{ ...realClock, step: async () => await Promise.resolve() },
		{ request },
		emptyDatabase(credential ? { 0: credential } : {}),
	);
	const shown = withDefaults(trigger, { events: events.map(({ type }) => type), ...form });
	const common = triggerContext(
		process,
		{
			instanceId: instance,
			url: at.replace(/\/webhook\/abc\/signverify.*$/, ''),
			logged,
			sign: (url) => url,
		},
		{ id: workflowId, nodeId, webhookId: 'abc' },
		shown,
		process.caller('hook', { trigger: workflowId }),
	);
	// n8n stores static data only if a value in it was set.
	const state = ObservableObject.create(setting.state ?? {});
	const credentialReads: unknown[] = [];
	const context = {
		...common,
		getCredentials: async (type: string) => {
			credentialReads.push(type);
			return await common.getCredentials();
		},
		helpers: { ...common.helpers, ...(setting.store ? { prepareBinaryData: setting.store } : {}) },
		getWorkflow: () => ({ id: workflowId, name: setting.workflow ?? 'Contracts' }),
		// Static data of type "global" belongs to all nodes of the workflow.
		getWorkflowStaticData: (type: string) => (type === 'node' ? state : {}),
		getMode: () => mode,
		getActivationMode: () => activation,
		// When n8n registers a webhook for a test, it sets this mark. All of the node's functions find it in
		// their context.
		webhookData: mode === 'manual' ? { isTest: true } : {},
	} as unknown as IHookFunctions & IWebhookFunctions;
	const hooks = trigger.webhookMethods.default;
	const deleting = { ...context, getMode: () => 'internal' } as unknown as IHookFunctions;

	// Compute the secret without the node's code: a registered URL must stay valid, so the node must never
	// derive a different secret for it.
	const secretFor = (event: string) => {
		const kind = mode === 'manual' ? 'test' : 'production';
		const { userId, apiKey } = credential ?? storedCredential;
		const account = JSON.stringify(['/sign.example.com/api', userId]);
		const parts = [account, 'SignVerify Trigger', instance, workflowId, nodeId, kind, event];
		return createHmac('sha256', String(apiKey)).update(JSON.stringify(parts)).digest('base64url');
	};

	/** Calls only `webhook()`. Any response therefore comes from the node, not from n8n. */
	const start = async (call: Call = {}) => {
		const { body = completedEvent(), response = new Response() } = call;
		const { type } = objectOf(body);
		const { event = isEvent(type) ? type : 'completedDocument' } = call;
		const incoming = requestPart({ url: at, body });
		const data = await trigger.webhook.call({
			...context,
			...incoming,
			getRequestObject: () => ({ ...incoming.getRequestObject(), ...call.request }),
			getResponseObject: () => response,
			getQueryData: () => ({ secret: 'secret' in call ? call.secret : secretFor(event) }),
		} as unknown as IWebhookFunctions);
		if (!data.workflowData) expect(data).toEqual({ noWebhookResponse: true });
		return { items: data.workflowData?.[0] ?? [], response };
	};

	/** Calls the trigger as n8n does: n8n responds with 200 if the trigger returns an item. */
	const call = async (given: Call = {}): Promise<Result> => {
		const { items, response } = await start(given);
		if (items.length > 0) response.status(200).json({ message: 'Workflow was started' });
		else if (!response.writableEnded) throw new Error('The request is left open.');
		response.close();
		return { status: response.statusCode, body: response.body, items };
	};

	return {
		call,
		start,
		logged,
		fetched,
		/** One entry for each time the node has read its credential. */
		credentialReads,
		secretFor,
		state,
		context: context as IHookFunctions,
		/** Whether an event of this type starts the workflow when it arrives at this URL. */
		accepts: async (type: string, url: string) => {
			const Document = { documentID: randomUUID(), status: 'COMPLETED' };
			const secret = new URL(url).searchParams.get('secret');
			return (await start({ body: { type, Document }, secret })).items.length > 0;
		},
		create: async () => await hooks.create.call(context),
		/**
		 * Unpublishes the trigger as n8n does in production, and waits for the node's first attempt to remove
		 * the webhooks, which begins ten seconds later.
		 */
		remove: async () => {
			const done = await hooks.delete.call(deleting);
			await sleep(30);
			return done;
		},
		/** Calls `delete` without waiting, as n8n does when it publishes a changed trigger. */
		removeOnly: async () => await hooks.delete.call(deleting),
	};
}

export const fileResponse = (text: string) => ({
	statusCode: 200,
	headers: { 'content-type': 'application/pdf' },
	body: Readable.from([Buffer.from(text)]),
});
