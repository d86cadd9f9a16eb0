import {
	type IBinaryKeyData,
	type IDataObject,
	type INodeParameters,
	type INodeTypes,
	type NodeParameterValueType,
	Workflow,
} from 'n8n-workflow';

// The type of the node does not matter to an expression.
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

/** Evaluates a parameter, or all of them, for an item with n8n's own expressions. */
export function evaluate(
	value: NodeParameterValueType | INodeParameters,
	json: IDataObject,
	binary: IBinaryKeyData = {},
): unknown {
	const items = [{ json, binary }];
	return evaluator.expression.getParameterValue(value, null, 0, 0, 'Any', items, 'manual', {});
}
