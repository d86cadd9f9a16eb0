import type { Connection } from '../views';
import type { DocumentRecord } from '../state/records';
import type { Store } from '../state/store';
import type { Faults } from '../http/faults';
import type { RecordedRequest } from '../types';
import type { Clock } from '../util/clock';
import { listOf } from '../util/list';
import { EVENT_NAMES } from '../schemas/events';
import { maskUrl } from '../util/mask';
import type { Account } from './account';
import type { Links } from './links';
import type { Templates } from './templates';

/** Newest rows of each list that the console shows. */
const CONSOLE_ROWS = 10;

/** What the console is made from. */
export interface ConsoleDeps {
	store: Store;
	account: Account;
	links: Links;
	templates: Templates;
	clock: Clock;
	faults: Faults;
	requests: RecordedRequest[];
	smtp: { host: string; port: number };
}

/** What a client needs to reach this sandbox, the key included. */
export function connection({ account, links, smtp }: ConsoleDeps): Connection {
	const { userId, apiKey } = account;
	return { baseUrl: links.base, userId, apiKey, smtp };
}

/** The console itself: the newest rows of each list, with secrets masked. */
export function consoleView(deps: ConsoleDeps, lists: ConsoleLists) {
	const { faults, requests, store, templates } = deps;
	return {
		documents: lists.documents.newest(CONSOLE_ROWS),
		identityRequests: lists.identityRequests.newest(CONSOLE_ROWS),
		registrations: lists.registrations.newest(CONSOLE_ROWS),
		deliveries: lists.deliveries.newest(CONSOLE_ROWS),
		requests: lists.requests.newest(CONSOLE_ROWS),
		totals: {
			documents: store.documents.size,
			identityRequests: store.identityRequests.size,
			deliveries: store.deliveries.size,
			registrations: store.registrations.size,
			requests: requests.length,
			templates: templates.size,
		},
		faults: faults.list().length,
		...(store.saveError === undefined ? {} : { saveError: store.saveError }),
	};
}

/** Every list of the console. */
export type ConsoleLists = ReturnType<typeof consoleLists>;
export type ListName = keyof ConsoleLists;

/** One page of a list. */
export type ListPage<N extends ListName = ListName> = { name: N } & ReturnType<
	ConsoleLists[N]['page']
>;

/** Makes the console's lists, with secrets masked. */
export function consoleLists({ store, links, templates, requests }: ConsoleDeps) {
	const documents = listOf({
		all: () => store.documents.all(),
		row: (record) => ({
			documentID: record.documentID,
			title: record.title,
			status: statusOf(record),
			addedOn: record.createdAt,
			...(record.completedAt === undefined
				? {}
				: {
						files: {
							document: links.filePath(record.documentID, 'document'),
							certificate: links.filePath(record.documentID, 'certificate'),
						},
					}),
			signatories: record.signatories.map(({ name, email, signedAt, token, mailError }) => ({
				name,
				email,
				signed: signedAt !== undefined,
				signingUrl: links.signing(token),
				...(mailError === undefined ? {} : { mailError }),
			})),
		}),
		texts: (record) => [
			record.documentID,
			record.title,
			statusOf(record),
			...record.signatories.flatMap(({ name, email }) => [name, email]),
		],
	});
	const identityRequests = listOf({
		all: () => store.identityRequests.all(),
		row: ({ validationId, email, status, createdAt, token }) => ({
			validationId,
			email,
			status,
			addedOn: createdAt,
			url: links.identity(token),
		}),
		texts: ({ validationId, email, status }) => [validationId, email, status],
	});
	const registrations = listOf({
		all: () => store.registrations.all(),
		row: ({ webHookID, type, webHookUrl, addedOn }) => ({
			webHookID,
			type,
			webHookUrl: maskUrl(webHookUrl),
			addedOn,
		}),
		texts: ({ webHookID, type, webHookUrl }) => [webHookID, ...namesOf(type), maskUrl(webHookUrl)],
	});
	const subjectOf = (id: string) =>
		store.documents.get(id)?.title ?? store.identityRequests.get(id)?.email ?? '';
	const deliveries = listOf({
		all: () => store.deliveries.all(),
		row: ({ id, type, subjectId, url, at, attempts, state }) => ({
			id,
			type,
			subjectId,
			subject: subjectOf(subjectId),
			url: maskUrl(url),
			at,
			attempts: structuredClone(attempts),
			state,
		}),
		texts: ({ id, type, url, state, subjectId }) => [
			id,
			...namesOf(type),
			maskUrl(url),
			state,
			subjectId,
			subjectOf(subjectId),
		],
	});
	const calls = listOf({
		all: () => requests,
		row: ({ at, method, path, status, violation }) => ({
			at,
			method,
			path,
			status,
			...(violation === undefined ? {} : { violation }),
		}),
		texts: ({ method, path, status, violation = '' }) => [
			`${method} ${path}`,
			String(status),
			violation,
		],
	});
	const kinds = listOf({
		// Those that every sandbox has come first, so here they are put last: they count as newest.
		all: () => templates.all().reverse(),
		row: ({ templateID, name, description, generation, status, fields }) => ({
			templateID,
			name,
			description,
			generation,
			status,
			fields: fields.length,
		}),
		texts: ({ templateID, name, description, generation, key, status }) => [
			templateID,
			name,
			description,
			generation,
			key,
			status,
		],
	});
	return {
		documents,
		identityRequests,
		registrations,
		deliveries,
		requests: calls,
		templates: kinds,
	};
}

/** What the interface and what n8n calls an event. */
function namesOf(type: string): string[] {
	return [type, (EVENT_NAMES as Record<string, string>)[type] ?? ''];
}

function statusOf({ completedAt }: DocumentRecord): string {
	return completedAt === undefined ? 'PENDING' : 'COMPLETED';
}
