import type {
	CompletedEntry,
	ContinuedEntry,
	DeliveryEntry,
	DocumentEntry,
	Entry,
	RegisteredEntry,
	RemovedEntry,
	WaitEntry,
	WaitingEntry,
} from './entries';
import type { Call, Execution } from './factTypes';

/** An item that is waited for, with all that the history says of it. */
export interface WaitItem {
	begun: WaitEntry;
	call: Call;
	/** Oldest first: "Retry" may send another one. */
	documents: DocumentEntry[];
	continued: ContinuedEntry[];
}

/** A registration of a wait. */
export interface WaitRegistration {
	registered: RegisteredEntry;
	removed?: RemovedEntry;
	deliveries: DeliveryEntry[];
}

/** What a history says of waits. */
export interface WaitFacts {
	/** By their keys. */
	items: Map<string, WaitItem>;
	registrations: Map<string, WaitRegistration>;
	/** By document. */
	completed: Map<string, CompletedEntry>;
	waiting: WaitingEntry[];
	/** What continued without that a call had asked for it. */
	strangers: ContinuedEntry[];
	/** The moment of the last entry. */
	end: number;
}

type OfType = <Type extends Entry['type']>(type: Type) => Array<Extract<Entry, { type: Type }>>;

/** Arranges what a history says of waits. */
export function waitFactsOf(of: OfType, calls: Map<string, Call>, end: number): WaitFacts {
	const items = new Map<string, WaitItem>();
	for (const begun of of('wait')) {
		const call = calls.get(begun.call);
		if (call) items.set(begun.key, { begun, call, documents: [], continued: [] });
	}
	for (const document of of('document')) items.get(document.key)?.documents.push(document);
	const strangers: ContinuedEntry[] = [];
	for (const each of of('continued')) (items.get(each.key)?.continued ?? strangers).push(each);
	const registrations = new Map<string, WaitRegistration>();
	for (const registered of of('registered')) {
		registrations.set(registered.registration, { registered, deliveries: [] });
	}
	for (const removed of of('removed')) {
		const registration = registrations.get(removed.registration);
		if (registration) registration.removed = removed;
	}
	for (const each of of('delivery')) registrations.get(each.registration)?.deliveries.push(each);
	return {
		...{ items, registrations, strangers, end },
		completed: new Map(of('completed').map((each) => [each.document, each])),
		waiting: of('waiting'),
	};
}

/** The document that an item waits for at a moment: "Retry" may have sent another one. */
export function documentAt({ documents }: WaitItem, at: number): DocumentEntry | undefined {
	return documents.filter((each) => each.at <= at).at(-1);
}

/** When the limit of a wait for a document passes, at the earliest; Infinity where there is none. */
export function limitOf({ begun }: WaitItem, document: DocumentEntry): number {
	return begun.limitMs === undefined ? Infinity : document.at + begun.limitMs;
}

/** The execution that a call came to in the end: the last "Retry", or the one that it started. */
export function lastExecution({ executions }: Call): Execution | undefined {
	return [...executions].sort((a, b) => a.started.at - b.started.at).at(-1);
}

/** The registrations of an execution, oldest first. */
export function registrationsOf({ registrations }: WaitFacts, execution: string) {
	return [...registrations.values()].filter(({ registered }) => registered.execution === execution);
}

/**
 * The deliveries of a document to the wait for it: to the registration that its call had last. One of
 * an earlier wait, as in a loop, is answered 2xx and continues nothing (docs/waiting.md).
 */
export function ownDeliveries(
	facts: WaitFacts,
	{ call }: WaitItem,
	{ document }: DocumentEntry,
): DeliveryEntry[] {
	const registrations = call.executions
		.flatMap(({ started }) => registrationsOf(facts, started.execution))
		.sort((a, b) => a.registered.at - b.registered.at);
	return registrations
		.flatMap(({ deliveries }, index) => {
			const replacedAt = registrations[index + 1]?.registered.at ?? Infinity;
			return deliveries.filter((each) => each.document === document && each.at < replacedAt);
		})
		.sort((a, b) => a.at - b.at);
}

/** Whether a delivery was answered 2xx. */
export function isTaken({ status }: DeliveryEntry): boolean {
	return typeof status === 'number' && status >= 200 && status < 300;
}

/** n8n's timers and the clocks of its processes need not agree to the millisecond. */
export const timerToleranceMs = 1000;
