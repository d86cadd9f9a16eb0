import { notFound, readArguments, UsageError, type Command } from '../../scripts/arguments';
import { manifest, textOfFile } from '../support/files';

const command = {
	name: 'npm run cook',
	usage: 'Usage: npm run cook -- [options] [dish…]',
	options: { portions: 'number', pan: 'text', quick: 'flag' },
	example: 'npm run cook -- --portions 4',
	names: { what: 'Dish', known: ['soup', 'rice'] },
} satisfies Command;

const help = 'npm run cook -- --help';

/** The error message for these arguments. */
function refusalOf(given: string[], of: Command = command): string {
	try {
		readArguments(of, given);
	} catch (error) {
		if (error instanceof UsageError) return error.message;
		throw error;
	}
	throw new Error('The arguments were accepted.');
}

test('options and names can be in any order, and the last value of a repeated option is used', () => {
	const given = ['soup', '--portions', '4', '--quick', '--pan=--big', 'rice', '--portions=6'];
	expect(readArguments(command, given)).toEqual({
		values: { portions: 6, pan: '--big', quick: true },
		names: ['soup', 'rice'],
	});
});

test('a command without arguments gets no values or names', () => {
	expect(readArguments(command, [])).toEqual({ values: {}, names: [] });
});

test('--help prints the help text and does nothing else', () => {
	const log = jest.spyOn(console, 'log').mockImplementation();
	try {
		expect(readArguments(command, ['--help'])).toBeUndefined();
		expect(log.mock.calls).toEqual([[command.usage]]);
	} finally {
		log.mockRestore();
	}
});

test.each(['abc', '1e3', '0x10', '2.5', ' 4', '99999999999999999999'])(
	'a number option rejects "%s", which is not a whole number',
	(value) => {
		expect(refusalOf(['--portions', value])).toBe(
			`--portions must be a whole number, not "${value}". To see all options, run: ${help}`,
		);
	},
);

test.each(['0', '-5'])('a number option rejects %s, which is less than 1', (value) => {
	const message = `--portions must be 1 or more, not ${value}. To see all options, run: ${help}`;
	expect(refusalOf(['--portions', value])).toBe(message);
	expect(refusalOf([`--portions=${value}`])).toBe(message);
});

test.each([
	['a missing value at the end', ['--portions']],
	['a missing value before another option', ['--portions', '--quick']],
	['an empty value', ['--portions', '']],
	['an empty value after an equals sign', ['--pan=']],
])('an option rejects %s', (_where, given) => {
	expect(refusalOf(given)).toMatch(/^--(?:portions|pan) needs a value\. To see all options, run:/);
});

test('a flag rejects a value', () => {
	expect(refusalOf(['--quick=yes'])).toMatch(/^--quick doesn't take a value\./);
});

test.each(['--quik', '-q', '--constructor'])('the unknown option %s is rejected', (option) => {
	expect(refusalOf([option])).toBe(
		`The option "${option}" doesn't exist. To see all options, run: ${help}`,
	);
});

test('a command that accepts names but no options rejects an option', () => {
	const { name, usage, example, names } = command;
	expect(refusalOf(['--quick'], { name, usage, example, names })).toBe(
		`The option "--quick" doesn't exist. To see what you can enter, run: ${help}`,
	);
});

// With `npm run cook --portions 4`, only the 4 reaches the command, because npm itself reads the option.
test('a command that accepts no names rejects a name and explains where to put "--"', () => {
	const { name, usage, example, options } = command;
	expect(refusalOf(['4'], { name, usage, example, options })).toBe(
		'Can\'t use "4" here. If it belongs to an option, add "--" before the option, for example: ' +
			`npm run cook -- --portions 4\nTo see all options, run: ${help}`,
	);
});

test('a command that accepts neither options nor names rejects every argument', () => {
	expect(refusalOf(['now'], { name: 'npm run eat', usage: '' })).toBe(
		`Can't use "now" here. Run the command on its own: npm run eat`,
	);
});

test('an unknown name is rejected with a list of the known ones', () => {
	expect(refusalOf(['soup', 'nope'])).toBe('Dish "nope" not found. Choose from: soup, rice.');
	expect(notFound('Dish', 'nope', ['soup']).message).toMatch(/^Dish "nope" not found\./);
});

test('an unknown name is rejected with an example if there is only one known name', () => {
	const only = { name: 'npm run eat', usage: '', example: 'npm run eat -- soup' };
	expect(refusalOf(['nope'], { ...only, names: { what: 'Dish', known: ['soup'] } })).toBe(
		'Dish "nope" not found. The only one is soup: npm run eat -- soup',
	);
});

test('a command that checks names itself receives all of them', () => {
	const given = readArguments({ ...command, names: 'any' }, ['nope', 'soup']);
	expect(given?.names).toEqual(['nope', 'soup']);
});

test('every command in package.json reads its arguments with readArguments', () => {
	const files = Object.values(manifest.scripts).flatMap(
		(script) => /^node scripts\/run\.mjs (\S+)/.exec(script)?.[1] ?? [],
	);
	expect(files).toContain('sandbox/main.ts');
	expect(files.filter((file) => !textOfFile(file).includes('readArguments('))).toEqual([]);
});
