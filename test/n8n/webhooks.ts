import type { IWebhookFunctions, IWebhookResponseData, INode } from 'n8n-workflow';

import { stored, type Execution, type TriggerWorkflow } from './database';
import type { Installation } from './execute';
import type { Process } from './process';
import type { Response } from './incoming';
import type { Caller } from './surroundings';
import { triggerContext } from './triggers';

/** A request as it comes to n8n. */
export interface Incoming {
	url: string;
	body: unknown;
	/** Milliseconds after which the sender leaves; absent means never. */
	timeLimit?: number;
	/** Empty if the sender names none. By default JSON. */
	contentType?: string;
}

function requestPart(incoming: Incoming) {
	const text = typeof incoming.body === 'string' ? incoming.body : JSON.stringify(incoming.body);
	const rawBody = Buffer.from(text);
	const { searchParams } = new URL(incoming.url);
	const { contentType = 'application/json' } = incoming;
	// n8n leaves it to a node above version 1 to read a body whose content type it cannot parse.
	const isRead = contentType !== '';
	const request = {
		rawBody: isRead ? rawBody : undefined,
		headers: isRead ? { 'content-type': contentType } : {},
		encoding: undefined,
		readRawBody: async () => {
			request.rawBody ??= await Promise.resolve(rawBody);
		},
	};
	return {
		getRequestObject: () => request,
		getBodyData: () => (isRead ? incoming.body : undefined),
		getQueryData: () => Object.fromEntries(searchParams),
	};
}

/** The context of `webhook()` of a waiting action node, with a copy of its execution. */
export function waitingContext(
	process: Process,
	caller: Caller,
	node: INode,
	incoming: Incoming,
	response: Response,
	data: Execution['data'] | null,
	logged: string[],
): IWebhookFunctions {
	return {
		...requestPart(incoming),
		helpers: process.helpers(caller, node),
		getNode: () => node,
		getCredentials: async () => await process.readCredential(caller),
		getResponseObject: () => response,
		runExecutionData: data,
		logger: { error: (line: string) => logged.push(line) },
	} as unknown as IWebhookFunctions;
}

/** An event for a trigger: n8n answers 200 once it has stored the execution. */
export async function receiveForTrigger(
	process: Process,
	installation: Installation,
	workflow: TriggerWorkflow,
	incoming: Incoming,
	response: Response,
): Promise<void> {
	const caller = process.caller('event', { trigger: workflow.id });
	await process.withDatabase(caller, 'reads the workflow', () => undefined);
	const context = {
		...triggerContext(process, installation, workflow, caller),
		...requestPart(incoming),
		getResponseObject: () => response,
		getMode: () => 'webhook',
	} as unknown as IWebhookFunctions;
	const { webhook } = process.code.trigger;
	const outcome = (await webhook?.call(context)) as IWebhookResponseData;
	const [item] = outcome.workflowData?.[0] ?? [];
	if (!item) return;
	const { database, clock } = process;
	const trouble = database.starts.shift();
	if (trouble === 'slow') await clock.sleep(12_000);
	const isStored = await process.withDatabase(caller, 'stores the execution', () => {
		if (trouble === 'refused') return false;
		database.triggered.push({
			workflowId: workflow.id,
			item: stored(item),
			at: clock.now(),
		});
		return true;
	});
	if (!isStored) response.status(500).end({ message: 'Error in workflow' });
	await process.withDatabase(caller, 'answers', () => response.end(''));
}
