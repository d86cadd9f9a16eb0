import type { Store } from '../../../sandbox/state/store';

/** Stores records of one kind by their IDs. */
interface Records<Value> {
	get(id: string): Value | undefined;
	put(id: string, record: Value): void;
}

/**
 * Replaces the IDs that the sandbox assigns to the documents, identity requests and webhooks of an account.
 * @param nextId Returns the next ID, which must be unique.
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
		// An existing record is only updated, so it keeps its ID.
		if (!records.get(id)) record[name] = nextId();
		put(record[name], record);
	};
}

/** JSON.parse cannot distinguish this number from the next one. */
const firstNumber = 2n ** 53n;

/** Generates IDs that are consecutive integers, starting at 2^53. */
export function numbers(): () => string {
	let next = firstNumber;
	return () => String(next++);
}

/**
 * Converts a body to JSON, writing its 16-digit IDs as numbers. No other string in a body consists of exactly
 * 16 digits.
 */
export function jsonOf(body: unknown): string {
	return JSON.stringify(body).replace(/"(\d{16})"/g, '$1');
}
