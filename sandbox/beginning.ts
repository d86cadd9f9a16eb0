import { scenarioNamed } from './seed/scenarios';
import type { States } from './service/states';
import { readSavedState, StateRefusal } from './state/savedState';
import type { Store } from './state/store';
import type { SandboxOptions } from './types';

/** What a sandbox starts with, other than with nothing. */
export interface Beginning {
	/** What a data folder remembers of it. */
	name: string;
	/** The account that it brings. */
	account?: { userId: string; apiKey: string };
	load: (states: States) => Promise<void>;
}

/**
 * The scenario or the saved state that the options name.
 * @throws StateRefusal when there is no such scenario, or the state is none.
 */
export function beginningOf({ scenario, state }: SandboxOptions): Beginning | undefined {
	if (state !== undefined) {
		const saved = readSavedState(state);
		return {
			name: `state of ${saved.savedAt}`,
			account: saved.account,
			load: (states) => states.load(saved),
		};
	}
	if (scenario === undefined) return undefined;
	scenarioNamed(scenario);
	return {
		name: scenario,
		load: async (states) => void (await states.loadScenario(scenario)),
	};
}

/**
 * Decides whether the beginning is to be loaded, and takes over its account.
 * @returns What loads it; undefined when the data folder holds what became of it already.
 * @throws StateRefusal when the data folder holds something else.
 */
export function takeBeginning(store: Store, beginning: Beginning): Beginning['load'] | undefined {
	if (store.isNew) {
		const { userId = '', apiKey = '' } = beginning.account ?? {};
		Object.assign(store.accountRecord(), { userId, apiKey, startedWith: beginning.name });
		return beginning.load;
	}
	if (store.accountRecord().startedWith === beginning.name) return undefined;
	throw new StateRefusal(
		'The data folder already holds another state. Start without a scenario to go on with it, or name another folder',
	);
}
