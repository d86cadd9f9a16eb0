import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { eventRow } from '../api/events';
import type { DocumentFile, Notification } from '../api/notification';
import { documentFiles, personOfFiles } from '../files/fileChoice';
import { downloadFile, type DownloadedFile } from '../files/fileDownload';
import { ServiceError } from '../http/serviceError';
import { settle } from '../util/async';
import { parseUrl } from '../util/urls';
import type { EventClaim } from './eventClaims';

/**
 * The time limits for downloading an event's file. `totalMs` is short, because the service is waiting for our
 * response. `timeoutMs` limits how long a server may be silent. It is longer than the total, so a download
 * never fails because of silence alone.
 */
export const downloadLimits = { totalMs: 10_000, timeoutMs: 20_000 };

interface DownloadOutcome {
	downloaded?: DownloadedFile;
	reason?: string;
}

export interface EventFiles {
	binary: IBinaryKeyData;
	/** The SHA-256 checksums of the downloaded files. */
	checksums: Partial<Record<DocumentFile, string>>;
	/** The files that couldn't be downloaded, and why. */
	missing: IDataObject[];
}

/**
 * Downloads a notification's files. Sends no token, because none is needed: until a file's URL expires, the
 * URL alone gives access to the file (docs/dev/service.md#seen-documents). Never throws.
 * @param claim `earlierFiles` are downloaded again only once one of the others has arrived. Otherwise the event
 * starts nothing, and n8n never deletes a file that was stored without an execution. The time limit begins at
 * `arrivedAt`.
 */
export async function downloadFiles(
	context: IWebhookFunctions,
	{ event, document, files }: Notification,
	chosenFiles: DocumentFile[],
	{ earlierFiles = [], arrivedAt = performance.now() }: Partial<EventClaim> = {},
): Promise<EventFiles> {
	const { title = '', documentId = '' } = document?.summary ?? {};
	const person = personOfFiles(document?.signatories);
	let account: Promise<string> | undefined;
	const download = async (file: DocumentFile): Promise<DownloadOutcome> => {
		const address = files[file];
		if (address === null) return { reason: "the event didn't contain a link to it" };
		if (!/^https?:$/.test(parseUrl(address)?.protocol ?? '')) {
			return { reason: "its link isn't a URL that begins with http:// or https://" };
		}
		const wantedFile = {
			address,
			title,
			person,
			documentId,
			...documentFiles[file],
			...downloadLimits,
			purpose: 'event' as const,
			account: await (account ??= accountIdOf(context)),
		};
		const { helpers } = context;
		const result = await settle(downloadFile({ helpers }, wantedFile, arrivedAt));
		if (result.ok) return { downloaded: result.value };
		const { error } = result;
		return { reason: error instanceof ServiceError ? error.message : "n8n couldn't store it" };
	};
	// Report a missing link only if the service guarantees links to all files for this event.
	const hasAllFiles = eventRow(event)?.body?.files === 'all';
	const wanted = (Object.keys(files) as DocumentFile[]).filter(
		(file) => chosenFiles.includes(file) && (files[file] !== null || hasAllFiles),
	);
	const outcomes = new Map<DocumentFile, Promise<DownloadOutcome>>();
	const start = (file: DocumentFile) => outcomes.set(file, download(file));
	const isEarlier = (file: DocumentFile) => earlierFiles.includes(file);
	wanted.filter((file) => !isEarlier(file)).forEach(start);
	if (await oneArrives([...outcomes.values()])) wanted.filter(isEarlier).forEach(start);
	const binary: IBinaryKeyData = {};
	const checksums: EventFiles['checksums'] = {};
	const missing: IDataObject[] = [];
	for (const file of wanted) {
		const { downloaded, reason } = (await outcomes.get(file)) ?? {};
		if (downloaded) {
			binary[file] = downloaded.data;
			checksums[file] = downloaded.sha256;
		} else if (reason) missing.push({ file, reason });
	}
	return { binary, checksums, missing };
}

/**
 * Returns the ID of the account in the credential of the node that gets the event, or '' if n8n can't read the
 * credential. A wait gets its files even then.
 */
async function accountIdOf(context: IWebhookFunctions): Promise<string> {
	const account = await settle(new ServiceClient(context).account());
	return account.ok ? account.value.id : '';
}

/** Whether one of the downloads has a file, as soon as that is certain. */
async function oneArrives(downloads: Array<Promise<DownloadOutcome>>): Promise<boolean> {
	const arrivals = downloads.map(async (download) => {
		const { downloaded } = await download;
		if (!downloaded) throw new Error('The file is missing');
	});
	return (await settle(Promise.any(arrivals))).ok;
}
