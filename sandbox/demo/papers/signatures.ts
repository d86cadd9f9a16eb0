import type { StaticSignPosition } from '../../schemas/requests';
import { checkPng } from '../../util/png';
import { writtenTime } from '../../util/time';
import { font } from './fonts';
import { ink, margin, type PageSize, printLine, type Paper } from './paper';
import { cleanText } from './text';
import type { RenderedSignatory } from './types';

/** The smallest page that has room for the text, and the largest page that a PDF can have, in points. */
const pageLimits = { min: 250, max: 14_400 };

/** Positions beyond this page are ignored, because they would only add empty pages. */
const maxPositionPage = 200;

const blockHeight = 122;
const blockGap = 16;

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A place on a page (1-based) and the signatory whose signature goes there. */
export interface PlacedSignature {
	page: number;
	box: Box;
	color: string;
	signatory: RenderedSignatory;
}

/**
 * Prints signature blocks below the text, two per row.
 * @param blocks The signatories with their roles.
 */
export function printBlocks(
	paper: Paper,
	blocks: Array<{ label: string; signatory: RenderedSignatory }>,
): void {
	const { pdf } = paper;
	const width = (paper.width - blockGap) / 2;
	for (let index = 0; index < blocks.length; index += 2) {
		paper.need(blockHeight);
		const y = pdf.y;
		blocks.slice(index, index + 2).forEach((block, column) => {
			const x = margin.left + column * (width + blockGap);
			printBlock(paper, block, { x, y, width, height: blockHeight });
		});
		pdf.x = margin.left;
		pdf.y = y + blockHeight + blockGap;
	}
}

function printBlock(
	paper: Paper,
	{ label, signatory }: { label: string; signatory: RenderedSignatory },
	box: Box,
): void {
	const { pdf } = paper;
	const signed = Boolean(signatory.signature);
	const x = box.x + 12;
	const width = box.width - 24;
	const line = (text: string, y: number, font: string, size: number, color: string) =>
		printLine(pdf, text, x, box.y + y, width, { font, size, color });
	printBorder(pdf, box, signed, signed ? ink.accent : ink.rule);
	line(cleanText(label), 10, font.bold, 7.5, ink.accent);
	printMark(paper, signatory, { x, y: box.y + 22, width, height: 42 });
	pdf
		.moveTo(x, box.y + 68)
		.lineTo(x + width, box.y + 68)
		.lineWidth(0.5)
		.strokeColor(ink.rule)
		.stroke();
	const name = cleanText(signatory.name);
	line(signed ? `Signed by: ${name}` : name, 75, font.bold, 8.5, ink.text);
	line(cleanText(signatory.email), 89, font.body, 7.5, ink.muted);
	const time = `Signed at: ${writtenTime(signatory.signedAt)}`;
	line(signed ? time : 'Not signed yet', 102, font.body, 7.5, ink.muted);
}

function printBorder(pdf: PDFKit.PDFDocument, box: Box, signed: boolean, color: string): void {
	pdf.roundedRect(box.x, box.y, box.width, box.height, 4).lineWidth(0.8);
	if (!signed) pdf.dash(3, { space: 3 });
	pdf.strokeColor(color).stroke().undash();
}

/**
 * Prints a signature in a box, either the drawing or the typed text in italics. Prints nothing if there is no
 * signature.
 */
function printMark({ pdf }: Paper, { signature }: RenderedSignatory, box: Box): void {
	if (!signature) return;
	if (signature.kind === 'drawn') {
		checkPng(signature.png);
		const fit = { fit: [box.width, box.height] as [number, number] };
		pdf.image(signature.png, box.x, box.y, { ...fit, align: 'center', valign: 'center' });
		return;
	}
	const size = Math.min(20, box.height * 0.55);
	const style = { font: font.script, size, color: ink.text };
	const y = box.y + (box.height - size * 1.2) / 2;
	printLine(pdf, cleanText(signature.text), box.x, y, box.width, style);
}

/**
 * Returns the size of the page that the first position was made for. The template's text has no page size of
 * its own.
 * @returns undefined if there is no position, or if its page can't be printed.
 */
export function pageSizeOf([first]: StaticSignPosition[]): PageSize | undefined {
	const { width = 0, height = 0 } = first?.viewport ?? {};
	const isPrintable = [width, height].every(
		(length) => length >= pageLimits.min && length <= pageLimits.max,
	);
	return isPrintable ? { width, height } : undefined;
}

/**
 * Finds the signatory and the box for each usable position. A usable position names a signatory and a page
 * from 1 to `maxPositionPage`, and its coordinates are finite numbers.
 * @param pageSize The size of the document's pages in points. Positions are scaled from their viewport to
 * this size, and moved if necessary so that the box fits on the page.
 */
export function placeSignatures(
	positions: StaticSignPosition[],
	signatories: RenderedSignatory[],
	pageSize: PageSize,
): PlacedSignature[] {
	return positions.flatMap((position) => {
		const email = cleanText(position.user?.email).toLowerCase();
		const signatory = signatories.find((one) => cleanText(one.email).toLowerCase() === email);
		const { page, coordinates } = position;
		if (!signatory || !Number.isInteger(page) || page < 1 || page > maxPositionPage) return [];
		if (!Number.isFinite(coordinates?.x) || !Number.isFinite(coordinates?.y)) return [];
		const scaleX = ratio(pageSize.width, position.viewport?.width);
		const scaleY = ratio(pageSize.height, position.viewport?.height);
		const width = clamp(positive(position.imageSize?.width, 150) * scaleX, 24, pageSize.width);
		const height = clamp(positive(position.imageSize?.height, 50) * scaleY, 12, pageSize.height);
		const x = clamp(coordinates.x * scaleX, 0, pageSize.width - width);
		const y = clamp(coordinates.y * scaleY, 0, pageSize.height - height);
		const color = /^#[0-9a-f]{6}$/i.test(position.color ?? '') ? position.color : ink.accent;
		return [{ page, box: { x, y, width, height }, color, signatory }];
	});
}

/**
 * Prints signatures at their positions. If a position is on a page after the end of the text, the missing
 * pages are added.
 */
export function printPlaced(paper: Paper, placed: PlacedSignature[]): void {
	const { pdf } = paper;
	for (const { page, box, color, signatory } of placed) {
		while (pdf.bufferedPageRange().count < page) pdf.addPage();
		pdf.switchToPage(page - 1);
		// Remove the margin while printing the signature. Otherwise, a caption near the bottom of the page
		// would start a new page.
		const bottom = pdf.page.margins.bottom;
		pdf.page.margins.bottom = 0;
		const { x, y, width, height } = box;
		printBorder(pdf, box, Boolean(signatory.signature), color);
		printMark(paper, signatory, { x: x + 3, y: y + 2, width: width - 6, height: height - 4 });
		printCaption(paper, box, signatory);
		pdf.page.margins.bottom = bottom;
	}
}

/**
 * Prints a caption with the signatory's name and email below a box, or above the box if there is no room
 * below.
 */
function printCaption({ pdf }: Paper, box: Box, signatory: RenderedSignatory): void {
	const lines = signatory.signature
		? [
				`Signed by: ${cleanText(signatory.name)}`,
				cleanText(signatory.email),
				writtenTime(signatory.signedAt),
			]
		: [`To be signed by: ${cleanText(signatory.name)}`, cleanText(signatory.email)];
	const lineHeight = 8.5;
	const width = Math.max(box.width, 150);
	const x = clamp(box.x, 4, pdf.page.width - width - 4);
	const below = box.y + box.height + 3;
	const fits = below + lines.length * lineHeight < pdf.page.height - 4;
	const top = fits ? below : Math.max(4, box.y - 2 - lines.length * lineHeight);
	const style = { font: font.body, size: 6.5, color: ink.muted };
	lines.forEach((line, index) => {
		printLine(pdf, line, x, top + index * lineHeight, width, style);
	});
}

function ratio(size: number, viewport: number | undefined): number {
	return size / positive(viewport, size);
}

function positive(value: number | undefined, otherwise: number): number {
	return Number.isFinite(value) && Number(value) > 0 ? Number(value) : otherwise;
}

function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(value, Math.max(low, high)));
}
