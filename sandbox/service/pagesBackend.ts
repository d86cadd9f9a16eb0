import { passagesOf } from '../documents/text';
import type { Faults } from '../http/faults';
import type { Mailbox } from '../mail/mailbox';
import type { IdentitySession, SigningSession } from '../views';
import type { EventType } from '../schemas';
import type { ClockChange, IdentityOutcome, SignatureInput } from '../types';
import type { IdentityRecord } from '../state/records';
import {
	connection,
	type ConsoleDeps,
	consoleLists,
	consoleView,
	type ListName,
	type ListPage,
} from './consoleView';
import { changeClock, fireEvent } from './controls';
import type { Deliveries } from './deliveries';
import type { Documents } from './documents';
import type { Events } from './events';
import type { Files } from './files';
import type { Identity } from './identity';
import { faultPresets, setPreset } from './presets';
import { PageRefusal, ServiceRefusal } from './refusal';

/** What the pages' side of the sandbox is made from. */
export interface PagesDeps extends ConsoleDeps {
	mailbox: Mailbox;
	documents: Documents;
	identity: Identity;
	deliveries: Deliveries;
	events: Events;
	files: Files;
	faults: Faults;
}

/** The sandbox as the pages see it. */
export type PagesBackend = ReturnType<typeof pagesBackend>;

/** Makes it. What the service refuses, it throws as a PageRefusal. */
export function pagesBackend(deps: PagesDeps) {
	const { clock, deliveries, faults, mailbox } = deps;
	const lists = consoleLists(deps);
	return {
		mails: () => mailbox.all(),
		mail: (id: string) => mailbox.get(id),
		attachment: (id: string, index: number) => mailbox.attachment(id, index),
		...personalPages(deps),
		connection: () => connection(deps),
		console: () => consoleView(deps, lists),
		/** One page of a list, newest first; of what is found where `search` is not empty. */
		list: <N extends ListName>(name: N, query: { search: string; page: number }) =>
			({ name, ...lists[name].page(query) }) as ListPage<N>,
		resend: (id: string) => void asPageRefusal(() => deliveries.resend(id)),
		/** @returns How many deliveries it put under way. */
		async fire(type: EventType, id: string): Promise<number> {
			const sent = await asPageRefusal(() => fireEvent(deps, type, id));
			return sent.length;
		},
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
