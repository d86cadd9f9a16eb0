import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Webhook } from '../../api/types';
import { listWebhooks } from '../../api/webhooks';
import { events } from '../../api/events';
import { isoTime, objectOf, textOf } from '../../util/values';
import { endOfWait } from '../../wait/webhook';
import { pick } from '../../webhooks/output';
import { filtersField, limitFields, readLimit } from '../form';
import { readAll } from '../inputError';
import type { Operation } from '../types';
import { readEvent, redactWebhook } from './create';

/**
 * webhook / getAll: the webhooks of the account (docs/dev/service.md#list-webhooks). The service's own filter
 * is not documented, so the list is filtered here. Some services do not list identity webhooks.
 */
export const getAllWebhooks: Operation = {
	resource: 'webhook',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description:
		'List the webhooks of the account. The secrets in the URLs of SignVerify Triggers are not shown.',
	toolOutput: ({ addedOn, ...json }) => ({
		...pick(json, ['webHookID', 'name', 'type', 'webHookUrl', 'waitsUntil']),
		...(addedOn === undefined ? {} : { addedOn: isoTime(addedOn) }),
	}),
	fields: [
		...limitFields,
		filtersField([
			{
				displayName: 'URL Contains',
				name: 'address',
				type: 'string',
				default: '',
				placeholder: 'e.g. example.com',
				description: 'Only webhooks whose URL contains this text, in upper or lower case',
			},
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				options: events,
				default: 'completedDocument',
				description: 'Only webhooks for this event',
			},
		]),
	],

	async run(item) {
		const { matches, limit } = readAll({
			matches: () => filterOf(item.parameter('filters')),
			limit: () => readLimit(item),
		});
		const webhooks = await item.memoize('webhooks', async () => await listWebhooks(item.service));
		return webhooks
			.map((each) => withEndOfWait(each, item.execute))
			.filter(matches)
			.slice(0, limit)
			.map((json) => ({ json }));
	},
};

/** A webhook without its secrets. If a node of this n8n waits with it, the output says until when. */
function withEndOfWait(webhook: Webhook, execute: IExecuteFunctions): IDataObject {
	const end = endOfWait(webhook, execute);
	return { ...redactWebhook(webhook), ...(end ? { waitsUntil: end.toISOString() } : {}) };
}

/** Compares URLs without their secrets, because a filter must not reveal them. */
function filterOf(filters: unknown): (webhook: IDataObject) => boolean {
	const { address, event } = objectOf(filters);
	const part = textOf(address).trim().toLowerCase();
	const wanted = event === undefined || event === '' ? undefined : readEvent(event);
	return ({ type, webHookUrl }) =>
		(!wanted || type === wanted) && (!part || textOf(webHookUrl).toLowerCase().includes(part));
}
