import fc from 'fast-check';

/** A JSON schema, as far as the requests of openapi.json have it. */
export interface Schema {
	$ref?: string;
	type?: string;
	const?: unknown;
	enum?: unknown[];
	anyOf?: Schema[];
	properties?: Record<string, Schema>;
	required?: string[];
	patternProperties?: Record<string, Schema>;
	items?: Schema;
	minItems?: number;
	minLength?: number;
}

interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	schema: Schema;
}

/** The part of openapi.json that requests are made from. */
export interface ApiDocument {
	paths: Record<string, Record<string, ApiOperation>>;
	components: { schemas: Record<string, Schema> };
}

export interface ApiOperation {
	parameters?: Parameter[];
	requestBody?: { content: { 'application/json': { schema: Schema } } };
	security: Array<Record<string, unknown>>;
	responses: Record<string, unknown>;
}

/** A request in the making. */
export interface GeneratedRequest {
	path: string;
	query: Array<[string, string]>;
	/** Text as it is sent; absent for no body. */
	body?: string;
}

/** Values that mean something to the running sandbox, by the property or parameter that they go to. */
export type Known = Record<string, unknown[]>;

/** Makes requests of the schemas: such as they allow, and such as they do not. */
export class Requests {
	constructor(
		private readonly document: ApiDocument,
		private readonly known: Known,
	) {}

	/** What the document allows for an operation. */
	valid(path: string, operation: ApiOperation): fc.Arbitrary<GeneratedRequest> {
		const value = (parameter: Parameter) => this.of(parameter.schema, parameter.name).map(String);
		const named = (operation.parameters ?? []).map((parameter) =>
			fc.tuple(fc.constant(parameter), value(parameter)),
		);
		const schema = operation.requestBody?.content['application/json'].schema;
		const body = schema ? this.of(schema, '').map((one) => JSON.stringify(one)) : fc.constant('');
		return fc.tuple(fc.tuple(...named), body).map(([parameters, text]) => {
			const request: GeneratedRequest = { path, query: [], ...(text ? { body: text } : {}) };
			for (const [{ name, in: place }, given] of parameters) {
				if (place === 'query') request.query.push([name, given]);
				else request.path = request.path.replace(`{${name}}`, encodeURIComponent(given) || 'x');
			}
			return request;
		});
	}

	/** The same with something wrong in it. */
	broken(path: string, operation: ApiOperation): fc.Arbitrary<GeneratedRequest> {
		return fc
			.tuple(this.valid(path, operation), fc.nat(5), fc.nat(), fc.anything(JSON_LIKE), fc.string())
			.map(([request, kind, place, value, text]) => {
				const { body, query } = request;
				if (kind === 0) return { ...request, query: query.slice(1) };
				if (kind === 1) return { ...request, query: [...query, [text, text]] };
				if (kind === 2) return { ...request, query: query.map(([name]) => [name, text]) };
				if (kind === 3) return { ...request, body: body?.slice(0, place % body.length) ?? text };
				if (kind === 4) return { ...request, body: JSON.stringify(value) ?? text };
				return { ...request, body: body ? changed(body, place, value) : text };
			});
	}

	private of(schema: Schema, name: string): fc.Arbitrary<unknown> {
		const made = this.fromSchema(schema, name);
		const known = this.known[name];
		return known && !schema.enum
			? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, made)
			: made;
	}

	private fromSchema(schema: Schema, name: string): fc.Arbitrary<unknown> {
		const { $ref, type, anyOf, enum: values } = schema;
		if ($ref)
			return this.of(this.document.components.schemas[$ref.split('/').pop() ?? ''] ?? {}, name);
		if ('const' in schema) return fc.constant(schema.const);
		if (values) return fc.constantFrom(...values);
		if (anyOf) return fc.oneof(...anyOf.map((one) => this.of(one, name)));
		if (type === 'object') return this.object(schema);
		if (type === 'array') {
			const { items = {}, minItems: minLength = 0 } = schema;
			return fc.array(this.of(items, name), { minLength, maxLength: minLength + 3 });
		}
		if (type === 'string') return fc.string({ minLength: schema.minLength ?? 0, unit: 'grapheme' });
		if (type === 'integer') return fc.integer();
		if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
		if (type === 'boolean') return fc.boolean();
		return fc.anything(JSON_LIKE);
	}

	private object({
		properties = {},
		required = [],
		patternProperties,
	}: Schema): fc.Arbitrary<object> {
		const [any] = Object.values(patternProperties ?? {});
		if (any) return fc.dictionary(fc.string(), this.of(any, ''));
		const fields = Object.entries(properties).map(([name, one]) => [name, this.of(one, name)]);
		return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
			requiredKeys: required,
		});
	}
}

const JSON_LIKE: fc.ObjectConstraints = {
	maxDepth: 2,
	values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
};

/** One value of a JSON text, somewhere in it, in exchange for another. */
function changed(body: string, place: number, value: unknown): string {
	const paths: Array<{ inside: Record<string, unknown>; key: string }> = [];
	const root = { body: JSON.parse(body) as unknown };
	const collect = (inside: Record<string, unknown>) => {
		for (const key of Object.keys(inside)) {
			paths.push({ inside, key });
			const inner = inside[key];
			if (typeof inner === 'object' && inner !== null) collect(inner as Record<string, unknown>);
		}
	};
	collect(root);
	const chosen = paths[place % paths.length];
	if (chosen) chosen.inside[chosen.key] = value;
	return JSON.stringify(root.body) ?? '';
}
