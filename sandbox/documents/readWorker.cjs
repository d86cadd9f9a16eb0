'use strict';
// Runs in a thread of its own, started by read.ts: reads the PDF in workerData.

const { parentPort, workerData } = require('node:worker_threads');
const { PDFParse } = require('pdf-parse');

async function read() {
	const parser = new PDFParse({ data: workerData });
	try {
		const { total, text } = await parser.getText({ pageJoiner: '' });
		return { pages: total, text };
	} finally {
		await parser.destroy();
	}
}

read().then(
	(result) => parentPort.postMessage({ result }),
	(error) => parentPort.postMessage({ failure: String(error?.message ?? error) }),
);
