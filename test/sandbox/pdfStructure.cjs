'use strict';
// Runs in a thread of its own: what a screen reader finds in the PDF in workerData, read by pdf.js.
// Jest loads no modules of the new kind, which is why this is not part of the test.

const { parentPort, workerData } = require('node:worker_threads');

async function read() {
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const pdf = await getDocument({ data: workerData, verbosity: 0 }).promise;
	const { info, metadata } = await pdf.getMetadata();
	const pages = [];
	for (let number = 1; number <= pdf.numPages; number++) {
		const page = await pdf.getPage(number);
		const { items } = await page.getTextContent({ includeMarkedContent: true });
		pages.push({ structure: await page.getStructTree(), items });
	}
	return {
		language: info.Language,
		title: info.Title,
		isMarked: (await pdf.getMarkInfo())?.Marked === true,
		preferences: await pdf.getViewerPreferences(),
		metadata: metadata.getRaw(),
		pages,
	};
}

read().then(
	(result) => parentPort.postMessage({ result }),
	(error) => parentPort.postMessage({ failure: String(error?.stack ?? error) }),
);
