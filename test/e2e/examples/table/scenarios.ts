import { tableOf } from '../../../support/documentedPart';

export const scenarios = [
	'duplicate person',
	'duplicate row',
	'empty cell',
	'HTML in a name',
	'expression in a name',
	'invalid address',
	'list of 300 people',
	'lost response',
	'mail server down',
	'workflow run again',
	'n8n killed',
	'two executions at once',
	'contract never signed',
] as const;
export type Scenario = (typeof scenarios)[number];

/**
 * What an example is expected to report: a letter for each contract, in alphabetical order, or a pattern for
 * these letters. `s` means sent, `b` already sent, `n` not sent, and `u` possibly sent. If a scenario has several rounds, this is a list with one entry per round.
 */
export type Outcome = string | RegExp | Array<string | RegExp>;
export type Outcomes = Partial<Record<Scenario, Outcome>>;

/** The outcomes of examples that get one person at a time and send each person one contract. */
const oneByOne = {
	'duplicate person': 'bs',
	'duplicate row': 'bs',
	// A tag in a name is likely a mistake, and these examples don't send despite warnings.
	'HTML in a name': 'n',
	'expression in a name': 's',
	'invalid address': 'ns',
	'lost response': ['ssu', 'bbu'],
	'mail server down': 'n',
	'workflow run again': ['ns', 'bs'],
	'n8n killed': /^[bsu]$/,
	'two executions at once': /^s[bu]$|^bs$/,
} satisfies Outcomes;

/**
 * The examples that send contracts, with the outcome of each scenario. Scenarios that cannot happen in an
 * example are omitted.
 */
export const sending = {
	'send-a-list': {
		...oneByOne,
		'duplicate person': 'ss',
		'empty cell': 'nn',
		'invalid address': 'nn',
		'list of 300 people': /^s{300}$/,
		'workflow run again': [/^n[ns]$/, /^[bs]{2}$/],
		'n8n killed': /^[bsu]{20}$/,
		'two executions at once': /^[bu]{0,10}s{10}[bu]{0,10}$/,
	},
	'approval-before-sending': { ...oneByOne, 'contract never signed': ['n', ''] },
	'request-over-http': { ...oneByOne, 'duplicate person': 'ss', 'empty cell': 'ns' },
} satisfies Record<string, Outcomes>;

/** One example in one failure scenario. */
export interface Row {
	file: string;
	scenario: Scenario;
	/** Included in every name and email address in the scenario. */
	tag: string;
	expected: Outcome;
}

/** Each example in each failure scenario that can affect it. */
export function rowsOf(): Row[] {
	return Object.entries(sending as Record<string, Outcomes>).flatMap(([file, outcomes], index) =>
		scenarios.flatMap((scenario, at): Row[] => {
			const expected = outcomes[scenario];
			return expected === undefined ? [] : [{ file, scenario, tag: `x${index}d${at}`, expected }];
		}),
	);
}

/** The table in docs/dev/behavior.md, with a row for each scenario and a column for each example. */
export function scenariosPart(): string {
	const examples = Object.entries<Outcomes>(sending).sort(([one], [other]) =>
		one.localeCompare(other),
	);
	const rows = scenarios.map((scenario) => [
		scenario,
		...examples.map(([, outcomes]) => (scenario in outcomes ? 'tested' : "can't happen")),
	]);
	return tableOf(['Failure scenario', ...examples.map(([file]) => file)], rows);
}
