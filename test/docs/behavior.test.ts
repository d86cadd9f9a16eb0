import {
	firstPauseMs,
	maxPauseMs,
	maxRetryAfterMs,
	refusalsToDouble,
} from '../../nodes/SignVerify/http/rateLimit';
import { firstRetryPauseMs, maxTries } from '../../nodes/SignVerify/http/retry';
import { eventCallMs, executionCallMs, listCallMs } from '../../nodes/SignVerify/http/callTimeouts';
import { n8nDeadlineMs } from '../../nodes/SignVerify/trigger/publishingBudget';
import { DocumentedPart, tableOf } from '../support/documentedPart';
import { documentStates } from '../support/documentStates';
import { kindsOfResponses, outcomes } from '../support/verdicts';
import { seededBugs } from '../simulation/seededBugs/bugs';
import { guaranteeNames } from '../simulation/guarantees/broken';
import { expectToSay } from './markdown';

const seconds = (ms: number) => String(ms / 1000);
const mostTries = Math.max(...Object.values(maxTries).map(({ didNothing }) => didNothing));
/** The pauses (in seconds) between tries, for the kind of call that gets the most tries. */
const pauses = Array.from({ length: mostTries - 1 }, (_, at) =>
	seconds(firstRetryPauseMs * 2 ** at),
);
const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

test.each([
	[
		'the number of tries and the pauses between them',
		`The node makes up to ${mostTries} tries, with pauses of about ${pauses.slice(0, -1).join(', ')}, and ${pauses.at(-1)} seconds`,
	],
	['the time limit for an execution', `Gives up after at most ${executionCallMs / 60_000} minutes`],
	['the time limit for loading a list', `after ${seconds(listCallMs)} seconds`],
	['the time limit for publishing', `about ${seconds(n8nDeadlineMs)} seconds`],
	['the time limit for handling an event', `after ${seconds(eventCallMs)} seconds`],
	['the longest Retry-After', `After at most ${{ 3_600_000: 'an hour' }[maxRetryAfterMs]}`],
	['the first pause after HTTP 429', `about ${{ 250: 'a quarter of a second' }[firstPauseMs]}`],
	[
		'the number of rejections before the pauses get longer',
		`From the ${words[refusalsToDouble]} rejection in a row`,
	],
	['the longest pause after HTTP 429', `up to ${seconds(maxPauseMs)} seconds`],
])('docs/dev/behavior.md agrees with the code on %s', (_what, words) => {
	expectToSay('docs/dev/behavior.md', words);
});

test('docs/dev/behavior.md shows the table that explains each kind of response', async () => {
	const rows = kindsOfResponses.map(({ says, expected }) => [
		says,
		...expected.map((outcome) => outcomes[outcome]),
	]);
	const table = tableOf(['Body of the response', 'Creating', 'Reading', 'Deleting'], rows);
	const part = new DocumentedPart('docs/dev/behavior.md', 'responses');
	await part.expectToBe(table, 'behavior');
});

test('docs/dev/behavior.md contains the table of event bodies that the tests use', () => {
	const rows = documentStates.map(({ row }) => `| ${row.join(' | ')} |`);
	expectToSay('docs/dev/behavior.md', ...rows);
});

test('docs/dev/behavior.md contains the guarantees that the simulation checks', () => {
	const rows = Object.entries(guaranteeNames).map(
		([name, sentence]) => `| ${name} | ${sentence} |`,
	);
	expectToSay('docs/dev/behavior.md', ...rows);
});

test('each guarantee has a seeded bug that breaks it', () => {
	const broken = new Set(seededBugs.map(({ guarantee }) => guarantee));
	expect([...broken].sort()).toEqual(Object.keys(guaranteeNames).sort());
});
