import type { Sandbox } from '../../../sandbox';
import { createDocument } from '../../e2e/support/trigger';

/**
 * Has the sandbox send one event to whoever registered for it.
 *
 * @returns makes notifications like that one, each of another document
 */
export async function genuine(sandbox: Sandbox): Promise<(documentID: string) => unknown> {
	const [delivery] = await sandbox.fire('signDocument', await createDocument(sandbox));
	await sandbox.idle();
	const body = delivery?.body as { Document: object };
	return (documentID) => ({ ...body, Document: { ...body.Document, documentID } });
}
