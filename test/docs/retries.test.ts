import { shortRetryTime } from '../../nodes/SignVerify/http/client';
import {
	firstPause,
	maxPause,
	maxRetryAfter,
	refusalsToDouble,
} from '../../nodes/SignVerify/http/rateLimit';
import { type CallKind, firstDelay, maxTries } from '../../nodes/SignVerify/http/retry';
import { maxRetryTime } from '../../nodes/SignVerify/operations/run';
import { readPage } from './markdown';

const prose = readPage('docs/reliability.md').prose.replace(/\s+/g, ' ');
const lines = readPage('docs/reliability.md').prose.split('\n');

/** The tries in a row of the table, for a read, a delete and a creation. */
function triesIn(row: string): number[] {
	const line = lines.find((each) => each.startsWith(`| ${row}`)) ?? '';
	return [...line.matchAll(/(\d+) tr(?:y|ies)/g)].map(([, number]) => Number(number));
}
const kinds: CallKind[] = ['read', 'delete', 'create'];

test.each([
	['Too many requests (429)', 'rateLimited'],
	['The connection was refused', 'always'],
	['The request for an access token failed', 'always'],
	['The service failed (5xx)', 'whenIdempotent'],
	['The service refused it', 'never'],
] as const)('the page says how often a call is tried: %s', (row, column) => {
	expect(triesIn(row)).toEqual(kinds.map((kind) => maxTries[kind][column]));
});

const seconds = (ms: number) => String(ms / 1000);
const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

test.each([
	[
		'the pauses',
		`They grow: about ${seconds(firstDelay)}, ${seconds(2 * firstDelay)} and ${seconds(4 * firstDelay)} seconds.`,
	],
	[
		'the time limits',
		`The node retries for at most ${maxRetryTime / 60_000} minutes. When you load a list in the editor or publish a workflow, it is ${seconds(shortRetryTime)} seconds.`,
	],
	['the longest Retry-After', `at most ${{ 60_000: 'a minute' }[maxRetryAfter]}.`],
	['the first pause', `the node waits about ${{ 250: 'a quarter of a second' }[firstPause]}.`],
	[
		'the growth of the pauses',
		`From the ${words[refusalsToDouble]} refusal in a row on, each pause is twice as long as the one before, up to ${seconds(maxPause)} seconds.`,
	],
])('and %s', (_what, sentence) => {
	expect(prose).toContain(sentence);
});
