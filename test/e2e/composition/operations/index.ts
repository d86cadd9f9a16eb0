import * as document from './document';
import * as identity from './identity';
import * as template from './template';
import type { OperationUnderTest } from './types';
import * as webhook from './webhook';

export type { Item, OperationUnderTest } from './types';

/** The operations of the node, as workflows save them. */
export const operationNames = [
	'document/createFromTemplate',
	'document/sendAndWait',
	'document/download',
	'identity/request',
	'identity/sendAndWait',
	'identity/get',
	'identity/getResults',
	'template/getAll',
	'template/get',
	'webhook/create',
	'webhook/getAll',
	'webhook/delete',
] as const;
export type OperationName = (typeof operationNames)[number];

/** The operations of the node, with what the matrix has to know about them. */
export const operations: Record<OperationName, OperationUnderTest> = {
	'document/createFromTemplate': document.createFromTemplate,
	'document/sendAndWait': document.sendAndWait,
	'document/download': document.download,
	'identity/request': identity.request,
	'identity/sendAndWait': identity.sendAndWait,
	'identity/get': identity.get,
	'identity/getResults': identity.getResults,
	'template/getAll': template.getAll,
	'template/get': template.get,
	'webhook/create': webhook.create,
	'webhook/getAll': webhook.getAll,
	'webhook/delete': webhook.remove,
};
