import type { DocsAnchor } from '../http/errors';
import { allOf, InputError } from './inputError';

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

/** The numbers that a field accepts. */
interface NumberRange {
	/** The smallest; absent means any above 0. */
	min?: number;
	max?: number;
	isWhole?: boolean;
}

/**
 * Reads a number, or a text that is one.
 * @throws InputError for everything else, and for a number out of its range.
 */
export function readNumber(
	value: unknown,
	field: string,
	range: NumberRange,
	docsAnchor?: DocsAnchor,
): number {
	const { min = Number.MIN_VALUE, max = Number.MAX_VALUE, isWhole } = range;
	const number = typeof value === 'string' && !value.trim() ? NaN : Number(value ?? NaN);
	const isIn = number >= min && number <= max;
	if (isIn && (!isWhole || Number.isInteger(number))) return number;
	throw new InputError(
		field,
		`it must be ${describeRange(range)}`,
		'Enter such a number.',
		docsAnchor,
	);
}

function describeRange({ min, max, isWhole }: NumberRange): string {
	const from = min === undefined ? 'above 0' : `of at least ${min}`;
	const to = max === undefined ? '' : ` and at most ${max}`;
	return `a ${isWhole ? 'whole ' : ''}number ${from}${to}`;
}
