import type { IDataObject } from 'n8n-workflow';

import { events, type EventType, isEvent } from '../../api/events';
import type { Webhook } from '../../api/types';
import { InputError } from '../inputError';
import { isObject, textOf } from '../../util/values';

/** @throws InputError if it is not one of the seven event types. */
export function readEvent(value: unknown): EventType {
	if (isEvent(value)) return value;
	const given = textOf(value).slice(0, 80);
	throw new InputError(
		'Event',
		given ? `there is no event "${given}"` : 'none is chosen',
		`Choose an event from the list: ${events.map((each) => each.value).join(', ')}.`,
	);
}

/**
 * A webhook without secrets: our own URLs have one, and nobody knows where a URL of others has it. So each
 * value of a query is left out, in every text of the webhook.
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	return withoutValues(webhook) as IDataObject;
}

function withoutValues(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutValues);
	if (isObject(value)) {
		const entries = Object.entries(value).map(([name, inner]) => [name, withoutValues(inner)]);
		return Object.fromEntries(entries) as IDataObject;
	}
	if (typeof value !== 'string') return value;
	// The question mark may be encoded, too.
	const query = value.search(/[?#]|%3f/i);
	if (query < 0) return value;
	const shown = value.slice(query).replace(/[^?&;#]+/g, (part) => {
		const name = part.slice(0, part.indexOf('=') + 1);
		return `${name}…`;
	});
	return value.slice(0, query) + shown;
}
