import type { StaticSignPosition } from '../../schemas/requests';
import type { SandboxTemplate } from '../../state/records';

/** How somebody signed: a typed name, or a drawing as PNG. */
export type SignatureMark = { kind: 'typed'; text: string } | { kind: 'drawn'; png: Buffer };

/** Somebody who signs, as the renderer needs them. */
export interface RenderedSignatory {
	name: string;
	email: string;
	/** epoch-ms at which the signing page was opened for the first time. */
	viewedAt?: number;
	/** epoch-ms; absent while unsigned. */
	signedAt?: number;
	signature?: SignatureMark;
	/** Answers to the template's `questions`, by key. */
	answers: Record<string, string>;
}

/** Everything that a document's PDF shows. */
export interface DocumentToRender {
	documentID: string;
	template: SandboxTemplate;
	inputs: Record<string, string>;
	country: string;
	/** epoch-ms */
	createdAt: number;
	signatories: RenderedSignatory[];
	/** v1 only; empty means "one signature block after another below the text". */
	positions: StaticSignPosition[];
}

/** What the certificate shows besides the document itself. */
export interface CertificateToRender {
	kind: 'certificate' | 'psc';
	document: DocumentToRender;
	/** SHA-256 of the signed PDF, hex. */
	documentHash: string;
	log: Array<{
		operationType: string;
		/** Whom it was sent to. */
		to?: string;
		name: string;
		emailID: string;
		sourceIP: string;
		addedOn: number;
	}>;
}
