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
		'Nobody gets a document or an identity request twice from one execution. With a Send Once Key, nobody gets it twice from several executions either.',
	'every creation is reported':
		'What was created is in the output, or an error says that it may have been created.',
	'nothing passes as done':
		'An item on the success output was done at the service, or its output says that it was not.',
	'every item once': 'Every input item leaves the node once, paired with its input.',
	'an accepted event is executed':
		'An event that n8n answered with 2xx starts the workflow. In one process, it starts it only once.',
	'only who knows the secret': 'An event without the right secret starts and continues nothing.',
	'a wait ends by its own event or limit':
		'Only its own event, its limit, or a person who retries it continues a waiting execution.',
	'a wait ends': 'A wait ends when its event is delivered, and when its limit is reached.',
	'registrations converge':
		'A published trigger has one registration for each of its events. An unpublished trigger has none.',
	"nobody else's registrations":
		'No run, trigger or copy removes a registration that somebody else needs.',
	'no secret leaks': 'Key, tokens and secrets are in no output, error, log or answer.',
	'one token exchange at a time':
		'If many calls need a new access token at once, a process asks for only one.',
	'work is bounded':
		'An execution ends. It makes at most 140 calls for each round of a loop, and 80 for each try of an item. It waits if the service says so. In a full outage it makes at most 1.1 calls for each item and 150 more.',
} as const;

export type PromiseName = keyof typeof promiseNames;
