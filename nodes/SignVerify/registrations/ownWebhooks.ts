import { createHash } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { parseUrl } from '../util/urls';

/** What n8n's contexts in a node's hooks and in `webhook()` have in common. */
export type NodeContext = Pick<
	IHookFunctions,
	'getInstanceId' | 'getWorkflow' | 'getNode' | 'getMode'
>;

/**
 * Returns the IDs that together identify a trigger node: instance, workflow and node. The IDs are the same in
 * all n8n processes, both in the node's hooks and in `webhook()`. The node's URL wouldn't work as an
 * identifier, because in a test run, n8n passes the production URL to `webhook()`.
 * @n8n
 */
export function placeOfNode(context: NodeContext): string[] {
	const { id = '' } = context.getWorkflow();
	return [context.getInstanceId(), String(id), context.getNode().id];
}

/**
 * Returns a hash of what registered webhooks belong to. It always includes the account, because the same ID can
 * belong to someone else's webhook in a different account.
 * @param place The node in which they belong to it ({@link placeOfNode}), if that doesn't follow from where
 * the hash is stored.
 */
export function hashOfOwner(account: string, place: string[] = []): string {
	return createHash('sha256')
		.update(JSON.stringify([...place, account]))
		.digest('hex');
}

/** The comparison ignores the secrets in the URLs. */
export function pointsTo(nodeUrl: string): (address: string) => boolean {
	// A service may write the same URL differently, so parse both.
	const pathOf = (address: string) => (parseUrl(address)?.href ?? address).split('?')[0];
	const nodePath = pathOf(nodeUrl);
	return (address) => pathOf(address) === nodePath;
}

/** Cut to 100 characters. If that splits a character, the remaining half is removed. */
export function webhookName(context: { getWorkflow(): { name?: string | undefined } }): string {
	const name = `n8n: ${context.getWorkflow().name ?? 'workflow'}`;
	return name.slice(0, 100).replace(/\p{Surrogate}/gu, '');
}
