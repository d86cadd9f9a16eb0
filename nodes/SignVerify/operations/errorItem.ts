import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../transport/errors';

/**
 * What an input item that failed comes out as, where the node is set to continue on errors. It has
 * the one key `error`: that is what n8n's error output recognises in every version, and it leaves
 * room for more than a message.
 */
export function errorItem(error: unknown, itemIndex: number): IDataObject {
	const message = error instanceof Error ? error.message : 'An unknown error occurred';
	const details: IDataObject = { message };
	if (error instanceof ServiceError || error instanceof InputError) {
		details.description = error.description;
	}
	if (error instanceof ServiceError) {
		if (error.answered !== undefined) details.httpStatus = error.answered;
		if (error.mayHaveCreated) details.mayHaveBeenCreated = true;
	}
	return { error: { ...details, itemIndex } };
}
