import type { IDataObject } from 'n8n-workflow';

/** Reads a parameter as n8n does, by its path. */
export function readParameter(
	parameters: IDataObject,
	name: string,
	fallback: unknown,
	options?: { extractValue?: boolean },
): unknown {
	let value: unknown = parameters;
	for (const part of name.split('.')) value = (value as IDataObject | undefined)?.[part];
	value ??= fallback;
	if (value === undefined) throw new Error(`Could not get parameter ${name}`);
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return options?.extractValue && isLocator ? (value as IDataObject).value : value;
}
