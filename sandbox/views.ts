import type { Passage } from './documents/text';
import type { SandboxTemplate } from './documents/types';
import type { EventType } from './schemas/index';
import type { UploadedImage } from './state/records';
import {
	type ClockChange,
	type ClockState,
	type Fault,
	type FaultPreset,
	type SandboxSettings,
	type ScenarioInfo,
	type SettingsChange,
	type MailView,
	type SignatureInput,
	type IdentityCheck,
	type IdentityOutcome,
	type IdentityScores,
} from './types';
import type { ConsoleView, FaultView, ListName, ListPage } from './lists';

export type { UploadedImage };

export type * from './lists';

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
	/** Of the document: its times are written for it. */
	country: string;
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
	/** Keeps images of an open check; of each kind the last one counts. */
	keepImages(token: string, images: Partial<Record<ImageKind, UploadedImage>>): void;
	identityImage(token: string, kind: ImageKind): UploadedImage | undefined;
	/**
	 * @param scores Points of single checks; the others get those that fit the outcome.
	 * @throws PageRefusal when the check was finished before.
	 */
	completeIdentity(
		token: string,
		outcome: IdentityOutcome,
		scores: IdentityScores,
	): Promise<IdentitySession>;
	connection(): Connection;
	console(): ConsoleView;
	/** One page of a list, newest first; of what is found where `search` is not empty. */
	list<N extends ListName>(name: N, query: { search: string; page: number }): ListPage<N>;
	/** @throws PageRefusal when there is no such delivery. */
	resend(deliveryId: string): void;
	/**
	 * Sends an event on demand.
	 * @returns How many deliveries that put under way.
	 * @throws PageRefusal when there is no such document or identity request.
	 */
	fire(type: EventType, id: string): Promise<number>;
	faults(): FaultView[];
	presets(): FaultPreset[];
	/** @throws PageRefusal when there is no such preset. */
	setPreset(name: string): void;
	setFault(fault: Fault): void;
	/** @param id Of the fault; all when absent. */
	removeFault(id?: string): void;
	clock(): ClockState;
	/** @throws PageRefusal when it is no time. The machine's time again when nothing is given. */
	setClock(change?: ClockChange): void;
	scenarios(): ScenarioInfo[];
	/** @throws PageRefusal when there is none of this name. */
	loadScenario(name: string): Promise<void>;
	/** @throws PageRefusal when it is no saved state. */
	loadState(state: unknown): Promise<void>;
	settings(): SandboxSettings;
	/** Changes those named; all others become what the sandbox was started with. */
	setSettings(change: SettingsChange): void;
}
