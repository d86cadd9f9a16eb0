import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../util/values';
import type { ItemContext, ItemOutput, ToolOutput } from './types';

/** The form for how much an AI agent gets, in the node as a tool. The node itself puts out the whole answer. */
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

/** What an operation puts out, reduced as the form of the tool says; whole where it has no such form. */
export function reduced(
	item: ItemContext,
	outputs: ItemOutput[],
	{ id, simplify }: ToolOutput,
): ItemOutput[] {
	const chosen = item.parameter('output');
	if (chosen === undefined || chosen === 'raw') return outputs;
	const names = [id, ...selected(item.parameter('outputFields'))];
	const reduce = chosen === 'fields' ? (json: IDataObject) => pick(json, names) : simplify;
	return outputs.map((output) => ({ ...output, json: reduce(output.json) }));
}

function selected(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Some of the fields of an object, in its own order. */
export function pick(json: IDataObject, names: unknown[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

/** Some of the fields of each object in a list. */
export function pickEach(list: unknown, names: string[]): IDataObject[] | undefined {
	return Array.isArray(list) ? list.filter(isObject).map((each) => pick(each, names)) : undefined;
}
