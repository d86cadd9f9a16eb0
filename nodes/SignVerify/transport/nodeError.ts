import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InputError, ServiceError } from './errors';
import { plainText } from './plainText';

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
