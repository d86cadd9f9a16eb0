'use strict';
// Reads the PDF in workerData. read.ts starts this script in a separate thread.

const { parentPort, workerData } = require('node:worker_threads');

async function read() {
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const pdf = await getDocument({ data: workerData, verbosity: 0 }).promise;
	const pages = [];
	const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
	for (let number = 1; number <= pdf.numPages; number++) {
		const page = await pdf.getPage(number);
		const { items } = await page.getTextContent();
		pages.push(items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
	}
	return { pages: pages.length, size: { width, height }, text: pages.join('\n') };
}

read().then(
	(result) => parentPort.postMessage({ result }),
	(error) => parentPort.postMessage({ failure: String(error?.message ?? error) }),
);
