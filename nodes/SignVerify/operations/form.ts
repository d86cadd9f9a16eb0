import type { INodeProperties, WorkflowExecuteMode } from 'n8n-workflow';

import { rootModeOf } from '../n8nInternals';
import { InputError } from './inputError';
import { readNumber, readSwitch } from './parameters';
import type { ItemContext } from './types';

/** The "Options" of an operation, in their order. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** The "Filters" of a list. */
export function filtersField(options: INodeProperties[]): INodeProperties {
	const words = { displayName: 'Filters', name: 'filters', placeholder: 'Add filter' };
	return { ...optionsField(options), ...words };
}

/** The form for how many results to output. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/**
 * Reads how many results to output. The service has no paging, so the list is cut here.
 * @throws InputError if Return All is neither on nor off, or the limit is not a whole number of at least 1.
 */
export function readLimit(item: ItemContext): number {
	if (readSwitch(item, 'returnAll', 'Return All')) return Infinity;
	return readNumber(item.parameter('limit'), 'Limit', { min: 1, isWhole: true });
}

/** A field for something of the account: chosen from a list, or given by its ID. */
export function locatorField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'builderHint'>,
	placeholder: string,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 64f1c0de5a2b3c4d5e6f7081',
			},
		],
	};
}

/** How executions begin in which "In Test Runs" checks, and in which it sends. */
const testModes: WorkflowExecuteMode[] = ['manual', 'chat', 'evaluation'];
const liveModes: WorkflowExecuteMode[] = ['trigger', 'webhook', 'error', 'cli', 'agent'];

/** An option of the operations that mail people. */
export const checkOnlyOption: INodeProperties = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'options',
	options: [
		{ name: 'Off', value: 'off' },
		{ name: 'On', value: 'on' },
		{ name: 'In Test Runs', value: 'inTestRuns' },
	],
	default: 'off',
	description:
		'When to check everything and send nothing. The output says what would be sent. A test run is one from the editor, a chat or an evaluation.',
};

/**
 * A line above the options, unless "Check Only" is on in a test run.
 * @param does What executing the node does, as the rest of a sentence.
 */
export function sendsNotice(does: string): INodeProperties {
	return {
		displayName: `Execute step ${does}. To check without sending, add the option Check Only.`,
		name: 'sendsNotice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { '/options.checkOnly': ['on', 'inTestRuns'] } },
	};
}

/**
 * Whether the item is only checked.
 * @throws InputError for a value that is none of the three, and if nobody knows whether it is a test run.
 */
export function readCheckOnly(item: ItemContext): boolean {
	const { name, displayName } = checkOnlyOption;
	const path = `options.${name}`;
	if (item.parameter(path) !== 'inTestRuns') return readSwitch(item, path, displayName);
	const mode = rootModeOf(item.execute);
	if (testModes.includes(mode)) return true;
	if (liveModes.includes(mode)) return false;
	throw new InputError(
		displayName,
		'n8n does not say whether this is a test run',
		'It says so neither for a retried execution nor after a wait in a sub-workflow. Choose Off or On.',
	);
}
