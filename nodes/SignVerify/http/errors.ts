import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { notAsCanceled } from '../n8nInternals';
import { plainText } from '../util/redact';
import { textOf } from '../util/values';
import { type DocsAnchor, docsLink } from './docs';
import type { Problem } from './problems';
import type { CallKind } from './request';
import { type Failure, unsentForGood, verdictOn } from './retry';

/**
 * An error from this package. It contains only sanitized strings ({@link plainText}), which are safe to show
 * anywhere.
 */
export class DescribedError extends Error {
	readonly description: string;

	/**
	 * @param message What happened, in one sentence.
	 * @param description What to do about the error, as a single line or a list of lines. Line breaks within
	 * a line are removed, because the line may quote the service.
	 * @param docsAnchor The row of docs/troubleshooting.md about the error, if users need more than this text.
	 */
	constructor(
		message: string,
		description: string | string[],
		readonly docsAnchor?: DocsAnchor,
	) {
		super(plainText(message));
		this.description = [description]
			.flat()
			.map((line) => plainText(line))
			.join('\n');
	}
}

export interface ErrorFacts extends Problem {
	/** The HTTP status to show to the user, even if a gateway, a proxy or a storage server sent it. */
	shownStatus?: number | undefined;
	/** What else to say after the description, such as how often the node tried. */
	details?: string;
	serviceStatus?: number | undefined;
	refusal?: string;
	/** The kind of call that failed. By default, a call that doesn't create anything. */
	kind?: CallKind;
	/**
	 * The pause requested by the Retry-After header, in milliseconds. Calls to the service honor it only
	 * after a 429.
	 */
	retryAfterMs?: number | undefined;
}

/**
 * A failed call to the service. The error contains only messages, never the request or the response, so no
 * header with a key or a token can reach an execution's data. Its property names avoid those that n8n's
 * NodeApiError searches for codes and messages.
 * @n8n
 */
export class ServiceError extends DescribedError {
	/**
	 * Whether the call may have created something that users asked for, such as a document. If so, the call
	 * isn't retried, to avoid sending anything twice (docs/dev/behavior.md). The rules are in retry.ts.
	 */
	get mayHaveCreated(): boolean {
		return verdictOn(this.failure, { kind: this.facts.kind ?? 'reading' }).mayHaveCreated;
	}

	constructor(private readonly facts: ErrorFacts) {
		super(facts.message, `${facts.description}${facts.details ?? ''}`, facts.docsAnchor);
		this.name = 'ServiceError';
	}

	get failure(): Failure {
		return this.facts.failure ?? unsentForGood;
	}

	/** It may come from the call itself, the token exchange or a storage server. */
	get shownStatus(): number | undefined {
		return this.facts.shownStatus;
	}

	/** What a refused call returned, for another message: `(HTTP 400: "wrong name")`. Empty for any other failure. */
	get refusal(): string {
		return this.facts.refusal ?? '';
	}

	get retryAfterMs(): number | undefined {
		return this.facts.retryAfterMs;
	}

	/**
	 * The status of the service's own response to this call. Only this status can prove something about the
	 * requested object, such as that it doesn't exist. Undefined if the token exchange failed, or if a
	 * gateway, a proxy or a storage server responded instead (docs/dev/behavior.md#how-a-rejection-is-interpreted).
	 */
	get serviceStatus(): number | undefined {
		return this.facts.serviceStatus;
	}

	/**
	 * Returns a copy of the error with text added to its description. The original isn't modified, because
	 * items may share it.
	 */
	withDetail(text: string): ServiceError {
		return new ServiceError({ ...this.facts, details: (this.facts.details ?? '') + text });
	}

	/** Returns a copy of the error with another remedy. What was added with {@link withDetail} stays. */
	withRemedy(description: string): ServiceError {
		return new ServiceError({ ...this.facts, description });
	}
}

export function isRefusedWith(error: unknown, statuses: number[]): error is ServiceError {
	const status = error instanceof ServiceError ? error.serviceStatus : undefined;
	return status !== undefined && statuses.includes(status);
}

export function mayHaveCreated(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/**
 * @param options If `isPublication` is true, the description is appended to the message, because when
 * publishing a workflow fails, the editor shows nothing but the message.
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
		if (hasRemedy) addToMessage(shown, error.description);
		throw shown;
	}
}

/**
 * For a reader who sees nothing but the message, and sees it on one line.
 * @returns The text as it was appended.
 */
function addToMessage(shown: NodeApiError | NodeOperationError, text: string): string {
	const added = notAsCanceled(text.replaceAll('\n', ' '));
	shown.message = `${shown.message.replace(/\.$/, '')}. ${added}`;
	return added;
}

/**
 * Appends an error's description to its message. The description then has the same words on one line, because n8n
 * appends it once more to the error of an AI agent's tool, unless the message contains it.
 */
export function addDescriptionToMessage(shown: NodeApiError | NodeOperationError): void {
	if (shown.description) shown.description = addToMessage(shown, shown.description);
}

type ErrorOfN8n = Error & { description?: unknown };

/*
 * The next two functions compare names instead of classes: if a copy of n8n-workflow is installed near this
 * package, n8n's errors have the same names, but their classes are different from the ones imported here.
 * @n8n
 */

export function isExpressionError(error: unknown): error is ErrorOfN8n {
	return error instanceof Error && /^Expression(Extension)?Error$/.test(error.name);
}

export function isNodeError(error: unknown): error is ErrorOfN8n {
	return error instanceof Error && error.name === 'NodeOperationError';
}

/** The maximum length (in characters) of a line added to a description. */
const maxAddedLine = 10_000;

interface AddedText {
	/** A line above the remedy. */
	above?: string;
	/** A string is added on the remedy's line, and a list as separate lines below. */
	more?: string | string[];
}

/**
 * @param options `isHtml` is for the editor, which renders HTML. Emails, pages and other nodes show the
 * description as plain text.
 * @returns The description has the remedy and a link to the documentation.
 */
export function describeError(
	error: unknown,
	{ above = '', more = '', isHtml = false }: AddedText & { isHtml?: boolean } = {},
): { message: string; description?: string } {
	const message = error instanceof Error ? plainText(error.message) : 'An unknown error occurred';
	const isDescribed = error instanceof DescribedError;
	const isOfN8n = isNodeError(error) || isExpressionError(error);
	const remedy = isDescribed
		? error.description
		: isOfN8n
			? plainText(textOf(error.description))
			: '';
	const docsAnchor = isDescribed ? error.docsAnchor : 'other-messages';
	const link = isOfN8n || !docsAnchor ? '' : docsLink(docsAnchor, { isHtml });
	// If the remedy has several lines, start a new line after it.
	const separator = remedy.includes('\n') ? '\n' : ' ';
	const further =
		typeof more === 'string'
			? plainText(more)
			: more.map((line) => `\n${plainText(line, maxAddedLine)}`).join('');
	const rest = [further, link].filter(Boolean).join(' ');
	const text = [`${plainText(above, maxAddedLine)}\n${remedy}`, rest]
		.join(separator)
		.replaceAll(/[ \n]*\n */g, '\n')
		.trim();
	const description = isHtml ? text.replaceAll('\n', '<br>') : text;
	return { message, ...(description ? { description } : {}) };
}

/**
 * Creates the error that n8n shows for a failure. The error contains only strings, so it can't leak an
 * underlying error or a request with its headers. The description is plain text, because workflows use it in
 * emails and pages. The editor shows `descriptionTemplate` instead, which has a link and line breaks.
 * @param item The input item that failed, if there is one. If there are several items, the message contains
 * the item's name or number. The index itself isn't passed to n8n, because n8n would add it to the message as
 * a zero-based number.
 * @n8n
 */
export function toNodeError(
	node: INode,
	error: unknown,
	item?: { index: number; count: number; name?: string | undefined },
	added: AddedText = {},
): NodeApiError | NodeOperationError {
	const { message: fullMessage, ...rest } = describeError(error, added);
	const { description: descriptionTemplate } = describeError(error, { ...added, isHtml: true });
	// A message from n8n may already end with the item's number.
	const message = fullMessage.replace(/ \[item \d+\]$/, '');
	const itemNumber = item && item.count > 1 ? ` [${item.name ?? `item ${item.index + 1}`}]` : '';
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
