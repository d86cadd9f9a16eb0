import { maskUrl } from '../../http/mask';
import type { ServiceParts } from '../../http/parts';
import { eventTypes, type EventType } from '../../schemas/events';
import type { DocumentRecord, SandboxTemplate } from '../../state/records';
import { parseUrl, servicePage } from '../../util/url';
import type { Mailbox } from '../mail/mailbox';

/** One service rejects names with fewer characters. The sandbox accepts them, because others may as well. */
const shortName = 4;

/** The maximum number of rows per list on the console. */
const consoleRows = 10;

/** The parts of the sandbox that the pages need. */
export interface PagesDeps extends ServiceParts {
	mailbox: Mailbox;
	smtp: { host: string; port: number };
}

/**
 * Returns the values that a client needs to connect to this sandbox, and whether one has already made calls.
 * The values are not masked, because users copy them into n8n.
 */
export function connection({ account, links, recorder, smtp }: PagesDeps) {
	const { userId, apiKey } = account;
	const isUsed = recorder.requests.some(({ status }) => status === 200);
	return { baseUrl: links.base, userId, apiKey, smtp, isUsed };
}

/** Returns the console's data, with each list's newest rows. Secrets are masked. */
export function consoleView(deps: PagesDeps, lists: ConsoleLists) {
	const { faults, recorder, store, templates } = deps;
	return {
		documents: lists.documents.newest(consoleRows),
		identityRequests: lists.identityRequests.newest(consoleRows),
		registrations: lists.registrations.newest(consoleRows),
		deliveries: lists.deliveries.newest(consoleRows),
		requests: lists.requests.newest(consoleRows),
		totals: {
			documents: store.documents.size,
			identityRequests: store.identityRequests.size,
			deliveries: store.deliveries.size,
			registrations: store.registrations.size,
			requests: recorder.requests.length,
			templates: templates.size,
		},
		faults: faults.list().length,
		...(store.saveError === undefined ? {} : { saveError: store.saveError }),
	};
}

export type ConsoleLists = ReturnType<typeof consoleLists>;
export type ListName = keyof ConsoleLists;

export type ListPage<N extends ListName = ListName> = { name: N } & ReturnType<
	ConsoleLists[N]['page']
>;

/** Creates the console's lists, with secrets masked. */
export function consoleLists({ store, links, templates, recorder }: PagesDeps) {
	const documents = listOf({
		all: () => store.documents.all(),
		get: (id) => store.documents.get(id),
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
							psc: links.filePath(record.documentID, 'psc'),
						},
					}),
			signatories: record.signatories.map(({ name, email, signedAt, token, mailError }) => ({
				name,
				email,
				isShortName: [...name.trim()].length < shortName,
				signed: signedAt !== undefined,
				signingUrl: links.signing(token),
				...(mailError === undefined ? {} : { mailError }),
			})),
		}),
	});
	const identityRequests = listOf({
		all: () => store.identityRequests.all(),
		get: (id) => store.identityRequests.get(id),
		row: ({ validationId, email, status, createdAt, token }) => ({
			validationId,
			email,
			status,
			addedOn: createdAt,
			url: links.identity(token),
		}),
	});
	const registrations = listOf({
		all: () => store.registrations.all(),
		row: ({ webHookID, type, webHookUrl, addedOn }) => ({
			webHookID,
			type,
			webHookUrl: maskUrl(webHookUrl),
			addedOn,
		}),
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
	});
	const calls = listOf({
		all: () => recorder.requests,
		row: ({ at, method, path, status, violation }) => ({
			at,
			method,
			path,
			status,
			...(violation === undefined ? {} : { violation: violationLink(violation) }),
		}),
	});
	const kinds = listOf({
		// Lists are displayed in reverse, newest first. Reversing the templates here cancels that out, so
		// they appear in the API's order.
		all: () => templates.all().reverse(),
		row: (template) => ({
			...template,
			isImported: templates.isImported(template),
			fields: template.fields.length,
			roles: template.signaturePlaces.length,
		}),
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

/** How long n8n listens for a test event. */
const listeningMs = 2 * 60_000;

/**
 * Returns the events that triggers in n8n's editor are listening for. n8n registers a separate URL for each
 * test and removes it after two minutes. Older URLs are ignored, because they were left behind by an n8n
 * process that was killed.
 */
export function listeningFor({ clock, store }: PagesDeps): EventType[] {
	const since = clock.now() - listeningMs;
	const types = store.registrations
		.all()
		.filter(({ webHookUrl, addedOn }) => isTestUrl(webHookUrl) && addedOn > since)
		.map(({ type }) => type);
	return eventTypes.filter((type) => types.includes(type));
}

function isTestUrl(address: string): boolean {
	return parseUrl(address)?.pathname.includes('/webhook-test/') ?? false;
}

/** Returns one page of the emails, newest first. Of an email's content, a row shows only one line. */
export function mailPage({ mailbox }: PagesDeps, page: number) {
	return pageOf(
		mailbox.records(),
		({ id, subject, to, receivedAt, text, attachments }) => ({
			id,
			subject,
			to,
			receivedAt,
			preview: previewOf(text),
			attachments: attachments.length,
		}),
		page,
	);
}

/** Returns an email's first line or, if that is a greeting such as "Hi Ana,", the line after it. */
function previewOf(text: string): string {
	const [first = '', second = first] = text.slice(0, 1000).match(/\S.*/g) ?? [];
	return (/,\s*$/.test(first) ? second : first).slice(0, 120);
}

/** Splits a recorded violation into its message and a link to the section that the call does not follow. */
function violationLink(violation: string): { text: string; href?: string } {
	const [, text = violation, anchor] =
		/^(.*) \(docs\/dev\/service\.md(#[\w-]+)\)$/s.exec(violation) ?? [];
	return { text, ...(anchor === undefined ? {} : { href: servicePage + anchor }) };
}

export function versionName(version: SandboxTemplate['version']): string {
	return version === 'v1' ? 'Version 1' : 'Version 2';
}

function statusOf({ completedAt }: DocumentRecord): string {
	return completedAt === undefined ? 'PENDING' : 'COMPLETED';
}

const pageRows = 50;

interface Page<Row> {
	rows: Row[];
	total: number;
	page: number;
	pages: number;
}

/**
 * Returns one page of the records, newest first. If the page number is too high, returns the last page.
 * @param records All records, oldest first. Rows are created only for those on the page.
 */
function pageOf<T, Row>(records: T[], row: (record: T) => Row, number: number): Page<Row> {
	const total = records.length;
	const pages = Math.max(1, Math.ceil(total / pageRows));
	const page = Math.min(Math.max(1, Math.trunc(number) || 1), pages);
	const end = total - (page - 1) * pageRows;
	const shown = records.slice(Math.max(0, end - pageRows), end);
	return { rows: shown.map(row).reverse(), total, page, pages };
}

/** A list's records and how to display them. */
interface Source<T, Row> {
	/** Returns all records, oldest first. */
	all(): T[];
	row(record: T): Row;
	get?(id: string): T | undefined;
}

/** A list that is displayed one page at a time. */
interface List<Row> {
	/** Returns the newest rows, newest first. */
	newest(count: number): Row[];
	/** Returns one page of the rows, newest first. If the page number is too high, returns the last page. */
	page(number: number): Page<Row>;
	get(id: string): Row | undefined;
}

/** Creates a list from a source's records. Rows are created only for the records that are shown. */
function listOf<T, Row>(source: Source<T, Row>): List<Row> {
	const row = (record: T) => source.row(record);
	return {
		newest: (count) => source.all().slice(-count).map(row).reverse(),
		page: (number) => pageOf(source.all(), row, number),
		get(id) {
			const record = source.get?.(id);
			return record && row(record);
		},
	};
}
