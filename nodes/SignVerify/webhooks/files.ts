import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { DocumentFile, Notification } from '../api/notification';
import { downloadFile } from '../http/download';
import { ServiceError } from '../http/errors';
import { readNumber } from '../operations/problems';
import { attempt } from '../util/async';

/** A file in a sentence, and what is added to the document's title in its name. */
export const documentFiles: Record<DocumentFile, { noun: string; suffix: string }> = {
	document: { noun: 'the document', suffix: '' },
	certificate: { noun: 'the certificate', suffix: ' - certificate' },
	pscCertificate: { noun: 'the PSC certificate', suffix: ' - psc' },
};

/** A file that could not be downloaded, and why. */
interface MissingFile extends IDataObject {
	file: DocumentFile;
	reason: string;
}

/** Default for the seconds that all files may take together. */
export const defaultFileSeconds = 10;
/** The largest "File Time Limit". */
export const maxFileSeconds = 60;

/** How far apart (ms) two timers for the same moment may end. */
const clockTolerance = 50;

/** The most bytes of one file; the "Download" operation accepts larger ones. */
const largestFile = 50_000_000;

/** @throws InputError if the "File Time Limit" is out of range. */
export function readFileSeconds(value: unknown): number {
	const range = { min: 1, max: maxFileSeconds };
	return readNumber(value ?? defaultFileSeconds, 'File Time Limit', range, 'the-trigger');
}

/**
 * Adds the files of a notification to its output, and a list of those that are missing. All are
 * downloaded at once and with a time limit: their URLs expire (docs/dev/service.md#seen-documents), and the
 * service waits for the answer. No token is sent to these URLs. Never throws.
 */
export async function withFiles(
	json: IDataObject,
	{ helpers }: Pick<IWebhookFunctions, 'helpers'>,
	{ event, document, files }: Notification,
	seconds = defaultFileSeconds,
): Promise<INodeExecutionData> {
	const arrived: IBinaryKeyData = {};
	// AbortSignal.timeout takes whole numbers only.
	const total = Math.ceil(seconds * 1000);
	const start = Date.now();
	const signal = AbortSignal.timeout(total);
	const late = new Promise<'late'>((resolve) => {
		signal.addEventListener('abort', () => resolve('late'));
	});
	const title = document?.summary.title ?? '';

	const downloadOne = async (file: DocumentFile, address: string): Promise<string | undefined> => {
		if (!/^https?:\/\//i.test(address)) return 'its address is no http or https address';
		const download = downloadFile(
			{ helpers, getExecutionCancelSignal: () => signal },
			{ address, title, ...documentFiles[file], limit: largestFile, timeout: total, total },
		);
		const answer = await Promise.race([attempt(download), late]);
		// The two timers may differ by some milliseconds.
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
	const lists = await Promise.all(
		addresses.map(async ([file, address]): Promise<MissingFile[]> => {
			// Only this event is documented to have all three.
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
	const missingFiles = lists.flat();
	return { json: { ...json, ...(missingFiles.length ? { missingFiles } : {}) }, binary };
}
