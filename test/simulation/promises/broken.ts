/** The guarantees of the nodes by name, each with the sentence in docs/dev/proof.md. */
export const promiseNames = {
	'Never sent twice':
		'Nobody gets a document or an identity request twice from one execution. With a Send Once Key, nobody gets it twice from several executions either.',
	'Nothing is sent while an item is wrong':
		'If the node stops on errors, it checks all items of a run before it sends the first one.',
	'Everything created is reported':
		'What was created is in the output, or an error says that it may have been created.',
	'Nothing passes as done':
		'An item on the success output was done at the service, or its output says that it was not.',
	'Every item once, in order':
		'Every input item leaves the node once, in input order and paired with its input.',
	'An accepted event starts the workflow':
		'An event that n8n answered with 2xx starts the workflow. In one process, it starts it only once.',
	'Only who knows the secret': 'An event without the right secret starts and continues nothing.',
	'A wait ends by its own event or its limit':
		'Its own event or its limit continues a waiting execution, and nothing else does, except a person who retries it.',
	"Registrations converge, and nobody else's are touched":
		'A published trigger has one webhook for each of its events, and an unpublished one has none. Nobody removes a webhook that somebody else needs.',
	'Secrets appear nowhere': 'Key, tokens and secrets are in no output, error, log or answer.',
} as const;

export type PromiseName = keyof typeof promiseNames;

/** A rule of the design that must hold, but is not a guarantee for users. */
export type RuleName = 'Work is bounded';

/** A guarantee or a rule did not hold. */
export class Broken extends Error {
	/** @param how The actual behavior. */
	constructor(
		readonly promise: PromiseName | RuleName,
		how: string,
	) {
		super(`${promise}: ${how}`);
		this.name = 'Broken';
	}
}
