import { font, PdfOfAllScripts, registerFonts } from './fonts';
import { cleanText, type Run } from './text';

export const ink = {
	text: '#1d2733',
	muted: '#5b6775',
	rule: '#cfd6dd',
	accent: '#0b6169',
	tint: '#eef5f5',
	warning: '#8a4b00',
	warningTint: '#fdf4e3',
} as const;

/** The page margins in points. The bottom margin leaves room for the footer. */
export const margin = { top: 62, left: 64, right: 64, bottom: 74 } as const;

/** A PDF in progress, with the functions that all of the sandbox's documents share. */
export interface Paper {
	pdf: PDFKit.PDFDocument;
	/** The width between the margins in points. */
	width: number;
	/** Starts a new page if fewer than `height` points remain on the current one. */
	need(height: number): void;
	/**
	 * Prints runs as one paragraph, with entered text in bold and placeholders for missing values in italics.
	 */
	paragraph(runs: Run[], options?: { size?: number; color?: string }): void;
	/** Writes the footers and returns the finished file. */
	finish(footer: string): Promise<Buffer>;
}

/** The size of a page in points. */
export interface PageSize {
	width: number;
	height: number;
}

/**
 * Opens an empty document. The file's bytes depend only on what is printed, because both of its timestamps
 * are set to `at`, and its ID is derived from its metadata.
 *
 * @param title The title in the file's metadata, which PDF viewers show as the window's title.
 * @param subject The subject in the file's metadata.
 * @param at The creation time and modification time in the file's metadata, in epoch-ms.
 * @param size The size of the pages: A4, unless it is given.
 */
export function openPaper(title: string, subject: string, at: number, size?: PageSize): Paper {
	const pdf = createPdf(title, subject, new Date(at), size);
	const chunks: Buffer[] = [];
	pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise<Buffer>((resolve, reject) => {
		pdf.on('end', () => resolve(Buffer.concat(chunks)));
		pdf.on('error', reject);
	});

	const paper: Paper = {
		pdf,
		width: pdf.page.width - margin.left - margin.right,
		need(height) {
			if (pdf.y + height > pdf.page.height - margin.bottom) pdf.addPage();
		},
		paragraph(runs, { size = 9.5, color = ink.text } = {}) {
			pdf.x = margin.left;
			runs.forEach((run, index) => {
				const isLast = index === runs.length - 1;
				pdf
					.font({ plain: font.body, stamped: font.bold, missing: font.italic }[run.kind])
					.fontSize(size)
					.fillColor(run.kind === 'missing' ? ink.muted : color)
					.text(run.text, { width: paper.width, lineGap: 3, continued: !isLast });
			});
			pdf.font(font.body).fillColor(ink.text);
		},
		finish(footer) {
			const lacking = '  ·  � is a character that the sandbox’s fonts don’t have';
			printFooters(pdf, cleanText(footer) + (pdf.lacksCharacters ? lacking : ''));
			pdf.end();
			return done;
		},
	};
	return paper;
}

function createPdf(title: string, subject: string, date: Date, size?: PageSize): PdfOfAllScripts {
	const pdf = new PdfOfAllScripts({
		size: size ? [size.width, size.height] : 'A4',
		margins: margin,
		bufferPages: true,
		lang: 'en',
		// With an empty name, pdfkit does not load its default font, which no document uses.
		font: '',
		info: {
			Title: cleanText(title),
			Subject: cleanText(subject),
			Author: 'Document signing sandbox',
			Creator: 'Document signing sandbox',
			CreationDate: date,
			ModDate: date,
		},
	});
	registerFonts(pdf);
	pdf.font(font.body).fillColor(ink.text);
	return pdf;
}

function printFooters(pdf: PDFKit.PDFDocument, footer: string): void {
	const { start, count } = pdf.bufferedPageRange();
	for (let index = 0; index < count; index++) {
		pdf.switchToPage(start + index);
		// Text below the bottom margin would start a new page, so the margin is removed.
		pdf.page.margins.bottom = 0;
		printFooter(pdf, footer, `Page ${index + 1} of ${count}`);
	}
}

function printFooter(pdf: PDFKit.PDFDocument, footer: string, page: string): void {
	const y = pdf.page.height - 46;
	const width = pdf.page.width - margin.left - margin.right;
	pdf
		.moveTo(margin.left, y - 9)
		.lineTo(margin.left + width, y - 9)
		.lineWidth(0.5)
		.strokeColor(ink.rule)
		.stroke();
	pdf.font(font.body).fontSize(7).fillColor(ink.muted);
	pdf.text(footer, margin.left, y, { width: width - 80, lineBreak: false, ellipsis: true });
	pdf.text(page, margin.left, y, { width, align: 'right' });
}

/** Prints a document's title at the top of the first page. */
export function printTitle(paper: Paper, title: string): void {
	const { pdf, width } = paper;
	pdf.rect(margin.left, margin.top - 14, 36, 3).fill(ink.accent);
	pdf.font(font.bold).fontSize(19).fillColor(ink.text);
	pdf.text(cleanText(title), margin.left, margin.top, { width });
}

/**
 * Prints one line at the given position. A line that is too long is shrunk, to no less than half its size or
 * 5 points, and then truncated if it still does not fit.
 *
 * @param width The available width in points.
 */
export function printLine(
	pdf: PDFKit.PDFDocument,
	text: string,
	x: number,
	y: number,
	width: number,
	style: { font: string; size: number; color: string },
): void {
	pdf.font(style.font).fontSize(style.size).fillColor(style.color);
	let shown = text;
	const natural = pdf.widthOfString(shown);
	if (natural > width) {
		pdf.fontSize(Math.max(style.size / 2, 5, (style.size * width) / natural));
		const characters = [...shown];
		while (characters.length > 1 && pdf.widthOfString(shown) > width) {
			characters.pop();
			shown = `${characters.join('')}…`;
		}
	}
	pdf.text(shown, x, y, { lineBreak: false });
}
