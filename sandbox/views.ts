import type { Passage } from './documents/text';
import type { SandboxTemplate } from './documents/types';
import type { UploadedImage } from './state/records';
import type { IdentityCheck, IdentityOutcome } from './types';

export type { UploadedImage };

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
	/** The points of each check, once the check ended. */
	scores?: CheckScores;
	/** What was handed in so far. */
	images: Partial<Record<ImageKind, { fileName: string; size: number }>>;
}

/** The points of each check, and whether they are enough to pass it. */
export type CheckScores = Record<IdentityCheck, { value: number; isEnough: boolean }>;

/** The two images that an identity check asks for. */
export const IMAGE_KINDS = ['id', 'selfie'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** A refusal that the page shows to the person: what is wrong and what to do. */
export class PageRefusal extends Error {}
