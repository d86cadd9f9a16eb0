import { ExpressionError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { plainText } from '../util/plainText';

/**
 * When a failed call may be retried: always (the service did not act), only if a second call does no
 * harm (the service may have acted), or never (it would fail again).
 */
export type Repeat = 'always' | 'ifIdempotent' | 'never';

/** A failed call, in words for the person who built the workflow. */
export interface ErrorFacts {
	/** What happened, one sentence. */
	message: string;
	/** What to do about it. */
	description: string;
	/** The HTTP status, if there was an answer. */
	httpStatus?: number;
	/** Whether the service may have created something (design rule 1). Default false. */
	mayHaveCreated?: boolean;
	/** Default `never`. */
	repeat?: Repeat;
	/** After a 429: what Retry-After asks for, in milliseconds. */
	retryAfter?: number | undefined;
	/** Where docs/errors.md explains it. Default `the-service-says-no`. */
	topic?: Topic;
}

/**
 * A failure of a call to the service. It holds only words, never the request or the answer. So no
 * header with a key or token can reach an execution's data. Its properties avoid the names in which
 * n8n's NodeApiError looks for codes and texts. Its words are harmless everywhere (plainText.ts).
 */
export class ServiceError extends Error {
	readonly description: string;

	readonly answered: number | undefined;

	readonly mayHaveCreated: boolean;

	readonly repeat: Repeat;

	/** Whether the service said "too many requests". */
	readonly limited: boolean;

	readonly retryAfter: number | undefined;

	readonly topic: Topic;

	constructor(private readonly facts: ErrorFacts) {
		super(plainText(facts.message));
		this.name = 'ServiceError';
		this.description = plainText(facts.description);
		this.answered = facts.httpStatus;
		this.mayHaveCreated = facts.mayHaveCreated ?? false;
		this.repeat = facts.repeat ?? 'never';
		this.limited = facts.httpStatus === 429;
		this.retryAfter = facts.retryAfter;
		this.topic = facts.topic ?? 'the-service-says-no';
	}

	/** The same failure with more words. A new one, because items may share a failure. */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, description: this.description + text });
	}
}

/** A wrong value in a field of the node: nothing was sent. */
export class InputError extends Error {
	readonly description: string;

	/** The wrong values, one by one. */
	readonly parts: InputError[];

	/**
	 * @param field The field's name in the form.
	 * @param problem What is wrong, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 * @param parts The wrong values, if there are several.
	 */
	constructor(
		field: string,
		problem: string,
		remedy: string,
		readonly topic: Topic = 'a-field-of-the-form',
		parts?: InputError[],
	) {
		super(plainText(`${field}: ${problem}`));
		this.name = 'InputError';
		this.description = plainText(remedy);
		this.parts = parts ?? [this];
	}
}

/** How many problems a message lists; the others are counted. */
const mostListed = 10;

/** Several texts on one line: "(1) … (2) …". */
export function numbered(texts: string[]): string {
	const listed = texts.slice(0, mostListed).map((text, index) => `(${index + 1}) ${text}`);
	const rest = texts.length - listed.length;
	return [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join(' ');
}

/** All wrong values of an item in one error; a single one as it is. */
export function allOf(errors: [InputError, ...InputError[]]): InputError {
	const [first] = errors;
	const parts = errors.flatMap((error) => error.parts);
	if (parts.length === 1) return first;
	// Each remedy once, with the numbers of the values that it is for.
	const remedies = new Map<string, number[]>();
	parts.slice(0, mostListed).forEach(({ description }, index) => {
		remedies.set(description, [...(remedies.get(description) ?? []), index + 1]);
	});
	return new InputError(
		`${parts.length} fields are missing or wrong`,
		numbered(parts.map(({ message }) => message)),
		[...remedies].map(([text, numbers]) => `(${numbers.join(', ')}) ${text}`).join(' '),
		first.topic,
		parts,
	);
}

/**
 * The failure of a creating call that may have worked (design rule 1).
 * @param what What happened, without a full stop.
 * @param noun What may exist now: "the document".
 */
export function lostCreation(what: string, noun: string, httpStatus?: number): ServiceError {
	return new ServiceError({
		message: `${what}, so ${noun} may have been created`,
		description: `Look for ${noun} at the service before you run this item again. It was not sent a second time.`,
		...(httpStatus === undefined ? {} : { httpStatus }),
		mayHaveCreated: true,
		topic: 'may-have-been-created',
	});
}

/** Does work for n8n, and turns its failure into the error that n8n shows. */
export async function withNodeErrors<Value>(
	context: { getNode(): INode },
	work: () => Promise<Value>,
): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/**
 * What a person is told about any failure.
 * @param more What else there is to say.
 * @returns `description` says what to do, and where to read more.
 */
export function wordsOf(error: unknown, more = ''): { message: string; description?: string } {
	const message = error instanceof Error ? plainText(error.message) : 'An unknown error occurred';
	const isOwn = error instanceof ServiceError || error instanceof InputError;
	const isOfN8n = error instanceof NodeOperationError || error instanceof ExpressionError;
	const said = isOwn || isOfN8n ? (error.description ?? '') : '';
	const link = isOwn ? moreAbout(error.topic) : isOfN8n ? '' : moreAbout('other-messages');
	const description = [plainText(said), more, link].filter(Boolean).join(' ');
	return { message, ...(description ? { description } : {}) };
}

/**
 * The error that n8n shows for any failure, made only of words: a request with its headers, or a cause,
 * does not get into it.
 * @param item The input item that failed, if it was one. If there are others, the message names it. n8n
 * does not get the index, because it would add it to the text, counted from 0.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	item?: { index: number; count: number },
	more = '',
): NodeApiError | NodeOperationError {
	const { message: said, ...rest } = wordsOf(error, more);
	// Some messages of n8n end with the index themselves.
	const bare = said.replace(/ \[item \d+\]$/, '');
	const message = item && item.count > 1 ? `${bare} [item ${item.index + 1}]` : bare;
	if (!(error instanceof ServiceError)) return new NodeOperationError(node, message, rest);
	const { answered } = error;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...rest, ...(answered === undefined ? {} : { httpCode: String(answered) }) },
	);
}

/** Where the source and the documentation are, as in package.json (test/docs/repository.test.ts). */
export const repository = 'https://github.com/n8n-nodes-signverify/n8n-nodes-signverify';

/** A heading of docs/errors.md, as its link has it. */
export type Topic =
	| 'may-have-been-created'
	| 'the-credential'
	| 'the-service-cannot-be-reached'
	| 'the-service-says-no'
	| 'a-field-of-the-form'
	| 'files'
	| 'the-trigger'
	| 'waiting'
	| 'other-messages';

export function moreAbout(topic: Topic): string {
	return `More: ${repository}/blob/main/docs/errors.md#${topic}`;
}
