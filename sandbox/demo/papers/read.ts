import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The parts of a PDF that tests check. */
export interface PdfContent {
	pages: number;
	/** The size of the first page in points. */
	size: { width: number; height: number };
	/** The text of all pages, in reading order. */
	text: string;
}

/**
 * Reads the text of a PDF so that tests can check a document.
 *
 * The parser runs in a separate thread, because test runners do not support the way it loads its modules, and
 * because parsing a large file would block the server.
 *
 * @param buffer The file.
 * @throws Error if the file is not a readable PDF.
 */
export async function readPdf(buffer: Buffer): Promise<PdfContent> {
	const worker = new Worker(join(__dirname, 'readWorker.cjs'), {
		workerData: new Uint8Array(buffer),
	});
	try {
		return await new Promise<PdfContent>((resolve, reject) => {
			worker.once('message', (answer: { result?: PdfContent; failure?: string }) => {
				if (answer.result) resolve(answer.result);
				else reject(new Error(`The PDF cannot be read: ${answer.failure}`));
			});
			worker.once('error', reject);
			worker.once('exit', () =>
				reject(new Error('The PDF reader exited without returning a result.')),
			);
		});
	} finally {
		await worker.terminate();
	}
}
