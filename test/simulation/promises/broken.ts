/** A promise that did not hold. */
export class Broken extends Error {
	/**
	 * @param promise Its name, as docs/reliability.md lists it.
	 * @param how What happened instead.
	 */
	constructor(
		readonly promise: PromiseName,
		how: string,
	) {
		super(`${promise}: ${how}`);
		this.name = 'Broken';
	}
}

/** What the nodes promise, by name, each with the sentence that the documentation shows. */
export const promiseNames = {
	'never sent twice':
		'Within an execution nobody gets a document or an identity request twice; with a Send Once Key, never.',
	'every creation is reported':
		'What was created is in the output, or an error says that it may have been created.',
	'nothing passes as done':
		'An item that leaves by the success output was done at the service, or says that it was not.',
	'every item once': 'Every item that comes in leaves once, paired with its input.',
	'an accepted event is executed':
		'An event that n8n answered with 2xx starts the workflow; in one process only once.',
	'only who knows the secret': 'An event without the right secret starts and continues nothing.',
	'a wait ends by its own event or limit':
		'Nothing else continues a waiting execution, except that a person retries it.',
	'a wait ends': 'A wait ends when its event is delivered, and when its limit is reached.',
	'registrations converge':
		'A published trigger has one registration for each of its events, an unpublished one has none.',
	"nobody else's registrations":
		'No run, trigger or copy removes a registration that somebody else needs.',
	'no secret leaks': 'Key, tokens and secrets are in no output, error, log or answer.',
	'one token exchange at a time':
		'However many calls need a new access token, a process asks for one only.',
	'work is bounded':
		'An execution ends. It makes at most 140 calls for each round of a loop, and 80 for each try of an item, and waits when the service says so. In a full outage it makes at most 1.1 calls for each item and 150 more.',
} as const;

export type PromiseName = keyof typeof promiseNames;
