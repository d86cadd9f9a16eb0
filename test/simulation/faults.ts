import fc from 'fast-check';

const faultKinds = [
	// Nothing is listening, so the call never arrives.
	'refused',
	// The connection breaks before or after the service acts.
	'broken',
	'lost',
	// The service acts immediately, or long after the caller has given up. In both cases, the response
	// arrives too late.
	'late',
	'overdue',
	// The call takes a few seconds and succeeds.
	'slow',
	// The service responds with 503 instead of acting, or a gateway responds with 502 after the service has
	// acted.
	'unavailable',
	'gateway',
	// The service responds with 429 instead of acting, with or without Retry-After.
	'limited',
	'limitedSilently',
	// The service refuses the call.
	'unauthorized',
	'forbidden',
	'badRequest',
	// A gateway responds instead of the service, with a web page and status 200, 404 or 403.
	'page',
	'missingPage',
	'forbiddenPage',
	// The token has expired. When the node requests a new one, either the service refuses or a gateway
	// responds with a page.
	'exchangeRefused',
	'exchangeMissing',
	// The service refuses the call with a message that repeats the call's secrets.
	'quoting',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Faults in which the service itself rejects the requested action. */
const refusingKinds: FaultKind[] = ['forbidden', 'badRequest', 'quoting'];

/** Whether a fault makes the service itself reject calls of this kind. */
export function isRefusal({ on, kind }: Fault, of: CallKind): boolean {
	return (on === of || on === 'all') && refusingKinds.includes(kind);
}

/**
 * Whether a fault affects only one attempt: a gateway reports a missing page once, and the next attempt
 * succeeds.
 */
export function isPassing({ kind, times }: Fault): boolean {
	return kind === 'missingPage' && times === 1;
}

/** The kinds of calls that a fault can be limited to. */
const callKinds = [
	'create',
	'request',
	'token',
	'templates',
	'register',
	'list',
	'delete',
	'read',
	'file',
] as const;

export type CallKind = (typeof callKinds)[number];

/** A fault, and the calls that it affects. */
export interface Fault {
	on: CallKind | 'all';
	kind: FaultKind;
	/**
	 * The fault lets `after` calls succeed and then affects `times` calls. If `times` is 0, the fault affects
	 * all further calls until it is removed.
	 */
	after: number;
	times: number;
}

export function kindOfCall(method: string, path: string): CallKind {
	if (path === '/access/token') return 'token';
	if (path.startsWith('/templates/createDocument')) return 'create';
	if (path.startsWith('/templates')) return 'templates';
	if (path === '/identity/validation/request') return 'request';
	if (path.startsWith('/identity')) return 'read';
	if (path === '/webhooks' && method === 'GET') return 'list';
	if (path === '/webhooks' && method === 'DELETE') return 'delete';
	return path.startsWith('/webhooks') ? 'register' : 'file';
}

/**
 * Half of the faults take effect with the next call. Most affect only a few calls; some affect all calls
 * until they are removed.
 */
const when = {
	after: fc.constantFrom(0, 0, 0, 1, 2, 3),
	times: fc.constantFrom(1, 1, 2, 3, 4, 0),
};

export const faultArbitrary: fc.Arbitrary<Fault> = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.record({
			// Create, request and register calls are chosen more often, because faults in them matter most.
			on: fc.constantFrom<Fault['on']>(
				...callKinds,
				...(['all', 'create', 'create', 'request', 'register'] as const),
			),
			kind: fc.constantFrom(...faultKinds),
			...when,
		}),
	},
	{
		// Files come from a storage service, which has its own faults.
		weight: 1,
		arbitrary: fc.record({
			on: fc.constant<Fault['on']>('file'),
			kind: fc.constantFrom<FaultKind>('page', 'page', 'late', 'slow', 'broken', 'unavailable'),
			...when,
		}),
	},
	{
		// These temporary failures can leave only some of a trigger's webhooks registered.
		weight: 2,
		arbitrary: fc.record({
			on: fc.constantFrom<Fault['on']>('list', 'delete', 'register'),
			kind: fc.constantFrom<FaultKind>('unavailable', 'lost', 'broken'),
			after: fc.constantFrom(0, 1, 2),
			times: fc.constant(0),
		}),
	},
	{
		// Responses that the node could mistake for the service's own, such as a page from a gateway.
		weight: 3,
		arbitrary: fc.record({
			on: fc.constantFrom<Fault['on']>('read', 'templates', 'delete', 'all'),
			kind: fc.constantFrom<FaultKind>('missingPage', 'exchangeRefused', 'exchangeMissing'),
			after: fc.constantFrom(0, 0, 1, 2),
			times: fc.constantFrom(1, 1, 4, 0),
		}),
	},
);

/**
 * Makes two faults: one leaves the result of a registration unknown, and the other affects the deletion of
 * the registered webhook.
 */
export const halfRegisteredArbitrary: fc.Arbitrary<Fault[]> = fc.tuple(
	fc.record({
		on: fc.constant<Fault['on']>('register'),
		kind: fc.constantFrom<FaultKind>('lost', 'gateway', 'late'),
		after: fc.constantFrom(0, 1, 2),
		times: fc.constantFrom(1, 2),
	}),
	fc.record({
		on: fc.constant<Fault['on']>('delete'),
		kind: fc.constantFrom<FaultKind>('unavailable', 'lost', 'broken', 'gateway'),
		after: fc.constantFrom(0, 1, 2),
		times: fc.constantFrom(1, 2),
	}),
);

export class Faults {
	private readonly active: Array<Fault & { seen: number }> = [];

	add(fault: Fault): void {
		this.active.push({ ...fault, seen: 0 });
	}

	/** Removes all faults so that every call works. */
	mend(): void {
		this.active.length = 0;
	}

	/** Returns the fault for the next call of a kind, if there is one. */
	take(kind: CallKind): FaultKind | undefined {
		let taken: FaultKind | undefined;
		for (const fault of this.active) {
			if (fault.on !== kind && fault.on !== 'all') continue;
			const number = fault.seen++;
			const isDue =
				number >= fault.after && (fault.times === 0 || number < fault.after + fault.times);
			if (isDue) taken ??= fault.kind;
		}
		return taken;
	}
}
