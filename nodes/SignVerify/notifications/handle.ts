import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { ServiceClient } from '../transport/client';
import { textOf } from '../transport/text';
import { secretParameter } from './authenticity';
import { eventIdOf } from './eventId';
import { identityEvent } from './events';
import { readFileSeconds, takeFiles } from './files';
import { passesFilters } from './filters';
import { lookUpIdentityRequest } from './identityRequest';
import { readEvents } from './lifecycle';
import { simplifyNotification } from './output';
import { incomingOf, judge } from './receive';
import { claim } from './repeats';
import { isAllowedSender, readSenders } from './senders';

/** The service has 10 s and one try to confirm a request: whoever sent the event waits, and sends again. */
const lookUp = { timeout: 10_000, patience: 0 };

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
		context.logger.error(`SignVerify Trigger could not take an event: ${words}`);
		if (!response.headersSent) {
			response.status(500).json({ message: 'The event could not be taken. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}

async function decide(context: IWebhookFunctions): Promise<Outcome> {
	const request = context.getRequestObject();
	const options = context.getNodeParameter('options', {}) as IDataObject;
	if (!isAllowedSender(readSenders(options.allowedSenders), request.ip)) {
		return { status: 403, message: 'This address takes nothing from this sender.' };
	}
	const secret = textOf(context.getWorkflowStaticData('node').secret);
	await readBody(request);
	const verdict = judge(
		{
			...incomingOf(context),
			secret: (context.getQueryData() as IDataObject)[secretParameter],
		},
		secret,
		readEvents(context.getNodeParameter('events')),
	);
	if (!verdict.accepted) return { status: verdict.status, message: verdict.reason };

	const { event, body } = verdict;
	if (!passesFilters(context.getNodeParameter('filters', {}), body)) {
		return { status: 200, message: 'This workflow does not wait for this document.' };
	}
	// The secret is another for each node, and for a test run beside production.
	const key = `${secret} ${eventIdOf(event, body)}`;
	const claimed = await claim(key, context.getResponseObject());
	if (claimed === 'repeat') return { status: 200, message: 'This event was taken before.' };
	if (claimed === 'underway') {
		return { status: 503, message: 'This event is just being taken. Send it again.' };
	}
	return (
		(await refusalOfService(context, event, body, options)) ?? (await takeIn(context, event, body))
	);
}

/** n8n itself leaves the body of a content type that it cannot parse unread. */
async function readBody(request: ReturnType<IWebhookFunctions['getRequestObject']>): Promise<void> {
	if (request.headers['content-type']?.startsWith('multipart/')) return;
	if (!request.rawBody) await request.readRawBody?.();
}

/** With "Verify With Service": why an identity event is not believed, if it is not. */
async function refusalOfService(
	context: IWebhookFunctions,
	event: string,
	body: IDataObject,
	options: IDataObject,
): Promise<Outcome | undefined> {
	if (event !== identityEvent || options.verifyWithService !== true) return undefined;
	const service = new ServiceClient(context, lookUp);
	const standing = await lookUpIdentityRequest(service, body);
	if (standing === 'known') return undefined;
	return standing === 'unknown'
		? { status: 422, message: 'The service knows no such identity request.' }
		: { status: 503, message: 'The service could not be asked about this event. Send it again.' };
}

async function takeIn(
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
	const { binary, missingFiles } = await takeFiles(context, event, body, seconds);
	const note = missingFiles.length > 0 ? { missingFiles } : {};
	return { item: { json: { ...json, ...note }, binary } };
}
