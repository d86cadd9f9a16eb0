import { faultPresets, setPreset } from '../../http/presets';
import type { EventType } from '../../schemas';
import { changeClock, fireEvent } from '../../service/controls';
import { PageRefusal, ServiceRefusal } from '../../service/refusal';
import type { IdentityRecord, SandboxTemplate } from '../../state/records';
import type { IdentityOutcome, ClockChange, SignatureInput } from '../../types';
import { type Passage, passagesOf } from '../papers/text';
import {
	connection,
	consoleLists,
	consoleView,
	listeningFor,
	mailPage,
	type ListName,
	type ListPage,
	type PagesDeps,
} from './consoleView';

/** The data for the page that a signing link opens. */
export interface SigningSession {
	token: string;
	documentID: string;
	title: string;
	template: SandboxTemplate;
	signatory: { name: string; email: string; signedAt?: number };
	others: Array<{ name: string; email: string; signedAt?: number }>;
	/** The document's text, for small screens and screen readers. */
	text: Passage[];
	/** The URL of the current PDF, relative to the sandbox. */
	pdfPath: string;
	/** When the link expires, in epoch-ms. */
	expiresAt: number;
	/** Whether the link has expired according to the sandbox's clock. */
	expired: boolean;
	/** Whether all signatories have signed. */
	completed: boolean;
}

/** The data for the page that an identity link opens. */
export interface IdentitySession {
	token: string;
	email: string;
	type: string;
	status: string;
	/** The outcome that the person chose; absent until they choose one. */
	outcome?: IdentityOutcome;
	backgroundCheck: boolean;
}

/** The functions that connect the pages to the sandbox. */
export type PagesBackend = ReturnType<typeof pagesBackend>;

/** Creates the functions that the pages call. They throw a PageRefusal if the service refuses a call. */
export function pagesBackend(deps: PagesDeps) {
	const { clock, deliveries, faults, mailbox, templates } = deps;
	const lists = consoleLists(deps);
	return {
		/** Returns one page of the emails in the mailbox, newest first. */
		mails: (page: number) => mailPage(deps, page),
		mail: (id: string) => mailbox.get(id),
		attachment: (id: string, index: number) => mailbox.attachment(id, index),
		...personalPages(deps),
		connection: () => connection(deps),
		console: () => consoleView(deps, lists),
		/** Returns one page of a list, newest first. */
		list: <N extends ListName>(name: N, page = 1) =>
			({ name, ...lists[name].page(page) }) as ListPage<N>,
		document: (id: string) => lists.documents.get(id),
		identityRequest: (id: string) => lists.identityRequests.get(id),
		resend: (id: string) => void asPageRefusal(() => deliveries.resend(id)),
		/** Returns the events that triggers in n8n's editor are listening for, without duplicates. */
		listeningFor: () => listeningFor(deps),
		/** @returns The number of deliveries that were started. */
		async fire(type: EventType, id: string): Promise<number> {
			const sent = await asPageRefusal(() => fireEvent(deps, type, id));
			return sent.length;
		},
		importTemplates: (json: string) => templates.import(json),
		faults: () => faults.entries(),
		presets: () => faultPresets(),
		setPreset: (name: string) => void asPageRefusal(() => setPreset(deps, name)),
		/** @param id The ID of the fault to remove. If omitted, all faults are removed. */
		removeFault: (id?: string) => (id === undefined ? faults.clear() : faults.remove(id)),
		clock: () => clock.state(),
		/** @param change How to change the clock. If omitted, the clock is reset to the machine's time. */
		setClock: (change?: ClockChange) =>
			void (change ? asPageRefusal(() => changeClock(clock, change)) : clock.reset()),
	};
}

/** Creates the functions for the signing page and the identity page. */
function personalPages(deps: PagesDeps) {
	const { documents, identity } = deps;
	return {
		signingSession(token: string): SigningSession | undefined {
			const part = documents.part(token);
			if (part) documents.viewed(part);
			return signingSession(deps, token);
		},
		sign: (token: string, input: SignatureInput) => documents.sign(token, input),
		identitySession(token: string): IdentitySession | undefined {
			const record = identity.byLink(token);
			if (record) identity.opened(record);
			return record && identitySession(record);
		},
		completeIdentity(token: string, outcome: IdentityOutcome): void {
			const record = identity.byLink(token);
			if (!record) throw new PageRefusal('This link doesn’t exist.');
			identity.complete(record, outcome);
		},
	};
}

/**
 * Calls `act`. A ServiceRefusal that it throws, or that its promise rejects with, is converted to a
 * PageRefusal.
 */
function asPageRefusal<T>(act: () => T): T {
	const refuse = (error: unknown): never => {
		throw error instanceof ServiceRefusal ? new PageRefusal(error.message) : error;
	};
	try {
		const result = act();
		return result instanceof Promise ? (result.catch(refuse) as T) : result;
	} catch (error) {
		return refuse(error);
	}
}

function signingSession(
	{ clock, documents, links }: PagesDeps,
	token: string,
): SigningSession | undefined {
	const part = documents.part(token);
	if (!part) return undefined;
	const { record, signatory, index } = part;
	const { template } = record;
	const person = ({ name, email, signedAt }: typeof signatory) => ({
		name,
		email,
		...(signedAt === undefined ? {} : { signedAt }),
	});
	return {
		token,
		documentID: record.documentID,
		title: record.title,
		template,
		signatory: person(signatory),
		others: record.signatories.filter((_, at) => at !== index).map(person),
		text: passagesOf(template.body, record.inputs),
		pdfPath: links.filePath(record.documentID, 'document'),
		expiresAt: signatory.linkExpiresAt,
		expired: signatory.linkExpiresAt <= clock.now(),
		completed: record.completedAt !== undefined,
	};
}

function identitySession({
	token,
	email,
	type,
	status,
	outcome,
	backgroundCheck,
}: IdentityRecord): IdentitySession {
	const ended = outcome === undefined ? {} : { outcome };
	return { token, email, type, status, backgroundCheck, ...ended };
}
