import { FONT } from './fonts';
import { INK, MARGIN, openPaper, printLine, printTitle, type Paper } from './paper';
import { placeSignatures, printBlocks, printPlaced } from './signatures';
import { cleanText, passagesOf } from './text';
import { writtenTime } from './time';
import type { DocumentToRender } from './types';

/**
 * Prints a document as PDF (A4): the template's text with the inputs stamped in, the parties, the
 * signatories' answers, and the signatures made so far.
 *
 * @returns The file. Equal documents give equal bytes, so that a hash of the file means something.
 * @throws PngRefusal when a drawn signature is not a printable PNG (see `checkPng`).
 */
export async function renderDocument(doc: DocumentToRender): Promise<Buffer> {
	const { template } = doc;
	const paper = openPaper(template.name, `Document ${doc.documentID}`, doc.createdAt);
	printHead(paper, doc);
	printBody(paper, doc);
	printAnswers(paper, doc);

	const { page } = paper.pdf;
	const placed =
		template.generation === 'v1' ? placeSignatures(doc.positions, doc.signatories, page) : [];
	// A signatory without a usable position still needs a place to sign.
	const blocks = doc.signatories
		.map((signatory, index) => ({ signatory, label: roleOf(doc, index) }))
		.filter(({ signatory }) => !placed.some((one) => one.signatory === signatory));
	if (blocks.length > 0) {
		printHeading(paper, 'Signatures', 160);
		printBlocks(paper, blocks, doc.country);
	}
	printPlaced(paper, placed, doc.country);
	return paper.finish(`Document ${doc.documentID}  ·  Sandbox, not legally binding`);
}

/** What a signatory signs as: the slot's label (v2), else a number. */
function roleOf(doc: DocumentToRender, index: number): string {
	return doc.template.slots[index]?.label ?? `Signatory ${index + 1}`;
}

function printHead(paper: Paper, doc: DocumentToRender): void {
	const { pdf, width } = paper;
	printTitle(paper, doc.template.name);
	pdf.moveDown(0.35);
	pdf.font(FONT.body).fontSize(8).fillColor(INK.muted);
	const country = cleanText(doc.country);
	const id = `Document ID: ${doc.documentID}`;
	const facts = [
		country ? `${id}   ·   Country: ${country}` : id,
		`Created: ${writtenTime(doc.createdAt, doc.country)}`,
	];
	paper.tag('P', () => pdf.text(facts.join('\n'), { width, lineGap: 2 }));
	pdf.moveDown(1.1);
	printParties(paper, doc);
}

function printParties(paper: Paper, doc: DocumentToRender): void {
	const { pdf, width } = paper;
	const pad = 10;
	// Names and addresses wrap: who signs must be readable in full.
	const columns = [
		{ x: 12, width: 92, font: FONT.body, color: INK.muted },
		{ x: 112, width: 158, font: FONT.bold, color: INK.text },
		{ x: 280, width: width - 292, font: FONT.body, color: INK.muted },
	];
	const rows = doc.signatories.map((signatory, index) => {
		const cells = [roleOf(doc, index), cleanText(signatory.name), cleanText(signatory.email)];
		const heights = columns.map((column, at) =>
			pdf
				.font(column.font)
				.fontSize(8.5)
				.heightOfString(cells[at] || ' ', { width: column.width }),
		);
		return { cells, height: Math.max(...heights) + 5 };
	});
	const height = rows.reduce((sum, row) => sum + row.height, 0) + pad * 2 + 12;
	// A list too long for what is left of the page runs on without the tinted ground.
	const whole = pdf.y + height < pdf.page.height - MARGIN.bottom;
	const top = pdf.y;
	if (whole) {
		paper.decorate(() => pdf.roundedRect(MARGIN.left, top, width, height, 4).fill(INK.tint));
	}
	const style = { font: FONT.bold, size: 7.5, color: INK.accent };
	paper.tag('H2', () =>
		printLine(pdf, 'Parties who sign', MARGIN.left + 12, top + pad, width, style),
	);
	let y = top + pad + 15;
	paper.group('Table', () => {
		for (const row of rows) {
			if (y + row.height > pdf.page.height - MARGIN.bottom) {
				pdf.addPage();
				y = MARGIN.top;
			}
			paper.group('TR', () =>
				columns.forEach((column, at) => {
					pdf.font(column.font).fontSize(8.5).fillColor(column.color);
					const place = { width: column.width };
					const print = () => pdf.text(row.cells[at] ?? '', MARGIN.left + column.x, y, place);
					if (at === 0) paper.tag('TH', print, { scope: 'Row' });
					else paper.tag('TD', print);
				}),
			);
			y += row.height;
		}
	});
	pdf.x = MARGIN.left;
	pdf.y = whole ? top + height + 16 : y + 16;
}

function printBody(paper: Paper, doc: DocumentToRender): void {
	const { pdf, width } = paper;
	for (const { title, runs } of passagesOf(doc.template.body, doc.inputs)) {
		if (title !== undefined) {
			// A title stays with the first lines of its text.
			paper.need(58);
			pdf.font(FONT.bold).fontSize(10.5).fillColor(INK.accent);
			paper.tag('H2', () => pdf.text(title, MARGIN.left, pdf.y, { width }));
			pdf.moveDown(0.25);
		}
		paper.paragraph(runs);
		pdf.moveDown(0.85);
	}
}

function printAnswers(paper: Paper, doc: DocumentToRender): void {
	const { questions } = doc.template;
	const answered = doc.signatories.filter((signatory) =>
		questions.some(({ key }) => cleanText(signatory.answers[key])),
	);
	if (answered.length === 0) return;
	printHeading(paper, 'Information given by the signatories', 60);
	for (const signatory of answered) {
		for (const { key, label } of questions) {
			const answer = cleanText(signatory.answers[key]);
			if (!answer) continue;
			paper.need(30);
			paper.paragraph(
				[
					{ text: `${cleanText(signatory.name)} – ${cleanText(label)}: `, kind: 'plain' },
					{ text: answer, kind: 'stamped' },
				],
				{ size: 9 },
			);
			paper.pdf.moveDown(0.4);
		}
	}
	paper.pdf.moveDown(0.6);
}

/** @param room Points that must be left below the heading on the same page. */
function printHeading(paper: Paper, text: string, room: number): void {
	const { pdf } = paper;
	paper.need(room);
	pdf.font(FONT.bold).fontSize(12).fillColor(INK.text);
	paper.tag('H2', () => pdf.text(text, MARGIN.left, pdf.y, { width: paper.width }));
	pdf.moveDown(0.6);
}
