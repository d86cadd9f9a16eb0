import { maxTries, retryAllowance, type CallKind } from '../../nodes/SignVerify/http/retry';
import { readPage } from './markdown';

const { prose } = readPage('docs/reliability.md');

/** The tries in a row of the table, for a read, a delete and a creation. */
function triesIn(row: string): number[] {
	const line = prose.split('\n').find((each) => each.startsWith(`| ${row}`)) ?? '';
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

test('and how many retries an execution has', () => {
	const { always } = maxTries.read;
	expect(prose).toContain(
		`The allowance is ${retryAllowance()} retries, or ${always - 1} times **Parallel Requests** if that is more (${retryAllowance(50)} at most).`,
	);
});
