import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { handleRequest } from '../../nodes/SignVerify/trigger/webhook';
import { ownerOf } from '../../nodes/SignVerify/trigger/state';
import { FakeResponse } from './response';
import { standIn, type Respond } from './standIn';

export const secret = 'the-right-secret';
export const identity = 'VERIFICATION_REQUEST_FINISHED';
let count = 0;

/** A completed document that no other test has told of. */
export const completed = (more: IDataObject = {}) => ({
	type: 'completedDocument',
	addedOn: 1,
	Document: { documentID: `d${count++}`, title: 'Lease', status: 'COMPLETED', ...more },
});

interface Setting {
	parameters?: IDataObject;
	body?: unknown;
	given?: string;
	/** What n8n keeps for the node; by default that it is published. */
	state?: IDataObject;
	/** Over n8n's request, which has the body read. */
	request?: IDataObject;
	/** The service, when it is asked. */
	respond?: Respond;
	/** Where files are kept. */
	fetch?: (options: IHttpRequestOptions) => unknown;
	store?: () => Promise<unknown>;
	response?: FakeResponse;
}

/** Lets the trigger handle one request. */
export async function receive(setting: Setting = {}) {
	const { parameters = {}, body = completed(), given = secret, request = {} } = setting;
	const { fetch = () => file('content'), response = new FakeResponse() } = setting;
	const { context, calls } = standIn(setting.respond ?? (() => undefined));
	const logged: string[] = [];
	const self = {
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: 'node' }),
	};
	const state = setting.state ?? { secret, owner: ownerOf(self as never) };
	const fetched: IHttpRequestOptions[] = [];
	const form: IDataObject = {
		events: ['completedDocument', 'signDocument', identity],
		...parameters,
	};
	const store = async (stream: Readable, fileName: string) => {
		let text = '';
		for await (const piece of stream) text += String(piece);
		return { fileName, text };
	};
	const data = await handleRequest({
		...context,
		...self,
		helpers: {
			...context.helpers,
			httpRequest: async (options: IHttpRequestOptions) => {
				fetched.push(options);
				return await Promise.resolve(fetch(options));
			},
			prepareBinaryData: setting.store ?? store,
		},
		getNodeParameter: (name: string, fallback: unknown) => form[name] ?? fallback,
		getWorkflowStaticData: () => state,
		getRequestObject: () => ({ headers: {}, ...request }),
		getResponseObject: () => response,
		getQueryData: () => ({ secret: given }),
		getBodyData: () => body,
		logger: {
			error: (line: string) => logged.push(line),
			warn: (line: string) => logged.push(line),
		},
	} as unknown as IWebhookFunctions);
	const [item] = data.workflowData?.[0] ?? [];
	if (!item) expect(data).toEqual({ noWebhookResponse: true });
	return {
		item,
		status: response.statusCode,
		said: response.body,
		logged,
		calls,
		fetched,
		response,
	};
}

/** An answer that carries a file. */
export const file = (text: string) => ({
	statusCode: 200,
	headers: { 'content-type': 'application/pdf' },
	body: Readable.from([Buffer.from(text)]),
});

/** The body of an answer that only says something. */
export const told = (message: string) => ({ message });
