import {
	type IExecuteFunctions,
	type INodeExecutionData,
	isExpression,
	type NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { isObject } from '../util/values';
import type { Finding } from './content/finding';
import { InputError } from './inputError';
import { type MappedForm, readMapped } from './mapper';
import { Notices } from './notices';
import { isBlank, onlyText } from './parameters';
import { readSentText, type SavedForm, savedParameters } from './savedForm';

/** Everything that an operation needs to work on one input item. */
export interface ItemContext extends SavedForm {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/** Loads a value once for all items that ask with the same key. They share the result or the error. */
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** Returns the value that is chosen or entered in a resource locator. Its shape is not checked. */
	locator(name: string): unknown;
	/**
	 * Reads a resource mapper: a form whose fields n8n loads. See {@link readMapped}.
	 * @param field The name that the form shows for the mapper.
	 * @throws InputError if the saved value cannot be understood.
	 */
	mapped(name: string, field: string): MappedForm;
	/** Sentences for the output, one for each likely mistake in this item. */
	readonly warnings: readonly string[];
	/**
	 * Adds a likely mistake to the warnings of the item, and refuses the item for a certain mistake.
	 * @param field The field's name in the form.
	 * @throws InputError for a certain mistake.
	 */
	judge(field: string, finding: Finding | undefined): void;
	/** Adds a warning to this item, unless the same warning was already added to an item of this execution. */
	warnOnce(text: string): void;
	/** Shows a message beside the node's output, once for all items. The default type is a warning. */
	hint(message: string, type?: NodeExecutionHint['type']): void;
}

/** The output of an operation for one item. The caller adds the pairing with the input. */
export interface ItemOutput extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/** Names the created object ("document 64f…"), so that the error of a run that fails later can list it. */
	created?: string;
	/** Whether the item was skipped because an earlier run may have sent it, without a way to find out. */
	isUnsure?: boolean;
}

/** The contexts of all items of one execution, and the warnings that they collect. */
export interface ItemContexts {
	contextOf: (itemIndex: number) => ItemContext;
	/** Lists the items with warnings beside the node's output. Does nothing if no item has one. */
	showWarnings: () => void;
}

/** Makes the contexts of the items of one execution. All of them share the client and the loaded values. */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): ItemContexts {
	const notices = new Notices(execute);
	const loadedByKey = new Map<string, Promise<unknown>>();
	const saved = savedParameters(() => execute.getNode().parameters);

	const memoize = async <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
		const loaded = loadedByKey.get(key) ?? load();
		loadedByKey.set(key, loaded);
		return (await loaded) as Value;
	};

	/*
	 * A parameter must not be read as a whole if the editor saves words of the service in it: the name in a locator, or
	 * IDs and labels in a mapper. n8n would run such a word as an expression if it begins with "=". `locator` and
	 * `mapped` therefore read only the part that the person has chosen.
	 */
	const contextOf = (itemIndex: number): ItemContext => ({
		execute,
		itemIndex,
		get input() {
			return execute.getInputData()[itemIndex] ?? { json: {} };
		},
		service,
		memoize,
		hint: (message, type) => notices.hint(message, type),
		get warnings() {
			return notices.warningsOf(itemIndex);
		},
		judge(field, finding) {
			if (!finding) return;
			const { severity, problem, remedy, docsAnchor } = finding;
			if (severity === 'certain') throw new InputError(field, problem, remedy, docsAnchor);
			notices.warn(itemIndex, `${field}: ${problem}. ${remedy}`);
		},
		warnOnce: (text) => notices.warnOnce(itemIndex, text),
		...saved,
		// n8n throws if the workflow lacks the parameter, unless it gets a fallback.
		parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
		locator(name) {
			const isLocator = isObject(saved.rawParameter(name));
			const value: unknown = execute.getNodeParameter(
				isLocator ? `${name}.value` : name,
				itemIndex,
				'',
			);
			return value;
		},
		mapped: (name, field) =>
			readMapped(saved, name, field, (value) =>
				isExpression(value) ? execute.evaluateExpression(value.slice(1), itemIndex) : value,
			),
	});
	return { contextOf, showWarnings: () => notices.showWarnings() };
}

/**
 * Reads the ID or name that is chosen or entered in a resource locator.
 * @param field The field's name in the form.
 * @param remedy Tells the person what to do if nothing is chosen.
 * @returns The ID or name, trimmed.
 * @throws InputError if nothing is chosen, or the value is neither a text nor a list of one text.
 */
export function readChosen(item: ItemContext, name: string, field: string, remedy: string): string {
	const chosen = onlyText(item.locator(name));
	if (isBlank(chosen)) throw new InputError(field, 'nothing is selected', remedy, 'none-is-chosen');
	return readSentText(item, chosen, field, remedy);
}
