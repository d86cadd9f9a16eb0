import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';

/** A file in a sentence, and what is added to the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - psc' },
};

/** Milliseconds that all files may take together: the service waits for the answer that long. */
const maxTime = 10_000;

/** The most bytes of one file; the "Download" operation accepts larger ones. */
const maxFile = 50_000_000;

/**
 * Adds the files of a notification to its output, and a list of those that are missing. They are
 * downloaded now, because their URLs expire (docs/dev/service.md#seen-documents). No token is sent to
 * these URLs. Never throws.
 */
export async function withFiles(
	json: IDataObject,
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
): Promise<INodeExecutionData> {
	const title = document?.summary.title ?? '';

	const fetchFile = async (
		file: DocumentFile,
		address: string | null,
	): Promise<{ data: IBinaryData } | { reason: string }> => {
		if (address === null) return { reason: 'the notification carries no address for it' };
		if (!/^https?:\/\//i.test(address))
			return { reason: 'its address is no http or https address' };
		const downloaded = await settle(
			downloadFile(
				{ helpers, getExecutionCancelSignal: () => undefined },
				// The limit for silence is never reached before the one for the whole file.
				{
					address,
					title,
					...documentFiles[file],
					limit: maxFile,
					timeout: 2 * maxTime,
					total: maxTime,
				},
			),
		);
		if (downloaded.ok) return { data: downloaded.value };
		const { error } = downloaded;
		return { reason: error instanceof ServiceError ? error.message : 'n8n could not store it' };
	};
	// Only this event is documented to have all three files.
	const wanted = (Object.entries(files) as Array<[DocumentFile, string | null]>).filter(
		([, address]) => address !== null || event === 'completedDocument',
	);
	const outcomes = await Promise.all(
		wanted.map(async ([file, address]) => ({ file, ...(await fetchFile(file, address)) })),
	);
	const binary: IBinaryKeyData = {};
	const missingFiles: IDataObject[] = [];
	for (const outcome of outcomes) {
		if ('data' in outcome) binary[outcome.file] = outcome.data;
		else missingFiles.push(outcome);
	}
	return { json: { ...json, ...(missingFiles.length ? { missingFiles } : {}) }, binary };
}
