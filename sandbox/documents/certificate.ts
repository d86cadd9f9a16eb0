import { FONT } from './fonts';
import { INK, MARGIN, openPaper, type Paper } from './paper';
import { printTable } from './table';
import { cleanText, isoTime } from './text';
import type { CertificateToRender } from './types';

const KINDS = {
	certificate: {
		title: 'Signature certificate',
		intro:
			'This certificate records who signed the document named below and what happened to it on the way.',
		notice:
			'Issued by a sandbox. It shows the form of a certificate and proves nothing: no identity was verified and no signature on it is legally binding.',
	},
	psc: {
		title: 'Conservation and timestamp certificate',
		intro:
			'The sandbox provider, which stands in for a certification service provider, records here that the document with the hash below existed at the time stated.',
		notice:
			'Sandbox provider: this is not a real certification service. No trusted timestamp was obtained, nothing is conserved, and this certificate has no legal value.',
	},
} as const;

/**
 * Prints the certificate of a document as PDF (A4): its hash, its signatories and its log.
 *
 * @param c The `psc` kind stands for the certificate of a conservation and timestamp provider and
 *   says clearly that the provider is the sandbox.
 * @returns The file. Equal certificates give equal bytes.
 */
export async function renderCertificate(c: CertificateToRender): Promise<Buffer> {
	const { document: doc, log } = c;
	const kind = KINDS[c.kind];
	const issuedAt = log.reduce((latest, entry) => Math.max(latest, entry.addedOn), doc.createdAt);
	const paper = openPaper(kind.title, `Document ${doc.documentID}`, issuedAt);
	const { pdf, width } = paper;

	pdf.rect(MARGIN.left, MARGIN.top - 14, 36, 3).fill(INK.accent);
	pdf.font(FONT.bold).fontSize(19).fillColor(INK.text);
	pdf.text(kind.title, MARGIN.left, MARGIN.top, { width });
	pdf.moveDown(0.4);
	paper.paragraph([{ text: kind.intro, kind: 'plain' }], { color: INK.muted });
	pdf.moveDown(0.8);
	printNotice(paper, kind.notice);

	printFacts(paper, [
		['Document', cleanText(doc.template.name)],
		['Document ID', doc.documentID],
		['Created', isoTime(doc.createdAt)],
		[c.kind === 'psc' ? 'Timestamp' : 'Certificate issued', isoTime(issuedAt)],
	]);
	printHash(paper, c.documentHash);

	printTable(paper, 'Signatories', [
		{ title: 'Name', share: 0.3, cells: doc.signatories.map(({ name }) => cleanText(name)) },
		{ title: 'E-mail', share: 0.4, cells: doc.signatories.map(({ email }) => cleanText(email)) },
		{
			title: 'Signed at',
			share: 0.3,
			cells: doc.signatories.map(({ signedAt }) => isoTime(signedAt) || 'Not signed'),
		},
	]);
	printTable(paper, 'Log', [
		{ title: 'Time', share: 0.27, cells: log.map(({ addedOn }) => isoTime(addedOn)) },
		{ title: 'Event', share: 0.28, cells: log.map((entry) => cleanText(entry.operationType)) },
		{
			title: 'By',
			share: 0.29,
			cells: log.map((entry) => [entry.name, entry.emailID].map(cleanText).join(' ').trim() || '–'),
		},
		{ title: 'Address', share: 0.16, cells: log.map((entry) => cleanText(entry.sourceIP) || '–') },
	]);
	return paper.finish(`${kind.title}  ·  Document ${doc.documentID}  ·  Sandbox, no legal value`);
}

function printNotice({ pdf, width }: Paper, text: string): void {
	pdf.font(FONT.bold).fontSize(8.5);
	const top = pdf.y;
	const height = pdf.heightOfString(text, { width: width - 28, lineGap: 2 }) + 20;
	pdf.roundedRect(MARGIN.left, top, width, height, 4).fill(INK.warningTint);
	pdf
		.fillColor(INK.warning)
		.text(text, MARGIN.left + 14, top + 10, { width: width - 28, lineGap: 2 });
	pdf.x = MARGIN.left;
	pdf.y = top + height + 18;
}

function printFacts({ pdf, width }: Paper, facts: Array<[string, string]>): void {
	for (const [name, value] of facts) {
		const y = pdf.y;
		pdf.font(FONT.body).fontSize(8.5).fillColor(INK.muted).text(name, MARGIN.left, y);
		pdf.font(FONT.bold).fillColor(INK.text);
		pdf.text(value, MARGIN.left + 130, y, { width: width - 130 });
		pdf.moveDown(0.45);
	}
	pdf.x = MARGIN.left;
}

/** The hash gets a line of its own: it is there to be compared, character by character. */
function printHash({ pdf, width }: Paper, hash: string): void {
	pdf.moveDown(0.4);
	pdf.font(FONT.body).fontSize(8.5).fillColor(INK.muted);
	pdf.text('SHA-256 of the signed document', MARGIN.left, pdf.y, { width });
	const top = pdf.y + 5;
	pdf.roundedRect(MARGIN.left, top, width, 26, 4).fill(INK.tint);
	pdf.font(FONT.mono).fontSize(9.5).fillColor(INK.text);
	pdf.text(cleanText(hash), MARGIN.left + 12, top + 8, { width: width - 24 });
	pdf.x = MARGIN.left;
	pdf.y = top + 46;
}
