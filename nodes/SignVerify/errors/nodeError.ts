import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { notAsCanceled } from '../n8nInternals';
import { plainText } from '../util/redact';
import { textOf } from '../util/values';
import { DescribedError } from './describedError';
import { docsLink } from './docs';

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
	if (!(error instanceof DescribedError && error.isCall)) {
		return new NodeOperationError(node, message, rest);
	}
	const { shownStatus } = error;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...rest, ...(shownStatus === undefined ? {} : { httpCode: String(shownStatus) }) },
	);
}
