import { writtenTime } from '../../util/time';
import { font } from './fonts';
import { ink, margin, openPaper, printTitle, type Paper } from './paper';
import { printTable } from './table';
import { cleanText } from './text';
import type { CertificateToRender } from './types';

const kinds = {
	certificate: {
		title: 'Signature certificate',
		intro:
			'This certificate records who signed the document below, and when it was sent, viewed, and signed.',
		notice:
			'Sandbox sample, not a real certificate. No identity was verified, and no signature on the document is legally binding.',
	},
	psc: {
		title: 'PSC certificate',
		intro:
			'The sandbox provider, acting as the certification service provider (PSC), confirms that the document with the hash below existed at the time shown below.',
		notice:
			'Sandbox sample, not issued by a real certification service provider. No trusted timestamp was obtained, no document was archived, and this certificate has no legal effect.',
	},
} as const;

/**
 * Prints a document's certificate as an A4 PDF, with the document's hash, signatories and log.
 *
 * @param c The certificate's data. A `psc` certificate clearly states that it was not issued by a real
 * provider.
 * @returns The file. The same data always produces the same bytes.
 */
export async function renderCertificate(c: CertificateToRender): Promise<Buffer> {
	const { document: doc, log } = c;
	const kind = kinds[c.kind];
	const issuedAt = log.reduce((latest, entry) => Math.max(latest, entry.addedOn), doc.createdAt);
	const paper = openPaper(kind.title, `Document ${doc.documentID}`, issuedAt);
	const { pdf } = paper;

	printTitle(paper, kind.title);
	pdf.moveDown(0.4);
	paper.paragraph([{ text: kind.intro, kind: 'plain' }], { color: ink.muted });
	pdf.moveDown(0.8);
	printNotice(paper, kind.notice);

	printFacts(paper, [
		['Document', cleanText(doc.template.name)],
		['Document ID', doc.documentID],
		['Created', writtenTime(doc.createdAt)],
		[c.kind === 'psc' ? 'Timestamp' : 'Certificate issued', writtenTime(issuedAt)],
	]);
	printHash(paper, c.documentHash);

	const { signatories } = doc;
	printTable(paper, 'Signatories', [
		{ title: 'Name', share: 0.24, cells: signatories.map(({ name }) => cleanText(name)) },
		{ title: 'Email', share: 0.28, cells: signatories.map(({ email }) => cleanText(email)) },
		{
			title: 'Viewed at',
			share: 0.24,
			cells: signatories.map(({ viewedAt }) => writtenTime(viewedAt) || 'Not viewed'),
		},
		{
			title: 'Signed at',
			share: 0.24,
			cells: signatories.map(({ signedAt }) => writtenTime(signedAt) || 'Not signed'),
		},
	]);
	printTable(paper, 'Log', [
		{ title: 'Time', share: 0.27, cells: log.map(({ addedOn }) => writtenTime(addedOn)) },
		{ title: 'Event', share: 0.28, cells: log.map(eventText) },
		{
			title: 'By',
			share: 0.29,
			cells: log.map((entry) => [entry.name, entry.emailID].map(cleanText).join(' ').trim() || '–'),
		},
		{
			title: 'IP address',
			share: 0.16,
			cells: log.map((entry) => cleanText(entry.sourceIP) || '–'),
		},
	]);
	return paper.finish(`${kind.title}  ·  Document ${doc.documentID}  ·  Sandbox, no legal effect`);
}

const events: Record<string, string> = {
	CREATED: 'Created',
	SENT_FOR_SIGNATURE: 'Sent for signature',
	VIEWED: 'Viewed',
	SIGNED: 'Signed',
	STORED_IN_PSC_SANDBOX: 'Timestamp obtained (sandbox provider)',
};

function eventText({ operationType, to }: CertificateToRender['log'][number]): string {
	const event = events[operationType] ?? cleanText(operationType);
	return to === undefined ? event : `${event} to ${cleanText(to)}`;
}

function printNotice(paper: Paper, text: string): void {
	const { pdf, width } = paper;
	pdf.font(font.bold).fontSize(8.5);
	const top = pdf.y;
	const room = { width: width - 28, lineGap: 2 };
	const height = pdf.heightOfString(text, room) + 20;
	pdf.roundedRect(margin.left, top, width, height, 4).fill(ink.warningTint);
	pdf.fillColor(ink.warning);
	pdf.text(text, margin.left + 14, top + 10, room);
	pdf.x = margin.left;
	pdf.y = top + height + 18;
}

function printFacts(paper: Paper, facts: Array<[string, string]>): void {
	const { pdf, width } = paper;
	for (const [name, value] of facts) {
		const y = pdf.y;
		pdf.font(font.body).fontSize(8.5).fillColor(ink.muted);
		pdf.text(name, margin.left, y);
		pdf.font(font.bold).fillColor(ink.text);
		pdf.text(value, margin.left + 130, y, { width: width - 130 });
		pdf.moveDown(0.45);
	}
	pdf.x = margin.left;
}

/** Prints the hash on a separate line so that readers can compare it character by character. */
function printHash(paper: Paper, hash: string): void {
	const { pdf, width } = paper;
	pdf.moveDown(0.4);
	pdf.font(font.body).fontSize(8.5).fillColor(ink.muted);
	pdf.text('SHA-256 hash of the signed document', margin.left, pdf.y, { width });
	const top = pdf.y + 5;
	pdf.roundedRect(margin.left, top, width, 26, 4).fill(ink.tint);
	pdf.font(font.mono).fontSize(9.5).fillColor(ink.text);
	pdf.text(cleanText(hash), margin.left + 12, top + 8, { width: width - 24 });
	pdf.x = margin.left;
	pdf.y = top + 46;
}
