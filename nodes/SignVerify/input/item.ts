import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	isExpression,
	type NodeExecutionHint,
} from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { plainText } from '../util/redact';
import { isObject, objectOf, textOf } from '../util/values';
import { InputError } from './inputError';
import { checkDigits, readText, trimUnseen } from './parameters';

/** What an operation gets to work on one input item. */
export interface ItemContext {
	readonly execute: IExecuteFunctions;
	readonly itemIndex: number;
	/** The input item. */
	readonly input: INodeExecutionData;
	readonly service: ServiceClient;
	/** Looks something up once for all items with the same key. They share the result, or the failure. */
	memoize<Value>(key: string, load: () => Promise<Value>): Promise<Value>;
	/** A parameter's value for this item, expressions resolved; undefined if it is not set. */
	parameter(name: string): unknown;
	/** A parameter as the workflow has saved it, which may be an expression; undefined if it is not set. */
	rawParameter(name: string): unknown;
	/**
	 * Checks a text of the form that is sent as it is.
	 * @throws InputError, with the field's name in the form, for an expression that n8n has saved as a fixed text.
	 */
	checkTyped(value: unknown, field: string): void;
	/**
	 * A resource locator's value (the ID chosen or typed), trimmed; empty if nothing is chosen.
	 * @throws InputError, with the field's name in the form, for a number that is not exact.
	 */
	locator(name: string, field: string): string;
	/**
	 * The values of a form that is loaded ("resource mapper"), by the IDs of its fields.
	 * @throws InputError, with what the form calls itself, if an expression for the whole gives none.
	 */
	mapped(name: string, field: string): Map<string, unknown>;
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
	let form: IDataObject | undefined;
	let typed: Set<unknown> | undefined;

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

	// Once for all items, because n8n copies the whole node each time.
	const formOfNode = () => (form ??= execute.getNode().parameters as IDataObject);

	const rawParameter = (name: string): unknown => {
		return name.split('.').reduce<unknown>((value, part) => objectOf(value)[part], formOfNode());
	};

	// An item's own data may have braces, too, so only what the form has counts.
	const checkTyped: ItemContext['checkTyped'] = (value, field) => {
		typed ??= new Set(typedExpressions(formOfNode()));
		if (!typed.has(value)) return;
		const remedy =
			'It would be sent as it is. Choose Expression above the field, or drag the value onto the empty field.';
		throw new InputError(
			field,
			'an expression was typed as a text',
			remedy,
			'an-expression-was-typed-as-a-text',
		);
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
			rawParameter,
			checkTyped,
			// Without a fallback, n8n throws if the workflow does not have the parameter.
			parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
			locator(name, field) {
				const chosen = isObject(rawParameter(name)) ? `${name}.value` : name;
				const id: unknown = execute.getNodeParameter(chosen, itemIndex, '');
				checkDigits(id, field);
				checkTyped(id, field);
				return trimUnseen(id);
			},
			mapped(name, field) {
				const saved = rawParameter(name);
				const { value: values } = objectOf(saved);
				// One by one: for all of them, n8n has its own error if a required one is missing.
				if (isObject(values)) {
					return new Map(Object.entries(values).map(([id, value]) => [id, evaluated(value)]));
				}
				// What an expression for the whole gives is data, and is not evaluated again.
				const given = isObject(saved) ? evaluated(saved.value) : objectOf(evaluated(saved)).value;
				if (!isObject(given) && (isExpression(saved) || isExpression(values))) {
					const remedy = 'Let it give an object with the values by their names.';
					throw new InputError(
						field,
						'the expression gives no values',
						remedy,
						'the-expression-gives-no-values',
					);
				}
				return new Map(Object.entries(objectOf(given)));
			},
		};
	};
}

/** The fixed texts of a form that look like expressions: n8n keeps `{{ … }}` as a text if somebody types it. */
function typedExpressions(saved: unknown): string[] {
	if (isObject(saved) || Array.isArray(saved)) {
		return Object.values(saved).flatMap(typedExpressions);
	}
	if (typeof saved !== 'string' || saved.startsWith('=')) return [];
	const start = saved.indexOf('{{');
	return start >= 0 && saved.includes('}}', start) ? [saved] : [];
}

/** Whether the workflow has saved a parameter, also if its expression gives nothing for an item. */
export function isInForm(item: ItemContext, name: string): boolean {
	return textOf(item.rawParameter(name)).trim() !== '';
}

/**
 * Reads a text of the form that is sent as it is.
 * @throws InputError as {@link readText}, and for a typed expression.
 */
export function readSentText(item: ItemContext, value: unknown, field: string, remedy: string) {
	item.checkTyped(value, field);
	return readText(value, field, remedy);
}

/**
 * Reads a switch: true, false, or a text for them.
 * @param name The parameter, by its path.
 * @param field Its name in the form.
 * @throws InputError for anything else. An expression that gives nothing is not "off", because the user
 * may have wanted "on".
 */
export function readSwitch(item: ItemContext, name: string, field: string): boolean {
	const value = item.parameter(name);
	if (value === undefined && !isInForm(item, name)) return false;
	const text = textOf(value).trim().toLowerCase();
	if (['true', 'on'].includes(text)) return true;
	if (['false', 'off'].includes(text)) return false;
	throw new InputError(
		field,
		'it is neither on nor off',
		'Let the expression give true or false.',
		'it-is-neither-on-nor-off',
	);
}
