import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isEvent } from '../api/events';
import { type Notification, readNotification } from '../api/notification';
import { isObject, parseJson } from '../util/values';

/** The largest body that is accepted (bytes). A notification with a whole Document has about 10 kB. */
export const maxBytes = 8 * 1024 * 1024;

/**
 * How deep a body may nest; a Document nests 6 deep. n8n's functions call themselves for each level, and
 * would fail with thousands.
 */
export const maxDepth = 100;

/** The body of a request. */
interface Incoming {
	/** As n8n parsed it, by the request's content type. */
	body: unknown;
	/** As received, if n8n kept it. */
	rawBody?: Buffer | undefined;
}

interface Refusal {
	accepted: false;
	status: number;
	reason: string;
}

type Validation = { accepted: true; notification: Notification } | Refusal;

/**
 * Validates a request with the right secret. Its content type can be missing
 * (docs/dev/service.md#seen-webhooks), so JSON is accepted with any, and nothing else is.
 * @param types The subscribed event types.
 * @param addressed The event in the URL, for a body that names no known event.
 */
export function validateBody(incoming: Incoming, types: string[], addressed?: string): Validation {
	if ((incoming.rawBody?.length ?? 0) > maxBytes) {
		return refuse(413, `The body must not exceed ${maxBytes / 1024 / 1024} MB.`);
	}
	const body = readBody(incoming);
	if (!body) return refuse(400, 'The body must be a JSON object.');
	if (!isShallow(body)) return refuse(400, 'The body is nested too deeply.');
	const event = eventOf(body, types, addressed);
	if (event === undefined) return refuse(422, 'This workflow has not subscribed to this event.');
	return { accepted: true, notification: readNotification(event, body) };
}

/**
 * Reads and validates a request with the right secret. A sender without the secret must be refused
 * before, because this reads up to 8 MB.
 * @param types The subscribed event types.
 * @param addressed The event in the URL, for a body that names no known event.
 */
export async function readEvent(
	context: IWebhookFunctions,
	types: string[],
	addressed: string,
): Promise<Validation> {
	return (await readUnparsed(context)) ?? validateBody(incomingOf(context), types, addressed);
}

/**
 * Reads the body of a request whose content type n8n cannot parse, and has therefore not read.
 * @returns Why it cannot be read; undefined if it was read.
 */
async function readUnparsed(context: IWebhookFunctions): Promise<Refusal | undefined> {
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

/** The body of n8n's request, whatever its content type. */
export function incomingOf(context: IWebhookFunctions): Incoming {
	const request = context.getRequestObject();
	return {
		body: isForm(context) ? undefined : context.getBodyData(),
		rawBody: request.rawBody,
	};
}

/** A form of several parts is not JSON, and n8n has already read it, which is possible only once. */
function isForm(context: IWebhookFunctions): boolean {
	const { headers } = context.getRequestObject();
	return /^\s*multipart\//i.test(headers['content-type'] ?? '');
}

function refuse(status: number, reason: string): Refusal {
	return { accepted: false, status, reason };
}

/**
 * The event that the body names, otherwise the one for which the URL was registered. In the four events
 * without a documented body, `type` may be missing or another word, such as "FACE"
 * (docs/dev/service.md#seen-webhooks).
 */
function eventOf(
	{ type }: IDataObject,
	types: string[],
	addressed: string | undefined,
): string | undefined {
	const event = isEvent(type) ? type : addressed;
	return event !== undefined && types.includes(event) ? event : undefined;
}

function readBody({ body, rawBody }: Incoming): IDataObject | undefined {
	const text = rawBody ? rawBody.toString() : body;
	const value = typeof text === 'string' ? parseJson(text.replace(/^\uFEFF/, '')) : text;
	return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** Whether a value nests no deeper than is safe. It is read level by level, without recursion. */
function isShallow(value: unknown): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return false;
		level = level.flatMap((each) =>
			typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
		);
	}
	return true;
}
