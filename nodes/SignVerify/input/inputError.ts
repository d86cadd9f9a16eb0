import type { DocsAnchor } from '../http/docs';
import { DescribedError } from '../http/errors';

/** A wrong value in a field of the node. Nothing was sent for the item. */
export class InputError extends DescribedError {
	/** One error for each wrong value; the error itself if there is only one. */
	readonly parts: InputError[];

	/**
	 * @param field The field's name in the form.
	 * @param problem The mistake, as the rest of a sentence that begins with the field's name.
	 * @param remedy Tells the person what to do.
	 * @param docsAnchor The part of docs/errors.md that explains the mistake.
	 * @param parts One error for each wrong value, if there are several.
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

/** A message lists at most this many problems, and counts the others. */
const maxListedProblems = 10;

/** Joins several wrong values into one error with a numbered list. */
function joinErrors(parts: InputError[]): InputError {
	// Several values may share a remedy, so each remedy appears once, with the numbers of its values.
	const numbersByRemedy = new Map<string, number[]>();
	const problems = parts.slice(0, maxListedProblems).map(({ message, description }, index) => {
		const number = index + 1;
		numbersByRemedy.set(description, [...(numbersByRemedy.get(description) ?? []), number]);
		return `(${number}) ${message}`;
	});
	const unlisted = parts.length - maxListedProblems;
	if (unlisted > 0) problems.push(`and ${unlisted} more`);
	return new InputError(
		`${parts.length} values are missing or wrong`,
		problems.join(' '),
		[...numbersByRemedy].map(([remedy, numbers]) => `(${numbers.join(', ')}) ${remedy}`).join(' '),
		'values-are-missing-or-wrong',
		parts,
	);
}

/**
 * Reads every entry of a list before it reports mistakes, so that a person can correct all of them at once.
 * @param read Reads one entry. An InputError is collected; any other error ends the reading.
 * @returns The values, in the order of the entries.
 * @throws InputError that lists every wrong entry.
 */
export function readEach<Entry, Value>(
	entries: Entry[],
	read: (entry: Entry, index: number) => Value,
): Value[] {
	const values: Value[] = [];
	const parts: InputError[] = [];
	for (const [index, entry] of entries.entries()) {
		try {
			values.push(read(entry, index));
		} catch (error) {
			for (const part of inputErrorOf(error).parts) parts.push(part);
		}
	}
	const [firstError] = parts;
	if (firstError) throw parts.length === 1 ? firstError : joinErrors(parts);
	return values;
}

function inputErrorOf(error: unknown): InputError {
	if (error instanceof InputError) return error;
	throw error;
}

/**
 * Reads several values by name, as {@link readEach} reads a list.
 * @param readers One function for each value, by the value's name.
 * @throws InputError that lists every wrong value.
 */
export function readAll<Values extends object>(readers: {
	[Name in keyof Values]: () => Values[Name];
}): Values {
	const entries = Object.entries(readers as Record<string, () => unknown>);
	return Object.fromEntries(readEach(entries, ([name, read]) => [name, read()])) as Values;
}

/**
 * Writes wrong values for a person, in their order. Fields of the same section with the same problem share a line:
 * "Fields: Equipment, Serial number: no column of the item matches".
 */
export function problemsOf(parts: InputError[]): string[] {
	const groups = new Map<string, { section: string; names: string[]; problem: string }>();
	for (const { field, problem } of parts) {
		const [section = '', name] = field.split(/: (.*)/s);
		// A field without a section must not join the group of a section with the same name.
		const key = JSON.stringify([section, name === undefined, problem]);
		const group = groups.get(key) ?? { section, names: [], problem };
		if (name !== undefined) group.names.push(name);
		groups.set(key, group);
	}
	return [...groups.values()].map(({ section, names, problem }) =>
		[section, names.join(', '), problem].filter(Boolean).join(': '),
	);
}
