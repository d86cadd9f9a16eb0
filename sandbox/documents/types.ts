import type { StaticSignPosition } from '../schemas/requests';

/** A variable of a template: an element of `inputs` (v1), `form` or `formSignatory` (v2). */
export interface TemplateField {
	key: string;
	type: string;
	isRequired: boolean;
	label: string;
}

/** A piece of a template's text, with variables (`fillIn`). */
export type Block =
	{ kind: 'paragraph'; text: string } | { kind: 'clause'; title: string; text: string };

/** A template as the sandbox keeps it: what the interface lists, and the text behind it. */
export interface SandboxTemplate {
	generation: 'v1' | 'v2';
	templateID: string;
	name: string;
	description: string;
	/** v2 only. */
	key: string;
	/** v2 only; `ACTIVE` is the one observed value. */
	status: string;
	/** v1 `inputs`, v2 `form`. */
	fields: TemplateField[];
	/** v2 `formSignatory`: questions put to each signatory before signing. */
	questions: TemplateField[];
	/** v2 `signatories`: the signature slots, in signing order. */
	slots: Array<{ key: string; label: string }>;
	body: Block[];
}

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
