import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { type EndpointName, ENDPOINTS } from '../../sandbox/contract/endpoints';
import type { Service } from './service';
import { operations, resources } from '../../nodes/SignVerify/operations';
import type { Operation, ResourceName } from '../../nodes/SignVerify/operations/types';
import { document } from './document';
import { identity } from './identity';
import { template } from './template';
import { webhook } from './webhook';

/** An item that goes into the node. `n` counts from 1. */
export type Item = IDataObject & { n: number };

/** The calls of an operation, by what they are for. */
export type CallName =
	| 'token'
	/** A list that is loaded once for all items. */
	| 'list'
	/** The list of the older templates, which is loaded at the same time. */
	| 'olderList'
	/** The call for one item. */
	| 'call'
	| 'registration'
	| 'webhooks'
	| 'deletion'
	/** What is looked up when a wait ends. */
	| 'request'
	| 'results';

/**
 * What the tests have to know of an operation of the node. Its names, its words and its form come from
 * the operation itself.
 */
export interface OperationEntry {
	/** The node's form, filled in right. Expressions (`={{ $json.name }}`) take values from the item. */
	parameters: INodeParameters;
	/** The endpoints that it calls. */
	calls: Partial<Record<CallName, EndpointName>>;
	/** Makes ready what the items need at the service; gives so many items. */
	prepare(service: Service, count: number): Promise<Item[]>;
	/** Values of an item that are wrong, which the node can see without asking the service. */
	malformed: IDataObject;
	/** Values of an item that name what is not at the service. */
	absent?(sandbox: Sandbox): IDataObject;
	/** The IDs of what the service created for an item; absent if the operation creates nothing. */
	created?(sandbox: Sandbox, item: Item): string[];
	/** Why an output does not tell of something that was done at the service; undefined if it does. */
	problemOf(sandbox: Sandbox, item: Item, output: INodeExecutionData): string | undefined;
	/** Whether the service did for an item what it was asked for, if this can be seen there. */
	wasDone?(sandbox: Sandbox, item: Item): boolean;
	/** Other forms whose output has more fields, for the schema. */
	variants?: INodeParameters[];
	/** For an operation with Output: the fields of the simplified one, in their order. */
	simplified?: string[];
	/** For an operation that waits. */
	waits?: {
		/** The event that it waits for. */
		event: string;
		/** Ends what is waited for, as the person would. */
		finish(sandbox: Sandbox, id: string): Promise<void>;
		/** Makes something of another client that the same event is about. */
		other(service: Service): Promise<string>;
	};
}

/** The entries of a resource, by the values that workflows are saved with: these never change. */
export type Entries = Record<string, OperationEntry>;

export { register, startService, type Service } from './service';

const entries: Record<ResourceName, Entries> = { document, identity, template, webhook };

/** An operation of the node, with what the tests have to know of it. */
export interface TestedOperation extends OperationEntry {
	operation: Operation;
	/** `template/getAll`: resource and operation, as workflows save them. */
	name: string;
	/** As docs and editor call it. */
	words: string;
}

/** Where the entries disagree with the node's operations, and what to do there. */
function problemsOfEntries(): string[] {
	const missing = operations
		.filter(({ resource, value }) => !entries[resource][value])
		.map(
			({ resource, value }) =>
				`${resource}/${value} has no entry: add it to test/operations/${resource}.ts (${value}: { parameters, calls, … })`,
		);
	const unknown = Object.entries(entries).flatMap(([resource, given]) =>
		Object.keys(given)
			.filter((name) => !operations.some((one) => one.resource === resource && one.value === name))
			.map(
				(name) =>
					`${resource}/${name} is in test/operations/${resource}.ts, but not in nodes/SignVerify/operations/registry.ts: workflows are saved with this value, so it never changes`,
			),
	);
	const called = Object.values(entries).flatMap(Object.values<OperationEntry>);
	const calls = new Set(called.flatMap((entry) => Object.values(entry.calls)));
	const withoutEntry = [...calls]
		.filter((call) => !ENDPOINTS.includes(call))
		.map((call) => `${call} has no entry: add it to sandbox/contract/endpoints/`);
	return [...missing, ...unknown, ...withoutEntry];
}

const problems = problemsOfEntries();
if (problems.length > 0) throw new Error(problems.join('\n'));

/** Every operation of the node. Whoever uses the list fails if one has no entry, and says where to add it. */
export const testedOperations: TestedOperation[] = operations
	.map((operation) => {
		const { resource, value, name } = operation;
		const entry = entries[resource][value] as OperationEntry;
		return {
			...entry,
			operation,
			name: `${resource}/${value}`,
			words: `${resources[resource].name}: ${name}`,
			parameters: { resource, operation: value, ...entry.parameters },
		};
	})
	.sort((left, right) => (left.name < right.name ? -1 : 1));

/** @param name `template/getAll`: resource and operation. */
export function operationNamed(name: string): TestedOperation {
	const found = testedOperations.find((tested) => tested.name === name);
	if (!found) throw new Error(`The node has no operation ${name}.`);
	return found;
}

/** So many items as an operation can work on in one execution: one that waits waits for one. */
export function itemCount({ waits }: OperationEntry, wanted: number): number {
	return waits ? 1 : wanted;
}

/** The form as n8n resolves it for an item: each `={{ $json.name }}` becomes the item's value. */
export function resolvedFor(
	item: Item,
	parameters: INodeParameters,
): Record<string, NodeParameterValueType> {
	const resolve = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(resolve);
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
		}
		const [, name] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(String(value)) ?? [];
		return name === undefined ? value : item[name];
	};
	return resolve(parameters) as Record<string, NodeParameterValueType>;
}
