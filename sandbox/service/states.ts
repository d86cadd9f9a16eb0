import { seedTemplates } from '../documents/templates';
import type { Faults } from '../http/faults';
import type { Mailbox } from '../mail/mailbox';
import { scenarioInfos, scenarioNamed } from '../seed/scenarios';
import { madeUpTemplates } from '../seed/templates';
import { SAVED_STATE_VERSION, type SavedState } from '../state/records';
import { readSavedState, StateRefusal } from '../state/savedState';
import type { Store } from '../state/store';
import type { ScenarioInfo } from '../types';
import type { Clock } from '../util/clock';
import type { Journal } from '../util/journal';
import type { Account } from './account';
import type { Deliveries } from './deliveries';
import type { Documents } from './documents';
import type { Files } from './files';
import type { Identity } from './identity';
import type { IdentityImages } from './identityImages';
import type { Links } from './links';
import { ServiceRefusal } from './refusal';
import type { Settings } from './settings';
import type { Templates } from './templates';

/** What keeps a part of the state, or something that is made from it. */
export interface StateDeps {
	store: Store;
	clock: Clock;
	journal: Journal;
	account: Account;
	links: Links;
	templates: Templates;
	files: Files;
	deliveries: Deliveries;
	documents: Documents;
	identity: Identity;
	images: IdentityImages;
	mailbox: Mailbox;
	settings: Settings;
	faults: Faults;
}

/** What is put in the place of the present state; what is absent becomes as in an empty account. */
type NewState = Partial<Omit<SavedState, 'signingSandbox' | 'savedAt'>>;

/** Saves the whole state, and puts another one in its place while the sandbox runs. */
export class States {
	constructor(private readonly deps: StateDeps) {}

	/** The prepared states that there are. */
	scenarios(): ScenarioInfo[] {
		return scenarioInfos();
	}

	/** The whole state as of now, with all its secrets. */
	save(): SavedState {
		const { account, clock, settings, store } = this.deps;
		return {
			signingSandbox: SAVED_STATE_VERSION,
			savedAt: new Date(clock.now()).toISOString(),
			account: account.toSave(),
			settings: structuredClone(settings.current),
			...store.content(),
		};
	}

	/**
	 * Puts a saved state in the place of the present one. The clock goes on at the time when it was
	 * saved. User ID and API key stay.
	 * @throws ServiceRefusal (400) when it is none, or not one for this version of the sandbox.
	 */
	async load(given: unknown): Promise<void> {
		const { savedAt, ...saved } = structuredClone(refusing(400, () => readSavedState(given)));
		await this.replace(saved, () => {
			this.deps.clock.set(Date.parse(savedAt), saved.account.clock?.frozenAt !== undefined);
		});
		this.deps.journal.add('state', `State of ${savedAt} loaded`);
	}

	/**
	 * Puts a scenario in the place of the present state. The clock and the registered webhooks stay.
	 * @throws ServiceRefusal (404) when there is none of this name.
	 */
	async loadScenario(name: string): Promise<ScenarioInfo> {
		const { account, clock, journal, links, store } = this.deps;
		const { info, make } = refusing(404, () => scenarioNamed(name));
		const { templates, ...state } = make(clock.now(), links);
		const seeded = { templates, documents: 0 };
		await this.replace({
			...state,
			webhooks: store.content().webhooks,
			account: { ...account.toSave(), seeded },
		});
		journal.add('state', `Scenario ${info.name} loaded`);
		return info;
	}

	/** @param atOnce What else happens in the moment in which one state takes the place of the other. */
	private async replace(state: NewState, atOnce: () => void = () => {}): Promise<void> {
		const { deliveries, documents, faults, mailbox, settings, store } = this.deps;
		const { account, identity, images, templates, files } = this.deps;
		await documents.stopMailing();
		// From here on nothing waits: no call sees a part of one state and a part of the other.
		store.replaceContent({
			documents: state.documents ?? {},
			'identity-requests': state['identity-requests'] ?? {},
			'identity-images': state['identity-images'] ?? {},
			webhooks: state.webhooks ?? {},
			deliveries: state.deliveries ?? {},
			mails: state.mails ?? {},
		});
		account.takeOver(state.account ?? {});
		templates.replace([...seedTemplates(), ...madeUpTemplates(account.madeUpTemplates)]);
		settings.set(state.settings ?? {});
		faults.clear();
		files.forget();
		mailbox.count();
		images.count();
		identity.indexAll();
		deliveries.forget();
		documents.indexAll();
		atOnce();
		deliveries.resume();
		documents.resume();
	}
}

/** @throws ServiceRefusal with this status where a state is refused. */
function refusing<Result>(status: number, act: () => Result): Result {
	try {
		return act();
	} catch (error) {
		throw error instanceof StateRefusal ? new ServiceRefusal(status, error.message) : error;
	}
}
