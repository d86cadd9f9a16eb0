import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../util/values';
import { InputError } from './inputError';
import type { ItemContext } from './item';
import { outputs, readNumber } from './parameters';
import { readSwitch } from './savedForm';

/** A text that must be entered, unless the field says otherwise. */
export function textField(
	field: Omit<INodeProperties, 'type' | 'default'> & { default?: string },
): INodeProperties {
	return { type: 'string', default: '', required: true, ...field };
}

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

/** The form for how much to output. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: outputs,
	default: 'simplified',
	description: 'How much of the answer or event to output',
};

/** An option of the operations that send something to people, and of those that wait. */
export const includeInputOption: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInput',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the fields of the input item to the output, under "input". Your own reference, such as a contract number, then travels with the document.',
};

/** Where a form has {@link includeInputOption}: one that sends nothing has no other options. */
const includeInputPaths = [`options.${includeInputOption.name}`, includeInputOption.name];

/** How many inputs may lie in one another. A loop puts one into the next, and n8n cannot copy thousands. */
const maxInputs = 100;

/**
 * Reads what the output of an item has of its input. It is the item's own object, and no copy: n8n stores an object
 * of an execution once, however often it is there, and no key of it can become a property of another object.
 * @returns Nothing if it is not wanted. Spread it last, because an answer of the service can have an `input`, too.
 * @throws InputError if it is neither on nor off, or if more than {@link maxInputs} inputs are in one another.
 */
export function readIncludedInput(item: ItemContext): { input?: IDataObject } {
	const { displayName } = includeInputOption;
	if (!includeInputPaths.some((path) => readSwitch(item, path, displayName))) return {};
	const input = item.input.json;
	let count = 0;
	for (let inner: unknown = input; isObject(inner) && count <= maxInputs; inner = inner.input)
		count++;
	if (count <= maxInputs) return { input };
	throw new InputError(
		displayName,
		`the item has more than ${maxInputs} inputs nested in each other`,
		'In a loop, remove the field "input" before this node, for example with an Edit Fields node.',
		'the-item-has-more-than-100-inputs-in-one-another',
	);
}
