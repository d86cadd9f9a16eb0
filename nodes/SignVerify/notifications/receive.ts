import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isObject, parseJson } from '../transport/envelope';
import { isSecret } from './authenticity';
import { hasShownBody, identityEvent, isEvent } from './events';
import { identityRequestId } from './identityRequest';

/** The largest body that is taken (bytes). A notification with a whole Document has some 10 kB. */
export const largestBody = 8 * 1024 * 1024;

/**
 * How deep a body may nest. The Document nests 6 deep; n8n stores what it takes by functions that
 * call themselves for each level, and would fail where there are thousands.
 */
export const deepestBody = 100;

/** What arrived at the trigger's address. */
export interface Incoming {
	/** The secret that came with it, of any type. */
	secret: unknown;
	/** The body as n8n parsed it, by the request's content type. */
	body: unknown;
	/** The body as it came, where n8n kept it. */
	rawBody?: Buffer | undefined;
	/** The character encoding that the request declares. */
	encoding?: string | undefined;
}

/** What to do with it: take it as an event, or answer with a status of its own. */
export type Verdict =
	| { accepted: true; event: string; body: IDataObject }
	| { accepted: false; status: number; reason: string };

/**
 * Judges a request to the trigger's address (design rule 5). The content type is not assured
 * (field notes: Webhooks), so JSON counts under any, and nothing but JSON does.
 * @param expectedSecret The secret of the registration.
 * @param types The subscribed event types.
 */
export function judge(incoming: Incoming, expectedSecret: unknown, types: string[]): Verdict {
	return isSecret(incoming.secret, expectedSecret)
		? judgeBody(incoming, types)
		: refuse(401, 'This address needs its secret.');
}

/** Judges a request whose sender is believed. */
export function judgeBody(incoming: Omit<Incoming, 'secret'>, types: string[]): Verdict {
	if ((incoming.rawBody?.length ?? 0) > largestBody) {
		return refuse(413, `The body must not exceed ${largestBody / 1024 / 1024} MB.`);
	}
	const body = readBody(incoming);
	if (!body) return refuse(400, 'The body must be a JSON object.');
	if (!isShallow(body)) return refuse(400, 'The body is nested too deeply.');
	const event = eventOf(body, types);
	if (event === undefined) return refuse(422, 'This workflow has not subscribed to this event.');
	return { accepted: true, event, body };
}

/** Takes the body out of n8n's request, whatever its content type. */
export function incomingOf(context: IWebhookFunctions): Omit<Incoming, 'secret'> {
	const request = context.getRequestObject();
	const isForm = request.headers['content-type']?.startsWith('multipart/');
	return {
		body: isForm ? undefined : context.getBodyData(),
		rawBody: request.rawBody,
		encoding: request.encoding,
	};
}

function refuse(status: number, reason: string): Verdict {
	return { accepted: false, status, reason };
}

/**
 * The event that a body tells of. The bodies of four events are not documented, their `type` may be
 * missing (field notes: Webhooks), or, in the identity event, be that of the request ("FACE").
 */
function eventOf(body: IDataObject, types: string[]): string | undefined {
	const { type } = body;
	const hasType = typeof type === 'string' && type !== '';
	if (hasType && isEvent(type)) return types.includes(type) ? type : undefined;
	const isAboutDocument = isObject(body.Document);
	if (hasType) {
		const isIdentity = !isAboutDocument && identityRequestId(body) !== undefined;
		return isIdentity && types.includes(identityEvent) ? identityEvent : undefined;
	}
	const possible = types.filter((each) => !hasShownBody(each));
	if (possible.length > 1) {
		const likely = possible.filter((each) => (each === identityEvent) !== isAboutDocument);
		return likely.length === 1 ? likely[0] : 'unknown';
	}
	return possible[0];
}

function readBody({ body, rawBody, encoding }: Omit<Incoming, 'secret'>): IDataObject | undefined {
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
