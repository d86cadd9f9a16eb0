import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { labelAt, readNamed } from '../form/field';
import { hasExpression, type SavedForm, savedParameters } from '../form/savedForm';
import { InputError } from '../errors/inputError';
import { remember } from '../util/singleFlight';
import { Notices } from './notices';
import { sendDespiteWarningsOption, sendsDespiteWarnings } from './sendDespiteWarnings';

/** Everything an operation needs to work on one input item. */
export interface ItemContext extends SavedForm {
	readonly context: IExecuteFunctions;
	readonly itemIndex: number;
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/**
	 * Creates a value once for all items of the run that use the same key. If the value is a promise, the items
	 * share its result or its error.
	 */
	remember<Value>(key: string, make: () => Value): Value;
	readonly warnings: readonly string[];
	/** Shows a message next to the node's output, once for all items; by default as a warning. */
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

export interface ItemContexts {
	contextOf: (itemIndex: number) => ItemContext;
	showWarnings: Notices['showWarnings'];
}

/** Creates the item contexts for one run of an operation. All of them share the client and the remembered values. */
export function createItemContexts(
	context: IExecuteFunctions,
	service: ServiceClient,
	{ fields, sends }: { fields: INodeProperties[]; sends?: boolean },
): ItemContexts {
	const notices = new Notices(context);
	const { rawParameter, checkTyped } = savedParameters(() => context.getNode().parameters);
	const remembered = new Map<string, unknown>();
	const withoutExpression = new Map<string, unknown>();
	const parameter = (name: string, itemIndex: number): unknown => {
		if (withoutExpression.has(name)) return withoutExpression.get(name);
		// @n8n Without a fallback, n8n throws if the workflow lacks the parameter.
		const value = context.getNodeParameter(name, itemIndex, null) ?? undefined;
		// Such a value is the same for all items, and asking n8n again takes a good part of the time that an item takes.
		if (!hasExpression(rawParameter(name))) withoutExpression.set(name, value);
		return value;
	};
	const contextOf = (itemIndex: number): ItemContext => {
		// Each item gets several contexts. Copying the properties of another object would take four times as long.
		const item: ItemContext = {
			rawParameter,
			checkTyped,
			parameter: (name) =>
				readNamed(
					() => parameter(name, itemIndex),
					() => labelAt(fields, name),
				),
			context,
			itemIndex,
			get input() {
				return context.getInputData()[itemIndex] ?? { json: {} };
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
				if (severity === 'certain') throw new InputError(label, finding);
				if (severity === 'likely' && sends && !sendsDespiteWarnings(item))
					throw new InputError(label, {
						...finding,
						optionIfRight: sendDespiteWarningsOption.displayName,
					});
				notices.warn(itemIndex, `${label}: ${problem}. ${remedy}`);
			},
			hint: (message, type) => notices.hint(message, type),
		};
		return item;
	};
	return { contextOf, showWarnings: (nameOf) => notices.showWarnings(nameOf) };
}

/** Creates a value once for all items of the run that use the same object, such as a template. */
export function rememberFor<Value>(
	item: ItemContext,
	object: object,
	what: string,
	make: () => Value,
): Value {
	const values = item.remember(what, () => new WeakMap<object, Value>());
	return remember(values, object, make);
}
