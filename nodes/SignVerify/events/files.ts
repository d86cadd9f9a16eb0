import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { listOf, objectOf, textOf } from '../util/values';

/** A file in a sentence, and what is added to the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - PSC certificate' },
};

/** Who signs first, for the names of a document's files; '' if nobody knows. */
export function personOfFiles(signatories: unknown): string {
	return textOf(objectOf(listOf(signatories)[0]).name).trim();
}

/**
 * Milliseconds for all files, because the service waits for the answer. Silence is never the reason to give
 * up: its own limit is longer.
 */
const limits = { total: 10_000, timeout: 20_000 };

/**
 * Downloads the files of a notification. Their URLs expire (docs/dev/service.md#seen-documents), and no
 * token is sent to them. Never throws.
 * @returns The files, and which ones are missing and why.
 */
export async function downloadFiles(
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
): Promise<{ binary: IBinaryKeyData; missing: IDataObject[] }> {
	const title = document?.summary.title ?? '';
	const person = personOfFiles(document?.signatories);
	const download = async (file: DocumentFile, address: string | null) => {
		if (address === null) return { reason: 'the service gave no link to it' };
		if (!/^https?:\/\//i.test(address)) {
			return { reason: 'its link does not begin with http:// or https://' };
		}
		const wanted = { address, title, person, ...documentFiles[file], ...limits };
		const downloaded = await settle(downloadFile({ helpers }, wanted));
		if (downloaded.ok) return { data: downloaded.value };
		const { error } = downloaded;
		return { reason: error instanceof ServiceError ? error.message : 'n8n could not store it' };
	};
	// Only this event is documented to have all three files.
	const wanted = (Object.entries(files) as Array<[DocumentFile, string | null]>).filter(
		([, address]) => address !== null || event === 'completedDocument',
	);
	const outcomes = await Promise.all(
		wanted.map(async ([file, address]) => ({ file, ...(await download(file, address)) })),
	);
	const binary: IBinaryKeyData = {};
	const missing: IDataObject[] = [];
	for (const { file, data, reason } of outcomes) {
		if (data) binary[file] = data;
		else missing.push({ file, reason });
	}
	return { binary, missing };
}
