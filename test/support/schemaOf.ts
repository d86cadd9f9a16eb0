import { isObject } from '../../nodes/SignVerify/util/values';

/** A JSON schema of the kind that n8n's editor reads: it shows names and types. */
export interface OutputSchema {
	/** The first one is shown. */
	type?: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	/** Whether an object or a list may be null: the editor opens only what has one type. */
	nullable?: boolean;
}

/** What values have in common, by names and types alone: no value is in it. */
export function schemaOf(values: unknown[]): OutputSchema {
	const kinds = [...new Set(values.map(kindOf))];
	const types = kinds.filter((kind) => kind !== 'null');
	const [type = 'null'] = types;
	const isNullable = kinds.includes('null') && type !== 'null';
	if (types.length === 1 && type === 'object') return nullable(objectOf(values), isNullable);
	if (types.length === 1 && type === 'array') return nullable(listOf(values), isNullable);
	if (types.some((each) => each === 'object' || each === 'array')) return {};
	return { type: kinds.length > 1 ? [...types, ...(isNullable ? ['null'] : [])] : type };
}

function nullable(schema: OutputSchema, isNullable: boolean): OutputSchema {
	return isNullable ? { ...schema, nullable: true } : schema;
}

function objectOf(values: unknown[]): OutputSchema {
	const entries = values.filter(isObject).flatMap((value) => Object.entries(value));
	const names = [...new Set(entries.map(([name]) => name))];
	const valuesOf = (wanted: string) =>
		entries.filter(([name]) => name === wanted).map(([, value]) => value);
	return {
		type: 'object',
		properties: Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))])),
	};
}

/** A list that was always empty says nothing of its entries. */
function listOf(values: unknown[]): OutputSchema {
	const entries = values.filter((value) => Array.isArray(value)).flat();
	return { type: 'array', ...(entries.length ? { items: schemaOf(entries) } : {}) };
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
