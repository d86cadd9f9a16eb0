import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isEvent } from '../api/events';
import { type Notification, readNotification } from '../api/notification';
import { isObject, parseJson } from '../util/values';

/** The largest body that is accepted (bytes). A notification with a whole Document has some 10 kB. */
export const largestBody = 8 * 1024 * 1024;

/**
 * How deep a body may nest. The Document nests 6 deep; n8n stores what it takes by functions that
 * call themselves for each level, and would fail where there are thousands.
 */
export const deepestBody = 100;

/** The body that arrived at an address. */
interface Incoming {
	/** The body as n8n parsed it, by the request's content type. */
	body: unknown;
	/** The body as it came, where n8n kept it. */
	rawBody?: Buffer | undefined;
	/** The character encoding that the request declares. */
	encoding?: string | undefined;
}

/** An answer to the sender with a status of its own; nothing is started. */
interface Refusal {
	accepted: false;
	status: number;
	reason: string;
}

/** What to do with it: process it as an event, or refuse it. */
type Validation = { accepted: true; notification: Notification } | Refusal;

/**
 * Validates a request whose sender is believed. The content type is not assured
 * (docs/service.md#seen-webhooks), so JSON counts under any, and nothing but JSON does.
 * @param types The subscribed event types.
 * @param addressed The event that the address names: it counts where the body names none that is
 * known.
 */
export function validateBody(incoming: Incoming, types: string[], addressed?: string): Validation {
	if ((incoming.rawBody?.length ?? 0) > largestBody) {
		return refuse(413, `The body must not exceed ${largestBody / 1024 / 1024} MB.`);
	}
	const body = readBody(incoming);
	if (!body) return refuse(400, 'The body must be a JSON object.');
	if (!isShallow(body)) return refuse(400, 'The body is nested too deeply.');
	const event = eventOf(body, types, addressed);
	if (event === undefined) return refuse(422, 'This workflow has not subscribed to this event.');
	return { accepted: true, notification: readNotification(event, body) };
}

/**
 * Reads the body of a request whose content type n8n cannot parse: n8n itself leaves it unread.
 * @returns Why it cannot be read, if so.
 */
export async function readUnparsed(context: IWebhookFunctions): Promise<Refusal | undefined> {
	const request = context.getRequestObject();
	if (request.rawBody || isForm(context)) return undefined;
	try {
		await request.readRawBody?.();
		return undefined;
	} catch (error) {
		// n8n's own limit can be lower than ours (N8N_PAYLOAD_SIZE_MAX).
		return isObject(error) && error.status === 413
			? refuse(413, 'The body is larger than this n8n accepts.')
			: refuse(400, 'The body cannot be read.');
	}
}

/** Takes the body out of n8n's request, whatever its content type. */
export function incomingOf(context: IWebhookFunctions): Incoming {
	const request = context.getRequestObject();
	return {
		body: isForm(context) ? undefined : context.getBodyData(),
		rawBody: request.rawBody,
		encoding: request.encoding,
	};
}

/** A form of several parts is no JSON, and n8n has read it by now: it cannot be read once more. */
function isForm(context: IWebhookFunctions): boolean {
	const { headers } = context.getRequestObject();
	return /^\s*multipart\//i.test(headers['content-type'] ?? '');
}

function refuse(status: number, reason: string): Refusal {
	return { accepted: false, status, reason };
}

/**
 * The event that a notification is of: the one that its body names, else the one that its address was
 * registered for. The bodies of four events are not documented: their `type` may be missing (field
 * notes: Webhooks), or another word ("FACE").
 */
function eventOf(
	{ type }: IDataObject,
	types: string[],
	addressed: string | undefined,
): string | undefined {
	const event = isEvent(type) ? type : addressed;
	return event !== undefined && types.includes(event) ? event : undefined;
}

function readBody({ body, rawBody, encoding }: Incoming): IDataObject | undefined {
	const text = rawBody
		? rawBody.toString(encoding && Buffer.isEncoding(encoding) ? encoding : 'utf8')
		: body;
	const value = typeof text === 'string' ? parseJson(text.replace(/^\uFEFF/, '')) : text;
	return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** Whether a value nests no deeper than is safe; looked at level by level, without recursion. */
function isShallow(value: unknown): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > deepestBody) return false;
		level = level.flatMap((each) =>
			typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
		);
	}
	return true;
}
