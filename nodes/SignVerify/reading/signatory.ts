import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';

/**
 * Whether an element of `Document.signatory` is somebody who signs. A trailing entry shaped like
 * `createdBy` can stand there, too (docs/service.md#document).
 */
export function isSignatory(element: unknown): element is IDataObject {
	if (!isObject(element)) return false;
	return element.signatoryID !== undefined || element.userID === undefined;
}

/**
 * Whether somebody has signed; `isSigned` arrives as a number or a string
 * (docs/service.md#seen-documents).
 */
export function isSigned(signatory: IDataObject): boolean {
	return ['1', 'true'].includes(textOf(signatory.isSigned).toLowerCase());
}

/** Who signs a document, and whether they have; without the links, which are as good as a signature. */
export function signatoriesOf({ signatory }: IDataObject): IDataObject[] {
	const list = Array.isArray(signatory) ? (signatory as unknown[]).filter(isSignatory) : [];
	return list.map((each) => ({ ...personOf(each), signed: isSigned(each) }));
}

/** The person behind a signatory. */
export function personOf(signatory: unknown): IDataObject {
	if (!isObject(signatory)) return {};
	return {
		email: signatory.emailID,
		...(signatory.name === undefined ? {} : { name: signatory.name }),
	};
}
