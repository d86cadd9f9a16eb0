import { StateRefusal } from '../state/savedState';
import type { ScenarioInfo } from '../types';
import type { ScenarioState, SigningLinks } from './compose';
import { hrTeam } from './hrTeam';
import { limits } from './limits';

interface Scenario extends ScenarioInfo {
	/** @param now epoch-ms: all times are counted from here, so that a scenario does not age. */
	make: (now: number, links: SigningLinks) => ScenarioState;
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
 * The scenario of a name.
 * @returns Its words, and what makes its state: the same each time, except for the secret parts of the
 * links.
 * @throws StateRefusal that names the scenarios there are, when there is none of this name.
 */
export function scenarioNamed(name: string): { info: ScenarioInfo; make: Scenario['make'] } {
	const found = SCENARIOS.find((one) => one.name === name);
	if (found) {
		const { make, ...info } = found;
		return { info, make };
	}
	const known = SCENARIOS.map((one) => one.name).join(', ');
	throw new StateRefusal(`There is no scenario "${name.slice(0, 80)}". These exist: ${known}`);
}
