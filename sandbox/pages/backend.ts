import type { SandboxTemplate } from '../documents/types';

/** A mail as the mailbox shows it. */
export interface MailView {
	id: string;
	from: string;
	to: string[];
	subject: string;
	/** epoch-ms */
	receivedAt: number;
	text: string;
	/** As received, never trusted: the page shows it in a sandboxed frame without scripts. */
	html: string;
	attachments: Array<{ fileName: string; mimeType: string; size: number }>;
}

/** What a signing link leads to. */
export interface SigningSession {
	token: string;
	documentID: string;
	title: string;
	template: SandboxTemplate;
	signatory: { name: string; email: string; signedAt?: number };
	others: Array<{ name: string; email: string; signedAt?: number }>;
	/** Address of the PDF as it stands now, relative to the sandbox. */
	pdfPath: string;
	/** epoch-ms; the link no longer signs after this. */
	expiresAt: number;
	/** True once everybody has signed. */
	completed: boolean;
}

/** What the signing page sends. */
export interface SignatureInput {
	/** A typed name, or a drawing as a PNG data URL. */
	signature: { kind: 'typed'; text: string } | { kind: 'drawn'; dataUrl: string };
	answers: Record<string, string>;
	/** The address the request came from, for the log. */
	sourceIP: string;
}

/** What an identity link leads to. */
export interface IdentitySession {
	token: string;
	email: string;
	type: string;
	status: string;
	backgroundCheck: boolean;
}

/** How the person at the identity page wants the (never real) check to end. */
export type IdentityOutcome = 'pass' | 'fail' | 'manualReview';

/** A row of the console's lists; secrets are masked before they get here. */
export interface ConsoleView {
	baseUrl: string;
	userId: string;
	smtp: { host: string; port: number };
	documents: Array<{
		documentID: string;
		title: string;
		status: string;
		addedOn: number;
		signatories: Array<{ name: string; email: string; signed: boolean; signingUrl: string }>;
	}>;
	identityRequests: Array<{ validationId: string; email: string; status: string; url: string }>;
	registrations: Array<{ webHookID: string; type: string; webHookUrl: string; addedOn: number }>;
	deliveries: Array<{
		id: string;
		type: string;
		url: string;
		at: number;
		attempts: Array<{ at: number; status?: number; error?: string; durationMs: number }>;
		state: 'pending' | 'delivered' | 'failed';
	}>;
	requests: Array<{ at: number; method: string; path: string; status: number; violation?: string }>;
}

/** A refusal that the page shows to the person: what is wrong and what to do. */
export class PageRefusal extends Error {}

/** What the pages need from the sandbox. The sandbox implements it; tests of the pages fake it. */
export interface PagesBackend {
	/** Newest first. */
	mails(): MailView[];
	mail(id: string): MailView | undefined;
	attachment(
		id: string,
		index: number,
	): { fileName: string; mimeType: string; content: Buffer } | undefined;
	signingSession(token: string): SigningSession | undefined;
	/** @throws PageRefusal when the link expired, was used, or an answer is missing. */
	sign(token: string, input: SignatureInput): Promise<SigningSession>;
	identitySession(token: string): IdentitySession | undefined;
	/** @throws PageRefusal when the check was finished before. */
	completeIdentity(token: string, outcome: IdentityOutcome): Promise<IdentitySession>;
	console(): ConsoleView;
}
