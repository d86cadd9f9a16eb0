import { DescribedError, type DocsAnchor } from '../http/errors';

/** A wrong value in a field of the node: nothing was sent. */
export class InputError extends DescribedError {
	/** The wrong values, one by one. */
	readonly parts: InputError[];

	/**
	 * @param field The field's name in the form.
	 * @param problem What is wrong, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 * @param parts The wrong values, if there are several.
	 */
	constructor(
		field: string,
		problem: string,
		remedy: string,
		docsAnchor: DocsAnchor = 'a-field-of-the-form',
		parts?: InputError[],
	) {
		super(`${field}: ${problem}`, remedy, docsAnchor);
		this.name = 'InputError';
		this.parts = parts ?? [this];
	}
}

/** How many problems a message lists; the others are counted. */
const maxListed = 10;

/** All wrong values of an item in one error; a single one as it is. */
export function allOf(errors: [InputError, ...InputError[]]): InputError {
	const [first] = errors;
	const parts = errors.flatMap((error) => error.parts);
	if (parts.length === 1) return first;
	// Each remedy once, with the numbers of the values that it is for.
	const remedies = new Map<string, number[]>();
	parts.slice(0, maxListed).forEach(({ description }, index) => {
		remedies.set(description, [...(remedies.get(description) ?? []), index + 1]);
	});
	return new InputError(
		`${parts.length} fields are missing or wrong`,
		numbered(parts.map(({ message }) => message)),
		[...remedies].map(([text, numbers]) => `(${numbers.join(', ')}) ${text}`).join(' '),
		first.docsAnchor,
		parts,
	);
}

/** Several texts on one line: "(1) … (2) …". */
function numbered(texts: string[]): string {
	const listed = texts.slice(0, maxListed).map((text, index) => `(${index + 1}) ${text}`);
	const rest = texts.length - listed.length;
	return [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join(' ');
}
