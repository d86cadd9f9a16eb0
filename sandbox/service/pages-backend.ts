import type { Mailbox } from '../mail/mailbox';
import type {
	ConsoleView,
	IdentityOutcome,
	IdentitySession,
	PagesBackend,
	SignatureInput,
	SigningSession,
} from '../pages/backend';
import { PageRefusal } from '../pages/backend';
import type { IdentityRecord } from '../state/records';
import type { Store } from '../state/store';
import type { RecordedRequest } from '../types';
import { maskUrl } from '../util/mask';
import type { Account } from './account';
import type { Documents } from './documents';
import type { Identity } from './identity';
import type { Links } from './links';

/** Rows of each list that the console gets: the newest ones. */
const CONSOLE_ROWS = 200;

/** What the pages' side of the sandbox is made from. */
export interface PagesSurroundings {
	store: Store;
	account: Account;
	links: Links;
	mailbox: Mailbox;
	documents: Documents;
	identity: Identity;
	requests: RecordedRequest[];
	/** Known when the pages are asked for, not when they are registered. */
	smtp: () => { host: string; port: number };
}

/** The sandbox as the pages see it (see `pages/backend.ts`). */
export function pagesBackend(around: PagesSurroundings): PagesBackend {
	const { documents, identity, mailbox } = around;
	return {
		mails: () => mailbox.all(),
		mail: (id) => mailbox.get(id),
		attachment: (id, index) => mailbox.attachment(id, index),
		signingSession: (token) => signingSession(around, token),
		async sign(token: string, input: SignatureInput) {
			await documents.sign(token, input);
			const session = signingSession(around, token);
			if (!session) throw new PageRefusal('This link is not known.');
			return session;
		},
		identitySession(token) {
			const record = identity.byLink(token);
			if (record) identity.opened(record);
			return record && identitySession(record);
		},
		async completeIdentity(token: string, outcome: IdentityOutcome) {
			const record = identity.byLink(token);
			if (!record) throw new PageRefusal('This link is not known.');
			identity.complete(record, outcome);
			return identitySession(record);
		},
		console: () => consoleView(around),
	};
}

function signingSession(
	{ documents, links }: PagesSurroundings,
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
		pdfPath: links.filePath(record.documentID, 'document'),
		expiresAt: signatory.linkExpiresAt,
		completed: record.completedAt !== undefined,
	};
}

function identitySession(record: IdentityRecord): IdentitySession {
	const { token, email, type, status, backgroundCheck } = record;
	return { token, email, type, status, backgroundCheck };
}

function consoleView({ store, account, links, requests, smtp }: PagesSurroundings): ConsoleView {
	const newest = <T>(rows: T[]) => rows.slice(-CONSOLE_ROWS).reverse();
	return {
		baseUrl: links.base,
		userId: account.userId,
		smtp: smtp(),
		documents: newest(store.documents.all()).map((record) => ({
			documentID: record.documentID,
			title: record.title,
			status: record.completedAt === undefined ? 'PENDING' : 'COMPLETED',
			addedOn: record.createdAt,
			signatories: record.signatories.map(({ name, email, signedAt, token }) => ({
				name,
				email,
				signed: signedAt !== undefined,
				signingUrl: links.signing(token),
			})),
		})),
		identityRequests: newest(store.identityRequests.all()).map((record) => ({
			validationId: record.validationId,
			email: record.email,
			status: record.status,
			url: links.identity(record.token),
		})),
		registrations: newest(store.registrations.all()).map((record) => ({
			webHookID: record.webHookID,
			type: record.type,
			webHookUrl: maskUrl(record.webHookUrl),
			addedOn: record.addedOn,
		})),
		deliveries: newest(store.deliveries.all()).map(({ id, type, url, at, attempts, state }) => ({
			id,
			type,
			url: maskUrl(url),
			at,
			attempts: structuredClone(attempts),
			state,
		})),
		requests: newest(requests).map(({ at, method, path, status, violation }) => ({
			at,
			method,
			path,
			status,
			...(violation === undefined ? {} : { violation }),
		})),
	};
}
