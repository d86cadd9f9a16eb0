import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';

import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { events, isEvent } from '../../nodes/SignVerify/api/events';
import { objectOf } from '../../nodes/SignVerify/util/values';
import { withDefaults } from '../n8n/execute';
import { Response } from '../n8n/incoming';
import { prepareBinaryData } from '../n8n/process';
import { common, nodeOf, trigger } from './contexts';
import { CredentialKeeper } from './credentials';
import { httpRequest } from './http';
import { readParameter } from './parameters';

/** A call to the trigger's URL: by default an event that no other test has told of. */
export interface Call {
	/** In place of that of the URL for the event. */
	secret?: unknown;
	/** The event for which the URL was registered; by default the one that the body names. */
	event?: string;
	/** Sent as JSON; `raw` goes as it is. */
	body?: unknown;
	raw?: Buffer | string;
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

interface Setting {
	/** The n8n in which it is. */
	instance?: string;
	keeper?: CredentialKeeper;
	/** How n8n runs it: "manual" for a test. */
	mode?: string;
	/** Where files are fetched from, and where they are kept. */
	fetch?: (options: IHttpRequestOptions) => unknown;
	store?: (stream: Readable, fileName: string) => Promise<unknown>;
}

/** The credential of a published trigger. */
export const stored = { apiKey: 'the API key', baseUrl: 'https://sign.example/api', userId: 'u-1' };
let count = 0;

/** A completed document that no other test has told of. */
export const completed = (more: IDataObject = {}) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID: `d${count++}`, title: 'Lease', status: 'COMPLETED', ...more },
});

/** A trigger node that is published for all events, and its URLs with their secrets. */
export function activeTrigger(parameters: IDataObject = {}, setting: Setting = {}) {
	const {
		instance = 'instance',
		keeper = new CredentialKeeper(stored),
		mode = 'webhook',
	} = setting;
	const { fetch = httpRequest, store = prepareBinaryData } = setting;
	const all = events.map(({ value }) => value);
	const node = nodeOf(trigger, parameters);
	const resolved = { ...withDefaults(trigger, { events: all, ...node.parameters }) };
	const { helpers, ...rest } = common(keeper, node);
	const logged: string[] = [];
	const fetched: IHttpRequestOptions[] = [];
	// Not by the node's own code: what is registered must be accepted for as long as it stands there.
	const secretFor = (event: string) => {
		const kind = mode === 'manual' ? 'test' : 'production';
		const account = JSON.stringify(['/sign.example/api', 'u-1']);
		const parts = [account, 'SignVerify Trigger', instance, 'workflow', 'node', kind, event];
		const key = String(keeper.stored.apiKey);
		return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
	};
	const log = (line: string) => logged.push(line);
	const base = {
		...rest,
		getInstanceId: () => instance,
		getWorkflow: () => ({ id: 'workflow' }),
		getMode: () => mode,
		getNodeWebhookUrl: () => `https://${instance}.example/webhook/abc/signverify`,
		helpers: {
			...helpers,
			httpRequest: async (options: IHttpRequestOptions) => {
				fetched.push(options);
				return await Promise.resolve(fetch(options));
			},
			prepareBinaryData: store,
		},
		getNodeParameter: (name: string, fallback?: unknown) => readParameter(resolved, name, fallback),
		logger: { error: log, warn: log },
	};

	/** Calls `webhook()` alone; the response is whatever the node made of it. */
	const start = async (call: Call = {}) => {
		const { body = completed(), response = new Response() } = call;
		const { type } = objectOf(body);
		const { event = isEvent(type) ? type : 'completedDocument' } = call;
		const rawBody = Buffer.from(call.raw ?? JSON.stringify(body));
		const headers = { 'content-type': 'application/json' };
		const data = await trigger.webhook.call({
			...base,
			getRequestObject: () => ({ rawBody, headers, ...call.request }),
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
	return { call, start, logged, fetched, secretFor };
}

/** An answer that carries a file. */
export const file = (text: string) => ({
	statusCode: 200,
	headers: { 'content-type': 'application/pdf' },
	body: Readable.from([Buffer.from(text)]),
});
