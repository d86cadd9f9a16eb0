import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';

import { fieldOf } from '../form/field';
import { readSwitch } from '../form/savedForm';
import { InputError } from '../errors/inputError';
import { valueProblems } from '../text/textProblems';
import { isObject } from '../util/values';
import type { ItemContext } from './item';

/** An option for operations that send something to people, and for operations that wait. */
export const includeInputOption: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInput',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the input item\'s fields to the output, under "input", and keep its files',
};

/**
 * The maximum number of nested inputs. In a loop, each input contains the previous input, and n8n cannot copy
 * thousands of nested objects.
 */
const maxNestedInputs = 100;

/** What any output contains of its item: the Send Once Key, and with "Include Input Fields", the input. */
export interface IncludedValues {
	json: {
		sendOnceKey?: string;
		input?: IDataObject;
		/** For each input file that has a different name in the output, the old and the new name. */
		renamedFiles?: Record<string, string>;
	};
	/** The input's files: n8n's references to them, not their content. */
	binary?: IBinaryKeyData;
}

/**
 * Returns the item's input if the output is supposed to include it. The input is not copied, because n8n
 * stores each object in an execution only once, no matter how often it occurs, and because copying a key such
 * as `__proto__` could affect another object.
 * @param downloads The names of the files that the node adds to the item.
 * @returns The fields and files to spread into the output. Spread the fields last so that the item's input
 * replaces any `input` in a response from the service.
 * @n8n
 */
export function readIncludedInput(item: ItemContext, downloads: readonly string[]): IncludedValues {
	if (!readSwitch(item, fieldOf(includeInputOption, 'options'))) return { json: {} };
	const { json: input, binary } = item.input;
	let depth = 0;
	let nested: unknown = input;
	while (isObject(nested) && depth <= maxNestedInputs) {
		nested = nested.input;
		depth++;
	}
	if (depth <= maxNestedInputs) return withFiles(input, binary ?? {}, downloads);
	throw new InputError(
		includeInputOption.displayName,
		valueProblems.tooManyEarlierInputs(maxNestedInputs),
	);
}

/**
 * Adds an input's files to its fields, and renames each file that has the name of a download. The file is
 * renamed even if the download turns out to be missing, because a later node would otherwise take an unsigned
 * file for the signed one.
 */
function withFiles(
	input: IDataObject,
	files: IBinaryKeyData,
	downloads: readonly string[],
): IncludedValues {
	const names = Object.keys(files);
	if (names.length === 0) return { json: { input } };
	const takenNames = new Set([...names, ...downloads]);
	const newNames = new Map<string, string>();
	for (const name of downloads.filter((download) => names.includes(download))) {
		const baseName = `input${name.charAt(0).toUpperCase()}${name.slice(1)}`;
		let newName = baseName;
		for (let count = 2; takenNames.has(newName); count++) newName = `${baseName}${count}`;
		takenNames.add(newName);
		newNames.set(name, newName);
	}
	const entries = Object.entries(files).map(([name, file]) => [newNames.get(name) ?? name, file]);
	return {
		json: {
			input,
			...(newNames.size > 0 ? { renamedFiles: Object.fromEntries(newNames) } : {}),
		},
		// Unlike an assignment, `fromEntries` doesn't change the object's prototype if a name is `__proto__`.
		binary: Object.fromEntries(entries) as IBinaryKeyData,
	};
}
