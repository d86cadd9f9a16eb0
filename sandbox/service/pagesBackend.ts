import { passagesOf } from '../documents/text';
import type { Faults } from '../http/faults';
import type { Mailbox } from '../mail/mailbox';
import type { IdentitySession, ListPage, PagesBackend, SigningSession } from '../views';
import { PageRefusal } from '../views';
import type { IdentityRecord } from '../state/records';
import { connection, type ConsoleDeps, consoleLists, consoleView } from './consoleView';
import { changeClock } from './changeClock';
import type { Deliveries } from './deliveries';
import type { Documents } from './documents';
import type { Events } from './events';
import type { Files } from './files';
import { fireEvent } from './fire';
import type { Identity } from './identity';
import type { IdentityImages } from './identityImages';
import { checkScores } from './identityResults';
import { faultPresets, setPreset } from './presets';
import { ServiceRefusal } from './refusal';
import type { Settings } from './settings';
import type { States } from './states';

/** What the pages' side of the sandbox is made from. */
export interface PagesDeps extends ConsoleDeps {
	mailbox: Mailbox;
	documents: Documents;
	identity: Identity;
	images: IdentityImages;
	deliveries: Deliveries;
	events: Events;
	files: Files;
	faults: Faults;
	settings: Settings;
	states: States;
}

/** The sandbox as the pages see it (see `views.ts`). */
export function pagesBackend(deps: PagesDeps): PagesBackend {
	const { clock, deliveries, faults, mailbox, settings, states } = deps;
	const lists = consoleLists(deps);
	return {
		mails: () => mailbox.all(),
		mail: (id) => mailbox.get(id),
		attachment: (id, index) => mailbox.attachment(id, index),
		...personalPages(deps),
		connection: () => connection(deps),
		console: () => consoleView(deps, lists),
		list: (name, query) => ({ name, ...lists[name].page(query) }) as ListPage<typeof name>,
		resend: (id) => void asPageRefusal(() => deliveries.resend(id)),
		async fire(type, id) {
			const sent = await asPageRefusal(() => fireEvent(deps, type, id));
			return sent.length;
		},
		faults: () => faults.entries(),
		presets: () => faultPresets(),
		setPreset: (name) => void asPageRefusal(() => setPreset(deps, name)),
		setFault: (fault) => void faults.set(fault),
		removeFault: (id) => (id === undefined ? faults.clear() : faults.remove(id)),
		clock: () => clock.state(),
		setClock: (change) =>
			void (change ? asPageRefusal(() => changeClock(clock, change)) : clock.reset()),
		scenarios: () => states.scenarios(),
		async loadScenario(name) {
			await asPageRefusal(() => states.loadScenario(name));
		},
		loadState: (state) => asPageRefusal(() => states.load(state)),
		settings: () => structuredClone(settings.current),
		setSettings: (change) => void settings.set(change),
	};
}

/** What people do who got a link. */
function personalPages(
	deps: PagesDeps,
): Pick<
	PagesBackend,
	| 'signingSession'
	| 'sign'
	| 'identitySession'
	| 'keepImages'
	| 'identityImage'
	| 'completeIdentity'
> {
	const { documents, identity, images } = deps;
	return {
		signingSession(token) {
			const part = documents.part(token);
			if (part) documents.viewed(part);
			return signingSession(deps, token);
		},
		async sign(token, input) {
			await documents.sign(token, input);
			const session = signingSession(deps, token);
			if (!session) throw new PageRefusal('This link is not known.');
			return session;
		},
		identitySession(token) {
			const record = identity.byLink(token);
			if (record) identity.opened(record);
			return record && identitySession(record, images);
		},
		keepImages(token, given) {
			const record = identity.byLink(token);
			if (record) images.keep(record.validationId, given);
		},
		identityImage(token, kind) {
			const record = identity.byLink(token);
			return record && images.get(record.validationId, kind);
		},
		async completeIdentity(token, outcome, scores) {
			const record = identity.byLink(token);
			if (!record) throw new PageRefusal('This link is not known.');
			identity.complete(record, outcome, scores);
			return identitySession(record, images);
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
		country: record.country,
		text: passagesOf(template.body, record.inputs),
		pdfPath: links.filePath(record.documentID, 'document'),
		expiresAt: signatory.linkExpiresAt,
		expired: signatory.linkExpiresAt <= clock.now(),
		completed: record.completedAt !== undefined,
	};
}

function identitySession(record: IdentityRecord, images: IdentityImages): IdentitySession {
	const { token, email, type, status, outcome, backgroundCheck, validationId } = record;
	return {
		token,
		email,
		type,
		status,
		...(outcome === undefined ? {} : { outcome }),
		backgroundCheck,
		...(status === 'COMPLETED' && outcome ? { scores: checkScores(outcome, record.scores) } : {}),
		images: images.about(validationId),
	};
}
