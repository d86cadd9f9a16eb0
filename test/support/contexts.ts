import { isDeepStrictEqual } from 'node:util';

import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { SignVerify } from '../../nodes/SignVerify/SignVerify.node';
import { SignVerifyTrigger } from '../../nodes/SignVerify/SignVerifyTrigger.node';
import { isObject } from '../../nodes/SignVerify/util/values';
import type { ActionWorkflow } from '../n8n/database';
import { firstEntries } from '../n8n/engine';
import { executeContext as contextOf, withDefaults } from '../n8n/execute';
import { N8n } from '../n8n/instance';
import type { ProcessedStore } from '../n8n/processedStore';
import { type Clock, realClock } from '../n8n/surroundings';
import type { CredentialKeeper } from './credentials';
import { readParameter } from './parameters';
import { httpRequest } from './http';

export const action = new SignVerify();
export const trigger = new SignVerifyTrigger();

/** A run of the action node, set up as in the editor. */
export interface RunSetup {
	/** The parameters to set. All other parameters have the defaults from the node's description. */
	parameters: IDataObject;
	/** The parameters of individual items, as expressions would return them. */
	perItem?: IDataObject[];
	items?: IDataObject[];
	/** The files of the first item. */
	binary?: IBinaryKeyData;
	continueOnFail?: boolean;
	/** How the execution was started. The default is `trigger`. */
	mode?: WorkflowExecuteMode;
	/** The settings of the node, such as Retry On Fail. */
	settings?: Partial<INode>;
	signal?: AbortSignal;
	/** Whether an error occurs when the node asks n8n to make the execution wait. */
	cannotWait?: boolean;
	/** n8n's deduplication store. By default, each run has its own store. */
	store?: ProcessedStore;
	/** The output of each of the node's earlier runs in the same execution, as in a loop. */
	earlierOutput?: INodeExecutionData[][];
	/** Collects the warnings that the run shows. */
	hints?: NodeExecutionHint[];
	/** Whether n8n's Engine 2.0 runs the workflow. */
	isInEngine2?: boolean;
}

/** Runs the action node and returns its first output. */
export async function runAction(
	keeper: CredentialKeeper,
	setup: RunSetup,
): Promise<INodeExecutionData[]> {
	const [output] = await action.execute.call(executeContext(keeper, setup));
	return output ?? [];
}

const isLocator = (value: unknown) => isObject(value) && '__rl' in value;

const expressionFor = (path: string) => `={{ $('Rows').item.json['${path}'] }}`;

/** Returns the items' forms. Each has a value for each parameter that any of them changes, and all of the base's options. */
function formsOf(base: IDataObject, perItem: IDataObject[], count: number): IDataObject[] {
	const names = [...new Set(perItem.flatMap(Object.keys))];
	return Array.from({ length: count }, (_, index) => {
		const form = perItem[index] ?? {};
		return Object.fromEntries(
			names.map((name) => {
				const value = name in form ? form[name] : base[name];
				if (name === 'options') return [name, { ...Object(base[name]), ...Object(value) }];
				const isChosen = isLocator(base[name]) && !isLocator(value);
				return [name, isChosen ? { ...(base[name] as IDataObject), value } : value];
			}),
		);
	});
}

/** Returns a parameter as saved, with an expression in each place where the items' values differ. */
function savedValue(values: unknown[], path: string, saved: unknown): unknown {
	if (values.every((value) => isDeepStrictEqual(value, values[0]))) return saved;
	const groups = values.filter(
		(value) => typeof value === 'object' && value !== null,
	) as IDataObject[];
	if (groups.length < values.length) return expressionFor(path);
	const of = (name: string) =>
		savedValue(
			groups.map((group) => group[name]),
			`${path}.${name}`,
			groups[0]?.[name],
		);
	const names = [...new Set(groups.flatMap(Object.keys))];
	if (groups.every(Array.isArray)) return names.map(of);
	return Object.fromEntries(names.map((name) => [name, of(name)]));
}

/** The tests' model of n8n (test/n8n), which makes calls over real HTTP. */
export class N8nOverHttp extends N8n {
	/** Each account's {@link CredentialKeeper}, indexed by account number. */
	private readonly keepers: CredentialKeeper[];

	constructor(url = 'http://127.0.0.1:9', clock: Clock = realClock) {
		const keepers: CredentialKeeper[] = [];
		super({
			instanceId: 'this-instance',
			url,
			clock,
			network: {
				request: async ({ account }, options) => {
					const keeper = keepers[Number(account)];
					const isService = options.url.startsWith(String(keeper?.stored.baseUrl));
					return await (keeper && isService ? keeper.client(options) : httpRequest(options));
				},
			},
			load: () => ({ action, trigger, credential: new SignVerifyApi() }),
			credentials: {},
			processes: 1,
			registeredCount: () => 0,
		});
		this.keepers = keepers;
	}

	/** Makes a workflow with the action node and a credential. */
	workflowOf(keeper: CredentialKeeper, setup: RunSetup): ActionWorkflow {
		const { parameters, perItem, items = [{}], binary, settings = {} } = setup;
		const account = this.keepers.push(keeper) - 1;
		this.database.credentials[account] = keeper.stored;
		if (setup.store) this.database.processed = setup.store;
		// Drop options that the form does not show, because n8n also does this before it runs a node.
		const base = withDefaults(action, parameters as INode['parameters']) as IDataObject;
		const forms = formsOf(base, perItem ?? [], items.length);
		const differing = Object.keys(forms[0] ?? {}).map((name) => {
			const values = forms.map((form) => form[name]);
			return [name, savedValue(values, name, parameters[name])];
		});
		// An option that each item has a value of its own for is an expression in the form, even if they are the same.
		const own = (perItem ?? []).map(({ options }) => Object.keys(options ?? {}));
		const shared = (own[0] ?? []).filter((name) => own.every((names) => names.includes(name)));
		const saved = {
			...parameters,
			...Object.fromEntries(differing),
			// Options that aren't an object, such as an expression, stay as they are.
			...(isObject(base.options) || !base.options
				? {
						options: {
							...Object.fromEntries(shared.map((name) => [name, expressionFor(name)])),
							...(base.options as IDataObject | undefined),
						},
					}
				: {}),
		} as INode['parameters'];
		return {
			id: 'workflow',
			nodeId: settings.id ?? 'node',
			parameters: saved,
			settings: {
				...settings,
				parameters: saved,
				...(setup.continueOnFail ? { onError: 'continueRegularOutput' } : {}),
			},
			batch: 0,
			branches: 1,
			account,
			items,
			perItem: forms,
			...(binary ? { binary } : {}),
			engineType: setup.isInEngine2 ? 'v2' : undefined,
		};
	}
}

/**
 * Makes the context for `execute`, with n8n's defaults and display rules applied. The context's helpers call
 * the sandbox.
 */
export function executeContext(keeper: CredentialKeeper, setup: RunSetup): IExecuteFunctions {
	const n8n = new N8nOverHttp();
	const [process] = n8n.alive;
	const execution = n8n.newExecution(n8n.workflowOf(keeper, setup));
	execution.mode = setup.mode ?? 'trigger';
	execution.hints = setup.hints ?? [];
	for (const success of setup.earlierOutput ?? []) {
		execution.data.runs.push({ input: [], success, error: [] });
	}
	const [entry] = process ? firstEntries(process, execution) : [];
	if (!process || !entry) throw new Error('There is nothing to run.');
	const cancel = new AbortController();
	if (setup.signal?.aborted) cancel.abort();
	setup.signal?.addEventListener('abort', () => cancel.abort());
	process.running.set(execution.id, cancel);
	const caller = process.caller('run', { execution: execution.id });
	return contextOf(process, n8n, execution, entry, caller);
}

/** Makes the context in which list and mapper methods run, with a form's current values. */
export function loadContext(
	keeper: CredentialKeeper,
	parameters: IDataObject,
	logged: string[] = [],
): ILoadOptionsFunctions {
	const { getNode, getCredentials, helpers } = executeContext(keeper, { parameters });
	const context = {
		getNode,
		getCredentials,
		helpers,
		logger: { debug: (text: string) => void logged.push(text), warn: () => undefined },
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) =>
			readParameter(getNode().parameters, name, null, options),
	};
	return context as unknown as ILoadOptionsFunctions;
}
