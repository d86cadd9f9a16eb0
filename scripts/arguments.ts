import { parseArgs } from 'node:util';

/** The kinds of options. A flag has no value. A number must be whole and at least 1. */
interface Kinds {
	flag: boolean;
	number: number;
	text: string;
}

/** A command's options: each option's name, without the dashes, and its kind. */
type Options = Record<string, keyof Kinds>;

/** A command that a user runs with npm, and the arguments that it accepts. */
export interface Command<Given extends Options = Options> {
	/** The words that the user types, for example `npm run sandbox`. */
	name: string;
	/** The help text. */
	usage: string;
	options?: Given;
	/**
	 * An example of the command with an option or a name, for example `npm run sandbox -- --data my-folder`.
	 */
	example?: string;
	/** The names that the command accepts as arguments, or `any` if the command checks them itself. */
	names?: { what: string; known: string[] } | 'any';
}

/** What the user typed after the command's name. An option omitted from the command line is undefined. */
export interface Arguments<Given extends Options> {
	values: { [Name in keyof Given]?: Kinds[Given[Name]] };
	names: string[];
}

/** Thrown if a command cannot run because of what the user typed. The message names the next step. */
export class UsageError extends Error {
	override name = 'UsageError';
}

/** Creates the error for a name that a command does not accept. */
export function notFound(what: string, name: string, known: string[]): UsageError {
	return new UsageError(`${what} "${name}" not found. Choose from: ${known.join(', ')}.`);
}

/** Creates the error for an option or a word that a command does not accept. */
export function refused(argument: string, command: Command): UsageError {
	const { name, example } = command;
	if (!example) {
		return new UsageError(`Can't use "${argument}" here. Run the command on its own: ${name}`);
	}
	if (argument.startsWith('-'))
		return new UsageError(`The option "${argument}" doesn't exist. ${helpOf(command)}`);
	// If the user leaves out the `--`, npm treats the option as its own and passes on only the option's
	// value.
	return new UsageError(
		`Can't use "${argument}" here. If it belongs to an option, add "--" before the option, for example: ${example}\n` +
			helpOf(command),
	);
}

function helpOf({ name, options }: Command): string {
	return `To see ${options ? 'all options' : 'what you can enter'}, run: ${name} -- --help`;
}

/** Creates the error for an option whose value is missing or wrong. */
function wrongValue(reason: string, command: Command): UsageError {
	return new UsageError(`${reason} ${helpOf(command)}`);
}

/** @throws UsageError unless the value is a whole number of at least 1. */
function numberOf(option: string, value: string, command: Command): number {
	const number = Number(value);
	// Number() would also accept 1e3, hexadecimal numbers and spaces.
	const isWhole = /^-?\d+$/.test(value) && Number.isSafeInteger(number);
	if (!isWhole) throw wrongValue(`${option} must be a whole number, not "${value}".`, command);
	if (number < 1) throw wrongValue(`${option} must be 1 or more, not ${value}.`, command);
	return number;
}

/**
 * Reads what the user typed after a command's name. Prints the help text if the user asks for it.
 * @param given The arguments to read. Defaults to those of this process.
 * @returns undefined if the help text was printed, so there is nothing else to do.
 * @throws UsageError for the first argument that the command does not accept.
 */
export function readArguments<Given extends Options>(
	command: Command<Given>,
	given = process.argv.slice(2),
): Arguments<Given> | undefined {
	const kinds: Options = { ...command.options, help: 'flag' };
	const options = Object.fromEntries(
		Object.entries(kinds).map(([name, kind]) => [
			name,
			{ type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
		]),
	);
	// Without `strict`, parseArgs accepts every argument and throws no errors of its own.
	const parsed = parseArgs({ args: given, options, strict: false, tokens: true });
	const values: Record<string, Kinds[keyof Kinds]> = {};
	for (const token of parsed.tokens) {
		if (token.kind !== 'option') continue;
		const { name, rawName, value, inlineValue } = token;
		const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
		if (!kind) throw refused(rawName, command);
		if (kind === 'flag') {
			if (value !== undefined) throw wrongValue(`${rawName} doesn't take a value.`, command);
			values[name] = true;
			continue;
		}
		// In `--seeds --first 3`, `--seeds` has no value. In `--seeds=--first`, its value is `--first`.
		if (!value || (!inlineValue && value.startsWith('--')))
			throw wrongValue(`${rawName} needs a value.`, command);
		values[name] = kind === 'number' ? numberOf(rawName, value, command) : value;
	}
	if (values.help) {
		console.log(command.usage);
		return undefined;
	}
	for (const name of parsed.positionals) checkName(name, command);
	return { values: values as Arguments<Given>['values'], names: parsed.positionals };
}

function checkName(name: string, command: Command): void {
	const { names, example } = command;
	if (!names) throw refused(name, command);
	if (names === 'any' || names.known.includes(name)) return;
	const { what, known } = names;
	if (known.length > 1) throw notFound(what, name, known);
	throw new UsageError(`${what} "${name}" not found. The only one is ${known.join()}: ${example}`);
}
