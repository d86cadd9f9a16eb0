import { DescribedError, headingOf } from '../http/errors';

/** A wrong value in a field of the node: nothing was sent. */
export class InputError extends DescribedError {
	/** The wrong values, one by one. */
	readonly parts: InputError[];

	/**
	 * @param field The field's name in the form.
	 * @param problem What is wrong, as the rest of a sentence that begins with the name.
	 * @param remedy What to do.
	 * @param docsAnchor The heading of docs/errors.md that explains it, if it is not the problem.
	 * @param parts The wrong values, if there are several.
	 */
	constructor(
		readonly field: string,
		problem: string,
		remedy: string,
		docsAnchor = headingOf(problem),
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
		'fields-are-missing-or-wrong',
		parts,
	);
}

/** Several texts on one line: "(1) … (2) …". */
function numbered(texts: string[]): string {
	const listed = texts.slice(0, maxListed).map((text, index) => `(${index + 1}) ${text}`);
	const rest = texts.length - listed.length;
	return [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join(' ');
}

/** The values, none of which is missing. */
type Read<Values> = { [Name in keyof Values]: Exclude<Values[Name], undefined> };

/** Collects what is wrong with an item: a person is told everything at once. */
export class Problems {
	private readonly found: InputError[] = [];

	/**
	 * Reads a value.
	 * @param read Throws an InputError for a wrong value; other errors are not collected.
	 * @returns undefined if the value is wrong.
	 */
	collect<Value>(read: () => Value): Value | undefined {
		try {
			return read();
		} catch (error) {
			this.note(error);
			return undefined;
		}
	}

	/**
	 * The same for a value that is looked up at the service. If the service fails, wrong values that are
	 * known already are reported instead.
	 */
	async collectLater<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
		try {
			return await read();
		} catch (error) {
			if (!(error instanceof InputError)) this.throwIfAny();
			this.note(error);
			return undefined;
		}
	}

	/** @throws InputError with everything that is wrong. */
	throwIfAny(): void {
		const [first, ...others] = this.found;
		if (first) throw allOf([first, ...others]);
	}

	/**
	 * Ends the reading.
	 * @param values What was collected: none is undefined if nothing was wrong.
	 * @throws InputError with everything that is wrong.
	 */
	values<Values extends object>(values: Values): Read<Values> {
		this.throwIfAny();
		return values as Read<Values>;
	}

	private note(error: unknown): void {
		if (!(error instanceof InputError)) throw error;
		this.found.push(error);
	}
}

/**
 * Reads several values.
 * @throws InputError with everything that is wrong.
 */
export function readAll<Values extends object>(readers: {
	[Name in keyof Values]: () => Values[Name];
}): Values {
	const problems = new Problems();
	const read = Object.entries(readers as Record<string, () => unknown>).map(([name, reader]) => [
		name,
		problems.collect(reader),
	]);
	problems.throwIfAny();
	return Object.fromEntries(read) as Values;
}

/**
 * Reads each entry of a list.
 * @throws InputError with everything that is wrong.
 */
export function readEach<Entry, Value>(
	entries: Entry[],
	read: (entry: Entry, index: number) => Value,
): Value[] {
	const problems = new Problems();
	const values = entries.map((entry, index) => problems.collect(() => read(entry, index)));
	problems.throwIfAny();
	return values as Value[];
}
