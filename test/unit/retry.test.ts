import type { CallKind } from '../../nodes/SignVerify/http/request';
import {
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

/** The tries of a call that may be repeated. docs/dev/proof.md names the number, and a test compares the two. */
const several = maxTries.reading.didNothing;

/** The tries of a read, of a registration and of a creation, and whether the creation may exist. */
const rules: Array<[what: string, failure: Failure, tries: [number, number, number], end: string]> =
	[
		['a refused connection', unsentForNow, [several, several, several], 'does not exist'],
		['a host name that does not exist', unsentForGood, [1, 1, 1], 'does not exist'],
		['a lost response', lostForNow, [several, 1, 1], 'may exist'],
		['a response that says nothing', lostForGood, [1, 1, 1], 'may exist'],
		['HTTP 302', refused(302), [1, 1, 1], 'does not exist'],
		['HTTP 303', refused(303), [1, 1, 1], 'may exist'],
		['HTTP 400', refused(400), [1, 1, 1], 'does not exist'],
		['HTTP 401', refused(401), [1, 1, 1], 'does not exist'],
		['HTTP 404 of the service', absent, [1, 1, 1], 'does not exist'],
		['HTTP 404 of a gateway', refused(404, false), [several, 1, 1], 'does not exist'],
		['HTTP 410 of a gateway', refused(410, false), [several, 1, 1], 'does not exist'],
		['HTTP 429', refused(429), [60, 60, 60], 'does not exist'],
		['HTTP 500', refused(500), [several, 1, 1], 'may exist'],
		['HTTP 503 of a gateway', refused(503, false), [several, 1, 1], 'may exist'],
		['a success before a later step failed', { what: 'succeeded' }, [1, 1, 1], 'may exist'],
	];

test('A call that may be repeated has several tries', () => {
	expect(several).toBeGreaterThan(1);
});

describe.each(rules)('Verdict after %s', (_what, failure, tries, end) => {
	const kinds: CallKind[] = ['reading', 'registering', 'creating'];

	test.each(kinds.map((kind, index) => [kind, tries[index]] as const))(
		'limits the tries of a call for %s to %i',
		(kind, expected) => {
			expect(verdictOn(failure, { kind }).tries).toBe(expected);
		},
	);

	test(`says that the object of a creation ${end}, and that other calls create nothing`, () => {
		expect(verdictOn(failure, { kind: 'creating' }).mayHaveCreated).toBe(end === 'may exist');
		for (const kind of ['reading', 'registering', 'deleting', 'file'] as const) {
			expect(verdictOn(failure, { kind }).mayHaveCreated).toBe(false);
		}
	});

	test('adds no tries of Retry On Fail to a creation that may exist', () => {
		const { tries } = verdictOn(failure, { kind: 'creating', nodeTries: 5 });
		const isCertain = end === 'does not exist' && failure !== absent;
		expect(tries).toBe(isCertain ? Math.max(5, verdictOn(failure, { kind: 'creating' }).tries) : 1);
	});
});

test('Retry On Fail adds no tries to a read of an object that the service does not have', () => {
	expect(verdictOn(refused(404), { kind: 'reading', nodeTries: 5 }).tries).toBe(1);
	expect(verdictOn(refused(400), { kind: 'reading', nodeTries: 5 }).tries).toBe(5);
});

test.each<[string, boolean, Failure]>([
	['a refused connection', false, unsentForNow],
	['HTTP 400', false, refused(400)],
	['HTTP 429', false, refused(429)],
	['a lost response', true, lostForNow],
	['a response that says nothing', true, lostForGood],
	['HTTP 404 of a gateway', true, refused(404, false)],
	['HTTP 500', true, refused(500)],
])('After %s, the service may have acted on a deletion: %s', (_what, mayHaveActed, failure) => {
	expect(verdictOn(failure, { kind: 'deleting' }).mayHaveActed).toBe(mayHaveActed);
});
