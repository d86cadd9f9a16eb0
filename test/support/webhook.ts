import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { ownerOf } from '../../nodes/SignVerify/trigger/state';
import { common, nodeOf, prepareBinaryData, trigger, withDefaults } from './contexts';
import { readParameter } from './parameters';
import { CredentialKeeper } from './credentials';
import { httpRequest } from './http';
import { FakeResponse } from './response';

/** A call to the trigger's address. */
export interface Call {
	secret?: unknown;
	/** The event that the address names. */
	event?: unknown;
	/** Sent as JSON; `raw` goes as it is. */
	body?: unknown;
	raw?: Buffer | string;
	contentType?: string;
	encoding?: string;
	response?: FakeResponse;
}

/** The outcome. */
export interface Result {
	status: number;
	/** What the sender was told. */
	answer: unknown;
	/** The items that the workflow is started with; none where it is not started. */
	items: INodeExecutionData[];
}

/** A trigger node that is active, its secret in place. */
export function activeTrigger(
	parameters: IDataObject,
	{ secret = 'the-right-secret', keeper = new CredentialKeeper({}) } = {},
) {
	const node = nodeOf(trigger, parameters);
	const resolved = withDefaults(trigger, parameters, node);
	const { helpers, ...rest } = common(keeper, node);
	const logged: string[] = [];
	const self = {
		...rest,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: true }),
	};
	const state = { secret, owner: ownerOf(self as never) };
	const base = {
		...self,
		helpers: { ...helpers, httpRequest, prepareBinaryData },
		getNodeParameter: (name: string, fallback?: unknown) => readParameter(resolved, name, fallback),
		getWorkflowStaticData: () => state,
		logger: { error: (line: string) => logged.push(line) },
	};

	/** Calls `webhook()` alone; the response is whatever the node made of it. */
	const start = async (call: Call) => {
		const response = call.response ?? new FakeResponse();
		const rawBody =
			call.raw === undefined ? Buffer.from(JSON.stringify(call.body)) : Buffer.from(call.raw);
		const context = {
			...base,
			getRequestObject: () => ({
				rawBody,
				encoding: call.encoding,
				headers: { 'content-type': call.contentType ?? 'application/json' },
			}),
			getResponseObject: () => response,
			getQueryData: () => ({
				secret: 'secret' in call ? call.secret : secret,
				...('event' in call ? { event: call.event } : {}),
			}),
			getBodyData: () => ({}),
		};
		const data = await trigger.webhook.call(context as unknown as IWebhookFunctions);
		return { data, response };
	};

	/** Calls it as n8n does: an item is stored and answered 200. */
	const call = async (given: Call): Promise<Result> => {
		const { data, response } = await start(given);
		const items = data.workflowData?.[0] ?? [];
		if (data.workflowData) response.status(200).json({ message: 'Workflow was started' });
		else if (!response.writableEnded) throw new Error('The request is left open.');
		response.close();
		return { status: response.statusCode, answer: response.body, items };
	};
	return { call, start, logged, secret };
}
