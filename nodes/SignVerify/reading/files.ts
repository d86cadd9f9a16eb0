import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { firstText } from './firstText';

/** The files of a document, by the names that they have on an item. */
export type DocumentFile = 'document' | 'certificate' | 'pscCertificate';

/** How a file is called in a sentence, and what stands behind the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - psc' },
};

/**
 * The addresses of a document's files: beside the document's fields (`completedDocument`) or in its
 * `webhookData` (`sendDocument`). Some notifications lack one, or carry an empty text; null keeps
 * the column.
 */
export function fileAddresses(body: IDataObject): Record<DocumentFile, string | null> {
	const document = isObject(body.Document) ? body.Document : {};
	const data = isObject(document.webhookData) ? document.webhookData : {};
	return {
		document: firstText(document.documentURL, data.documentURL) ?? null,
		certificate: firstText(document.certificateURL, data.certificateURL) ?? null,
		pscCertificate: firstText(document.pscCertificateURL, data.pscUrl) ?? null,
	};
}
