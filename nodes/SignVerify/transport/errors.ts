import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { plainText } from '../util/plainText';

/**
 * When a failed call may be made again: always (the service did not act on it), only if doing it
 * twice does no harm (it may have acted), or never (it would fail again).
 */
export type Repeat = 'always' | 'ifIdempotent' | 'never';

/** Facts about a failed call, in words for the person who built the workflow. */
export interface ErrorFacts {
	/** What happened, one sentence. */
	message: string;
	/** What to do about it. */
	description: string;
	/** HTTP status that was answered, if any was. */
	httpStatus?: number;
	/** Whether the service may have created something all the same (design rule 1). Default false. */
	mayHaveCreated?: boolean;
	/** Default `never`. */
	repeat?: Repeat;
	/** After a 429: what Retry-After asks for, in milliseconds. */
	retryAfter?: number | undefined;
}

/**
 * A failure of a call to the service. It holds words only, never the request or the answer,
 * so that no header (and with it no key or token) can travel with it into an execution's data.
 * Its properties avoid the names in which n8n's NodeApiError looks for codes and texts, and its words
 * are plain (plainText.ts), wherever they are shown.
 */
export class ServiceError extends Error {
	readonly description: string;

	readonly answered: number | undefined;

	readonly mayHaveCreated: boolean;

	readonly repeat: Repeat;

	/** Whether the service said "too many requests". */
	readonly limited: boolean;

	readonly retryAfter: number | undefined;

	constructor(private readonly facts: ErrorFacts) {
		super(plainText(facts.message));
		this.name = 'ServiceError';
		this.description = plainText(facts.description);
		this.answered = facts.httpStatus;
		this.mayHaveCreated = facts.mayHaveCreated ?? false;
		this.repeat = facts.repeat ?? 'never';
		this.limited = facts.httpStatus === 429;
		this.retryAfter = facts.retryAfter;
	}

	/** The same failure with more to say; itself unchanged, since items may share it. */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, description: this.description + text });
	}
}

/** A wrong value in a field of the node: nothing was sent. */
export class InputError extends Error {
	readonly description: string;

	/**
	 * @param field The field's name as the form shows it.
	 * @param problem What is wrong with it, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 */
	constructor(field: string, problem: string, remedy: string) {
		super(plainText(`${field}: ${problem}`));
		this.name = 'InputError';
		this.description = plainText(remedy);
	}
}

/**
 * The failure of a creating call whose fate is unknown (design rule 1).
 * @param what What happened, without a full stop.
 * @param noun What may exist now: "the document".
 */
export function lostCreation(what: string, noun: string, httpStatus?: number): ServiceError {
	return new ServiceError({
		message: `${what}, so ${noun} may have been created`,
		description: `Look for ${noun} at the service before you run this item again. It was not sent a second time.`,
		...(httpStatus === undefined ? {} : { httpStatus }),
		mayHaveCreated: true,
	});
}

/**
 * Turns any failure into the error that n8n shows, built anew from words: whatever the original
 * carries (a request with its headers, a cause) stays behind.
 * @param itemIndex The input item that failed, if it was one.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof ServiceError) {
		return new NodeApiError(
			node,
			{ message: error.message },
			{
				message: error.message,
				description: error.description,
				...(error.answered === undefined ? {} : { httpCode: String(error.answered) }),
				...(itemIndex === undefined ? {} : { itemIndex }),
			},
		);
	}
	const known = error instanceof InputError || error instanceof NodeOperationError;
	const description = known ? (error.description ?? undefined) : undefined;
	const message = error instanceof Error ? error.message : 'An unknown error occurred';
	return new NodeOperationError(node, plainText(message), {
		...(description ? { description: plainText(description) } : {}),
		...(itemIndex === undefined ? {} : { itemIndex }),
	});
}
