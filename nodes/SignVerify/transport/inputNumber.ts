import { InputError } from './errors';
import type { Topic } from '../util/links';

/** The numbers that a field accepts. */
interface NumberRange {
	/** The smallest; absent means any above 0. */
	least?: number;
	most?: number;
	isWhole?: boolean;
}

/**
 * Reads a number, or a text that is one.
 * @param field How the error calls it.
 * @throws InputError for everything else, and for a number out of its range.
 */
export function readNumber(
	value: unknown,
	field: string,
	range: NumberRange,
	topic?: Topic,
): number {
	const { least = Number.MIN_VALUE, most = Number.MAX_VALUE, isWhole } = range;
	const number = typeof value === 'string' && !value.trim() ? NaN : Number(value ?? NaN);
	const isIn = number >= least && number <= most;
	if (isIn && (!isWhole || Number.isInteger(number))) return number;
	throw new InputError(field, `it must be ${wordsOf(range)}`, 'Enter such a number.', topic);
}

function wordsOf({ least, most, isWhole }: NumberRange): string {
	const from = least === undefined ? 'above 0' : `of at least ${least}`;
	const to = most === undefined ? '' : ` and at most ${most}`;
	return `a ${isWhole ? 'whole ' : ''}number ${from}${to}`;
}
