import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import {
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type IWebhookFunctions,
	ObservableObject,
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

/** A call to the trigger's URL: by default an event that no other test has told of. */
export interface Call {
	/** In place of that of the URL for the event. */
	secret?: unknown;
	/** The event for which the URL was registered; by default the one that the body names. */
	event?: string;
	/** Sent as JSON; a text goes as it is. */
	body?: unknown;
	/** Over the request as n8n gives it, which has the body read. */
	request?: IDataObject;
	response?: Response;
}

/** The outcome. */
export interface Result {
	status: number;
	/** What the sender was told. */
	answer: unknown;
	/** The items that the workflow is started with; none where it is not started. */
	items: INodeExecutionData[];
}

/** Where a trigger node is, and what it has. */
export interface Setting {
	/** Its URL, without a secret. */
	at?: string | undefined;
	state?: IDataObject;
	/** The workflow's name. */
	workflow?: string | undefined;
	instance?: string;
	workflowId?: string;
	nodeId?: string;
	/**
	 * The mode with which n8n calls `checkExists`, `create` and `webhook()`: "manual" for a test in the editor. n8n
	 * calls `delete` with "internal", also after a test (`test-webhooks.js` in n8n 2.41.1).
	 */
	mode?: string;
	/** As n8n keeps it; undefined if n8n cannot find it. */
	credential?: IDataObject | undefined;
	/** What answers its calls, and where its files are kept. */
	fetch?: (options: IHttpRequestOptions) => unknown;
	store?: (stream: Readable, fileName: string) => Promise<unknown>;
	/** Filled with what it writes to n8n's log. */
	logged?: string[];
}

export const address = 'https://n8n.example/webhook/abc/signverify';

/** The credential of a published trigger. */
export const stored = {
	apiKey: 'the API key',
	baseUrl: `${standInOrigin}/api`,
	userId: 'u-1',
	accessToken: '',
};
let count = 0;

/** A completed document that no other test has told of. */
export const completed = (more: IDataObject = {}) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID: `d${count++}`, title: 'Lease', status: 'COMPLETED', ...more },
});

/** A trigger node, for all events unless its form says otherwise, and its URLs with their secrets. */
export function triggerNode(form: IDataObject = {}, setting: Setting = {}) {
	const { at = address, instance = 'instance', mode = 'webhook', logged = [] } = setting;
	const { workflowId = 'workflow', nodeId = 'node', fetch = httpRequest } = setting;
	const credential = 'credential' in setting ? setting.credential : { ...stored };
	const fetched: IHttpRequestOptions[] = [];
	const request = async (_caller: unknown, options: IHttpRequestOptions) => {
		fetched.push(options);
		return await Promise.resolve(fetch(options));
	};
	const process = new Process(
		'main',
		instance,
		{ action, trigger, credential: new SignVerifyApi() },
		// A virtual clock does not wait for real steps.
		{ ...realClock, step: async () => await Promise.resolve() },
		{ request },
		emptyDatabase(credential ? { 0: credential } : {}),
	);
	const shown = withDefaults(trigger, { events: events.map(({ type }) => type), ...form });
	const common = triggerContext(
		process,
		{ instanceId: instance, url: new URL(at).origin, logged, sign: (url) => url },
		{ id: workflowId, nodeId, webhookId: 'abc' },
		shown,
		process.caller('hook', { trigger: workflowId }),
	);
	// n8n stores it if a value of it was set, or a value in it.
	const state = ObservableObject.create(setting.state ?? {});
	const context = {
		...common,
		helpers: { ...common.helpers, ...(setting.store ? { prepareBinaryData: setting.store } : {}) },
		getWorkflow: () => ({ id: workflowId, name: setting.workflow ?? 'Contracts' }),
		getWorkflowStaticData: () => state,
		getMode: () => mode,
		// How n8n marks what it has registered for a test, for each of the node's functions.
		webhookData: mode === 'manual' ? { isTest: true } : {},
	} as unknown as IHookFunctions & IWebhookFunctions;
	const hooks = trigger.webhookMethods.default;
	const deleting = { ...context, getMode: () => 'internal' } as unknown as IHookFunctions;

	// Not by the node's own code: what is registered must be accepted for as long as it stands there.
	const secretFor = (event: string) => {
		const kind = mode === 'manual' ? 'test' : 'production';
		const { userId, apiKey } = credential ?? stored;
		const account = JSON.stringify(['/sign.example.com/api', userId]);
		const parts = [account, 'SignVerify Trigger', instance, workflowId, nodeId, kind, event];
		return createHmac('sha256', String(apiKey)).update(JSON.stringify(parts)).digest('base64url');
	};

	/** Calls `webhook()` alone; the response is whatever the node made of it. */
	const start = async (call: Call = {}) => {
		const { body = completed(), response = new Response() } = call;
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

	/** Calls it as n8n does: an item is stored and answered 200. */
	const call = async (given: Call = {}): Promise<Result> => {
		const { items, response } = await start(given);
		if (items.length > 0) response.status(200).json({ message: 'Workflow was started' });
		else if (!response.writableEnded) throw new Error('The request is left open.');
		response.close();
		return { status: response.statusCode, answer: response.body, items };
	};

	return {
		call,
		start,
		logged,
		fetched,
		secretFor,
		state,
		/** Whether n8n answers an event of a type at a URL 2xx. */
		accepts: async (type: string, url: string) => {
			const Document = { documentID: randomUUID(), status: 'COMPLETED' };
			const secret = new URL(url).searchParams.get('secret');
			return (await start({ body: { type, Document }, secret })).items.length > 0;
		},
		create: async () => await hooks.create.call(context),
		/** In production, it is removed ten seconds later; this waits until after the first try. */
		remove: async () => {
			const done = await hooks.delete.call(deleting);
			await sleep(30);
			return done;
		},
		/** As n8n publishes a changed trigger: nobody waits in between. */
		removeOnly: async () => await hooks.delete.call(deleting),
	};
}

/** An answer that carries a file. */
export const file = (text: string) => ({
	statusCode: 200,
	headers: { 'content-type': 'application/pdf' },
	body: Readable.from([Buffer.from(text)]),
});
