import {
	NodeHelpers,
	type IExecuteData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { evaluate, readParameter } from '../support/parameters';
import type { Execution } from './database';
import type { Process } from './process';
import type { Caller } from './surroundings';

/** The parts of n8n that a running execution can access. */
export interface Installation {
	instanceId: string;
	/** The public URL, without a trailing slash. */
	url: string;
	/** The lines that nodes have written to n8n's log. */
	logged: string[];
	/** Signs the URL that continues a waiting execution. */
	sign(url: string): string;
}

/** The addresses of n8n's endpoints, which n8n passes to a node's functions. */
export function endpointAddresses({ url }: Pick<Installation, 'url'>) {
	return {
		webhookWaitingBaseUrl: `${url}/webhook-waiting`,
		webhookBaseUrl: `${url}/webhook`,
		webhookTestBaseUrl: `${url}/webhook-test`,
		formWaitingBaseUrl: `${url}/form-waiting`,
		formBaseUrl: `${url}/form`,
		formTestBaseUrl: `${url}/form-test`,
		mcpBaseUrl: `${url}/mcp`,
		mcpTestBaseUrl: `${url}/mcp-test`,
		restApiUrl: `${url}/rest`,
	};
}

/** A workflow's node, as it appears on n8n's stack. */
export function nodeOf({ workflow }: Execution, type: INodeType): INode {
	return {
		id: workflow.nodeId,
		name: 'SignVerify',
		type: `n8n-nodes-signverify.${type.description.name}`,
		typeVersion: 1.1,
		position: [0, 0],
		parameters: knownDefaults(type, workflow.parameters),
		...workflow.settings,
	};
}

const resolved = new Map<string, INodeParameters>();

/** Like {@link withDefaults}, but returns a cached result for parameters that it has seen before. */
function knownDefaults(type: INodeType, parameters: INodeParameters): INodeParameters {
	const key = JSON.stringify(parameters);
	const known = resolved.get(key) ?? withDefaults(type, parameters);
	resolved.set(key, known);
	return known;
}

/** Adds the form's defaults to parameters and removes values that the form does not show. */
export function withDefaults(
	{ description }: INodeType,
	parameters: INodeParameters,
): INodeParameters {
	const node = { typeVersion: 1.1, type: description.name } as INode;
	const { properties } = description;
	return (
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {}
	);
}

/** An expression that returns a field of the item. */
export function field(name: string): string {
	return `={{ $json.${name} }}`;
}

function evaluated(value: unknown, { json, binary }: INodeExecutionData): unknown {
	if (typeof value !== 'string') return evaluate(value as INodeParameters, json, binary);
	if (!value.startsWith('=')) return value;
	// Resolve simple expressions without n8n to save time, because most expressions in a simulation are
	// simple.
	const name = /^=\{\{ \$json\.(\w+) \}\}$/.exec(value)?.[1];
	return name === undefined ? evaluate(value, json, binary) : json[name];
}

/** The context of `execute()` for one entry on an execution's stack. */
export function executeContext(
	process: Process,
	installation: Installation,
	execution: Execution,
	entry: IExecuteData,
	caller: Caller,
): IExecuteFunctions {
	// As in n8n, the context has a separate copy of the node, so later changes to the original do not affect
	// it.
	const node = { ...entry.node };
	const { data, id } = execution;
	const items = inputOf(entry);
	const { perItem } = execution.workflow;
	const log = (line: string) => installation.logged.push(line);
	const itemOf = (index: number) => items[index] ?? { json: {} };
	const resolvedForms = new Map<number, INodeParameters>();
	const parametersOf = (index: number) => {
		if (!perItem) return node.parameters;
		const changed = { ...node.parameters, ...perItem[index] } as INodeParameters;
		const form = resolvedForms.get(index) ?? withDefaults(process.code.action, changed);
		resolvedForms.set(index, form);
		return form;
	};
	const isInEngine2 = execution.workflow.engineType === 'v2';
	const context = {
		node,
		helpers: {
			...process.helpers(caller, node),
			...process.processedHelpers(caller, node),
		},
		runExecutionData: {
			...data,
			get resultData() {
				const runs = data.runs.map(({ success, error }) => ({ data: { main: [success, error] } }));
				return { runData: { [node.name]: runs } };
			},
		},
		additionalData: endpointAddresses(installation),
		getNode: () => node,
		getCredentials: async (_type: string, index = 0) =>
			await process.readCredential(caller, items[index]?.json),
		getTimezone: () => 'America/Mexico_City',
		// Anything but a manual execution runs the published workflow.
		getWorkflow: () => ({
			id: execution.workflow.id,
			name: 'A workflow',
			active: execution.mode !== 'manual',
		}),
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getInstanceId: () => installation.instanceId,
		getMode: () => execution.mode,
		getExecutionId: () => (isInEngine2 ? '0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b' : id),
		getInputData: () => items,
		getExecuteData: () => entry,
		getContext: () => (data.executionData.contextData[`node:${node.name}`] ??= {}),
		continueOnFail: () => Boolean(node.onError && node.onError !== 'stopWorkflow'),
		getExecutionCancelSignal: () => (isInEngine2 ? undefined : process.running.get(id)?.signal),
		addExecutionHints: (...hints: NodeExecutionHint[]) => execution.hints.push(...hints),
		logger: { debug: () => undefined, warn: log, error: log },
		getSignedResumeUrl: (more: Record<string, string> = {}) =>
			resumeUrl(installation, execution, more),
		putExecutionToWait: async (until: Date) => {
			if (execution.trouble === 'cannotWait') throw new Error('The database is locked');
			data.waitTill = until.getTime();
			await Promise.resolve();
		},
		evaluateExpression: (expression: string, index: number) =>
			evaluated(`=${expression}`, itemOf(index)),
		getNodeParameter: (
			name: string,
			index: number,
			fallback?: unknown,
			options?: { extractValue?: boolean },
		) => evaluated(readParameter(parametersOf(index), name, fallback, options), itemOf(index)),
	};
	return context as unknown as IExecuteFunctions;
}

/** The input items of a node. With Execute Once, this is only the first item. */
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
