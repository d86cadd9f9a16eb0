import { font } from './fonts';
import { ink, margin, type Paper } from './paper';

/** A column: its title, its share of the width (0 to 1), and the text of each row. */
export interface Column {
	title: string;
	share: number;
	cells: string[];
}

const pad = 5;

/**
 * Prints a table with a heading. Rows are not split between pages, and each new page repeats the column
 * titles. Prints "None" if there are no rows.
 */
export function printTable(paper: Paper, heading: string, columns: Column[]): void {
	const { pdf, width } = paper;
	const rows = Math.max(0, ...columns.map(({ cells }) => cells.length));
	const titles = columns.map(({ title, share }) => ({ share, text: title }));
	paper.need(90);
	pdf.font(font.bold).fontSize(11.5).fillColor(ink.text);
	pdf.text(heading, margin.left, pdf.y, { width });
	pdf.moveDown(0.5);
	printRow(paper, titles, true);
	for (let row = 0; row < rows; row++) {
		const cells = columns.map(({ cells: all, share }) => ({ share, text: all[row] ?? '' }));
		const page = pdf.page;
		paper.need(rowHeight(paper, cells, false));
		if (pdf.page !== page) printRow(paper, titles, true);
		printRow(paper, cells, false);
	}
	if (rows === 0) {
		pdf.font(font.italic).fontSize(8).fillColor(ink.muted);
		pdf.text('None', margin.left, pdf.y + pad);
	}
	pdf.moveDown(1.4);
}

interface Cell {
	share: number;
	text: string;
}

function setStyle(pdf: PDFKit.PDFDocument, title: boolean): void {
	pdf.font(title ? font.bold : font.body).fontSize(7.5);
	pdf.fillColor(title ? ink.muted : ink.text);
}

function rowHeight({ pdf, width }: Paper, cells: Cell[], title: boolean): number {
	setStyle(pdf, title);
	const heights = cells.map(({ share, text }) =>
		pdf.heightOfString(text || ' ', { width: share * width - pad }),
	);
	return Math.max(...heights) + pad * 2;
}

function printRow(paper: Paper, cells: Cell[], isTitle: boolean): void {
	const { pdf, width } = paper;
	const y = pdf.y;
	const height = rowHeight(paper, cells, isTitle);
	let x = margin.left;
	for (const { share, text } of cells) {
		setStyle(pdf, isTitle);
		pdf.text(text, x, y + pad, { width: share * width - pad });
		x += share * width;
	}
	pdf
		.moveTo(margin.left, y + height)
		.lineTo(margin.left + width, y + height)
		.lineWidth(isTitle ? 0.9 : 0.4)
		.strokeColor(ink.rule)
		.stroke();
	pdf.x = margin.left;
	pdf.y = y + height;
}
