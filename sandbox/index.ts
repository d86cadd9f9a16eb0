import type { FastifyInstance } from 'fastify';
import { Mailbox } from './demo/mail/mailbox';
import { Sender } from './demo/mail/sender';
import { startSmtp, type Smtp } from './demo/mail/smtp';
import { registerPages } from './demo/pages';
import { PrintedFiles } from './demo/papers/files';
import { seedTemplates } from './demo/papers/templates';
import { madeUpDocuments } from './demo/seed';
import { Faults } from './http/faults';
import type { ServiceParts } from './http/parts';
import { Recorder } from './http/recorder';
import { createServer } from './http/server';
import { Account } from './service/account';
import { changeClock, fireEvent } from './service/controls';
import { Deliveries } from './service/deliveries';
import { Documents } from './service/documents';
import { Events } from './service/events';
import { Identity } from './service/identity';
import { Links } from './service/links';
import { Registrations } from './service/registrations';
import { Settings } from './service/settings';
import { Templates } from './service/templates';
import type { DocumentRecord } from './state/records';
import { Store } from './state/store';
import type { Sandbox, SandboxOptions, SignatureInput } from './types';
import { Activity } from './util/async';
import type { Clock } from './util/clock';

export * from './types';

const host = '127.0.0.1';

/** How long a file's URL is valid, in minutes. */
export const fileLinkMinutes = 60;

/**
 * Starts the entire sandbox on this machine's loopback interface: the API, the mailbox, the pages and the
 * deliveries. Several sandboxes can run in one process.
 * @throws Error with `code` EADDRINUSE and the `port` if a port is taken, FolderInUseError if another sandbox
 * is using the data folder, or FolderUnreadableError if the folder's records cannot be read. If an error is
 * thrown, nothing is left running.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const store = await Store.open(options.dataFolder);
	try {
		const clock = store.clock();
		const mailbox = new Mailbox(store, clock);
		const smtp = await startSmtp(options.smtpPort ?? 0, (raw, to) => mailbox.take(raw, to));
		const parts = partsOf(options, { store, clock, mailbox, smtp });
		return await serve(parts, options.port ?? 0);
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** The parts that must exist before the service is assembled. */
interface Basis {
	store: Store;
	clock: Clock;
	mailbox: Mailbox;
	smtp: Smtp;
}

/** Assembles the service without starting it. */
function partsOf(options: SandboxOptions, basis: Basis) {
	const { store, clock, smtp } = basis;
	const activity = new Activity();
	const mailer = new Sender(smtp, activity);
	const settings = new Settings(options);
	const account = new Account(store, options, settings, clock);
	const links = new Links(() => account.fileKey, fileLinkMinutes, clock);
	const templates = new Templates(seedTemplates(), store);
	for (const record of madeUpDocuments(options.seed?.documents ?? 0, clock.now())) {
		store.documents.put(record.documentID, record);
	}
	const files = new PrintedFiles(store);
	const rules = { listIdentity: true, deleteIdentity: options.deleteIdentityWebhooks ?? true };
	const registrations = new Registrations(store, rules, clock);
	const deliveries = new Deliveries(store, activity, settings, clock);
	const events = new Events(registrations, deliveries, account, links, settings, clock);
	const deps = { ...basis, templates, account, links, files, events, mailer, activity };
	return {
		...deps,
		settings,
		registrations,
		deliveries,
		recorder: new Recorder('/api', clock),
		faults: new Faults(clock),
	};
}

/** Starts the server and resumes the work that was pending in the data folder. */
async function serve(basis: ReturnType<typeof partsOf>, port: number): Promise<Sandbox> {
	const { activity, deliveries, faults, links, mailer, smtp, store } = basis;
	let server: FastifyInstance | undefined;
	const stop = async () => {
		deliveries.close();
		mailer.close();
		faults.close();
		activity.release();
		await Promise.all([smtp.close(), server?.close()]);
	};
	try {
		const documents = new Documents(basis);
		const parts = { ...basis, documents, identity: new Identity(basis) };
		server = await createServer(parts, (app) => registerPages(app, parts));
		await server.listen({ host: host, port });
		const address = server.server.address();
		links.root = `http://${host}:${typeof address === 'object' && address ? address.port : 0}`;
		store.announce(links.root);
		deliveries.resume();
		documents.resume();
		return sandboxOf(parts, async () => {
			await stop();
			await store.flush().finally(() => store.close());
		});
	} catch (error) {
		await stop();
		throw error;
	}
}

interface SandboxParts extends ServiceParts {
	activity: Activity;
	smtp: { host: string; port: number };
}

/**
 * Creates the object that controls a running sandbox (see `Sandbox` in types.ts).
 * @param stop Stops everything. It is called at most once, no matter how often `close` is called.
 */
function sandboxOf(parts: SandboxParts, stop: () => Promise<void>): Sandbox {
	const { account, activity, deliveries, documents, faults, identity, links, recorder } = parts;
	const { clock, settings } = parts;
	let stopped: Promise<void> | undefined;
	return {
		url: links.root,
		baseUrl: links.base,
		smtp: { host: parts.smtp.host, port: parts.smtp.port },
		account: { userId: account.userId, apiKey: account.apiKey },
		requests: recorder.requests,
		documents: () => documents.all(),
		webhooks: () => parts.registrations.all(),
		deliveries: () => deliveries.all(),
		mails: () => parts.mailbox.all(),
		templates: () => structuredClone(parts.templates.all()),
		identityRequests: () => identity.all(),
		async sign(documentID, email, mark) {
			const record = documents.existing(documentID);
			const { token, input } = signature(record, email, mark);
			return documents.resource(await documents.sign(token, input));
		},
		async completeIdentity(validationId, outcome) {
			const record = identity.existing(validationId);
			identity.opened(record);
			identity.complete(record, outcome);
			return identity.view(record);
		},
		fire: (type, id) => fireEvent(parts, type, id),
		idle: () => activity.idle(),
		faults: { set: (fault) => faults.set(fault), clear: () => faults.clear() },
		settings: {
			get: () => structuredClone(settings.current),
			set: (change) => settings.set(change),
			reset: () => settings.set({}),
		},
		clock: {
			get: () => clock.state(),
			set: (change) => changeClock(clock, change),
			reset: () => clock.reset(),
		},
		importTemplates: (json) => parts.templates.import(json),
		tokenExchanges: () => account.exchanges,
		forgetRequests: () => recorder.forget(),
		close: () => (stopped ??= stop()),
	};
}

/** Creates the input that the signing page would send for a signatory who answers every required question. */
function signature(
	record: DocumentRecord,
	email: string,
	mark: SignatureInput['signature'] | undefined,
): { token: string; input: SignatureInput } {
	const signatory = record.signatories.find(
		(one) => one.email.toLowerCase() === email.toLowerCase(),
	);
	if (!signatory)
		throw new Error(`Document ${record.documentID} does not have a signatory ${email}`);
	const required = record.template.questions.filter(({ isRequired }) => isRequired);
	return {
		token: signatory.token,
		input: {
			signature: mark ?? { kind: 'typed', text: signatory.name },
			answers: Object.fromEntries(required.map(({ key }) => [key, 'Yes'])),
			sourceIP: '127.0.0.1',
		},
	};
}
