import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { type EndpointName, endpointNames } from '../../sandbox/contract/endpoints';
import type { Service } from './service';
import { operations, resources } from '../../nodes/SignVerify/operations/nodeForm';
import type { Operation, ResourceName } from '../../nodes/SignVerify/operations/operationTypes';
import { document } from './document';
import { identity } from './identity';
import { template } from './template';
import { webhook } from './webhook';

/** An input item of the node. `n` is its number, starting from 1. */
export type Item = IDataObject & { n: number };

/** The calls that an operation can make, named by purpose. */
export type CallName =
	| 'token'
	/** Loads a list once for all items. */
	| 'list'
	/** Loads the list of older templates at the same time. */
	| 'olderList'
	/** Does the work for one item. */
	| 'call'
	| 'registration'
	| 'webhooks'
	| 'deletion'
	/** Looks up the request when a wait ends. */
	| 'request'
	| 'results';

/**
 * What the tests need to know about one of the node's operations. The operation itself provides its names,
 * strings and form.
 */
export interface OperationEntry {
	/** The correctly filled-in form. Expressions (`={{ $json.name }}`) take values from the item. */
	parameters: INodeParameters;
	calls: Partial<Record<CallName, EndpointName>>;
	/** Creates everything in the service that the items need. @returns `count` items. */
	prepare(service: Service, count: number): Promise<Item[]>;
	/** Values that make the node reject an item without making a call. */
	malformed: IDataObject;
	/** Values that make an item refer to something that does not exist in the service. */
	absent?(sandbox: Sandbox): IDataObject;
	/**
	 * The IDs of everything that the service created for an item; absent if the operation creates nothing.
	 */
	created?(sandbox: Sandbox, item: Item): string[];
	/** The reason why an output does not match the service's records, or undefined if it does. */
	problemOf(sandbox: Sandbox, item: Item, output: INodeExecutionData): string | undefined;
	/** Whether the service did the work for an item; absent if the service's records do not show this. */
	wasDone?(sandbox: Sandbox, item: Item): boolean;
	/** Other forms whose output contains additional fields. They are needed for the schema. */
	variants?: INodeParameters[];
	/** The fields in simplified output, in order; absent if the operation offers no choice of output. */
	simplified?: string[];
	/** Present for an operation that waits. */
	waits?: {
		/** The event that ends the wait. */
		event: string;
		/** Does what a signatory or a person being verified would do to end the wait. */
		finish(sandbox: Sandbox, id: string): Promise<void>;
		/**
		 * Creates a different document or request that later causes the same type of event but must not end
		 * the wait.
		 */
		other(service: Service): Promise<string>;
	};
}

/**
 * A resource's entries, keyed by the values of the operations in saved workflows. These values never change.
 */
export type Entries = Record<string, OperationEntry>;

export { register, startService, type Service } from './service';

const entries: Record<ResourceName, Entries> = { document, identity, template, webhook };

/** An operation of the node, with what the tests need to know about it. */
export interface TestedOperation extends OperationEntry {
	operation: Operation;
	/** Resource and operation as in saved workflows: `template/getAll`. */
	name: string;
	/** Its name in the docs and the editor. */
	words: string;
}

/** Returns the differences between the entries and the node's operations, and how to resolve each one. */
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
		.filter((call) => !endpointNames.includes(call))
		.map((call) => `${call} has no entry: add it to sandbox/contract/endpoints/`);
	return [...missing, ...unknown, ...withoutEntry];
}

const problems = problemsOfEntries();
if (problems.length > 0) throw new Error(problems.join('\n'));

/**
 * All operations of the node. Loading this list fails if an operation has no entry, and the error shows where
 * to add one.
 */
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

/** @param name Resource and operation, such as `template/getAll`. */
export function operationNamed(name: string): TestedOperation {
	const found = testedOperations.find((tested) => tested.name === name);
	if (!found) throw new Error(`The node has no operation ${name}.`);
	return found;
}

/** The IDs of what a waiting operation waits for: what it created for the items or, otherwise, each item's `id`. */
export function awaitedBy({ created }: OperationEntry, sandbox: Sandbox, items: Item[]): string[] {
	return items.flatMap((item) => created?.(sandbox, item) ?? [String(item.id)]);
}

/** The number of items in an execution. It is 1 for an operation that waits, and otherwise `wanted`. */
export function itemCount({ waits }: OperationEntry, wanted: number): number {
	return waits ? 1 : wanted;
}

/** The form as n8n resolves it for an item: each `={{ $json.name }}` is replaced by the item's value. */
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
