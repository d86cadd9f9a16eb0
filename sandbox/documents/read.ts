import { PDFParse } from 'pdf-parse';

/**
 * Reads a PDF back: for tests, and for whoever wants to see that a document says what it should.
 *
 * @param buffer The file.
 * @returns The number of pages and the text of all of them, in reading order.
 * @throws when the file is not a PDF that can be read.
 */
export async function readPdf(buffer: Buffer): Promise<{ pages: number; text: string }> {
	// A copy: the parser hands its data to a worker, which takes it away from the caller.
	const parser = new PDFParse({ data: new Uint8Array(buffer) });
	try {
		const { total, text } = await parser.getText({ pageJoiner: '' });
		return { pages: total, text };
	} finally {
		await parser.destroy();
	}
}
