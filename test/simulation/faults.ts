import fc from 'fast-check';

/** What can happen to a call to the service. */
export const faultKinds = [
	// Nobody listens: the call never arrives.
	'refused',
	// The connection breaks before the service acts, or after.
	...(['broken', 'lost'] as const),
	// The service acts at once, or long after the caller gave up; the answer is too late anyway.
	...(['late', 'overdue'] as const),
	// It takes a few seconds, and works.
	'slow',
	// 503 instead of acting; 502 from a gateway after the service acted.
	...(['unavailable', 'gateway'] as const),
	// 429 instead of acting: with Retry-After, without.
	...(['limited', 'limitedSilently'] as const),
	// Refused instead of acting.
	...(['unauthorized', 'forbidden', 'badRequest'] as const),
	// A web page with status 200 instead of acting; a gateway's page that there is nothing here, or that it forbids it.
	...(['page', 'missingPage', 'forbiddenPage'] as const),
	// The token has expired, and its exchange is refused: by the service, or with a gateway's page.
	...(['exchangeRefused', 'exchangeMissing'] as const),
	// Refused with a message that repeats the secrets of the call.
	'quoting',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Those with which the service itself says that it will not do what a call asks for. */
const refusingKinds: FaultKind[] = ['forbidden', 'badRequest', 'quoting'];

/** Whether the service itself refuses calls of a kind. */
export function isRefusal({ on, kind }: Fault, of: CallKind): boolean {
	return (on === of || on === 'all') && refusingKinds.includes(kind);
}

/** Whether a try that follows works: a gateway has once said that there is nothing here. */
export function isPassing({ kind, times }: Fault): boolean {
	return kind === 'missingPage' && times === 1;
}

/** Kinds of calls, as far as faults tell them apart. */
export const callKinds = [
	...(['create', 'request', 'token', 'templates', 'register', 'list', 'delete'] as const),
	...(['read', 'file'] as const),
];

export type CallKind = (typeof callKinds)[number];

/** Trouble with calls of one kind. */
export interface Fault {
	on: CallKind | 'all';
	kind: FaultKind;
	/** How many such calls work before, and how many then fail; 0 means all of them, until it is mended. */
	after: number;
	times: number;
}

/** Which kind a call to the service is. */
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

/** Mostly the very next call, and once; sometimes all of them, until it is mended. */
const when = {
	after: fc.constantFrom(0, 0, 0, 1, 2, 3),
	times: fc.constantFrom(1, 1, 2, 3, 4, 0),
};

export const faultArbitrary: fc.Arbitrary<Fault> = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.record({
			// What creates and registers matters most.
			on: fc.constantFrom<Fault['on']>(
				...callKinds,
				...(['all', 'create', 'create', 'request', 'register'] as const),
			),
			kind: fc.constantFrom(...faultKinds),
			...when,
		}),
	},
	{
		// A storage fails in ways of its own.
		weight: 1,
		arbitrary: fc.record({
			on: fc.constant<Fault['on']>('file'),
			kind: fc.constantFrom<FaultKind>('page', 'page', 'late', 'slow', 'broken', 'unavailable'),
			...when,
		}),
	},
	{
		// Registrations go wrong for a while: half of what belongs together is done.
		weight: 2,
		arbitrary: fc.record({
			on: fc.constantFrom<Fault['on']>('list', 'delete', 'register'),
			kind: fc.constantFrom<FaultKind>('unavailable', 'lost', 'broken'),
			after: fc.constantFrom(0, 1, 2),
			times: fc.constant(0),
		}),
	},
	{
		// What somebody else answers is taken for the service's words.
		weight: 3,
		arbitrary: fc.record({
			on: fc.constantFrom<Fault['on']>('read', 'templates', 'delete', 'all'),
			kind: fc.constantFrom<FaultKind>('missingPage', 'exchangeRefused', 'exchangeMissing'),
			after: fc.constantFrom(0, 0, 1, 2),
			times: fc.constantFrom(1, 1, 4, 0),
		}),
	},
);

/** A registration of which nobody knows whether it was made, and trouble with taking it back. */
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

/** Faults that are in force. */
export class Faults {
	private readonly active: Array<Fault & { seen: number }> = [];

	add(fault: Fault): void {
		this.active.push({ ...fault, seen: 0 });
	}

	/** From now on everything works. */
	mend(): void {
		this.active.length = 0;
	}

	/** What happens to the next call of a kind, if anything. */
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
