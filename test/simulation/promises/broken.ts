/** The guarantees of the nodes by name, each with the sentence that docs/dev/proof.md shows. */
export const promiseNames = {
	'Never sent twice':
		'One execution never sends the same document or identity request twice. With a Send Once Key, several executions together never send it twice either.',
	'Nothing is sent while an item is wrong':
		'If the node stops on errors, it checks all items of a run before it sends the first one.',
	'Everything created is reported':
		'Everything that was created is in the output, or an error says that it may have been created.',
	'Success means done':
		'If an item leaves through the success output, the service has done what was asked, or the output says otherwise.',
	'Every item once, in order':
		'Every input item leaves the node once, in input order, and paired with its input.',
	'An accepted event starts the workflow':
		'An event that n8n answered with 2xx starts the workflow, and within one process only once.',
	'Events are authenticated':
		'An event without the right secret never starts or continues an execution.',
	'A wait ends by its own event or its limit':
		'Only its own event or its time limit continues a waiting execution. The one exception is a person who retries it.',
	"Registrations converge, and only the node's own are touched":
		'A published trigger has one webhook for each of its events, and an unpublished one has none. No node removes a webhook that belongs to another.',
	'Secrets appear nowhere':
		'No output, error, log or response contains an API key, a token or a secret.',
} as const;

export type PromiseName = keyof typeof promiseNames;

/** A rule of the design that must hold, but is not a guarantee for users. */
export type RuleName = 'Work is bounded';

/** The error for a guarantee or a rule that did not hold. */
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
