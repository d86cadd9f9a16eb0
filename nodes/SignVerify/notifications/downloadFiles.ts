import type { IBinaryKeyData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../transport/download';
import { ServiceError } from '../transport/errors';
import { readNumber } from '../transport/inputNumber';
import { attempt } from '../util/async';

/** How a file is called in a sentence, and what stands behind the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - psc' },
};

/** A file that could not be had, and why. */
export interface MissingFile extends IDataObject {
	file: DocumentFile;
	reason: string;
}

/** The files that were had, by the names that they have on an item, and those that were not. */
export interface DownloadedFiles {
	binary: IBinaryKeyData;
	missingFiles: MissingFile[];
}

/** Seconds that all files together may take unless the options say otherwise. */
export const defaultFileSeconds = 10;
const mostFileSeconds = 60;

/** How far (ms) two timers that were started for the same moment may be apart. */
const clockTolerance = 50;

/** Bytes of one file; the "Download" operation takes larger ones. */
const largestFile = 50_000_000;

/**
 * Reads the "File Time Limit" option.
 * @throws InputError when it is out of range.
 */
export function readFileSeconds(value: unknown): number {
	const range = { least: 1, most: mostFileSeconds };
	return readNumber(value ?? defaultFileSeconds, 'File Time Limit', range, 'the-trigger');
}

/**
 * Takes the files that a notification gives addresses of, all at once and within a time: the
 * addresses are pre-signed and expire (docs/service.md#seen-documents), and whoever sent the
 * notification waits. No token goes to these addresses. Never throws: a missing file is noted.
 */
export async function downloadFiles(
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
	seconds: number,
): Promise<DownloadedFiles> {
	const arrived: IBinaryKeyData = {};
	const total = seconds * 1000;
	const start = Date.now();
	const signal = AbortSignal.timeout(total);
	const late = new Promise<'late'>((resolve) => {
		signal.addEventListener('abort', () => resolve('late'));
	});
	const title = document?.title ?? '';

	const downloadOne = async (file: DocumentFile, address: string): Promise<string | undefined> => {
		if (!/^https?:\/\//i.test(address)) return 'its address is no http or https address';
		const download = downloadFile(
			{ helpers, getExecutionCancelSignal: () => signal },
			{ address, title, ...documentFiles[file], limit: largestFile, timeout: total, total },
		);
		const answer = await Promise.race([attempt(download), late]);
		// The clocks of the two need not agree to the millisecond.
		const isOver = Date.now() - start >= total - clockTolerance;
		if (answer === 'late' || signal.aborted || (!answer.ok && isOver))
			return `it did not arrive within ${seconds} s`;
		if (answer.ok) {
			arrived[file] = answer.value;
			return undefined;
		}
		return answer.error instanceof ServiceError ? answer.error.message : 'n8n could not store it';
	};
	const addresses = Object.entries(files) as Array<[DocumentFile, string | null]>;
	const missing = await Promise.all(
		addresses.map(async ([file, address]): Promise<MissingFile[]> => {
			// Only this event is said to carry all three.
			if (address === null && event !== 'completedDocument') return [];
			const reason =
				address === null
					? 'the notification carries no address for it'
					: await downloadOne(file, address);
			return reason === undefined ? [] : [{ file, reason }];
		}),
	);
	// In the order of the files, whichever arrived or was given up first.
	const binary: IBinaryKeyData = {};
	for (const [file] of addresses) {
		if (arrived[file]) binary[file] = arrived[file];
	}
	return { binary, missingFiles: missing.flat() };
}
