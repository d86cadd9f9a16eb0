import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { withSavedCollections } from '../form/collections';
import * as registry from './registry';
import type { Operation, ResourceName } from './operationTypes';

/**
 * The resource names in the form, each with its default operation. Never change a default operation:
 * workflows do not save default values, so a saved workflow would start running a different operation.
 */
export const resources: Record<ResourceName, { name: string; defaultOperation: string }> = {
	document: { name: 'Document', defaultOperation: 'send' },
	identity: { name: 'Identity', defaultOperation: 'request' },
	template: { name: 'Template', defaultOperation: 'getAll' },
	webhook: { name: 'Webhook', defaultOperation: 'create' },
};

/**
 * All of the action node's operations, in form order: first the operations that send, then the others, each
 * group sorted by name.
 */
export const operations: Operation[] = Object.values(registry).sort(
	(left, right) =>
		Number(right.sends ?? false) - Number(left.sends ?? false) ||
		left.name.localeCompare(right.name),
);

export const properties: INodeProperties[] = formWith(operations);

/**
 * The node's form when an AI agent uses it as a tool. A tool cannot wait, and n8n doesn't pass files to a model.
 * @n8n
 */
export const toolProperties: INodeProperties[] = formWith(
	operations.filter(({ waits, callsOthers }) => !waits && !callsOthers),
);

function formWith(offered: Operation[]): INodeProperties[] {
	const resourceEntries = Object.entries(resources);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resourceEntries.map(([value, { name }]) => ({ name, value })),
			default: 'document',
		},
		...resourceEntries.map(([resource, { defaultOperation }]): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: offered
				.filter((operation) => operation.resource === resource)
				.map(({ name, value, action, description }) => ({ name, value, action, description })),
			default: defaultOperation,
		})),
		...offered.flatMap(shownFieldsOf),
	];
}

function shownFieldsOf({ resource, value, fields }: Operation): INodeProperties[] {
	const show = { resource: [resource], operation: [value] };
	return updateDisplayOptions({ show }, withSavedCollections(fields));
}
