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

/** The response to a request that starts or continues no execution. */
export interface EventResponse {
	status: number;
	message: string;
}

/** The response to a request without the right secret in its URL. */
export const wrongSecret: EventResponse = {
	status: 401,
	message: 'The secret in the URL is missing or wrong.',
};

/** The largest accepted body in bytes. A notification with a whole Document has about 10 kB. */
export const maxBytes = 1_000_000;

/** A notification that was accepted, or the response that refuses it. */
export type EventReading =
	{ isAccepted: true; notification: Notification } | { isAccepted: false; response: EventResponse };

/**
 * Reads and validates a request. The caller must first refuse a sender without the secret. The content type can be
 * missing (docs/dev/service.md#seen-webhooks), so only the body decides: JSON is accepted, and nothing else.
 * @param event The event for which the URL was registered.
 * @param types The subscribed event types.
 */
export async function readEvent(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	event: string,
	types: string[],
): Promise<EventReading> {
	const request = context.getRequestObject();
	// n8n has already read a multipart form, and a body can be read only once. Such a form is not JSON anyway.
	const isForm = /^\s*multipart\//i.test(request.headers['content-type'] ?? '');
	// If n8n cannot parse the content type, it has not read the body.
	const reading = isForm || request.rawBody ? undefined : await settle(request.readRawBody?.());
	if (reading && !reading.ok) {
		// n8n's own limit can be lower than ours (N8N_PAYLOAD_SIZE_MAX).
		return objectOf(reading.error).status === 413
			? refusal(413, 'The body is larger than this n8n accepts.')
			: refusal(400, 'The body cannot be read.');
	}
	const bytes = request.rawBody ?? Buffer.alloc(0);
	const json = bytes.length > maxBytes ? undefined : prepareJson(new TextDecoder().decode(bytes));
	if (json === undefined) return refusal(413, 'The body is too large.');
	const body: unknown = jsonParse(json, { fallbackValue: null });
	if (!isObject(body) || Object.keys(body).length === 0) {
		return refusal(400, 'The body must be a JSON object.');
	}
	if (!types.includes(event) || !isTypeOf(event, body.type)) {
		return refusal(422, "This workflow hasn't subscribed to this event.");
	}
	return { isAccepted: true, notification: readNotification(event, body) };
}

function refusal(status: number, message: string): EventReading {
	return { isAccepted: false, response: { status, message } };
}

/**
 * Responds to a request to a webhook URL. Never throws, because n8n would start or end an execution with the error, and
 * anyone who knows the URL could cause that.
 * @param handle Returns the items with which n8n starts or continues an execution, or the response. A response is written
 * here, because n8n would not send its status.
 * @param failed The beginning of the line in n8n's log if `handle` throws.
 */
export async function respond(
	context: IWebhookFunctions,
	handle: (context: IWebhookFunctions) => Promise<INodeExecutionData[] | EventResponse>,
	failed: string,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const outcome = await handle(context);
		if (Array.isArray(outcome)) return { workflowData: [outcome] };
		const { status, message } = outcome;
		response.status(status).json({ message });
	} catch (error) {
		logFailure(context, failed, error);
		if (!response.headersSent) {
			response
				.status(500)
				.json({ message: "n8n couldn't process this event. Send the event again." });
		}
	}
	return { noWebhookResponse: true };
}

function logFailure(context: IWebhookFunctions, failed: string, error: unknown): void {
	const line = `${failed}: ${describeError(error).message}`;
	if (isWorthALine(line)) context.logger.error(line);
}

/**
 * The response to an event about which the service could not be asked. The service then sends the event again.
 * @param failed The beginning of the line in n8n's log.
 * @param error The failure of the call to the service.
 * @throws `error`, if it is not a failure of a call.
 */
export function comeAgain(
	context: IWebhookFunctions,
	failed: string,
	error: unknown,
): EventResponse {
	if (!(error instanceof ServiceError)) throw error;
	logFailure(context, failed, error);
	return {
		status: 503,
		message: "n8n couldn't ask the service about this event. Send the event again.",
	};
}

/** The subjects that were logged within the last minute. */
const loggedLines = new ProcessMemory<true>({
	name: 'log lines',
	bound: 1000,
	life: 60_000,
});

/**
 * Whether a subject may be logged now: once a minute. A repeated subject, such as an event that is refused each time it
 * is sent, must not fill n8n's log.
 * @param subject The line itself, or a key for the subject of the line, such as a URL.
 * @returns true if the subject was not logged in the last minute. The subject then counts as logged.
 */
export function isWorthALine(subject: string): boolean {
	if (loggedLines.has(subject)) return false;
	loggedLines.set(subject, true);
	return true;
}

/** How many times each event was refused so that the service sends it again. */
const refusals = new ProcessMemory<number>({
	name: 'refused events',
	bound: 1000,
	life: 'until pushed out',
});
/** The maximum number of refusals of one event. Keep it low, because a service may not send an event again. */
const maxRefusals = 2;

/**
 * Counts one more refusal of an event.
 * @returns Whether to refuse the event once more. false means that the caller must decide about the event now.
 */
export function refuseAgain(key: string): boolean {
	const count = (refusals.get(key) ?? 0) + 1;
	refusals.set(key, count);
	return count <= maxRefusals;
}
