import type { IDataObject } from 'n8n-workflow';

import { InputFailure, ServiceFailure } from '../transport/failure';

/**
 * What an input item that failed comes out as, where the node is set to continue on errors. It has
 * the one key `error`: that is what n8n's error output recognises in every version, and it leaves
 * room for more than a message.
 */
export function errorItem(error: unknown, itemIndex: number): IDataObject {
	const message = error instanceof Error ? error.message : 'An unknown error occurred';
	const details: IDataObject = { message };
	if (error instanceof ServiceFailure || error instanceof InputFailure) {
		details.description = error.description;
	}
	if (error instanceof ServiceFailure) {
		if (error.answered !== undefined) details.httpStatus = error.answered;
		if (error.effect === 'unknown') details.mayHaveBeenCreated = true;
	}
	return { error: { ...details, itemIndex } };
}
