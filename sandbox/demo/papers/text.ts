import type { Block } from '../../state/records';

/**
 * A piece of text. `stamped` marks text that a client or signatory has entered, and `missing` marks a
 * variable without a value.
 */
export interface Run {
	text: string;
	kind: 'plain' | 'stamped' | 'missing';
}

/**
 * Characters that can hide text or change how it looks: control characters, zero-width characters, direction
 * marks and lone surrogates.
 */
const invisible =
	/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Cleans entered text so that it can be printed on one line. Each run of whitespace, including line breaks,
 * becomes one space. Characters that are invisible or change the reading direction are removed.
 * @param value The value, which can have any type because it comes from a client. A value that is not a
 * string, a number or a boolean becomes ''.
 */
export function cleanText(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value !== 'string') return '';
	return value.replace(/\s+/g, ' ').replace(invisible, '').trim();
}

/**
 * Splits a template's text at its variables.
 * @param text The template's text. `{{key}}` is a variable. `{{key|words}}` is an optional variable: if it
 * has no value, the words are printed instead.
 * @param inputs The values of the variables. A variable without a value becomes a `missing` run.
 */
export function fillIn(text: string, inputs: Record<string, string>): Run[] {
	const runs: Run[] = [];
	let end = 0;
	for (const match of text.matchAll(/\{\{\s*([^{}\s|]+)\s*(?:\|([^{}]*))?\}\}/g)) {
		if (match.index > end) runs.push({ text: text.slice(end, match.index), kind: 'plain' });
		const [, key = '', words] = match;
		const value = valueOf(key, inputs);
		if (value.kind === 'missing' && words) runs.push({ text: words, kind: 'plain' });
		else runs.push(value);
		end = match.index + match[0].length;
	}
	if (end < text.length) runs.push({ text: text.slice(end), kind: 'plain' });
	return runs;
}

/** Returns the text to print for a variable. */
function valueOf(key: string, inputs: Record<string, string>): Run {
	const value = Object.hasOwn(inputs, key) ? cleanText(inputs[key]) : '';
	return value ? { text: value, kind: 'stamped' } : { text: '(not stated)', kind: 'missing' };
}

/** A paragraph of a document, and the title of its clause if it has one. */
export interface Passage {
	title?: string;
	runs: Run[];
}

/** Returns the text to print in a document, with the inputs filled in. */
export function passagesOf(body: Block[], inputs: Record<string, string>): Passage[] {
	let clause = 0;
	return body.map((block) => {
		if (block.kind === 'field') {
			const label: Run = { text: `${cleanText(block.label)}: `, kind: 'plain' };
			return { runs: [label, valueOf(block.key, inputs)] };
		}
		const runs = fillIn(block.text, inputs);
		if (block.kind === 'paragraph') return { runs };
		clause += 1;
		return { title: `${clause}. ${block.title}`, runs };
	});
}
