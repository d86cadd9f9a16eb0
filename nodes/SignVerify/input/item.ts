import {
	type IExecuteFunctions,
	type INodeExecutionData,
	isExpression,
	type NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { plainText } from '../util/redact';
import { cutText, isObject } from '../util/values';
import type { Finding } from './content/finding';
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
	/** What is likely a mistake in this item, in sentences for the output. */
	readonly warnings: readonly string[];
	/**
	 * Judges what was found in a field.
	 * @param finding A likely mistake becomes a warning of the item.
	 * @throws InputError for a certain mistake, with the field's name in the form.
	 */
	judge(field: string, finding: Finding | undefined): void;
	/** Adds a warning to this item, unless another item of the run has it. */
	warnOnce(text: string): void;
	/** Shows a message beside the node's output, once for all items; by default a warning. */
	hint(message: string, type?: NodeExecutionHint['type']): void;
}

/** An output of an operation for an item. The pairing with the input is added around it. */
export interface ItemOutput extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/** What was created ("document 64f…"). If the run fails later, its error says what exists already. */
	created?: string;
	/** Whether it was skipped although nobody knows whether an earlier run has sent it. */
	isUnsure?: boolean;
}

/** The contexts of the items of one execution, and what all of them warn of. */
export interface ItemContexts {
	contextOf: (itemIndex: number) => ItemContext;
	/** Shows beside the node's output which items have warnings, if any has. */
	showWarnings: () => void;
}

/** How many characters of all warnings a message beside the output shows. */
const maxShownWarnings = 1000;

/** Makes the contexts of the items of one execution. They share the client and the look-ups. */
export function createItemContexts(
	execute: IExecuteFunctions,
	service: ServiceClient,
): ItemContexts {
	// An item is checked and sent with a context of its own each time, and its warnings stay.
	const warnings = new Map<number, string[]>();
	const shared = new Set<string>();
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

	const warn = (itemIndex: number, text: string) => {
		const own = warnings.get(itemIndex) ?? [];
		const warning = plainText(text);
		if (!own.includes(warning)) warnings.set(itemIndex, [...own, warning]);
	};

	const showWarnings = () => {
		if (warnings.size === 0) return;
		const parts = [...warnings]
			.sort(([left], [right]) => left - right)
			.map(([index, texts]) => `Item ${index + 1}: ${texts.join(' ')}`);
		const items = warnings.size === 1 ? '1 item has' : `${warnings.size} items have`;
		hint(`${items} warnings. ${cutText(parts.join(' '), maxShownWarnings)}`);
	};

	/*
	 * The editor saves words of the service beside what a person chooses: the name in a locator, IDs and
	 * labels in a mapper. n8n runs each text in a parameter that begins with "=" as an expression. So of
	 * such a parameter only the part that the person has chosen is read.
	 */
	const contextOf = (itemIndex: number): ItemContext => {
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
			get warnings() {
				return warnings.get(itemIndex) ?? [];
			},
			judge(field, finding) {
				if (!finding) return;
				const { severity, problem, remedy, docsAnchor } = finding;
				if (severity === 'certain') throw new InputError(field, problem, remedy, docsAnchor);
				warn(itemIndex, `${field}: ${problem}. ${remedy}`);
			},
			warnOnce(text) {
				if (shared.has(text)) return;
				shared.add(text);
				warn(itemIndex, text);
			},
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
	return { contextOf, showWarnings };
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
