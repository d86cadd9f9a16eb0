import { ExpressionError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { notAsCanceled } from '../n8nInternals';
import { plainText } from '../util/redact';
import { type DocsAnchor, docsLink } from './docs';
import { type Failure, unsentForGood } from './retry';

/** An error of our own, made only of words. Its words are harmless everywhere ({@link plainText}). */
export class DescribedError extends Error {
	readonly description: string;

	/**
	 * @param message What happened, one sentence.
	 * @param description What to do about it.
	 * @param docsAnchor Where docs/errors.md explains it.
	 */
	constructor(
		message: string,
		description: string,
		readonly docsAnchor: DocsAnchor,
	) {
		super(plainText(message));
		this.description = plainText(description);
	}
}

/** A failed call, in words for the person who built the workflow. */
export interface ErrorFacts {
	/** What happened, one sentence. */
	message: string;
	/** What to do about it. */
	description: string;
	/** The HTTP status that a person is shown, whoever answered with it. */
	httpStatus?: number | undefined;
	/** See {@link ServiceError.serviceStatus}. */
	serviceStatus?: number | undefined;
	/** See {@link ServiceError.isInEnvelope}. */
	isInEnvelope?: boolean;
	/** Whether the service may have created something ("Never sent twice"). Default false. */
	mayHaveCreated?: boolean;
	/** See {@link ServiceError.failure}. Without it, the call was not sent, and another try would not be either. */
	failure?: Failure;
	/** What Retry-After asks for, in milliseconds. Of calls, only a 429 obeys it. */
	retryAfter?: number | undefined;
	/** Where docs/errors.md explains it. */
	docsAnchor: DocsAnchor;
}

/**
 * A failure of a call to the service. It holds only words, never the request or the answer. So no
 * header with a key or token can reach an execution's data. Its properties avoid the names in which
 * n8n's NodeApiError looks for codes and texts.
 */
export class ServiceError extends DescribedError {
	/** The HTTP status that a person is shown: that of the call, of the token exchange, or of a storage. */
	readonly shownStatus: number | undefined;

	readonly mayHaveCreated: boolean;

	/** How the call failed, from which retry.ts decides whether it is made again. */
	readonly failure: Failure;

	readonly retryAfter: number | undefined;

	constructor(private readonly facts: ErrorFacts) {
		super(facts.message, facts.description, facts.docsAnchor);
		this.name = 'ServiceError';
		this.shownStatus = facts.httpStatus;
		this.mayHaveCreated = facts.mayHaveCreated ?? false;
		this.failure = facts.failure ?? unsentForGood;
		this.retryAfter = facts.retryAfter;
	}

	/**
	 * The status with which the service itself answered this call. Only this one says something about what was
	 * asked for. It is undefined if the token exchange failed, or if somebody else answered: a gateway, a proxy, a
	 * storage (docs/dev/proof.md#what-a-refusal-says).
	 */
	get serviceStatus(): number | undefined {
		return this.facts.serviceStatus;
	}

	/** Whether the answer had the service's own envelope; some statuses of a list are believed without it. */
	get isInEnvelope(): boolean {
		return this.facts.isInEnvelope ?? false;
	}

	/** The same failure with more words. A new one, because items may share a failure. */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, description: this.description + text });
	}
}

/** Whether something may have been created, and nobody knows whether it was, because the response was lost. */
export function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/**
 * Does work for n8n, and turns its failure into the error that n8n shows.
 * @param options `isPublication`: the editor then shows the message without the description, so the message has both.
 */
export async function withNodeErrors<Value>(
	context: { getNode(): INode },
	work: () => Promise<Value>,
	{ isPublication = false }: { isPublication?: boolean } = {},
): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		const shown = toNodeError(context.getNode(), error);
		const hasRemedy = isPublication && error instanceof DescribedError;
		if (hasRemedy) shown.message += `. ${error.description}`;
		throw shown;
	}
}

/**
 * What a person is told about any failure.
 * @param options `more` is what else there is to say, and can have several lines. `isHtml` is for the editor, which
 * renders HTML. Mails, pages and other nodes show the text.
 * @returns `description` says what to do, and where to read more.
 */
export function describeError(
	error: unknown,
	{ more = '', isHtml = false }: { more?: string; isHtml?: boolean } = {},
): { message: string; description?: string } {
	const message = error instanceof Error ? plainText(error.message) : 'An unknown error occurred';
	const isOwn = error instanceof DescribedError;
	const isOfN8n = error instanceof NodeOperationError || error instanceof ExpressionError;
	const said = isOwn || isOfN8n ? (error.description ?? '') : '';
	const link = isOfN8n ? '' : docsLink(isOwn ? error.docsAnchor : 'other-messages', { isHtml });
	const text = [plainText(said), more, link].filter(Boolean).join(' ').replaceAll(' \n', '\n');
	const description = isHtml ? text.replaceAll('\n', '<br>') : text;
	return { message, ...(description ? { description } : {}) };
}

/**
 * The error that n8n shows for any failure, made only of words: a request with its headers, or a cause,
 * does not get into it. Its description is text, which workflows put into mails and pages. The editor shows
 * `descriptionTemplate` instead, with a link and with lines.
 * @param item The input item that failed, if it was one. If there are others, the message names it. n8n
 * does not get the index, because it would add it to the text, counted from 0.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	item?: { index: number; count: number },
	more = '',
): NodeApiError | NodeOperationError {
	const { message: said, ...rest } = describeError(error, { more });
	const { description: descriptionTemplate } = describeError(error, { more, isHtml: true });
	// Some messages of n8n end with the index themselves.
	const bare = said.replace(/ \[item \d+\]$/, '');
	const numbered = item && item.count > 1 ? `${bare} [item ${item.index + 1}]` : bare;
	const message = notAsCanceled(numbered);
	const shown = errorOfN8n(node, error, { message, ...rest });
	if (descriptionTemplate !== rest.description)
		Object.assign(shown.context, { descriptionTemplate });
	return shown;
}

function errorOfN8n(
	node: INode,
	error: unknown,
	{ message, ...rest }: { message: string; description?: string },
): NodeApiError | NodeOperationError {
	if (!(error instanceof ServiceError)) return new NodeOperationError(node, message, rest);
	const { shownStatus } = error;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...rest, ...(shownStatus === undefined ? {} : { httpCode: String(shownStatus) }) },
	);
}
