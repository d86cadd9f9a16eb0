import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	jsonParse,
} from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import {
	hasDocumentedBody,
	isTypeOf,
	type Notification,
	type NotifiedDocument,
	readNotification,
} from '../api/notification';
import { describeError } from '../errors/nodeError';
import { ServiceError } from '../http/serviceError';
import { maxResponseBytes } from '../http/request';
import { settle } from '../util/async';
import { prepareJson } from '../util/json';
import { jsonRedactor } from '../util/redact';
import { isEmpty, isObject, objectOf } from '../util/values';
import { logOncePerMinute } from './logOncePerMinute';

/** The response to a request that neither starts nor continues an execution. */
export interface EventResponse {
	status: number;
	message: string;
}

export const wrongSecret: EventResponse = {
	status: 401,
	message: 'The secret in the URL is missing or wrong.',
};

export const notCompleted: EventResponse = {
	status: 422,
	message: "The document in this event hasn't been completed.",
};

type EventReading =
	| { isAccepted: true; notification: Notification }
	/** `body` is what arrived instead of an event. */
	| { isAccepted: false; response: EventResponse; body?: IDataObject };

/** n8n's type guarantees a `rawBody`, but n8n may not have read the body yet. */
type ReceivedRequest = Pick<N8nRequest, 'headers' | 'readRawBody'> &
	Partial<Pick<N8nRequest, 'rawBody'>>;

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/**
 * Reads and validates a request. The caller must check the secret in the URL first. Because the content type
 * can be missing (docs/dev/service.md#seen-webhooks), only the body is validated: it must be a JSON object.
 * @param event The event that the URL is registered for.
 * @param secrets The secrets in the URL. An event can quote the URL, so they are removed before anything reads the
 * body.
 */
export async function readEvent(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	event: string,
	secrets: string[],
): Promise<EventReading> {
	const request: ReceivedRequest = context.getRequestObject();
	// Don't read a multipart form: n8n has already read it, and a body can be read only once. A form isn't
	// JSON anyway.
	const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
	// @n8n n8n leaves the body unread if it doesn't support the content type, so read it here.
	const reading = isForm || request.rawBody ? undefined : await settle(request.readRawBody());
	if (reading && !reading.ok) {
		// n8n's own limit (N8N_PAYLOAD_SIZE_MAX) can be lower than ours.
		return objectOf(reading.error).status === 413
			? refusal(413, 'The body is larger than this n8n instance accepts.')
			: refusal(400, "The body can't be read.");
	}
	const bytes = request.rawBody ?? Buffer.alloc(0);
	// An event may contain as much about a document as a response.
	const isTooLarge = bytes.length > maxResponseBytes.single;
	const json = isTooLarge ? undefined : prepareJson(new TextDecoder().decode(bytes));
	if (json === undefined) return refusal(413, 'The body is too large.');
	const body: unknown = jsonParse(jsonRedactor(secrets)(json), { fallbackValue: null });
	const isBlank = !isForm && json.trim() === '';
	if (isBlank || (isObject(body) && Object.keys(body).length === 0)) return notAnEvent;
	if (!isObject(body)) return refusal(400, 'The body must be a JSON object.');
	if (hasDocumentedBody(event) && isEmpty(body.Document)) return { ...notAnEvent, body };
	if (!isTypeOf(event, body.type)) {
		return refusal(422, "This workflow hasn't subscribed to this event.");
	}
	return { isAccepted: true, notification: readNotification(event, body) };
}

/**
 * The reading of a call without content, or without a document at a URL for an event that always contains one.
 * Some services make such a call while a webhook is being registered, and don't register the webhook unless the
 * response is a success.
 */
const notAnEvent = {
	isAccepted: false as const,
	response: { status: 200, message: "This call doesn't contain an event." },
};

function refusal(status: number, message: string): EventReading {
	return { isAccepted: false, response: { status, message } };
}

/**
 * Handles a request to a webhook URL. Never throws, because n8n would start or end an execution with the
 * error, which anyone who knows the URL could trigger.
 * @param handle Returns items if n8n should start or resume an execution with them, and otherwise a response.
 * This function sends the response itself, because n8n wouldn't use its status code.
 */
export async function respond(
	context: IWebhookFunctions,
	handle: (context: IWebhookFunctions) => Promise<INodeExecutionData[] | EventResponse>,
	logPrefix: string,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		const result = await handle(context);
		if (Array.isArray(result)) return { workflowData: [result] };
		const { status, message } = result;
		response.status(status).json({ message });
	} catch (error) {
		logError(context, logPrefix, error);
		if (!response.headersSent) {
			response
				.status(500)
				.json({ message: "n8n couldn't process this event. Send the event again." });
		}
	}
	return { noWebhookResponse: true };
}

/**
 * Logs a refused event, or a call that isn't an event, because otherwise users could not find out why the
 * workflow does not start or continue. Writes at most one line per minute for each event, place and reason, so a
 * stranger's requests can't bury the reason why the provider's events are refused.
 * @param call The event, and where it arrived.
 */
export function refuse(
	context: IWebhookFunctions,
	call: string,
	response: EventResponse,
	hint = '',
): EventResponse {
	const action = response.status === 200 ? 'ignored a call for' : 'rejected';
	const line = `SignVerify ${action} ${call}: ${response.message} ${hint}`;
	logOncePerMinute(context, 'warn', line.trim(), `${call}: ${response.message}`);
	return response;
}

/**
 * Returns a sentence for n8n's log about the fields that decide a document's state. If a provider uses a status
 * that the node doesn't know, this is how people find the word.
 * @returns '' if the credential can't be read, because then nothing can find its secrets in the event.
 */
export async function statusForLog(
	context: IWebhookFunctions,
	{ source: { status, isCanceled, isDeleted } }: NotifiedDocument,
): Promise<string> {
	const fields = Object.entries({ status, isCanceled, isDeleted }).filter(
		([, value]) => !isEmpty(value),
	);
	if (fields.length === 0) return 'The event contains no status.';
	const service = new ServiceClient(context);
	const account = await settle(service.account());
	if (!account.ok) return '';
	const words = fields.map(([name, value]) => {
		// An object or a list may contain personal data.
		const shown = typeof value === 'object' ? 'not a text' : service.redact(JSON.stringify(value));
		return `${name} is ${shown}`;
	});
	return `In the event, ${words.join(' and ')}.`;
}

const maxShownFields = 10;

const maxShownFieldLength = 30;

/**
 * Returns a sentence for n8n's log about the outermost fields of what isn't an event. If a provider wraps its events, or
 * writes a field's name differently, this is how people find out.
 * @returns '' as {@link statusForLog} does, and if there are no fields.
 */
export async function fieldsForLog(
	context: IWebhookFunctions,
	body: IDataObject = {},
): Promise<string> {
	// An email address can be the name of a field.
	const names = Object.keys(body).filter((name) => !name.includes('@'));
	if (names.length === 0) return '';
	const service = new ServiceClient(context);
	const account = await settle(service.account());
	if (!account.ok) return '';
	const shown = names
		.slice(0, maxShownFields)
		.map((name) => service.redact(name, maxShownFieldLength));
	return `Its outermost fields are ${shown.map((name) => `"${name}"`).join(', ')}.`;
}

function logError(context: IWebhookFunctions, logPrefix: string, error: unknown): void {
	logOncePerMinute(context, 'error', `${logPrefix}: ${describeError(error).message}`);
}

/**
 * Creates the response to an event that couldn't be checked because a call to the service failed. The
 * response makes the service resend the event.
 * @throws The given error, if it isn't a ServiceError.
 */
export function refuseForNow(
	context: IWebhookFunctions,
	logPrefix: string,
	error: unknown,
): EventResponse {
	if (!(error instanceof ServiceError)) throw error;
	logError(context, logPrefix, error);
	return {
		status: 503,
		message: "n8n couldn't ask the service about this event. Send the event again.",
	};
}
