import { listWebhooks } from '../../api/webhooks';
import { endOfWait } from '../../wait/webhook';
import { limitFields, readLimit } from '../form';
import type { Operation } from '../types';
import { redactWebhook } from './create';

/**
 * webhook / getAll: the webhooks of the account (docs/dev/service.md#list-webhooks). Some services do not list
 * identity webhooks.
 */
export const getAllWebhooks: Operation = {
	resource: 'webhook',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description:
		'List the webhooks of the account. The secrets in the URLs of SignVerify Triggers are not shown.',
	fields: limitFields,

	async run(item) {
		const limit = readLimit(item);
		const webhooks = await item.memoize('webhooks', async () => await listWebhooks(item.service));
		return webhooks.slice(0, limit).map((each) => {
			// If a node of this n8n waits with it.
			const waitsUntil = endOfWait(each, item.execute)?.toISOString();
			return { json: { ...redactWebhook(each), ...(waitsUntil ? { waitsUntil } : {}) } };
		});
	},
};
