import type { Document, QuirkyDocument, QuirkySignatory, Signatory } from '../schemas';
import type { Quirks } from '../types';

/**
 * Gives a Document the shapes that were seen in the field (see `Quirks`). The same object comes
 * back while none is asked for.
 */
export function withQuirks(document: Document, quirks: Quirks): Document | QuirkyDocument {
	const { trailingCreatedBy, signingExpiryNull, isSignedAsString } = quirks;
	if (!trailingCreatedBy && !signingExpiryNull && !isSignedAsString) return document;
	const { webhookData, signatory, ...rest } = document;
	const reshape = (one: Signatory): QuirkySignatory => ({
		...one,
		signing: signingExpiryNull ? { ...one.signing, expiry: null } : one.signing,
		isSigned: isSignedAsString ? String(one.isSigned) : one.isSigned,
	});
	const signatories: QuirkyDocument['signatory'] = signatory.map(reshape);
	if (trailingCreatedBy) signatories.push({ ...document.createdBy });
	return {
		...rest,
		signatory: signatories,
		...(webhookData === undefined
			? {}
			: {
					webhookData: isWhole(webhookData)
						? { signatory: reshape(webhookData.signatory) }
						: webhookData,
				}),
	};
}

/** Says whether a notification's `webhookData` carries the whole Signatory. */
function isWhole(
	data: NonNullable<Document['webhookData']>,
): data is Extract<typeof data, { signatory: Signatory }> {
	return 'signatoryID' in data.signatory;
}
