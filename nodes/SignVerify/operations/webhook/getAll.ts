import type { IDataObject } from 'n8n-workflow';

import { listWebhooks } from '../../api/webhooks';
import { events } from '../../api/events';
import { isoTime, objectOf, textOf } from '../../util/values';
import { orphansOf } from '../../wait/cleanUp';
import { filtersField, limitFields, optionsField, readLimit } from '../form';
import { readSwitch } from '../parameters';
import { readAll } from '../problems';
import { pick } from '../toolOutput';
import type { Operation } from '../types';
import { readEvent, redactRegistration } from './registration';

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
	toolOutput: {
		id: 'webHookID',
		fields: ['webHookID', 'name', 'type', 'webHookUrl', 'addedOn', 'options'],
		simplify: ({ addedOn, ...json }) => ({
			...pick(json, ['webHookID', 'name', 'type', 'webHookUrl']),
			...(addedOn === undefined ? {} : { addedOn: isoTime(addedOn) }),
		}),
	},
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
			{
				displayName: 'Orphaned Only',
				name: 'orphaned',
				type: 'boolean',
				default: false,
				description:
					'Whether to list only webhooks of executions of this n8n that wait no longer: cancelled, deleted, or out of time while n8n was down',
			},
		]),
		optionsField(),
	],

	async run(item) {
		const { matches, limit, isOrphaned } = readAll({
			matches: () => filterOf(item.parameter('filters')),
			limit: () => readLimit(item),
			isOrphaned: () => readSwitch(item, 'filters.orphaned', 'Orphaned Only'),
		});
		const registrations = await item.memoize(
			'webhooks',
			async () => await listWebhooks(item.service),
		);
		const wanted = isOrphaned ? await orphansOf(item.execute, registrations) : registrations;
		return wanted
			.map(redactRegistration)
			.filter(matches)
			.slice(0, limit)
			.map((json) => ({ json }));
	},
};

/** Compares URLs without their secrets, because a filter must not reveal them. */
function filterOf(filters: unknown): (registration: IDataObject) => boolean {
	const { address, event } = objectOf(filters);
	const part = textOf(address).trim().toLowerCase();
	const wanted = event === undefined || event === '' ? undefined : readEvent(event);
	return ({ type, webHookUrl }) =>
		(!wanted || type === wanted) && (!part || textOf(webHookUrl).toLowerCase().includes(part));
}
