import { accountsWithoutIds } from '../api/documents';
import { ServiceError } from '../http/errors';
import { sentByThisNode } from './start';

/**
 * Refuses to wait for a document if the service returned no ID for an earlier one. Call this before
 * registering the wait's webhooks.
 * @param account The account's ID.
 * @throws ServiceError before anything is sent or registered.
 */
export function checkReturnsIds(account: string): void {
	if (!accountsWithoutIds.has(account)) return;
	throw new ServiceError({
		message:
			"The node can't wait for a document, because the service didn't return an ID for an earlier one",
		description:
			'Nothing was sent. Use Send for Signature, and continue in a second workflow that starts with a SignVerify Trigger. Once the output of Send for Signature contains a documentId, this node can wait again.',
		docsAnchor: 'no-document-id',
	});
}

/**
 * Ends a wait because the service returned no ID for its document, so the node couldn't recognize the
 * document's events. From now on, {@link checkReturnsIds} refuses to send further documents.
 * @throws ServiceError after the document was sent.
 */
export function endWithoutId(account: string): never {
	accountsWithoutIds.set(account, true);
	throw new ServiceError({
		message:
			"The node sent the document, but can't wait for it, because the service didn't return an ID",
		description:
			"Don't send it again. A workflow that starts with a SignVerify Trigger will still get the result. Send further documents with Send for Signature.",
		docsAnchor: 'no-document-id',
		...sentByThisNode,
	});
}
