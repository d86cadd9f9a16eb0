import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { readOptionalChoice, type SavedForm } from './savedForm';

export const outputs = [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
	{
		name: 'Raw',
		value: 'raw',
		description: 'What your provider sent, including links and personal data',
	},
] as const satisfies INodePropertyOptions[];

export type Output = (typeof outputs)[number]['value'];

export function outputField(source = "your provider's response"): INodeProperties {
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: [...outputs],
		default: 'simplified',
		description: `How much of ${source} to output`,
	};
}

/** @returns 'simplified' if nothing was chosen. */
export function readOutput(form: SavedForm, name = 'output'): Output {
	return readOptionalChoice(form, { name, label: 'Output' }, outputs)?.value ?? 'simplified';
}
