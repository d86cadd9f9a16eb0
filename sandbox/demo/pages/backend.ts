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
	mailList,
	type ListName,
	type ListPage,
	type PagesDeps,
} from './consoleView';

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

/** The sandbox as the pages see it. */
export type PagesBackend = ReturnType<typeof pagesBackend>;

/** Makes it. What the service refuses, it throws as a PageRefusal. */
export function pagesBackend(deps: PagesDeps) {
	const { clock, deliveries, faults, mailbox, templates } = deps;
	const lists = consoleLists(deps);
	const mails = mailList(deps);
	return {
		/** One page of the mailbox, newest first; of what is found where `search` is not empty. */
		mails: (query: { search: string; page: number }) => mails.page(query),
		mail: (id: string) => mailbox.get(id),
		attachment: (id: string, index: number) => mailbox.attachment(id, index),
		...personalPages(deps),
		connection: () => connection(deps),
		console: () => consoleView(deps, lists),
		/** One page of a list, newest first; of what is found where `search` is not empty. */
		list: <N extends ListName>(name: N, query: { search: string; page: number }) =>
			({ name, ...lists[name].page(query) }) as ListPage<N>,
		resend: (id: string) => void asPageRefusal(() => deliveries.resend(id)),
		/** The events that triggers in n8n's editor are listening for, without duplicates. */
		listeningFor: () => listeningFor(deps),
		/** @returns How many deliveries it put under way. */
		async fire(type: EventType, id: string): Promise<number> {
			const sent = await asPageRefusal(() => fireEvent(deps, type, id));
			return sent.length;
		},
		importTemplates: (json: string) => templates.import(json),
		faults: () => faults.entries(),
		presets: () => faultPresets(),
		setPreset: (name: string) => void asPageRefusal(() => setPreset(deps, name)),
		/** @param id Of the fault; all when absent. */
		removeFault: (id?: string) => (id === undefined ? faults.clear() : faults.remove(id)),
		clock: () => clock.state(),
		/** @param change The machine's time again when absent. */
		setClock: (change?: ClockChange) =>
			void (change ? asPageRefusal(() => changeClock(clock, change)) : clock.reset()),
	};
}

/** What people do who got a link. */
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
			if (!record) throw new PageRefusal('This link is not known.');
			identity.complete(record, outcome);
		},
	};
}

/** Lets the pages show what the service refuses, now or when it is done. */
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
	const { record, template, signatory, index } = part;
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
