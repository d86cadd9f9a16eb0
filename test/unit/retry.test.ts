import type { CallKind } from '../../nodes/SignVerify/http/request';
import {
	denied,
	type Failure,
	lostForGood,
	lostForNow,
	maxTries,
	unsentForGood,
	unsentForNow,
	verdictOn,
} from '../../nodes/SignVerify/http/retry';

const refused = (status: number, isFromService = true): Failure => ({
	what: 'refused',
	status,
	isFromService,
});

/** A response in which the service itself says that it does not have the requested object. */
const absent = refused(404);

/** The maximum number of tries for a read, a registration and a create call, in that order. */
type Tries = [number, number, number];

/**
 * The maximum number of tries for each kind of call if the earlier tries had no effect. A test checks that
 * docs/dev/responses.md contains the same numbers.
 */
const { reading, registering, creating } = maxTries;
const undone: Tries = [reading.didNothing, registering.didNothing, creating.didNothing];
/** Create calls and registrations that may have succeeded are not repeated. */
const maybeDone: Tries = [reading.mayHaveWorked, 1, 1];
const once: Tries = [1, 1, 1];

/**
 * For each failure, the maximum number of tries for each kind of call, and whether a create call may have
 * created its object.
 */
const rules: Array<[what: string, failure: Failure, tries: Tries, end: string]> = [
	['a refused connection', unsentForNow, undone, 'does not exist'],
	['a host name that does not exist', unsentForGood, once, 'does not exist'],
	['a denied turn', denied, once, 'does not exist'],
	['a lost response', lostForNow, maybeDone, 'may exist'],
	['an inconclusive response', lostForGood, once, 'may exist'],
	['HTTP 302', refused(302), once, 'does not exist'],
	['HTTP 303', refused(303), once, 'may exist'],
	['HTTP 400', refused(400), once, 'does not exist'],
	['HTTP 401', refused(401), once, 'does not exist'],
	['HTTP 404 from the service', absent, once, 'does not exist'],
	['HTTP 404 from a gateway', refused(404, false), maybeDone, 'does not exist'],
	['HTTP 410 from a gateway', refused(410, false), maybeDone, 'does not exist'],
	['HTTP 429', refused(429), [60, 60, 60], 'does not exist'],
	['HTTP 500', refused(500), maybeDone, 'may exist'],
	['HTTP 503 from a gateway', refused(503, false), maybeDone, 'may exist'],
	['a success before a later step failed', { what: 'succeeded' }, once, 'may exist'],
];

test('Calls that had no effect and reads that may have succeeded are repeated', () => {
	for (const tries of [...undone, reading.mayHaveWorked]) expect(tries).toBeGreaterThan(1);
});

describe.each(rules)('The verdict after %s', (_what, failure, tries, end) => {
	const kinds: CallKind[] = ['reading', 'registering', 'creating'];

	test.each(kinds.map((kind, index) => [kind, tries[index]] as const))(
		'limits the number of attempts for %s to %i',
		(kind, expected) => {
			expect(verdictOn(failure, { kind }).tries).toBe(expected);
		},
	);

	test(`reports that the object to be created ${end}, and that other calls do not create anything`, () => {
		expect(verdictOn(failure, { kind: 'creating' }).mayHaveCreated).toBe(end === 'may exist');
		for (const kind of ['reading', 'registering', 'deleting', 'file'] as const) {
			expect(verdictOn(failure, { kind }).mayHaveCreated).toBe(false);
		}
	});

	test('does not add attempts from Retry On Fail if the object to be created may exist', () => {
		const { tries } = verdictOn(failure, { kind: 'creating', nodeTries: 5 });
		const isRepeatable = end === 'does not exist' && failure !== absent && failure !== denied;
		expect(tries).toBe(
			isRepeatable ? Math.max(5, verdictOn(failure, { kind: 'creating' }).tries) : 1,
		);
	});
});

test('Retry On Fail does not add attempts to a read of a missing object or to a call that is denied its turn', () => {
	expect(verdictOn(refused(404), { kind: 'reading', nodeTries: 5 }).tries).toBe(1);
	expect(verdictOn(denied, { kind: 'reading', nodeTries: 5 }).tries).toBe(1);
	expect(verdictOn(refused(400), { kind: 'reading', nodeTries: 5 }).tries).toBe(5);
});

test.each<[string, boolean, Failure]>([
	['a refused connection', false, unsentForNow],
	['a denied turn', false, denied],
	['HTTP 400', false, refused(400)],
	['HTTP 429', false, refused(429)],
	['a lost response', true, lostForNow],
	['an inconclusive response', true, lostForGood],
	['HTTP 404 from a gateway', true, refused(404, false)],
	['HTTP 500', true, refused(500)],
])('After %s, the service may have acted on a deletion: %s', (_what, mayHaveActed, failure) => {
	expect(verdictOn(failure, { kind: 'deleting' }).mayHaveActed).toBe(mayHaveActed);
});
