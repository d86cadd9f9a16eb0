import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { eventRow } from '../api/events';
import type { DocumentFile, Notification } from '../api/notification';
import { documentFiles, personOfFiles } from '../files/choice';
import { downloadFile } from '../files/download';
import { ServiceError } from '../http/errors';
import { settle } from '../util/async';
import { parseUrl } from '../util/values';

/**
 * The time limits for downloading an event's file. `totalMs` is short, because the service is waiting for our
 * response. `timeoutMs` limits how long a server may be silent. It is longer than the total, so a download
 * never fails because of silence alone.
 */
export const downloadLimits = { totalMs: 10_000, timeoutMs: 20_000 };

/**
 * Downloads a notification's files. Sends no token, because none is needed: until a file's URL expires, the
 * URL alone gives access to the file (docs/dev/service.md#seen-documents). Never throws.
 * @returns The files, and for each missing file, the reason why it's missing.
 */
export async function downloadFiles(
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
	chosenFiles: DocumentFile[],
): Promise<{ binary: IBinaryKeyData; missing: IDataObject[] }> {
	const title = document?.summary.title ?? '';
	const person = personOfFiles(document?.signatories);
	const download = async (file: DocumentFile, address: string | null) => {
		if (address === null) return { reason: "the event didn't contain a link to it" };
		if (!/^https?:$/.test(parseUrl(address)?.protocol ?? '')) {
			return { reason: "its link isn't a URL that begins with http:// or https://" };
		}
		const wantedFile = { address, title, person, ...documentFiles[file], ...downloadLimits };
		const result = await settle(downloadFile({ helpers }, { ...wantedFile, purpose: 'event' }));
		if (result.ok) return { data: result.value };
		const { error } = result;
		return { reason: error instanceof ServiceError ? error.message : "n8n couldn't store it" };
	};
	// Report a missing link only if the service guarantees links to all files for this event.
	const hasAllFiles = eventRow(event)?.body?.files === 'all';
	const wantedLinks = (Object.entries(files) as Array<[DocumentFile, string | null]>).filter(
		([file, address]) => chosenFiles.includes(file) && (address !== null || hasAllFiles),
	);
	const downloads = await Promise.all(
		wantedLinks.map(async ([file, address]) => ({ file, ...(await download(file, address)) })),
	);
	const binary: IBinaryKeyData = {};
	const missing: IDataObject[] = [];
	for (const { file, data, reason } of downloads) {
		if (data) binary[file] = data;
		else missing.push({ file, reason });
	}
	return { binary, missing };
}
