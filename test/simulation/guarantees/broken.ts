/** The nodes' guarantees by name, each with the sentence that describes it in docs/dev/behavior.md. */
export const guaranteeNames = {
	'Never sent twice':
		'An execution never sends the same document or identity request twice. With a Send Once Key, this also applies across executions.',
	'Nothing is sent while an item is wrong':
		'With On Error set to Stop Workflow, the node checks all items before it sends the first one. If any of them is wrong, it sends nothing.',
	'Everything created is reported':
		'Whatever the node has created, or may have created, appears in its output or in an error.',
	'Success means done':
		"If an item leaves the node through the success output, either the service did what was asked, or the item shows that it didn't, for example with the outcome skipped or timedOut.",
	'Every item once, in order':
		'Each input item leaves the node exactly once, in input order, and paired with its input.',
	'An accepted event starts the workflow':
		"Once n8n has accepted an event with HTTP 2xx, the event starts the workflow, unless a filter excludes it. If the same process gets the event again, the workflow doesn't start a second time.",
	'Events are authenticated':
		'A call without the right secret never starts or continues an execution.',
	'Only its own event or its limit ends a wait':
		'A waiting execution continues only when its own event arrives, when its time limit is reached, or when someone retries it.',
	'Webhooks match the published workflows':
		'A published trigger has exactly one webhook for each of its events, and an unpublished trigger has none. A node never removes a webhook that belongs to something else.',
	'Secrets never leak':
		'No output, error, log, or response contains an API key, a token, or a secret.',
} as const;

export type GuaranteeName = keyof typeof guaranteeNames;

/** A design rule that must hold but is not a guarantee for users. */
export type RuleName = 'Work is bounded';

export class Broken extends Error {
	/** @param how What happened instead. */
	constructor(
		readonly guarantee: GuaranteeName | RuleName,
		how: string,
	) {
		super(`${guarantee}: ${how}`);
		this.name = 'Broken';
	}
}
