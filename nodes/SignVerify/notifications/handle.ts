import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { textOf } from '../transport/text';
import { eventParameter, isSecret, secretParameter } from './secretUrl';
import { eventIdOf } from './eventId';
import { readFileSeconds, downloadFiles } from './files';
import { passesFilters } from './filters';
import { readEvents } from './lifecycle';
import { simplifyNotification } from './output';
import { incomingOf, validateBody, readUnparsed } from './validate';
import { claim } from './deduplicate';
import { isOwner, stateOf, type TriggerState } from './state';

/** The end of a request: an item to start the workflow with, or an answer and nothing else. */
type Outcome = { item: INodeExecutionData } | { status: number; message: string };

/**
 * Handles one request to the trigger's address. Never throws: n8n would start an execution with the
 * error, which anybody could then provoke.
 * @returns The event to start the workflow with. In every other case the answer is written here,
 * since only so it reaches the sender with its status.
 */
export async function handleRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await decide(context);
		if ('item' in outcome) return { workflowData: [[outcome.item]] };
		const { status, message } = outcome;
		response.status(status).json({ message });
	} catch (error) {
		const words = error instanceof Error ? error.message : 'unknown reason';
		context.logger.error(`SignVerify Trigger could not process an event: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}

async function decide(context: IWebhookFunctions): Promise<Outcome> {
	const query = context.getQueryData() as IDataObject;
	const state = stateOf(context);
	// Before anything of the body is read.
	if (!isBelieved(context, state, query[secretParameter])) {
		return { status: 401, message: 'The secret in the URL is missing or wrong.' };
	}
	const types = readEvents(context.getNodeParameter('events'));
	const verdict =
		(await readUnparsed(context)) ??
		validateBody(incomingOf(context), types, textOf(query[eventParameter]));
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };

	const { event, body } = verdict;
	if (!passesFilters(context.getNodeParameter('filters', {}), body)) {
		return { status: 200, message: 'A filter of this workflow excludes this event.' };
	}
	// The secret is another for each node, and for a test run beside production.
	const key = `${textOf(state.secret)} ${eventIdOf(event, body)}`;
	const claimed = await claim(key, context.getResponseObject());
	if (claimed === 'repeat') {
		return { status: 200, message: 'This event was already processed.' };
	}
	if (claimed === 'underway') {
		return { status: 503, message: 'This event is being processed. Send it again later.' };
	}
	return await toItem(context, event, body);
}

/** Whether a request brings the secret of this very node, not that of one that it is a copy of. */
function isBelieved(context: IWebhookFunctions, state: TriggerState, given: unknown): boolean {
	if (!isSecret(given, state.secret)) return false;
	if (isOwner(context, state)) return true;
	context.logger.warn(
		'SignVerify Trigger refused an event: this workflow is a copy and still has the secret of its original. Unpublish and publish it, so that it registers its own address.',
	);
	return false;
}

async function toItem(
	context: IWebhookFunctions,
	event: string,
	body: IDataObject,
): Promise<Outcome> {
	const json = context.getNodeParameter('simplify', true)
		? simplifyNotification(event, body)
		: body;
	if (!context.getNodeParameter('downloadFiles', false)) return { item: { json } };
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const seconds = readFileSeconds(options.fileSeconds);
	const { binary, missingFiles } = await downloadFiles(context, event, body, seconds);
	const note = missingFiles.length > 0 ? { missingFiles } : {};
	return { item: { json: { ...json, ...note }, binary } };
}
