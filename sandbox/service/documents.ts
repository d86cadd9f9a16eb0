import type { CreateBody, Document } from '../schemas';
import type { DocumentRecord, SignatoryRecord, SandboxTemplate } from '../state/records';
import type { Store } from '../state/store';
import type { SignatureInput } from '../types';
import type { Activity } from '../util/async';
import type { Clock } from '../util/clock';
import { newId, newSecret, sha256 } from '../util/ids';
import type { Account } from './account';
import { checkCreate, usableTemplate } from './createChecks';
import { logEntry, toDocument } from './documentResource';
import type { Events } from './events';
import type { FileKind, Links } from './links';
import { PageRefusal, ServiceRefusal } from './refusal';
import type { Settings } from './settings';
import { checkLink, readSignature } from './signChecks';
import type { Templates } from './templates';

/** The lifetime of a signing link in days, as observed in the field. */
export const linkDays = 30;

export interface Files {
	/** Prints one of a document's files, based on the document's current state. */
	file(record: DocumentRecord, kind: FileKind): Promise<Buffer>;
	/** Prints the document itself. The record may contain changes that have not been stored yet. */
	print(record: DocumentRecord): Promise<Buffer>;
}

export interface Invitation {
	title: string;
	name: string;
	email: string;
	url: string;
	/** epoch-ms */
	expiresAt: number;
}

export interface Mailer {
	/** @returns undefined if the email was accepted, otherwise the reason for the failure. Never throws. */
	invite(invitation: Invitation): Promise<string | undefined>;
	/**
	 * Whether the mailer has stopped. Emails that fail after that can still be sent the next time the sandbox
	 * starts.
	 */
	readonly stopped: boolean;
}

export interface DocumentDeps {
	store: Store;
	templates: Templates;
	account: Account;
	links: Links;
	files: Files;
	events: Events;
	mailer: Mailer;
	activity: Activity;
	clock: Clock;
	settings: Settings;
}

/** What a signing link opens: one signatory's part in a document. */
export interface SigningPart {
	record: DocumentRecord;
	signatory: SignatoryRecord;
	/** The signatory's zero-based index. */
	index: number;
}

/** Creates documents, sends them by email, and collects signatures until a document is completed. */
export class Documents {
	/** Maps the secret in each signing link to a documentID. */
	private readonly byToken = new Map<string, string>();

	constructor(private readonly deps: DocumentDeps) {
		for (const record of this.deps.store.documents.all()) this.index(record);
	}

	/** Sends the emails that had not been sent when the data folder was last saved. */
	resume(): void {
		for (const record of this.deps.store.documents.all()) void this.mailAll(record);
	}

	/** Returns all documents, oldest first. */
	all(): Document[] {
		return this.deps.store.documents.all().map((record) => this.resource(record));
	}

	record(documentID: string): DocumentRecord | undefined {
		return this.deps.store.documents.get(documentID);
	}

	resource(record: DocumentRecord): Document {
		const { account, links } = this.deps;
		return toDocument({ record, userId: account.userId, links });
	}

	/**
	 * Creates a document and starts emailing its signatories (docs/dev/service.md#endpoints).
	 * @throws ServiceRefusal with status 400 if the template, the inputs, the signatories or the positions
	 * are invalid.
	 */
	create(version: SandboxTemplate['version'], body: CreateBody): DocumentRecord {
		const template = usableTemplate(this.deps.templates.get(version, body.templateID), version);
		checkCreate(body, template);
		const documentID = newId();
		const now = this.deps.clock.now();
		const signatories = body.signatories.map(({ email, name }): SignatoryRecord => ({
			id: newId(),
			signatoryID: newId(),
			name,
			email,
			token: newSecret(),
			linkExpiresAt: now + linkDays * 24 * 60 * 60 * 1000,
			mailed: false,
			answers: {},
		}));
		const { userId } = this.deps.account;
		const record: DocumentRecord = {
			documentID,
			template,
			title: template.name,
			inputs: { ...this.placeholders(template), ...body.inputs },
			country: body.country,
			positions: body.staticSignPositions ?? [],
			signatories,
			createdAt: now,
			modifiedAt: now,
			documentHash: '',
			signedBytes: 0,
			log: [
				logEntry(documentID, 'CREATED', { name: userId, email: '' }, now),
				...signatories.map(({ signatoryID }) =>
					logEntry(documentID, 'SENT_FOR_SIGNATURE', { name: userId, email: '', signatoryID }, now),
				),
			],
		};
		this.deps.store.documents.put(documentID, record);
		this.index(record);
		void this.mailAll(record);
		return record;
	}

	/** Returns the text for each key that a client doesn't send. If it's empty, the template's words are used. */
	private placeholders({ fields }: SandboxTemplate): Record<string, string> {
		if (!this.deps.settings.current.leavesPlaceholders) return {};
		return Object.fromEntries(fields.map(({ key }) => [key, `{{${key}}}`]));
	}

	/** Finds the document and the signatory that a signing link belongs to. */
	part(token: string): SigningPart | undefined {
		const record = this.record(this.byToken.get(token) ?? '');
		const index = record?.signatories.findIndex((one) => one.token === token) ?? -1;
		const signatory = record?.signatories[index];
		return record && signatory && { record, signatory, index };
	}

	/**
	 * Records when a signatory first opened the signing page. Visits after the link has expired are not
	 * recorded.
	 */
	viewed({ record, signatory }: SigningPart): void {
		const now = this.deps.clock.now();
		const { viewedAt, signedAt, linkExpiresAt } = signatory;
		if (viewedAt !== undefined || signedAt !== undefined || linkExpiresAt <= now) return;
		signatory.viewedAt = now;
		this.deps.store.documents.put(record.documentID, record);
	}

	/**
	 * Signs for one signatory. The last signature completes the document.
	 * @throws PageRefusal if the link is unknown, expired or already used, or if the input is incomplete or
	 * invalid.
	 */
	async sign(token: string, input: SignatureInput): Promise<DocumentRecord> {
		const part = this.part(token);
		if (!part) throw new PageRefusal('This link doesn’t exist.');
		const { record, signatory, index } = part;
		const { clock } = this.deps;
		checkLink(signatory, clock.now());
		const signed: SignatoryRecord = {
			...signatory,
			...readSignature(input, record.template),
			signedAt: clock.now(),
		};
		const isLast = record.signatories.every((one, at) => at === index || one.signedAt);
		// Print the signed file before changing anything. If printing fails, nothing is signed. The link is
		// checked again after printing, because it may have been used in the meantime.
		const file = isLast ? await this.printed(record, index, signed) : undefined;
		checkLink(signatory, clock.now());
		this.commit(part, signed, input.sourceIP);
		if (file) this.complete(record, file);
		this.deps.store.documents.put(record.documentID, record);
		return record;
	}

	private printed(record: DocumentRecord, index: number, signed: SignatoryRecord): Promise<Buffer> {
		const signatories = record.signatories.map((one, at) => (at === index ? signed : one));
		return this.deps.files.print({ ...record, signatories });
	}

	private commit(part: SigningPart, signed: SignatoryRecord, sourceIP: string): void {
		const { record, signatory, index } = part;
		// Copy only what signing changes, because `mailed` may have changed while the file was being printed.
		const { answers, mark, signedAt = this.deps.clock.now() } = signed;
		Object.assign(signatory, { answers, mark, signedAt });
		// A script can sign without opening the page.
		signatory.viewedAt ??= signedAt;
		record.modifiedAt = signedAt;
		const by = { ...signatory, sourceIP };
		record.log.push(logEntry(record.documentID, 'SIGNED', by, record.modifiedAt));
		this.deps.events.signed(record, index, signedAt);
	}

	private complete(record: DocumentRecord, file: Buffer): void {
		const { documentID } = record;
		record.documentHash = sha256(file);
		record.signedBytes = file.length;
		record.completedAt = record.modifiedAt;
		for (const operation of ['STORED_IN_PSC_SANDBOX', 'STORED_BLOCKCHAIN']) {
			record.log.push(logEntry(documentID, operation, { name: '', email: '' }, record.completedAt));
		}
		this.deps.events.completed(record, record.completedAt);
	}

	/**
	 * Sends the emails one at a time. Each email is followed by a sendDocument event, even if it could not be
	 * sent.
	 */
	private async mailAll(record: DocumentRecord): Promise<void> {
		const { activity, clock, events, mailer, store, links } = this.deps;
		activity.begin();
		const { title } = record;
		for (const [index, signatory] of record.signatories.entries()) {
			if (signatory.mailed) continue;
			const { name, email, token, linkExpiresAt: expiresAt } = signatory;
			const url = links.signing(token);
			const error = await mailer.invite({ title, name, email, url, expiresAt });
			if (mailer.stopped) break;
			signatory.mailed = true;
			if (error !== undefined) signatory.mailError = error;
			const sentAt = clock.now();
			// Set the log entry to the time when the email was sent so that the log and the notification
			// agree.
			const entry = record.log.find(
				({ operationType, operationData }) =>
					operationType === 'SENT_FOR_SIGNATURE' &&
					operationData.signatoryID === signatory.signatoryID,
			);
			if (entry) entry.addedOn = sentAt;
			events.sent(record, index, sentAt);
			store.documents.put(record.documentID, record);
		}
		activity.end();
	}

	private index(record: DocumentRecord): void {
		for (const { token } of record.signatories) this.byToken.set(token, record.documentID);
	}

	/** @throws ServiceRefusal with status 404 if the document does not exist. */
	existing(documentID: string): DocumentRecord {
		const record = this.record(documentID);
		if (!record) throw new ServiceRefusal(404, 'Document not found');
		return record;
	}
}
