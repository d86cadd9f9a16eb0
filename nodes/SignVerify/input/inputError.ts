import type { DocsAnchor } from '../http/docs';
import { DescribedError } from '../http/errors';

/** A wrong value in a field of the node: nothing was sent. */
export class InputError extends DescribedError {
	/** The wrong values, one by one. */
	readonly parts: InputError[];

	/**
	 * @param field The field's name in the form.
	 * @param problem What is wrong, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 * @param docsAnchor Where docs/errors.md explains it.
	 * @param parts The wrong values, if there are several.
	 */
	constructor(
		readonly field: string,
		readonly problem: string,
		remedy: string,
		docsAnchor: DocsAnchor,
		parts?: InputError[],
	) {
		super(`${field}: ${problem}`, remedy, docsAnchor);
		this.name = 'InputError';
		this.parts = parts ?? [this];
	}
}

/** How many problems a message lists; the others are counted. */
const maxListed = 10;

/** All wrong values in one error. */
function allOf(parts: InputError[]): InputError {
	// Each remedy once, with the numbers of the values that it is for.
	const remedies = new Map<string, number[]>();
	const problems = parts.slice(0, maxListed).map(({ message, description }, index) => {
		remedies.set(description, [...(remedies.get(description) ?? []), index + 1]);
		return `(${index + 1}) ${message}`;
	});
	if (parts.length > maxListed) problems.push(`and ${parts.length - maxListed} more`);
	return new InputError(
		`${parts.length} values are missing or wrong`,
		problems.join(' '),
		[...remedies].map(([text, numbers]) => `(${numbers.join(', ')}) ${text}`).join(' '),
		'values-are-missing-or-wrong',
		parts,
	);
}

/**
 * Reads each entry of a list. A person is told at once what is wrong with all of them.
 * @param read Throws an InputError for a wrong value; other errors end the reading.
 * @throws InputError with everything that is wrong.
 */
export function readEach<Entry, Value>(
	entries: Entry[],
	read: (entry: Entry, index: number) => Value,
): Value[] {
	const wrong: InputError[] = [];
	const values = entries.flatMap((entry, index) => {
		try {
			return [read(entry, index)];
		} catch (error) {
			wrong.push(inputErrorOf(error));
			return [];
		}
	});
	const parts = wrong.flatMap((error) => error.parts);
	const [first] = parts;
	if (first) throw parts.length === 1 ? first : allOf(parts);
	return values;
}

function inputErrorOf(error: unknown): InputError {
	if (error instanceof InputError) return error;
	throw error;
}

/**
 * Reads several values by their names, as {@link readEach} does.
 * @throws InputError with everything that is wrong.
 */
export function readAll<Values extends object>(readers: {
	[Name in keyof Values]: () => Values[Name];
}): Values {
	const entries = Object.entries(readers as Record<string, () => unknown>);
	return Object.fromEntries(readEach(entries, ([name, read]) => [name, read()])) as Values;
}

/**
 * Wrong values as a person reads them, in their order. Fields of one part of the form that have the same problem are
 * named together: "Fields: Equipment, Serial number: no column of the item fits".
 */
export function problemsOf(parts: InputError[]): string[] {
	const together = new Map<string, string[]>();
	for (const { field, problem } of parts) {
		const [section = '', name] = field.split(/: (.*)/s);
		const key = JSON.stringify([section, name === undefined, problem]);
		together.set(key, [...(together.get(key) ?? []), ...(name === undefined ? [] : [name])]);
	}
	return [...together].map(([key, names]) => {
		const [section, , problem] = JSON.parse(key) as [string, boolean, string];
		return [section, names.join(', '), problem].filter(Boolean).join(': ');
	});
}
