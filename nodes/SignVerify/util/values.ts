import { type IDataObject, isExpression } from 'n8n-workflow';

/**
 * Returns a string unchanged, converts a number ({@link isNumber}) or a boolean to a string, and returns '' for anything
 * else.
 */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'boolean' || isNumber(value) ? String(value) : '';
}

/** Leaves out NaN and infinity. A BigInt is a number as well. */
export function isNumber(value: unknown): value is number | bigint {
	return typeof value === 'bigint' || Number.isFinite(value);
}

export function firstText(...values: unknown[]): string | undefined {
	return values.map(textOf).find((text) => text !== '');
}

/** For an output. If the value is undefined or null, the result has no field. */
export function optionalText<Name extends string>(
	name: Name,
	value: unknown,
): Partial<Record<Name, string>> {
	const isMissing = value === undefined || value === null;
	return (isMissing ? {} : { [name]: textOf(value) }) as Partial<Record<Name, string>>;
}

/** Whether a value is true in any form that services use: true, 1, or either one as a string. */
export function isTrue(value: unknown): boolean {
	return ['1', 'true'].includes(textOf(value).toLowerCase());
}

/**
 * Whether a value is false in any form that services use. This is not the same as `!isTrue()`, because some
 * values, such as "maybe", are neither true nor false.
 */
export function isFalse(value: unknown): boolean {
	return ['0', 'false'].includes(textOf(value).toLowerCase());
}

/** Whether a value is an object with named properties (not an array, not null). */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Returns an object that begins with `fields`, whose values take precedence over those of the others. */
export function withFirst(fields: IDataObject, others: IDataObject): IDataObject {
	return { ...fields, ...others, ...fields };
}

export function groupBy<Entry>(
	entries: readonly Entry[],
	nameOf: (entry: Entry) => string | undefined,
): Map<string, Entry[]> {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const name = nameOf(entry);
		if (name === undefined) continue;
		const group = groups.get(name);
		if (group) group.push(entry);
		else groups.set(name, [entry]);
	}
	return groups;
}

/**
 * Whether a value is undefined, null or '', as it is for an empty field or an expression that returns
 * nothing.
 */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** n8n drops values with these names from a form, because they could change an object's prototype. @n8n */
const prototypeNames = ['__proto__', 'constructor', 'prototype'];

/**
 * Whether n8n can store an untrusted string as an ID or key in a form. n8n would evaluate a string that
 * begins with "=" as an expression, and drop a string such as `__proto__`.
 */
export function canBeKey(text: string): boolean {
	return !isExpression(text) && !prototypeNames.includes(text);
}
