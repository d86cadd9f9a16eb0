/** A schema, or anything else in the document. */
type Node = Record<string, unknown>;

/**
 * Moves every schema with a title to `components/schemas` and leaves a reference in its place, so
 * that the Document, for one, stands in the document once.
 * @param part A part of the document; it stays as it is.
 * @param schemas Where the schemas go.
 * @returns The part with references.
 * @throws Error when two schemas have one title.
 */
export function withReferences(part: unknown, schemas: Node): unknown {
	if (Array.isArray(part)) return part.map((one) => withReferences(one, schemas));
	if (typeof part !== 'object' || part === null) return part;
	const node = Object.fromEntries(
		Object.entries(part).map(([key, value]) => [key, withReferences(value, schemas)]),
	);
	// A property that is called "title" is an object.
	const { title, ...schema } = node;
	if (typeof title !== 'string') return node;
	const known = schemas[title];
	if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
		throw new Error(`Two different schemas are called ${title}`);
	}
	schemas[title] = schema;
	return { $ref: `#/components/schemas/${title}` };
}
