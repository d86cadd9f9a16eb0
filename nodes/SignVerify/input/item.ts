import {
	type IExecuteFunctions,
	type INodeExecutionData,
	isExpression,
	type NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../account/client';
import { isObject } from '../util/values';
import type { Finding } from './finding';
import { InputError } from './inputError';
import { type MappedForm, readMapped } from './mapper';
import { Notices } from './notices';
import { isBlank, onlyText } from './parameters';
import { readSentText, type SavedForm, savedParameters } from './savedForm';

/** Everything an operation needs to work on one input item. */
export interface ItemContext extends SavedForm {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/**
	 * The columns that occur in any of the run's items, without duplicates. An item may lack some of them,
	 * because n8n's spreadsheet nodes leave out empty cells.
	 */
	readonly columnsOfRun: readonly string[];
	/** Loads a value once for all items that use the same key. These items share the result or the error. */
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** Creates a value once for all items of the run that use the same key. */
	remember<Value>(key: string, make: () => Value): Value;
	/** Returns the value chosen or entered in a resource locator, without checking its format. */
	locator(name: string): unknown;
	/**
	 * Reads a resource mapper, which is n8n's name for a form whose fields are loaded dynamically, for
	 * instance from the chosen template. See {@link readMapped}.
	 * @param field The mapper's name in the form.
	 * @throws InputError if the saved value can't be interpreted.
	 */
	mapped(name: string, field: string): MappedForm;
	/** The warnings about likely mistakes in this item, for the output. */
	readonly warnings: readonly string[];
	/**
	 * Reports a check's result. A likely mistake is added to the item's warnings, and a certain mistake is
	 * thrown as an error.
	 * @param field The field's name in the form.
	 * @throws InputError for a certain mistake.
	 */
	judge(field: string, finding: Finding | undefined): void;
	/** Adds a warning to this item, unless another item in this run already has the same warning. */
	warnOnce(text: string): void;
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

/** Creates the item contexts for one run. All of them share the client and the loaded values. */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): ItemContexts {
	const notices = new Notices(execute);
	const loadedByKey = new Map<string, Promise<unknown>>();
	let columnsOfRun: string[] | undefined;
	const saved = savedParameters(() => execute.getNode().parameters);

	const remembered = new Map<string, unknown>();
	const remember = <Value>(key: string, make: () => Value): Value => {
		if (!remembered.has(key)) remembered.set(key, make());
		return remembered.get(key) as Value;
	};

	const memoize = async <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
		const loaded = loadedByKey.get(key) ?? load();
		loadedByKey.set(key, loaded);
		return (await loaded) as Value;
	};

	/*
	 * Never read an entire parameter in which the editor saves strings from the service: the name in a
	 * locator, or IDs and labels in a mapper. If such a string begins with "=", n8n would run it as an
	 * expression. So `locator` and `mapped` read only the part that the user has chosen.
	 */
	const contextOf = (itemIndex: number): ItemContext => ({
		execute,
		itemIndex,
		get input() {
			return execute.getInputData()[itemIndex] ?? { json: {} };
		},
		service,
		get columnsOfRun() {
			return (columnsOfRun ??= [
				...new Set(execute.getInputData().flatMap(({ json }) => Object.keys(json))),
			]);
		},
		memoize,
		remember,
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
		// Without a fallback, n8n throws if the workflow lacks the parameter.
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
 * Reads the ID or name chosen or entered in a resource locator.
 * @param field The field's name in the form.
 * @param remedy What to do if nothing is chosen.
 * @returns The ID or name, trimmed.
 * @throws InputError if nothing is chosen, or if the value is neither a string nor a list with a single
 * string.
 */
export function readChosen(item: ItemContext, name: string, field: string, remedy: string): string {
	const chosen = onlyText(item.locator(name));
	if (isBlank(chosen)) throw new InputError(field, 'nothing is selected', remedy, 'none-is-chosen');
	return readSentText(item, chosen, field, remedy);
}
