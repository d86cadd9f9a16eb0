import { accountsWithoutIds } from '../api/documents';
import { ServiceError } from '../http/serviceError';
import { waitProblems } from './waitProblems';
import { sentByThisNode } from './start';

/**
 * Refuses to wait for a document if the service returned no ID for an earlier one. Call this before registering the
 * wait's webhooks.
 * @throws ServiceError before anything is sent or registered.
 */
export function checkReturnsIds(account: string): void {
	if (!accountsWithoutIds.has(account)) return;
	throw new ServiceError(waitProblems.noEarlierDocumentId);
}

/**
 * Ends a wait because the service returned no ID for its document, so the node couldn't recognize the
 * document's events. From now on, {@link checkReturnsIds} refuses to send further documents.
 * @throws ServiceError after the document was sent.
 */
export function endWithoutId(account: string): never {
	accountsWithoutIds.set(account, true);
	throw new ServiceError({ ...waitProblems.noDocumentId, ...sentByThisNode });
}
