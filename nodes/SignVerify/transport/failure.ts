/**
 * What is known about the effect of a call that failed (design rule 1).
 * `none`: the service certainly did not act. `unknown`: it may have acted.
 */
export type Effect = 'none' | 'unknown';

/** Facts about a failed call, in words for the person who built the workflow. */
export interface FailureFacts {
	/** What happened, one sentence. */
	message: string;
	/** What to do about it. */
	description: string;
	/** HTTP status that was answered, if any was. */
	httpStatus?: number;
	effect?: Effect;
}

/**
 * A failure of a call to the service. It holds words only, never the request or the answer,
 * so that no header (and with it no key or token) can travel with it into an execution's data.
 * Its properties avoid the names in which n8n's NodeApiError looks for codes and texts.
 */
export class ServiceFailure extends Error {
	readonly description: string;

	readonly answered: number | undefined;

	readonly effect: Effect;

	constructor(facts: FailureFacts) {
		super(facts.message);
		this.name = 'ServiceFailure';
		this.description = facts.description;
		this.answered = facts.httpStatus;
		this.effect = facts.effect ?? 'none';
	}
}

/** A wrong value in a field of the node: nothing was sent. */
export class InputFailure extends Error {
	readonly description: string;

	/**
	 * @param field The field's name as the form shows it.
	 * @param problem What is wrong with it, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 */
	constructor(field: string, problem: string, remedy: string) {
		super(`${field}: ${problem}`);
		this.name = 'InputFailure';
		this.description = remedy;
	}
}
