import type { FastifyInstance } from 'fastify';
import { seedTemplates } from './documents/templates';
import { Faults } from './http/faults';
import { Recorder } from './http/recorder';
import { createServer } from './http/server';
import { Mailbox } from './mail/mailbox';
import { Sender } from './mail/sender';
import { startSmtp, type Smtp } from './mail/smtp';
import { seeded } from './seed';
import { Account } from './service/account';
import { Deliveries } from './service/deliveries';
import { Documents } from './service/documents';
import { Events } from './service/events';
import { Files } from './service/files';
import { IdentityImages } from './service/identityImages';
import { Identity } from './service/identity';
import { Links } from './service/links';
import { pagesBackend } from './service/pagesBackend';
import { Registrations } from './service/registrations';
import { States } from './service/states';
import { Settings } from './service/settings';
import { Templates } from './service/templates';
import { Store } from './state/store';
import { beginningOf, takeBeginning, type Beginning } from './beginning';
import { sandboxOf } from './sandbox';
import type { Sandbox, SandboxOptions } from './types';
import { Activity } from './util/activity';
import type { Clock } from './util/clock';
import { Journal } from './util/journal';

export * from './types';

const HOST = '127.0.0.1';

/**
 * Starts the whole service on this machine's loopback: interface, mailbox, pages, deliveries.
 * Many can run side by side in one process.
 *
 * @throws Error with `code` EADDRINUSE and the `port` when a port is taken; FolderInUseError when
 *   another sandbox uses the data folder; StateRefusal when the data folder, the scenario or the
 *   state cannot be loaded. Nothing stays running then.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const beginning = beginningOf(options);
	const store = await Store.open(options.dataFolder);
	try {
		const load = beginning && takeBeginning(store, beginning);
		const clock = store.clock();
		const journal = new Journal(clock);
		clock.onChange(() => journal.add('clock', `It is ${new Date(clock.now()).toISOString()}`));
		const mailbox = new Mailbox(store, clock, journal);
		const smtp = await startSmtp(options.smtpPort ?? 0, (raw, to) => mailbox.take(raw, to));
		const basis = { store, clock, journal, mailbox, smtp };
		return await serve(partsOf(options, basis), options.port ?? 0, load);
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** What is there before the service itself. */
interface Basis {
	store: Store;
	clock: Clock;
	journal: Journal;
	mailbox: Mailbox;
	smtp: Smtp;
}

/** Puts the service together; nothing of it runs yet. */
function partsOf(options: SandboxOptions, basis: Basis) {
	const { store, clock, journal, smtp } = basis;
	const activity = new Activity();
	const sender = new Sender(smtp, activity);
	const settings = new Settings(options);
	const account = new Account(store, options, settings, clock);
	const links = new Links(() => account.fileKey, options.fileLinkMinutes ?? 60, clock);
	const templates = new Templates(seeded(store, seedTemplates(), clock, options.seed));
	const files = new Files(store);
	const { listIdentityWebhooks = true, deleteIdentityWebhooks = true } = options;
	const rules = { listIdentity: listIdentityWebhooks, deleteIdentity: deleteIdentityWebhooks };
	const registrations = new Registrations(store, rules, clock);
	const reach = { allowRemote: options.allowRemote ?? false };
	const deliveries = new Deliveries(store, activity, reach, settings, clock, journal);
	const events = new Events(registrations, deliveries, account, links, settings, clock);
	const deps = { ...basis, templates, account, links, files, events, sender, activity };
	return {
		...deps,
		settings,
		registrations,
		deliveries,
		recorder: new Recorder('/api', clock, journal),
		faults: new Faults(clock),
	};
}

/**
 * Starts what answers, and goes on with what a data folder shows as pending.
 * @param load Loads the state to start with, if there is one.
 */
async function serve(
	basis: ReturnType<typeof partsOf>,
	port: number,
	load: Beginning['load'] = async () => {},
): Promise<Sandbox> {
	const { activity, deliveries, faults, links, recorder, sender, smtp, store } = basis;
	let server: FastifyInstance | undefined;
	const stop = async () => {
		deliveries.close();
		sender.close();
		faults.close();
		activity.release();
		await Promise.all([smtp.close(), server?.close()]);
	};
	try {
		const documents = new Documents(basis);
		const images = new IdentityImages(store);
		const made = { ...basis, documents, images, identity: new Identity(basis) };
		const parts = { ...made, states: new States(made) };
		const { requests } = recorder;
		const pages = pagesBackend({ ...parts, requests, smtp: () => smtp });
		server = await createServer(parts, pages);
		await server.listen({ host: HOST, port });
		const address = server.server.address();
		links.root = `http://${HOST}:${typeof address === 'object' && address ? address.port : 0}`;
		store.announce(links.root);
		deliveries.resume();
		documents.resume();
		await load(parts.states);
		return sandboxOf({ ...parts, pages }, async () => {
			await stop();
			await store.flush().finally(() => store.close());
		});
	} catch (error) {
		await stop();
		throw error;
	}
}
