import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { toolProperties } from '../../nodes/SignVerify/operations';

const action = new SignVerify().description;
const own: Record<string, { properties: INodeProperties[]; byN8n: string[] }> = {
	signVerify: { properties: action.properties, byN8n: [] },
	signVerifyTool: {
		properties: toolProperties,
		byN8n: ['descriptionType', 'toolDescription'],
	},
	signVerifyTrigger: {
		properties: new SignVerifyTrigger().description.properties,
		byN8n: [],
	},
};

/** What the editor would mark on one of our nodes: parameters that it does not have, or lacks. */
export function faultsOf(node: INode): unknown[] {
	const known = own[node.type.replace('n8n-nodes-signverify.', '')];
	if (!known) return [`there is no node ${node.type}`];
	const parameters = { ...node.parameters };
	for (const name of known.byN8n) delete parameters[name];
	const properties = known.properties.filter(({ type }) => type !== 'notice');
	// Some fields show only in a tool, which n8n tells by the name.
	const description = { ...action, name: node.type.split('.').pop() ?? '' };
	const shown = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters: shown ?? {} },
		description,
	);
	return [
		...(node.typeVersion === 1.1 ? [] : [`its version is ${node.typeVersion}`]),
		...unknownIn(parameters, shown, ''),
		...(issues ? [issues] : []),
	];
}

/** Paths of what is in a file and is no parameter of the node. */
function unknownIn(given: unknown, known: unknown, at: string): string[] {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
	return Object.entries(given).flatMap(([name, value]) => {
		const place = `${at}.${name}`;
		const inner = (known as Record<string, unknown> | null)?.[name];
		return inner === undefined ? [place] : unknownIn(value, inner, place);
	});
}
