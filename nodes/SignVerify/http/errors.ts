import { ExpressionError, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { notAsCanceled } from '../n8nInternals';
import { plainText } from '../util/redact';
import { type DocsAnchor, docsLink } from './docs';
import type { CallKind } from './request';
import { type Failure, unsentForGood, verdictOn } from './retry';

/** An error of this package. It consists only of words, which are safe to show anywhere ({@link plainText}). */
export class DescribedError extends Error {
	readonly description: string;

	/**
	 * @param message What happened, one sentence.
	 * @param description What to do about it: a text of one line, or a list of lines. A text is kept in one line, because
	 * it may contain words of the service.
	 * @param docsAnchor Where docs/errors.md explains it.
	 */
	constructor(
		message: string,
		description: string | string[],
		readonly docsAnchor: DocsAnchor,
	) {
		super(plainText(message));
		this.description = [description]
			.flat()
			.map((line) => plainText(line))
			.join('\n');
	}
}

/** A failed call, in words for the person who built the workflow. */
export interface ErrorFacts {
	/** What happened, one sentence. */
	message: string;
	/** What to do about it. */
	description: string;
	/** The HTTP status to show to a person, even if a gateway, a proxy or a storage sent it. */
	shownStatus?: number | undefined;
	/** See {@link ServiceError.serviceStatus}. */
	serviceStatus?: number | undefined;
	/** See {@link ServiceError.isInEnvelope}. */
	isInEnvelope?: boolean;
	/** The kind of the failed call. By default, the call creates nothing for people. */
	kind?: CallKind;
	/** See {@link ServiceError.failure}. By default, the call was not sent, and no further try could send it. */
	failure?: Failure;
	/** The pause that Retry-After asks for, in milliseconds. Calls respect it only after a 429. */
	retryAfterMs?: number | undefined;
	/** Where docs/errors.md explains it. */
	docsAnchor: DocsAnchor;
}

/**
 * A failure of a call to the service. The error holds only words, never the request or the response, so no header with a
 * key or a token can reach an execution's data. Its properties avoid the names in which n8n's NodeApiError looks for
 * codes and texts.
 */
export class ServiceError extends DescribedError {
	/** The HTTP status to show to a person. It can belong to the call, to the token exchange, or to a storage. */
	readonly shownStatus: number | undefined;

	/** Whether the call may have created something for people ("Never sent twice"). Decided by retry.ts. */
	readonly mayHaveCreated: boolean;

	/** How the call failed. From this, retry.ts decides whether to make the call again. */
	readonly failure: Failure;

	readonly retryAfterMs: number | undefined;

	constructor(private readonly facts: ErrorFacts) {
		super(facts.message, facts.description, facts.docsAnchor);
		this.name = 'ServiceError';
		this.shownStatus = facts.shownStatus;
		this.failure = facts.failure ?? unsentForGood;
		const call = { kind: facts.kind ?? 'reading' };
		this.mayHaveCreated = verdictOn(this.failure, call).mayHaveCreated;
		this.retryAfterMs = facts.retryAfterMs;
	}

	/**
	 * The status of the service's own response to this call. Only this status says something about the thing that was
	 * requested. It is undefined if the token exchange failed, or if a gateway, a proxy or a storage responded
	 * (docs/dev/proof.md#what-a-refusal-says).
	 */
	get serviceStatus(): number | undefined {
		return this.facts.serviceStatus;
	}

	/** Whether the response had the service's own envelope. For lists, some statuses are believed even without it. */
	get isInEnvelope(): boolean {
		return this.facts.isInEnvelope ?? false;
	}

	/** Returns a copy of the failure with more words. The original stays as it is, because items may share a failure. */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, description: this.description + text });
	}
}

/** Whether the service itself refused a call with one of these statuses. */
export function isRefusedWith(error: unknown, statuses: number[]): error is ServiceError {
	const status = error instanceof ServiceError ? error.serviceStatus : undefined;
	return status !== undefined && statuses.includes(status);
}

/** Whether an error leaves open that something was created. See {@link ServiceError.mayHaveCreated}. */
export function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/**
 * Does work for n8n, and turns a failure of the work into the error that n8n shows.
 * @param options If `isPublication` is true, the message contains the description as well, because the editor shows only
 * the message when a publication fails.
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
		// A message is shown in one line.
		if (hasRemedy) shown.message += `. ${error.description.replaceAll('\n', ' ')}`;
		throw shown;
	}
}

/**
 * Describes any failure for a person.
 * @param options `more` is added to the description and can have several lines. `isHtml` is for the editor, which renders
 * HTML; emails, pages and other nodes show the text as it is.
 * @returns The message, and a description that says what to do and where to read more.
 */
export function describeError(
	error: unknown,
	{ more = '', isHtml = false }: { more?: string; isHtml?: boolean } = {},
): { message: string; description?: string } {
	const message = error instanceof Error ? plainText(error.message) : 'An unknown error occurred';
	const isDescribed = error instanceof DescribedError;
	const isOfN8n = error instanceof NodeOperationError || error instanceof ExpressionError;
	const remedy = isDescribed
		? error.description
		: isOfN8n
			? plainText(error.description ?? '')
			: '';
	const docsAnchor = isDescribed ? error.docsAnchor : 'other-messages';
	const link = isOfN8n ? '' : docsLink(docsAnchor, { isHtml });
	// After several lines, everything else begins a line of its own.
	const separator = remedy.includes('\n') ? '\n' : ' ';
	const rest = [more, link].filter(Boolean).join(' ');
	const text = [remedy, rest]
		.filter(Boolean)
		.join(separator)
		.replaceAll(/[ \n]*\n/g, '\n');
	const description = isHtml ? text.replaceAll('\n', '<br>') : text;
	return { message, ...(description ? { description } : {}) };
}

/**
 * Makes the error that n8n shows for a failure. It consists only of words, so neither a request with its headers nor an
 * underlying error gets into it. The description is plain text, because workflows put it into emails and pages. The
 * editor shows `descriptionTemplate` instead, which has a link and line breaks.
 * @param item The input item that failed, if there is one. The message names the item if there are several. n8n is not
 * given the index, because n8n would add it to the text, counted from 0.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	item?: { index: number; count: number },
	more = '',
): NodeApiError | NodeOperationError {
	const { message: fullMessage, ...rest } = describeError(error, { more });
	const { description: descriptionTemplate } = describeError(error, { more, isHtml: true });
	// Some messages of n8n already end with the item's number.
	const message = fullMessage.replace(/ \[item \d+\]$/, '');
	const itemNumber = item && item.count > 1 ? ` [item ${item.index + 1}]` : '';
	const shown = errorOfN8n(node, error, {
		message: notAsCanceled(`${message}${itemNumber}`),
		...rest,
	});
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
