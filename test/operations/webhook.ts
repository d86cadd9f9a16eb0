import { identityFinished } from '../support/events';
import { byId } from '../support/service';
import {
	numbered,
	numberedWith,
	problemOfId,
	register,
	token,
	unknownId,
	webhooksAt,
} from './service';
import type { Entries, OperationEntry } from '.';

const event = 'signDocument';
const simplified = ['webhookId', 'event', 'webhookUrl', 'createdAt'];
const addressOf = (n: number) => `http://127.0.0.1:9/callback/${n}`;

const create: OperationEntry = {
	parameters: { event, webhookUrl: '={{ $json.url }}' },
	calls: { token, call: 'POST /webhooks' },
	prepare: async (_service, count) => numbered(count, (n) => ({ url: addressOf(n) })),
	malformed: { url: 'not an address' },
	created: (sandbox, { url }) => webhooksAt(sandbox, String(url)),
	problemOf: (sandbox, { url }, { json }) =>
		problemOfId(json.webhookId, webhooksAt(sandbox, String(url))),
	simplified,
	variants: [{ event: identityFinished, name: 'Checks' }],
};

/**
 * For each item, the node returns only the first webhook. Half of the webhooks are for an identity event,
 * because only identity webhooks have a name.
 */
const getAll: OperationEntry = {
	parameters: { limit: '={{ $json.limit }}' },
	calls: { token, list: 'GET /webhooks' },
	prepare: async (service, count) =>
		await numberedWith(count, async (n) => {
			await register(service, n % 2 ? event : identityFinished, addressOf(n));
			return { url: addressOf(n), limit: 1 };
		}),
	malformed: { limit: 0 },
	problemOf: (sandbox, _item, { json }) =>
		sandbox.webhooks().some(({ webHookID }) => webHookID === json.webhookId)
			? undefined
			: `no webhook of ${String(json.webhookUrl)}`,
	simplified,
	variants: [{ returnAll: true }],
};

const remove: OperationEntry = {
	parameters: { webhookId: byId('={{ $json.id }}') },
	calls: { token, call: 'DELETE /webhooks' },
	prepare: async (service, count) =>
		await numberedWith(count, async (n) => {
			const url = addressOf(n);
			return { url, id: await register(service, event, url) };
		}),
	malformed: { id: '' },
	absent: () => ({ id: unknownId }),
	wasDone: (sandbox, { url }) => webhooksAt(sandbox, String(url)).length === 0,
	problemOf(sandbox, { url }, { json }) {
		if (json.deleted !== true) return 'the output does not say that it is deleted';
		return webhooksAt(sandbox, String(url)).length === 0 ? undefined : 'it is still there';
	},
};

export const webhook: Entries = { create, delete: remove, getAll };
