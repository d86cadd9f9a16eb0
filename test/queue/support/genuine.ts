import type { Sandbox } from '../../../sandbox';
import { createDocument } from '../../e2e/support/trigger';

/**
 * Has the sandbox send one event to whoever registered for it.
 *
 * @returns makes notifications like that one, each of another document. The call that delivers it
 *   becomes the document's title: n8n's data then say which call an execution comes from, and a
 *   repeated event stays the same event, since its ID has nothing of the title.
 */
export async function genuine(
	sandbox: Sandbox,
): Promise<(documentID: string, call?: string) => unknown> {
	const [delivery] = await sandbox.fire('signDocument', await createDocument(sandbox));
	await sandbox.idle();
	const body = delivery?.body as { Document: object };
	return (documentID, call = `${documentID}.1`) => ({
		...body,
		Document: { ...body.Document, documentID, title: call },
	});
}
