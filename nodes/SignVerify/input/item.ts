import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { remember } from '../util/singleFlight';
import type { Finding } from './finding';
import { InputError } from './inputError';
import { Notices } from './notices';
import { type SavedForm, savedParameters } from './savedForm';

/** Everything an operation needs to work on one input item. */
export interface ItemContext extends SavedForm {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/**
	 * Creates a value once for all items of the run that use the same key. If the value is a promise, the items
	 * share its result or its error.
	 */
	remember<Value>(key: string, make: () => Value): Value;
	/** The warnings about likely mistakes in this item, for the output. */
	readonly warnings: readonly string[];
	/**
	 * Reports a check's result. A likely mistake is added to the item's warnings, and a certain mistake is
	 * thrown as an error.
	 * import { remember } from '../util/singleFlight';
import type { Finding } fromparam label The field's name in the form.
	 * import { remember } from '../util/singleFlight';
import type { Finding } fromthrows InputError for a certain mistake.
	 */
	judge(label: string, finding: Finding | undefined): void;
	/**
	 * Shows a message next to the node's output, once for all items. By default, it is shown as a warning.
	 */
	hint(message: string, type?: NodeExecutionHint['type']): void;
}

/**
 * An operation's output for one item. The caller adds `pairedItem`, which links the output to its input item.
 */
export interface ItemOutput extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/**
	 * A human-readable name for the created object, such as "document 64f…". If the run fails later, its
	 * error lists these names.
	 */
	created?: string;
	/** Whether the item was skipped because the node can't tell whether it was already sent. */
	isUnsure?: boolean;
}

/** All of a run's item contexts, and the warnings collected in them. */
interface ItemContexts {
	contextOf: (itemIndex: number) => ItemContext;
	/**
	 * Shows a message next to the node's output that lists the warnings by item. Does nothing if there are no
	 * warnings.
	 */
	showWarnings: () => void;
}

/** Creates the item contexts for one run. All of them share the client and the remembered values. */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): ItemContexts {
	const notices = new Notices(execute);
	const saved = savedParameters(() => execute.getNode().parameters);
	const remembered = new Map<string, unknown>();
	const contextOf = (itemIndex: number): ItemContext => ({
		...saved,
		// Without a fallback, n8n throws if the workflow lacks the parameter.
		parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
		execute,
		itemIndex,
		get input() {
			return execute.getInputData()[itemIndex] ?? { json: {} };
		},
		service,
		remember: <Value>(key: string, make: () => Value) =>
			remember(remembered as Map<string, Value>, key, make),
		get warnings() {
			return notices.warningsOf(itemIndex);
		},
		judge(label, finding) {
			if (!finding) return;
			const { severity, problem, remedy } = finding;
			if (severity === 'certain') throw new InputError(label, problem, remedy);
			notices.warn(itemIndex, `${label}: ${problem}. ${remedy}`);
		},
		hint: (message, type) => notices.hint(message, type),
	});
	return { contextOf, showWarnings: () => notices.showWarnings() };
}
