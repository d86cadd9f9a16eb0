import {
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	jsonParse,
} from 'n8n-workflow';

import { isTypeOf, type Notification, readNotification } from '../api/notification';
import { describeError, ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { prepareJson } from '../util/json';
import { ProcessMemory } from '../util/processMemory';
import { isObject, objectOf } from '../util/values';

/** An answer to the sender of a request; no execution starts or continues. */
export interface Answer {
	status: number;
	message: string;
}

/** To a sender who does not know the secret of the URL. */
export const wrongSecret: Answer = {
	status: 401,
	message: 'The secret in the URL is missing or wrong.',
};

/** The largest body that is accepted (bytes). A notification with a whole Document has about 10 kB. */
export const maxBytes = 1_000_000;

/**
 * Reads and validates a request; a sender without the secret must be refused before. The content type can be
 * missing (docs/dev/service.md#seen-webhooks), so JSON is accepted with any, and nothing else is.
 * @param event The event of the URL.
 * @param types The subscribed event types.
 * @returns The notification, or the answer that refuses it.
 */
export async function readEvent(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	event: string,
	types: string[],
): Promise<Notification | Answer> {
	const request = context.getRequestObject();
	// n8n has already read a form of several parts, which is possible only once. It is not JSON.
	const isForm = /^\s*multipart\//i.test(request.headers['content-type'] ?? '');
	// If n8n cannot parse the content type, it has not read the body.
	const read = isForm || request.rawBody ? undefined : await settle(request.readRawBody?.());
	if (read && !read.ok) {
		// n8n's own limit can be lower than ours (N8N_PAYLOAD_SIZE_MAX).
		return objectOf(read.error).status === 413
			? { status: 413, message: 'The body is larger than this n8n accepts.' }
			: { status: 400, message: 'The body cannot be read.' };
	}
	const bytes = request.rawBody ?? Buffer.alloc(0);
	const json = bytes.length > maxBytes ? undefined : prepareJson(new TextDecoder().decode(bytes));
	if (json === undefined) return { status: 413, message: 'The body is too large.' };
	const body: unknown = jsonParse(json, { fallbackValue: null });
	if (!isObject(body) || Object.keys(body).length === 0) {
		return { status: 400, message: 'The body must be a JSON object.' };
	}
	if (types.includes(event) && isTypeOf(event, body.type)) return readNotification(event, body);
	return { status: 422, message: 'This workflow has not subscribed to this event.' };
}

/**
 * Answers a request to a webhook URL. Never throws: n8n would start or end an execution with the error,
 * and anybody could cause that.
 * @param itemsOrAnswer Gives the items with which n8n starts or continues an execution, or an answer. The
 * answer is written here, because n8n would not send its status.
 * @param failed The beginning of the line in n8n's log if it throws.
 */
export async function respond(
	context: IWebhookFunctions,
	itemsOrAnswer: (context: IWebhookFunctions) => Promise<INodeExecutionData[] | Answer>,
	failed: string,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await itemsOrAnswer(context);
		if (Array.isArray(outcome)) return { workflowData: [outcome] };
		const { status, message } = outcome;
		response.status(status).json({ message });
	} catch (error) {
		logFailure(context, failed, error);
		if (!response.headersSent) {
			response.status(500).json({ message: 'n8n could not process this event. Send it again.' });
		}
	}
	return { noWebhookResponse: true };
}

function logFailure(context: IWebhookFunctions, failed: string, error: unknown): void {
	const line = `${failed}: ${describeError(error).message}`;
	if (isWorthALine(line)) context.logger.error(line);
}

/**
 * The answer to an event about which the service could not be asked.
 * @param failed The beginning of the line in n8n's log.
 * @param error Why. @throws It, if it is not a failure of a call.
 */
export function comeAgain(context: IWebhookFunctions, failed: string, error: unknown): Answer {
	if (!(error instanceof ServiceError)) throw error;
	logFailure(context, failed, error);
	return {
		status: 503,
		message: 'The service could not be asked about this event. Send it again.',
	};
}

/** What was logged within the last minute. */
const loggedLines = new ProcessMemory<true>({
	name: 'lines of the log',
	bound: 1000,
	life: 60_000,
});

/**
 * What comes again and again, such as an event that is refused, must not fill n8n's log.
 * @param subject What is said, or about what: it is worth a line once a minute.
 * @returns true if it has not been logged for a minute. It counts as logged then.
 */
export function isWorthALine(subject: string): boolean {
	if (loggedLines.has(subject)) return false;
	loggedLines.set(subject, true);
	return true;
}

/** By what is refused: how often it was refused to come again later. */
const refusals = new ProcessMemory<number>({
	name: 'refusals of events',
	bound: 1000,
	life: 'until pushed out',
});
/** Few: the service may not send it again. */
const maxRefusals = 2;

/** Counts a refusal. @returns false if there were enough, and what is known must do. */
export function refuseAgain(key: string): boolean {
	const count = (refusals.get(key) ?? 0) + 1;
	refusals.set(key, count);
	return count <= maxRefusals;
}
