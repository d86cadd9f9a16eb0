// Shows the document's pages as pictures, since phones do not show PDFs inside a page.
import { getDocument, GlobalWorkerOptions } from './pdfjs/pdf.min.mjs';

GlobalWorkerOptions.workerSrc = '/assets/pdfjs/pdf.worker.min.mjs';

const MAX_PAGES = 60;
const container = document.querySelector('[data-pdf]');
const state = container?.querySelector('.viewer-state');

async function renderPage(pdf, number, width) {
	const page = await pdf.getPage(number);
	const scale = width / page.getViewport({ scale: 1 }).width;
	const ratio = Math.min(window.devicePixelRatio || 1, 2);
	const viewport = page.getViewport({ scale: scale * ratio });
	const canvas = document.createElement('canvas');
	canvas.className = 'page';
	canvas.width = Math.floor(viewport.width);
	canvas.height = Math.floor(viewport.height);
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', `Page ${number} of ${pdf.numPages}`);
	container.append(canvas);
	await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
}

async function show() {
	state.textContent = 'Loading the document…';
	const pdf = await getDocument({ url: container.dataset.pdf, enableXfa: false }).promise;
	const pages = Math.min(pdf.numPages, MAX_PAGES);
	// Large enough to stay readable when the window grows.
	const width = Math.max(container.clientWidth - 24, 320);
	for (let number = 1; number <= pages; number++) await renderPage(pdf, number, width);
	state.textContent =
		pages < pdf.numPages ? `Shown are the first ${pages} of ${pdf.numPages} pages.` : '';
	state.hidden = state.textContent === '';
	container.dataset.shown = String(pages);
}

if (container) {
	show().catch(() => {
		state.hidden = false;
		state.textContent = 'The document cannot be shown here. Use “Open the PDF” to read it.';
	});
}
