// Shows the document as text or as images of its pages. Embedding the PDF is not an option, because phones do
// not display PDFs inside a web page.
import { getDocument, GlobalWorkerOptions } from './pdfjs/pdf.min.mjs';

GlobalWorkerOptions.workerSrc = '/assets/pdfjs/pdf.worker.min.mjs';

const maxPages = 60;
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
	const pages = Math.min(pdf.numPages, maxPages);
	// The images are at least 320 pixels wide so that they stay readable if a small window grows.
	const width = Math.max(container.clientWidth - 24, 320);
	for (let number = 1; number <= pages; number++) await renderPage(pdf, number, width);
	state.textContent =
		pages < pdf.numPages ? `Showing the first ${pages} of ${pdf.numPages} pages.` : '';
	state.hidden = state.textContent === '';
	container.dataset.shown = String(pages);
}

// A page is too small to read on a phone, so phones start with the text.
const choice = document.querySelector('[data-view-choice]');
const text = document.querySelector('[data-passages]');
let begun = false;

function choose(view) {
	const asPages = view === 'pages';
	container.hidden = !asPages;
	text.hidden = asPages;
	if (!asPages || begun) return;
	begun = true;
	show().catch(() => {
		state.hidden = false;
		state.textContent = 'The document can’t be shown here. Use “Open the PDF” to read it.';
	});
}

if (container && choice && text) {
	const first = window.matchMedia('(max-width: 640px)').matches ? 'text' : 'pages';
	choice.hidden = false;
	choice.addEventListener('change', (event) => choose(event.target.value));
	choice.querySelector(`[value="${first}"]`).checked = true;
	choose(first);
}
