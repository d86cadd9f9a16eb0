import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../util/values';
import type { ItemContext, ItemOutput } from './types';

/** The form of the tool for how much an AI agent gets. The node itself outputs the whole answer. */
export const toolOutputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields, as the service gives them' },
		{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
	],
	default: 'simplified',
	description: 'How much of the answer to give to the AI agent',
};

/** The outputs of an operation, reduced as the form of the tool says. The node's own form says nothing. */
export function reduced(
	item: ItemContext,
	outputs: ItemOutput[],
	simplify: (json: IDataObject) => IDataObject,
): ItemOutput[] {
	const chosen = item.parameter(toolOutputField.name);
	if (chosen === undefined || chosen === 'raw') return outputs;
	return outputs.map((output) => ({ ...output, json: simplify(output.json) }));
}

/** Some of the fields of an object, in its own order. */
export function pick(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** Some of the fields of each object in a list. */
export function pickEach(list: unknown, names: string[]): IDataObject[] | undefined {
	return Array.isArray(list) ? list.filter(isObject).map((each) => pick(each, names)) : undefined;
}
