import { isExpression, jsonParse } from 'n8n-workflow';

import { type EnteredText, readNamed } from '../form/field';
import { parsedJson } from '../form/valueReaders';
import { isObject, textOf } from '../util/values';
import type { ItemContext } from './item';

type JsonItem = Pick<ItemContext, 'context' | 'itemIndex'>;

/**
 * Reads a list or an object: as it is, as JSON, or as JSON with expressions in it ({@link jsonWithParts}).
 * @param readWhole Returns the parameter's value as n8n resolves it.
 * @returns Any other value is returned unchanged.
 */
export function readJson(
	item: JsonItem & Pick<ItemContext, 'checkTyped'>,
	{ label, saved }: Pick<EnteredText, 'label' | 'saved'>,
	readWhole: () => unknown,
): unknown {
	const value = readNamed(
		() => jsonWithParts(item, saved) ?? readWhole(),
		() => label,
	);
	item.checkTyped(value, label);
	return parsedJson(value);
}

/** JSON that the author has typed as an expression: `=[{ "name": "{{ $json.name }}" }]`, but not `={{ … }}`. */
const typedJson = /^=\s*(?:\[|\{(?!\{))/;

/** The parts of an expression that n8n evaluates. */
const part = /\{\{[^]*?\}\}/g;

/** In JSON whose parts are numbered: a text, or a part that isn't in a text. */
const textOrPart = /"(?:[^"\\]|\\[^])*"|(\{\{\d+\}\})/g;

/**
 * Reads JSON text with expressions in it. Each of its texts is resolved by itself, as if it stood in a field of its own.
 * If n8n put the values into the text before it is parsed, a quotation mark in a value would end the author's text, so
 * that whoever fills in a form could add a field or replace an address.
 * @param saved The parameter as saved in the workflow.
 * @returns undefined if the parameter isn't such a text.
 * @n8n
 */
function jsonWithParts({ context, itemIndex }: JsonItem, saved: unknown): unknown {
	if (!isExpression(saved) || !typedJson.test(saved)) return undefined;
	const parts: string[] = [];
	const numbered = saved.slice(1).replace(part, (one) => `{{${parts.push(one) - 1}}}`);
	const outsideTexts = new Set<string>();
	const json = numbered.replace(textOrPart, (text, outside?: string) => {
		if (outside === undefined) return text;
		outsideTexts.add(outside);
		return `"${outside}"`;
	});

	const resolvedText = (text: string): unknown => {
		const expression = text.replace(part, (one) => parts[Number(one.slice(2, -2))] ?? one);
		return text === expression ? text : context.evaluateExpression(expression, itemIndex);
	};
	const resolved = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(resolved);
		if (isObject(value)) {
			const entries = Object.entries(value);
			return Object.fromEntries(
				entries.map(([key, entry]) => [textOf(resolvedText(key)), resolved(entry)]),
			);
		}
		if (typeof value !== 'string') return value;
		return outsideTexts.has(value) ? ownJson(resolvedText(value)) : resolvedText(value);
	};
	return resolved(jsonParse<unknown>(json, { fallbackValue: undefined }));
}

/** Reads the value of a part that isn't in a text, such as `{{ $json.name.toJsonString() }}`, as JSON of its own. */
function ownJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const parsed = jsonParse<unknown>(value, { fallbackValue: value });
	// As a number, 1.10 would lose its last digit.
	return typeof parsed === 'number' ? value : parsed;
}
