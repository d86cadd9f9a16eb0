import type { CallPurpose } from '../../nodes/SignVerify/http/request';
import {
	denied,
	type Failure,
	lostForGood,
	lostForNow,
	maxTries,
	noFile,
	unsentForGood,
	unsentForNow,
	verdictOn,
} from '../../nodes/SignVerify/http/retry';

const refused = (status: number, isFromService = true): Failure => ({
	what: 'refused',
	status,
	isFromService,
});

/** The maximum number of tries for a read, a registration and a create call, in that order. */
type Tries = [number, number, number];

/**
 * The maximum number of tries for each purpose of call if the earlier tries had no effect. A test checks that
 * docs/dev/behavior.md contains the same numbers.
 */
const { reading, registering, creating } = maxTries;
const undone: Tries = [reading.didNothing, registering.didNothing, creating.didNothing];
/** Create calls and registrations that may have succeeded are not repeated. */
const maybeDone: Tries = [reading.mayHaveWorked, 1, 1];
const once: Tries = [1, 1, 1];

/**
 * For each failure, the maximum number of tries for each purpose of call, and whether a create call may have
 * created its object.
 */
const rules: Array<[what: string, failure: Failure, tries: Tries, end: string]> = [
	['a refused connection', unsentForNow, undone, 'does not exist'],
	['an unknown host name', unsentForGood, once, 'does not exist'],
	['a rejection by the rate limiter', denied, once, 'does not exist'],
	['a lost response', lostForNow, maybeDone, 'may exist'],
	['an inconclusive response', lostForGood, once, 'may exist'],
	['a missing file', noFile, [2, 2, 2], 'does not exist'],
	['HTTP 302', refused(302), once, 'does not exist'],
	['HTTP 303', refused(303), once, 'may exist'],
	['HTTP 400', refused(400), once, 'does not exist'],
	['HTTP 401', refused(401), once, 'does not exist'],
	['HTTP 404 from the service', refused(404), once, 'does not exist'],
	['HTTP 404 from a gateway', refused(404, false), maybeDone, 'does not exist'],
	['HTTP 410 from a gateway', refused(410, false), maybeDone, 'does not exist'],
	['HTTP 429', refused(429), [60, 60, 60], 'does not exist'],
	['HTTP 500', refused(500), maybeDone, 'may exist'],
	['HTTP 503 from a gateway', refused(503, false), maybeDone, 'may exist'],
	['a success with a later failure', { what: 'succeeded' }, once, 'may exist'],
];

test('Any call is repeated if it had no effect, and a read is repeated even if it may have succeeded', () => {
	for (const tries of [...undone, reading.mayHaveWorked]) expect(tries).toBeGreaterThan(1);
});

const attempts = (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`);

describe.each(rules)('The verdict after %s', (_what, failure, tries, end) => {
	const [reads, registrations, creations] = tries;
	test.each<[string, string, CallPurpose, number]>([
		['a read', attempts(reads), 'reading', reads],
		['a registration', attempts(registrations), 'registering', registrations],
		['a create call', attempts(creations), 'creating', creations],
	])('limits %s to %s', (_name, _limit, purpose, expected) => {
		expect(verdictOn(failure, { purpose }).tries).toBe(expected);
	});

	const created = end === 'may exist' ? 'may have created' : 'has not created';
	test(`reports that a create call ${created} its object, and that other calls create nothing`, () => {
		expect(verdictOn(failure, { purpose: 'creating' }).mayHaveCreated).toBe(end === 'may exist');
		for (const purpose of ['reading', 'registering', 'deleting', 'file'] as const) {
			expect(verdictOn(failure, { purpose }).mayHaveCreated).toBe(false);
		}
	});
});

test.each<[string, string, Failure]>([
	['a refused connection', 'cannot have acted', unsentForNow],
	['a rejection by the rate limiter', 'cannot have acted', denied],
	['HTTP 400', 'cannot have acted', refused(400)],
	['HTTP 429', 'cannot have acted', refused(429)],
	['a lost response', 'may have acted', lostForNow],
	['an inconclusive response', 'may have acted', lostForGood],
	['HTTP 404 from a gateway', 'may have acted', refused(404, false)],
	['HTTP 500', 'may have acted', refused(500)],
])('After %s, the service %s on a delete call', (_what, outcome, failure) => {
	const { mayHaveActed } = verdictOn(failure, { purpose: 'deleting' });
	expect(mayHaveActed).toBe(outcome === 'may have acted');
});
