import {
	NodeHelpers,
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { readParameter } from '../../support/parameters';
import type { Caller } from '../network';
import type { Execution } from './database';
import type { Process } from './process';

/** What of n8n a running execution sees. */
export interface Installation {
	instanceId: string;
	/** The public address, without a slash at its end. */
	url: string;
	/** Signs the address at which a waiting execution is continued. */
	sign(url: string): string;
}

/** The node of a workflow, as n8n's entries hold it. */
export function nodeOf({ workflow }: Execution, type: INodeType): INode {
	return {
		id: workflow.nodeId,
		name: 'SignVerify',
		type: `n8n-nodes-signverify.${type.description.name}`,
		typeVersion: 1.1,
		position: [0, 0],
		parameters: withDefaults(type, workflow.parameters),
		...workflow.settings,
	};
}

const resolved = new Map<string, INodeParameters>();

/** Parameters with the defaults of the form; the same for the same parameters. */
function withDefaults(type: INodeType, parameters: INodeParameters): INodeParameters {
	const key = JSON.stringify(parameters);
	let all = resolved.get(key);
	if (!all) {
		const node = { typeVersion: 1.1, type: type.description.name } as INode;
		const { properties } = type.description;
		all =
			NodeHelpers.getNodeParameters(properties, parameters, true, false, node, type.description) ??
			{};
		resolved.set(key, all);
	}
	return all;
}

/** Stands in a parameter for a field of the item, as an expression would. */
export function field(name: string): string {
	return `={{ $json.${name} }}`;
}

function evaluated(value: unknown, json: IDataObject): unknown {
	if (typeof value === 'string') {
		const name = /^=\{\{ \$json\.(\w+) \}\}$/.exec(value)?.[1];
		return name === undefined ? value : json[name];
	}
	if (Array.isArray(value)) return value.map((each) => evaluated(each, json));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, evaluated(each, json)]),
	);
}

/** The context of `execute()` for an entry of an execution's stack. */
export function executeContext(
	process: Process,
	installation: Installation,
	execution: Execution,
	entry: IExecuteData,
	caller: Caller,
): IExecuteFunctions {
	// As in n8n: a node of its own for the context, changed by nobody else.
	const node = { ...entry.node };
	const { data, id } = execution;
	const items = inputOf(entry);
	const parameters = new Map<number, IDataObject>();
	const parametersOf = (index: number) => {
		let own = parameters.get(index);
		if (!own) {
			own = evaluated(node.parameters, items[index]?.json ?? {}) as IDataObject;
			parameters.set(index, own);
		}
		return own;
	};
	const context = {
		node,
		helpers: {
			...process.helpers(caller, node),
			...process.processedHelpers(caller, node),
		},
		runExecutionData: data,
		getNode: () => node,
		getCredentials: async (_type: string, index = 0) =>
			await process.readCredential(caller, items[index]?.json),
		getWorkflow: () => ({ id: execution.workflow.id, name: 'A workflow', active: false }),
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getInstanceId: () => installation.instanceId,
		getMode: () => execution.mode,
		getExecutionId: () => id,
		getInputData: () => items,
		getExecuteData: () => entry,
		getContext: () => (data.executionData.contextData[`node:${node.name}`] ??= {}),
		continueOnFail: () => Boolean(node.onError && node.onError !== 'stopWorkflow'),
		getExecutionCancelSignal: () => process.running.get(id)?.signal,
		addExecutionHints: (...hints: NodeExecutionHint[]) =>
			execution.hints.push(...hints.map(({ message }) => message)),
		logger: { warn: () => undefined, error: () => undefined },
		getSignedResumeUrl: (more: Record<string, string> = {}) =>
			resumeUrl(installation, execution, more),
		putExecutionToWait: async (until: Date) => {
			data.waitTill = until.getTime();
			await Promise.resolve();
		},
		evaluateExpression: (expression: string, index: number) =>
			evaluated(`=${expression}`, items[index]?.json ?? {}),
		getNodeParameter: (
			name: string,
			index: number,
			fallback?: unknown,
			options?: { extractValue?: boolean },
		) => readParameter(parametersOf(index), name, fallback, options),
	};
	return context as unknown as IExecuteFunctions;
}

/** What a node gets: with Execute Once only the first item. */
export function inputOf(entry: IExecuteData): INodeExecutionData[] {
	const items = entry.data.main?.[0] ?? [];
	return entry.node.executeOnce ? items.slice(0, 1) : items;
}

function resumeUrl(
	installation: Installation,
	{ id, workflow }: Execution,
	more: Record<string, string>,
): string {
	const query = new URLSearchParams(more).toString();
	const url = `${installation.url}/webhook-waiting/${id}/${workflow.nodeId}${query ? `?${query}` : ''}`;
	return `${url}${query ? '&' : '?'}signature=${installation.sign(url)}`;
}
