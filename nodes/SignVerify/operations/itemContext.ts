import { type IDataObject, type IExecuteFunctions, isExpression } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { plainText } from '../util/redact';
import { isObject, objectOf } from '../util/values';
import { InputError } from './inputError';
import { checkDigits, trimUnseen } from './parameters';
import type { ItemContext } from './types';

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

	const rawParameter = (name: string): unknown => {
		// Once for all items, because n8n copies the whole node each time.
		form ??= execute.getNode().parameters as IDataObject;
		return name.split('.').reduce<unknown>((value, part) => objectOf(value)[part], form);
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
			// Without a fallback, n8n throws if the workflow does not have the parameter.
			parameter: (name) => execute.getNodeParameter(name, itemIndex, null) ?? undefined,
			locator(name, field) {
				const chosen = isObject(rawParameter(name)) ? `${name}.value` : name;
				const id: unknown = execute.getNodeParameter(chosen, itemIndex, '');
				checkDigits(id, field);
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
					throw new InputError(field, 'the expression gives no values', remedy);
				}
				return new Map(Object.entries(objectOf(given)));
			},
		};
	};
}
