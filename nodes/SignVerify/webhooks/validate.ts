import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isEvent } from '../api/events';
import { type Notification, readNotification } from '../api/notification';
import { settle } from '../util/async';
import { isObject, objectOf, parseJson } from '../util/values';
import type { Answer } from './respond';

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

/**
 * Validates a request with the right secret. Its content type can be missing
 * (docs/dev/service.md#seen-webhooks), so JSON is accepted with any, and nothing else is.
 * @param types The subscribed event types.
 * @param addressed The event in the URL, for a body that names no known event.
 * @returns The notification, or the answer that refuses it.
 */
export function validateBody(
	incoming: Incoming,
	types: string[],
	addressed?: string,
): Notification | Answer {
	if ((incoming.rawBody?.length ?? 0) > maxBytes) {
		return { status: 413, message: `The body must not exceed ${maxBytes / 1024 / 1024} MB.` };
	}
	const body = readBody(incoming);
	if (!body) return { status: 400, message: 'The body must be a JSON object.' };
	if (!isShallow(body)) return { status: 400, message: 'The body is nested too deeply.' };
	// In the four events without a documented body, `type` may be missing or another word, such as "FACE"
	// (docs/dev/service.md#seen-webhooks).
	const event = isEvent(body.type) ? body.type : addressed;
	if (event !== undefined && types.includes(event)) return readNotification(event, body);
	return { status: 422, message: 'This workflow has not subscribed to this event.' };
}

/**
 * Reads and validates a request with the right secret, as {@link validateBody}. A sender without the
 * secret must be refused before, because this reads up to 8 MB.
 */
export async function readEvent(
	context: IWebhookFunctions,
	types: string[],
	addressed: string,
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
	const body = isForm ? undefined : context.getBodyData();
	return validateBody({ body, rawBody: request.rawBody }, types, addressed);
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
