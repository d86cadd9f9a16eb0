import type { IDataObject } from 'n8n-workflow';

/** The parts of a JSON schema that the sandbox's notifications use. */
interface Schema {
	type?: string;
	const?: unknown;
	examples?: unknown[];
	anyOf?: Schema[];
	allOf?: Schema[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Makes a value with every field of a schema. Each string is different. */
export function sampleOf(given: unknown, name = 'x'): unknown {
	const schema = given as Schema;
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => sampleOf(part, name) as IDataObject);
		const [first = {}, second = {}] = parts;
		const inner = { ...(first.Document as object), ...(second.Document as object) };
		return { ...first, ...second, Document: inner };
	}
	if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name);
	if (schema.const !== undefined) return schema.const;
	if (schema.type === 'string') return `text of ${name}`;
	if (schema.type === 'boolean') return false;
	if (schema.type === 'array') return schema.items ? [sampleOf(schema.items, name)] : [];
	// A deleted document would not be treated as completed.
	if (name === 'isDeleted') return 0;
	if (schema.type !== 'object') return schema.type === 'null' ? null : 1;
	const entries = Object.entries(schema.properties ?? {});
	return Object.fromEntries(entries.map(([key, value]) => [key, sampleOf(value, key)]));
}
