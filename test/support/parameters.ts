import {
	type IBinaryKeyData,
	type IDataObject,
	type INodeParameters,
	type INodeTypes,
	type NodeParameterValueType,
	Workflow,
} from 'n8n-workflow';

/** Reads a parameter by its path, as n8n does. */
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

// Expressions do not depend on the node's type, so no node types are needed.
const noTypes = {
	getByNameAndVersion: () => ({ description: { properties: [] } }),
} as unknown as INodeTypes;
const evaluator = new Workflow({
	nodes: [{ id: '1', name: 'Any', type: 'any', typeVersion: 1, position: [0, 0], parameters: {} }],
	connections: {},
	active: false,
	nodeTypes: noTypes,
	settings: { timezone: 'UTC' },
});

/** Evaluates one parameter, or all parameters, for an item with n8n's own expression engine. */
export function evaluate(
	value: NodeParameterValueType | INodeParameters,
	json: IDataObject,
	binary: IBinaryKeyData = {},
): unknown {
	const items = [{ json, binary }];
	return evaluator.expression.getParameterValue(value, null, 0, 0, 'Any', items, 'manual', {});
}

/** The paths of the given values that are not among a node's known parameters. */
export function unknownIn(given: unknown, known: unknown, at: string): string[] {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
	return Object.entries(given).flatMap(([name, value]) => {
		const inner = (known as Record<string, unknown> | null)?.[name];
		return inner === undefined ? [`${at}.${name}`] : unknownIn(value, inner, `${at}.${name}`);
	});
}
