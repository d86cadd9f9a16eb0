import type { ScenarioInfo } from '../types';
import type { ScenarioState, SigningLinks } from './compose';
import { hrTeam } from './hrTeam';
import { limits } from './limits';

interface Scenario extends ScenarioInfo {
	/** @param now epoch-ms: all times are counted from here, so that a scenario does not age. */
	make(now: number, links: SigningLinks): ScenarioState;
}

const SCENARIOS: Scenario[] = [
	{
		name: 'empty',
		title: 'Empty account',
		text: 'There is no document, no identity request and no mail. The templates are there.',
		make: () => ({ templates: 0 }),
	},
	{
		name: 'hr-team',
		title: 'HR team',
		text: 'Forty contracts are open. Some are half signed, some expire soon, some links have expired. Twelve are signed.',
		make: hrTeam,
	},
	{
		name: 'limits',
		title: 'Account at its limits',
		text: 'Long lists of templates, documents, webhooks and mails. Five calls a second, and a token lives for a minute.',
		make: limits,
	},
];

/** All scenarios, with the words that people read. */
export function scenarioInfos(): ScenarioInfo[] {
	return SCENARIOS.map(({ name, title, text }) => ({ name, title, text }));
}

/**
 * The state of a scenario. It is the same each time, except for the secret parts of the links.
 * @throws RangeError when there is none of this name.
 */
export function scenarioState(name: string, now: number, links: SigningLinks): ScenarioState {
	const scenario = SCENARIOS.find((one) => one.name === name);
	if (!scenario) throw new RangeError(`No scenario ${name}`);
	return scenario.make(now, links);
}
