import type { Store } from '../../../sandbox/state/store';

/** Records of one kind, by their IDs. */
interface Records<Value> {
	get(id: string): Value | undefined;
	put(id: string, record: Value): void;
}

/**
 * Gives the documents, identity requests and webhooks of an account other IDs than the sandbox does.
 * @param nextId The ID of the next one; no two are the same.
 */
export function giveIds(
	{ documents, identityRequests, registrations }: Store,
	nextId: () => string,
): void {
	giveIdsTo(documents, 'documentID', nextId);
	giveIdsTo(identityRequests, 'validationId', nextId);
	giveIdsTo(registrations, 'webHookID', nextId);
}

function giveIdsTo<Name extends string>(
	records: Records<Record<Name, string>>,
	name: Name,
	nextId: () => string,
): void {
	const put = records.put.bind(records);
	records.put = (id, record) => {
		// What is there already is only changed.
		if (!records.get(id)) record[name] = nextId();
		put(record[name], record);
	};
}

/** The first number whose neighbours JSON.parse cannot tell apart. */
const firstNumber = 2n ** 53n;

/** IDs that are whole numbers beyond 2^53, each one more than the one before. */
export function numbers(): () => string {
	let next = firstNumber;
	return () => String(next++);
}

/** A body as JSON, in which those IDs are numbers; no other text has so many digits and nothing else. */
export function jsonOf(body: unknown): string {
	return JSON.stringify(body).replace(/"(\d{16})"/g, '$1');
}
