import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../transport/envelope';
import { isSecret } from './authenticity';

/** What arrived at the trigger's address. */
export interface Incoming {
	/** The secret that came with it, of any type. */
	secret: unknown;
	/** The body as n8n parsed it, by the request's content type. */
	body: unknown;
	/** The body as it came, where n8n kept it. */
	rawBody?: Buffer | undefined;
}

/** What to do with it: take it as an event, or answer with a status of its own. */
export type Verdict =
	| { accepted: true; event: string; body: IDataObject }
	| { accepted: false; status: number; reason: string };

/**
 * Judges a request to the trigger's address (design rule 5). The content type is not assured
 * (field notes: Webhooks), so JSON counts under any.
 * @param expectedSecret The secret of the registration.
 * @param types The subscribed event types.
 */
export function judge(incoming: Incoming, expectedSecret: unknown, types: string[]): Verdict {
	if (!isSecret(incoming.secret, expectedSecret)) {
		return { accepted: false, status: 401, reason: 'This address needs its secret.' };
	}
	const body = readBody(incoming);
	if (!body) {
		return { accepted: false, status: 400, reason: 'The body must be a JSON object.' };
	}
	const event = typeof body.type === 'string' && body.type ? body.type : onlyOne(types);
	if (!event || !types.includes(event)) {
		return {
			accepted: false,
			status: 422,
			reason: 'This workflow has not subscribed to this event.',
		};
	}
	return { accepted: true, event, body };
}

/** Some events' bodies are not documented and may lack their type; with one subscribed it is that. */
function onlyOne(types: string[]): string | undefined {
	return types.length === 1 ? types[0] : undefined;
}

function readBody({ body, rawBody }: Incoming): IDataObject | undefined {
	const raw = rawBody?.length
		? parseJson(rawBody.toString('utf8').replace(/^\uFEFF/, ''))
		: undefined;
	if (isObject(raw)) return raw;
	const parsed = typeof body === 'string' ? parseJson(body) : body;
	return isObject(parsed) && Object.keys(parsed).length > 0 ? parsed : undefined;
}
