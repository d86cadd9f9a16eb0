import type { Passage } from './documents/text';
import type { SandboxTemplate } from './documents/types';
import type { IdentityOutcome } from './types';

/** What a client needs to reach the sandbox. Nothing here is masked: a person enters it elsewhere. */
export interface Connection {
	baseUrl: string;
	userId: string;
	apiKey: string;
	smtp: { host: string; port: number };
}

/** What a signing link leads to. */
export interface SigningSession {
	token: string;
	documentID: string;
	title: string;
	template: SandboxTemplate;
	signatory: { name: string; email: string; signedAt?: number };
	others: Array<{ name: string; email: string; signedAt?: number }>;
	/** The document's text, for small screens and for screen readers. */
	text: Passage[];
	/** Address of the PDF as it stands now, relative to the sandbox. */
	pdfPath: string;
	/** epoch-ms; the link no longer signs after this. */
	expiresAt: number;
	/** Whether that is over, by the sandbox's clock. */
	expired: boolean;
	/** True once everybody has signed. */
	completed: boolean;
}

/** What an identity link leads to. */
export interface IdentitySession {
	token: string;
	email: string;
	type: string;
	status: string;
	/** How the person chose the check to end; absent until then. */
	outcome?: IdentityOutcome;
	backgroundCheck: boolean;
}
