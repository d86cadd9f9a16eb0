import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject, listOf } from '../util/values';
import type { ItemContext, ItemOutput, ToolOutput } from './types';

/** The form of the tool for how much an AI agent gets. The node itself outputs the whole answer. */
export function toolOutputFields({ id, fields }: ToolOutput): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields, as the service gives them' },
				{ name: 'Selected Fields', value: 'fields', description: 'Only the fields you choose' },
				{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
			],
			default: 'simplified',
			description: 'How much of the answer to give to the AI agent',
		},
		{
			displayName: 'Fields to Return',
			name: 'outputFields',
			type: 'multiOptions',
			options: fields
				.filter((value) => value !== id)
				.sort()
				.map((value) => ({ name: value, value })),
			default: [],
			displayOptions: { show: { output: ['fields'] } },
			description: `Which fields to give to the AI agent, besides ${id}`,
		},
	];
}

/** The outputs of an operation, reduced as the form of the tool says. The node's own form says nothing. */
export function reduced(
	item: ItemContext,
	outputs: ItemOutput[],
	{ id, simplify }: ToolOutput,
): ItemOutput[] {
	const chosen = item.parameter('output');
	if (chosen === undefined || chosen === 'raw') return outputs;
	const names = [id, ...listOf(item.parameter('outputFields'))];
	const reduce = chosen === 'fields' ? (json: IDataObject) => pick(json, names) : simplify;
	return outputs.map((output) => ({ ...output, json: reduce(output.json) }));
}

/** Some of the fields of an object, in its own order. */
export function pick(json: IDataObject, names: unknown[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** Some of the fields of each object in a list. */
export function pickEach(list: unknown, names: string[]): IDataObject[] | undefined {
	return Array.isArray(list) ? list.filter(isObject).map((each) => pick(each, names)) : undefined;
}
