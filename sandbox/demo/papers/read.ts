import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What a PDF says. */
export interface PdfContent {
	pages: number;
	/** Of all pages, in reading order. */
	text: string;
}

/**
 * Reads a PDF back: for tests, and for whoever wants to see that a document says what it should.
 *
 * The parser works in a thread of its own: it loads parts of itself in a way that test runners do
 * not allow, and a large file does not hold up the server meanwhile.
 *
 * @param buffer The file.
 * @throws when the file is not a PDF that can be read.
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
			worker.once('exit', () => reject(new Error('The PDF reader ended without an answer.')));
		});
	} finally {
		await worker.terminate();
	}
}
