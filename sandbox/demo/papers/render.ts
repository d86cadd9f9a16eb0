import { writtenTime } from '../../util/time';
import { font } from './fonts';
import { ink, margin, openPaper, printTitle, type Paper } from './paper';
import { pageSizeOf, placeSignatures, printBlocks, printPlaced } from './signatures';
import { printTable } from './table';
import { cleanText, passagesOf } from './text';
import type { DocumentToRender } from './types';

/**
 * Prints a document as a PDF: the template's text with the inputs filled in, the signatories and their
 * answers, and the signatures so far.
 *
 * @returns The file. The same document always produces the same bytes, so a hash of the file identifies the
 * document.
 * @throws PngRefusal if a drawn signature is not a printable PNG (see `checkPng`).
 */
export async function renderDocument(doc: DocumentToRender): Promise<Buffer> {
	const { template } = doc;
	const size = template.version === 'v1' ? pageSizeOf(doc.positions) : undefined;
	const paper = openPaper(template.name, `Document ${doc.documentID}`, doc.createdAt, size);
	printHead(paper, doc);
	printBody(paper, doc);
	printAnswers(paper, doc);

	const { page } = paper.pdf;
	const placed =
		template.version === 'v1' ? placeSignatures(doc.positions, doc.signatories, page) : [];
	// A signatory without a usable position still needs a place to sign.
	const blocks = doc.signatories
		.map((signatory, index) => ({ signatory, label: roleOf(doc, index) }))
		.filter(({ signatory }) => !placed.some((one) => one.signatory === signatory));
	if (blocks.length > 0) {
		printHeading(paper, 'Signatures', 160);
		printBlocks(paper, blocks);
	}
	printPlaced(paper, placed);
	return paper.finish(`Document ${doc.documentID}  ·  Sandbox, not legally binding`);
}

/**
 * Returns a signatory's role: the label of their place to sign (v2), or otherwise "Signatory" and their
 * number.
 */
function roleOf(doc: DocumentToRender, index: number): string {
	return doc.template.signaturePlaces[index]?.label ?? `Signatory ${index + 1}`;
}

function printHead(paper: Paper, doc: DocumentToRender): void {
	const { pdf, width } = paper;
	printTitle(paper, doc.template.name);
	pdf.moveDown(0.35);
	pdf.font(font.body).fontSize(8).fillColor(ink.muted);
	const country = cleanText(doc.country);
	const id = `Document ID: ${doc.documentID}`;
	const facts = [
		country ? `${id}   ·   Country: ${country}` : id,
		`Created: ${writtenTime(doc.createdAt)}`,
	];
	pdf.text(facts.join('\n'), { width, lineGap: 2 });
	pdf.moveDown(1.1);
	printParties(paper, doc);
}

function printParties(paper: Paper, doc: DocumentToRender): void {
	const { signatories } = doc;
	printTable(paper, 'Signatories', [
		{ title: 'Role', share: 0.24, cells: signatories.map((_one, index) => roleOf(doc, index)) },
		{ title: 'Name', share: 0.36, cells: signatories.map(({ name }) => cleanText(name)) },
		{ title: 'Email', share: 0.4, cells: signatories.map(({ email }) => cleanText(email)) },
	]);
}

function printBody(paper: Paper, doc: DocumentToRender): void {
	const { pdf, width } = paper;
	for (const { title, runs } of passagesOf(doc.template.body, doc.inputs)) {
		if (title !== undefined) {
			// Keep the title on the same page as the first lines below it.
			paper.need(58);
			pdf.font(font.bold).fontSize(10.5).fillColor(ink.accent);
			pdf.text(title, margin.left, pdf.y, { width });
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
	printHeading(paper, 'Information provided by the signatories', 60);
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

/**
 * @param room The height in points of the heading and the first content below it, which must fit on one page.
 */
function printHeading(paper: Paper, text: string, room: number): void {
	const { pdf } = paper;
	paper.need(room);
	pdf.font(font.bold).fontSize(12).fillColor(ink.text);
	pdf.text(text, margin.left, pdf.y, { width: paper.width });
	pdf.moveDown(0.6);
}
