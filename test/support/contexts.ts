import path from 'node:path';
import type { Readable } from 'node:stream';

import {
	NodeHelpers,
	type IAdditionalCredentialOptions,
	type IBinaryData,
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import type { CredentialKeeper } from './credentials';
import { evaluate, readParameter } from './parameters';
import { httpRequest } from './http';
import { ProcessedStore } from './processedStore';

export const action = new SignVerify();
export const trigger = new SignVerifyTrigger();

/** A run of the action node, as one would set it up in the editor. */
export interface RunSetup {
	/** What the form holds; the rest has the defaults of the node's description. */
	parameters: IDataObject;
	/** Parameters of single items, as expressions would give them. */
	perItem?: IDataObject[];
	items?: IDataObject[];
	/** Files that the first item brings along. */
	binary?: IBinaryKeyData;
	continueOnFail?: boolean;
	/** How the execution was started; by a trigger unless it is given. */
	mode?: WorkflowExecuteMode;
	/** The node's own settings, such as Retry On Fail. */
	settings?: Partial<INode>;
	signal?: AbortSignal;
	/** How many branches of the workflow lead to the node; one unless it is given. */
	branches?: number;
	/** Whether n8n fails to put the execution to wait. */
	cannotWait?: boolean;
	/** n8n's de-duplication store; each run has one of its own unless it is given. */
	store?: ProcessedStore;
	/** Filled with the warnings that the run shows. */
	hints?: NodeExecutionHint[];
	/** Filled with what the run writes to n8n's log. */
	logged?: string[];
}

/** Runs the action node and gives its first output. */
export async function runAction(
	keeper: CredentialKeeper,
	setup: RunSetup,
): Promise<INodeExecutionData[]> {
	const [output] = await action.execute.call(executeContext(keeper, setup));
	return output ?? [];
}

/** The context of `execute`: n8n's own defaults and display rules, the sandbox behind the helpers. */
export function executeContext(keeper: CredentialKeeper, setup: RunSetup): IExecuteFunctions {
	const saved = nodeOf(action, setup.parameters);
	// n8n drops options that the form does not show before anything runs.
	const { options } = withDefaults(action, setup.parameters, saved) as INode['parameters'];
	const node = {
		...saved,
		parameters: { ...saved.parameters, options: options ?? {} },
		...setup.settings,
	};
	const items = (setup.items ?? [{}]).map((json, index) => ({
		json,
		...(index === 0 && setup.binary ? { binary: setup.binary } : {}),
	}));
	const filled = items.map((_, index) => {
		const parameters = { ...setup.parameters, ...setup.perItem?.[index] };
		return withDefaults(action, parameters, node);
	});
	const evaluated = (value: unknown, index: number) =>
		evaluate(value as INodeParameters, items[index]?.json ?? {}, items[index]?.binary);
	const { helpers, ...rest } = common(keeper, node, setup.logged);
	const store = setup.store ?? new ProcessedStore();
	// One for each run of a node, the same in all its tries.
	const entry = { node, data: { main: [items] }, source: null };
	const context = {
		...rest,
		// Each context of n8n holds it, though the interface does not say so.
		node,
		helpers: { ...helpers, httpRequest, prepareBinaryData, ...store.helpersFor(node) },
		getWorkflow: () => ({ id: 'workflow', name: 'A workflow', active: false }),
		getMode: () => setup.mode ?? 'trigger',
		getInputData: () => items,
		getExecuteData: () => entry,
		getContext: () => ({}),
		getInstanceId: () => 'this-instance',
		// An execution that can wait.
		getSignedResumeUrl: () => 'http://127.0.0.1:9/',
		runExecutionData: { executionData: { nodeExecutionStack: [] } },
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		continueOnFail: () => setup.continueOnFail ?? false,
		getExecutionCancelSignal: () => setup.signal ?? new AbortController().signal,
		addExecutionHints: (...hints: NodeExecutionHint[]) => setup.hints?.push(...hints),
		getNodeParameter: (name: string, index: number, fallback?: unknown) =>
			evaluated(readParameter(filled[index] ?? {}, name, fallback), index),
		evaluateExpression: (expression: string, index: number) => evaluated(`=${expression}`, index),
	};
	return context as unknown as IExecuteFunctions;
}

/** The context of list and mapper methods, with what the form holds at that moment. */
export function loadContext(
	keeper: CredentialKeeper,
	parameters: IDataObject,
	logged: string[] = [],
): ILoadOptionsFunctions {
	const node = nodeOf(action, parameters);
	const context = {
		...common(keeper, node, logged),
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) =>
			readParameter(withDefaults(action, parameters, node), name, null, options),
	};
	return context as unknown as ILoadOptionsFunctions;
}

export function common(keeper: CredentialKeeper, node: INode, logged: string[] = []) {
	return {
		getNode: () => node,
		logger: { warn: (text: string) => void logged.push(text) },
		getCredentials: async () => keeper.read(),
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				options: IHttpRequestOptions,
				additional?: IAdditionalCredentialOptions,
			) => await keeper.request(node, options, additional),
		},
	};
}

/** n8n's helper where binary data is kept in memory: read as it comes, named without its folder. */
export async function prepareBinaryData(
	content: Buffer | Readable,
	filePath: string,
	mimeType: string,
): Promise<IBinaryData> {
	const pieces: Buffer[] = [];
	if (Buffer.isBuffer(content)) pieces.push(content);
	else for await (const piece of content as AsyncIterable<Buffer>) pieces.push(piece);
	const data = Buffer.concat(pieces);
	const { base, ext } = path.parse(filePath);
	return {
		data: data.toString('base64'),
		bytes: data.length,
		mimeType,
		fileName: base,
		fileExtension: ext.slice(1),
	};
}

export function nodeOf(type: INodeType, parameters: IDataObject): INode {
	return {
		id: 'node',
		name: type.description.displayName,
		type: `n8n-nodes-signverify.${type.description.name}`,
		typeVersion: 1.1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
}

export function withDefaults(type: INodeType, parameters: IDataObject, node: INode): IDataObject {
	const resolved = NodeHelpers.getNodeParameters(
		type.description.properties,
		parameters as INode['parameters'],
		true,
		false,
		node,
		type.description,
	);
	return resolved ?? {};
}
