import type { StaticSignPosition } from '../../schemas/requests';
import type { SandboxTemplate } from '../../state/records';

export type SignatureMark = { kind: 'typed'; text: string } | { kind: 'drawn'; png: Buffer };

export interface RenderedSignatory {
	name: string;
	email: string;
	/** When the person first opened the signing page, in epoch-ms. */
	viewedAt?: number;
	/** When the person signed, in epoch-ms; absent until then. */
	signedAt?: number;
	signature?: SignatureMark;
	/** Answers to the template's `questions`, by key. */
	answers: Record<string, string>;
}

export interface DocumentToRender {
	documentID: string;
	template: SandboxTemplate;
	inputs: Record<string, string>;
	country: string;
	/** epoch-ms */
	createdAt: number;
	signatories: RenderedSignatory[];
	/** Used only in v1. A signatory without a position gets a signature block below the text. */
	positions: StaticSignPosition[];
}

export interface CertificateToRender {
	kind: 'certificate' | 'psc';
	document: DocumentToRender;
	/** The SHA-256 hash of the document's PDF in hex. */
	documentHash: string;
	log: Array<{
		operationType: string;
		/** The name of the signatory to whom the document was sent. */
		to?: string;
		name: string;
		emailID: string;
		sourceIP: string;
		addedOn: number;
	}>;
}
