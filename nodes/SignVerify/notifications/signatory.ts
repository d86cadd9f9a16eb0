import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/**
 * Whether an element of `Document.signatory` is somebody who signs. A trailing entry shaped like
 * `createdBy` can stand there, too (interface: Document).
 */
export function isSignatory(element: unknown): element is IDataObject {
	if (!isObject(element)) return false;
	return element.signatoryID !== undefined || element.userID === undefined;
}

/** Whether somebody has signed; `isSigned` arrives as a number or a string (field notes). */
export function isSigned(signatory: IDataObject): boolean {
	return ['1', 'true'].includes(textOf(signatory.isSigned).toLowerCase());
}
