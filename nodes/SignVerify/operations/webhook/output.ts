import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Webhook } from '../../api/types';
import { outputField } from '../../input/form';
import type { Output } from '../../input/parameters';
import { withoutLogins } from '../../util/redact';
import { isoTime } from '../../util/values';

/** The field for choosing how much of a webhook to output. */
export const webhookOutputField: INodeProperties = outputField(
	'What the service returned, without the secrets in URLs',
);

/** Returns the output for a webhook. Even raw output doesn't show the secrets in the webhook's URL. */
export function outputOfWebhook(output: Output, webhook: Partial<Webhook>): IDataObject {
	const raw = redactWebhook(webhook);
	if (output === 'raw') return raw;
	const { webHookID, type, webHookUrl, name, addedOn } = raw;
	return {
		...(webHookID === undefined ? {} : { webhookId: webHookID }),
		event: type,
		webhookUrl: webHookUrl,
		...(name === undefined ? {} : { name }),
		...(addedOn === undefined ? {} : { createdAt: isoTime(addedOn) }),
	};
}

/**
 * Removes the secrets from a webhook. The URLs of our own triggers contain a secret, and other URLs may
 * contain secrets anywhere. So every login and every query value is removed from every string in the webhook.
 * In a webhook's name, only URLs are redacted:
 *
 * - `https://ana:key@example.com/a?secret=abc` becomes `https://…@example.com/a?secret=…`
 * - `Checks?` as a name stays as it is
 * - `Checks at https://example.com?abc` as a name becomes `Checks at https://example.com?…`
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const redactField = (field: string, value: unknown) =>
		typeof value === 'string' ? withoutQueryValues(withoutLogins(value), field === 'name') : value;
	return JSON.parse(JSON.stringify(webhook), redactField) as IDataObject;
}

/**
 * Removes query values from a string. In a webhook's name, a question mark is treated as the start of a query
 * only if it is part of a URL.
 */
function withoutQueryValues(text: string, isName: boolean): string {
	const start = isName ? text.search(/^\/|(?::|%3a)(?:\/|%2f)/i) : 0;
	if (start < 0) return text;
	// The question mark may be encoded as %3F.
	const [query = ''] = /(?:[?#]|%3f).*/is.exec(text.slice(start)) ?? [];
	const names = query.replace(/[^?&;#]+/g, (part) => `${part.slice(0, part.indexOf('=') + 1)}…`);
	return text.slice(0, text.length - query.length) + names;
}
