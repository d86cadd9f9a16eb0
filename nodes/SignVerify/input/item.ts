import {
	type IExecuteFunctions,
	type INodeExecutionData,
	isExpression,
	type NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { plainText } from '../util/redact';
import { isObject } from '../util/values';
import { InputError } from './inputError';
import { type MappedForm, readMapped } from './mapper';
import { isBlank, onlyText } from './parameters';
import { readSentText, type SavedForm, savedParameters } from './savedForm';

/** What an operation gets to work on one input item. */
export interface ItemContext extends SavedForm {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	/** The input item. */
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/** Looks something up once for all items with the same key. They share the result, or the failure. */
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** A resource locator's value: what is chosen in its list or entered, whatever its shape is. */
	locator(name: string): unknown;
	/**
	 * A form that is loaded ("resource mapper"), with its values by the IDs of its fields.
	 * @throws InputError, with what the form calls itself, if it cannot be understood ({@link readMapped}).
	 */
	mapped(name: string, field: string): MappedForm;
	/** Shows a message beside the node's output, once for all items; by default a warning. */
	hint(message: string, type?: NodeExecutionHint['type']): void;
}

/** An output of an operation for an item. The pairing with the input is added around it. */
export interface ItemOutput extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/** What was created ("document 64f…"). If the run fails later, its error says what exists already. */
	created?: string;
}

/**
 * The contexts of the items of one execution. They share the client and the look-ups.
 * @returns A function that makes the context of an item.
 */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): (itemIndex: number) => ItemContext {
	const lookups = new Map<string, Promise<unknown>>();
	const hints = new Set<string>();
	const saved = savedParameters(() => execute.getNode().parameters);

	const memoize = async <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
		const lookup = lookups.get(key) ?? load();
		lookups.set(key, lookup);
		return (await lookup) as Value;
	};

	const hint: ItemContext['hint'] = (text, type = 'warning') => {
		const message = plainText(text);
		if (hints.has(message)) return;
		hints.add(message);
		execute.addExecutionHints({ message, type, location: 'outputPane' });
	};

	/*
	 * The editor saves words of the service beside what a person chooses: the name in a locator, IDs and
	 * labels in a mapper. n8n runs each text in a parameter that begins with "=" as an expression. So of
	 * such a parameter only the part that the person has chosen is read.
	 */
	return (itemIndex) => {
		const evaluated = (value: unknown) =>
			isExpression(value) ? execute.evaluateExpression(value.slice(1), itemIndex) : value;
		return {
			execute,
			itemIndex,
			get input() {
				return execute.getInputData()[itemIndex] ?? { json: {} };
			},
			service,
			memoize,
			hint,
			...saved,
			// Without a fallback, n8n throws if the workflow does not have the parameter.
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
			mapped: (name, field) => readMapped(saved, name, field, evaluated),
		};
	};
}

/**
 * Reads what is chosen or entered in a resource locator.
 * @param field Its name in the form.
 * @param remedy What to do without it.
 * @returns The ID or name, trimmed.
 * @throws InputError if there is nothing, or something else than a text, or a list of one.
 */
export function readChosen(item: ItemContext, name: string, field: string, remedy: string): string {
	const chosen = onlyText(item.locator(name));
	if (isBlank(chosen)) throw new InputError(field, 'none is chosen', remedy, 'none-is-chosen');
	return readSentText(item, chosen, field, remedy);
}
