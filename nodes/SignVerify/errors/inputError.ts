import { DescribedError } from './describedError';
import type { Problem } from './problem';
import { groupBy } from '../util/values';

/** A wrong value in one of the node's fields. Nothing was sent for the item. */
export class InputError extends DescribedError {
	/** The errors for the individual values: only this one, unless several values are wrong. */
	readonly parts: InputError[] = [this];

	readonly problem: string;

	/** What to do about the value if it's wrong. The description may add what to do if it isn't. */
	readonly remedy: string;

	/** The name of the option with which the node sends a value that only looks wrong. */
	readonly optionIfRight: string | undefined;

	/** The names of all fields with wrong values. */
	get fields(): string[] {
		return [...new Set(this.parts.map(({ field }) => field))];
	}

	/**
	 * @param field The field's name in the form.
	 * @param problem A row of a table, such as `valueProblems`. Each of several remedies is a line of its
	 * own.
	 */
	constructor(
		readonly field: string,
		{
			problem,
			remedy,
			docsAnchor,
			optionIfRight,
		}: Omit<Problem, 'remedy'> & { remedy: string | string[]; optionIfRight?: string | undefined },
	) {
		const remedies = [remedy].flat().join(' ');
		const ifRight = `If it's right as it is, add the option ${optionIfRight}.`;
		super(`${field}: ${problem}`, optionIfRight ? `${remedies} ${ifRight}` : remedy, docsAnchor);
		this.problem = problem;
		this.remedy = remedies;
		this.optionIfRight = optionIfRight;
		this.name = 'InputError';
	}
}

/** A field that got no value from the form, an expression, or a column. */
export class MissingValue extends InputError {}

/** A list that can't be read, so all of its rows may be wrong. */
export class ListError extends InputError {
	/** @param advice What the person who saved the list should know first. The message begins with it. */
	constructor(advice: string, problem: Problem, parts: InputError[]) {
		super(advice, problem);
		Object.assign(this, { parts });
	}
}

/** The maximum number of problems that an error lists. Any further problems are only counted. */
const maxListedProblems = 10;

/**
 * The message lists the problems on one line, because that is how web pages, email subjects and n8n's editor
 * show a message. The description has one line of advice per field.
 * @param parts At least one error.
 */
export function joinErrors(parts: InputError[]): InputError {
	const [onlyPart, ...otherParts] = parts;
	if (onlyPart && otherParts.length === 0) return onlyPart;
	const listed = parts.slice(0, maxListedProblems);
	const unlisted = parts.length - listed.length;
	const problems = problemsOf(listed);
	if (unlisted > 0) problems.push(`and ${unlisted} more`);
	const joined = new InputError(`${parts.length} values are missing or look wrong`, {
		problem: problems.join('; '),
		remedy: [...remediesOf(listed), ...adviceIfRight(parts)],
	});
	return Object.assign(joined, { parts });
}

/**
 * Returns the advice for several errors about a value that is right, in one sentence for all of them; nothing if no
 * option would send such a value.
 */
export function adviceIfRight(parts: InputError[]): string[] {
	const option = parts.find(({ optionIfRight }) => optionIfRight)?.optionIfRight;
	const right = parts.length === 1 ? "it's right as it is" : 'one of these values is right';
	return option ? [`If ${right}, add the option ${option}.`] : [];
}

/**
 * Reads every entry of a list before reporting mistakes so that the user can correct all of them together.
 * @throws InputError that lists every wrong entry. Any other error is rethrown immediately.
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
	if (parts.length > 0) throw joinErrors(parts);
	return values;
}

function inputErrorOf(error: unknown): InputError {
	if (error instanceof InputError) return error;
	throw error;
}

/** Reads several named values, and collects the mistakes the way {@link readEach} does for a list. */
export function readAll<Values extends object>(readers: {
	[Name in keyof Values]: () => Values[Name];
}): Values {
	const entries = Object.entries(readers as Record<string, () => unknown>);
	return Object.fromEntries(readEach(entries, ([name, read]) => [name, read()])) as Values;
}

/**
 * Returns one line per wrong value: "Country: nothing is selected". Fields with the same problem share a
 * line.
 */
export function problemsOf(parts: InputError[]): string[] {
	return byField(parts, ({ problem }) => problem);
}

/** If the remedy is the same for all fields, it appears once, without a field name. */
function remediesOf(parts: InputError[]): string[] {
	const remedies = new Set(parts.map(({ remedy }) => remedy));
	return remedies.size === 1 ? [...remedies] : byField(parts, ({ remedy }) => remedy);
}

/**
 * Creates one line per text, in the given order: the names of the fields that have it, followed by the text itself
 * ("Equipment, Serial number: there is no matching column"). A name with a comma or a colon gets a line of its own,
 * because a list wouldn't show where it begins and ends.
 */
function byField(parts: InputError[], textOfPart: (part: InputError) => string): string[] {
	const texts = parts.map((part) => ({ field: part.field, text: textOfPart(part) }));
	const groups = groupBy(texts, ({ field, text }) =>
		JSON.stringify([/[,:]/.test(field) ? field : '', text]),
	);
	return [...groups.values()].map((group) => {
		const fields = new Set(group.map(({ field }) => field));
		return `${[...fields].join(', ')}: ${group[0]?.text}`;
	});
}
