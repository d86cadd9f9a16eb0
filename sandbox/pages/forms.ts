/** A form as the pages read it: one text per field name. */
export type Form = Record<string, string>;

/** A form without fields; not even those that every object inherits. */
export function emptyForm(): Form {
	return Object.create(null) as Form;
}

/**
 * Reads a submitted form, whether it came as a form or as a flat JSON object.
 *
 * @param body The parsed body. Of a field that was sent several times the last one counts; what
 *   is not text is left out.
 */
export function readForm(body: unknown): Form {
	const form = emptyForm();
	if (typeof body !== 'object' || body === null) return form;
	for (const [name, sent] of Object.entries(body)) {
		const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent;
		if (typeof value === 'string') form[name] = value;
	}
	return form;
}
