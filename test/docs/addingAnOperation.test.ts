import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { copyRepository } from '../support/copyRepository';
import { readPage } from './markdown';

// docs/dev/adding-an-operation.md lists the places to change for a new operation on a new endpoint, and the
// message that a command prints if one of them is forgotten. These tests remove the page's example from each
// place in a copy of the repository and expect to see that message.
const page = readPage('docs/dev/adding-an-operation.md').prose;
const [section = ''] = page.split('\n## Files to change\n')[1]?.split('\n## ') ?? [];
const places = section
	.split('\n')
	.filter((line) => /^\| `[\w/.]+\.(ts|md)`/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim().replace(/^`|`$/g, '')))
	.map(([, place = '', , words = '']) => [place, words] as const);

/** Returns the text without the part from `from` up to the next `to`. */
function without(text: string, from: string, to: string): string {
	const start = text.indexOf(from);
	const end = text.indexOf(to, start + from.length);
	if (start < 0 || end < 0) throw new Error(`"${from}" is not there, or not followed by "${to}".`);
	return text.slice(0, start) + text.slice(end);
}

/** The command that type-checks the operations and their imports. */
const compiler = ['typescript/bin/tsc', '-p', 'tsconfig.operations.json'];
const testFile = (file: string) => ['jest/bin/jest.js', '--runInBand', '--', file];

interface Drop {
	/** Returns the text of the place without the example, or undefined if the entire file is the example. */
	drop(text: string): string | undefined;
	/** The tool, with its arguments, that must notice the missing example. */
	run: string[];
}

const drops: Record<string, Drop> = {
	'nodes/SignVerify/api/identity.ts': {
		drop: (text) => text.replace('function readIdentityRequest', 'function forgotten'),
		run: compiler,
	},
	'nodes/SignVerify/operations/identity/get.ts': { drop: () => undefined, run: compiler },
	'nodes/SignVerify/operations/registry.ts': {
		drop: (text) => text.replace(/^.*identity\/get'.*\n/m, ''),
		run: testFile('test/unit/operations.test.ts'),
	},
	'docs/dev/service.md': {
		drop: (text) => without(text, '### Get an identity verification request', '### Get identity'),
		run: testFile('test/docs/service.test.ts'),
	},
	'sandbox/contract/endpoints/identity.ts': {
		drop: (text) => without(text, "\t'GET /identity/validation/", "\t'GET /identity/session/"),
		run: testFile('test/docs/service.test.ts'),
	},
	'test/operations/identity.ts': {
		drop: (text) => text.replace(/(?<=: Entries = \{.*) get,/, ''),
		run: testFile('test/integration/operations.test.ts'),
	},
};

const copy = mkdtempSync(path.join(tmpdir(), 'adding-'));

beforeAll(() => {
	copyRepository(copy);
	writeFileSync(
		path.join(copy, 'tsconfig.operations.json'),
		JSON.stringify({
			extends: './tsconfig.json',
			include: [],
			files: ['nodes/SignVerify/operations/registry.ts'],
		}),
	);
});
afterAll(() => rmSync(copy, { recursive: true }));

test('docs/dev/adding-an-operation.md lists exactly the files that these tests check', () => {
	expect(Object.keys(drops).sort()).toEqual(places.map(([place]) => place).sort());
});

// The time limit is generous, because the compiler takes a minute on a busy machine.
test.each(places)(
	'if an operation is missing from %s, a check fails with the message shown in docs/dev/adding-an-operation.md',
	(place, words) => {
		const { drop, run } = drops[place]!;
		const [tool = '', ...args] = run;
		const file = path.join(copy, place);
		const whole = readFileSync(file, 'utf8');
		const rest = drop(whole);
		expect(rest).not.toBe(whole);
		if (rest === undefined) rmSync(file);
		else writeFileSync(file, rest);

		const command = [path.join(copy, 'node_modules', tool), ...args];
		const { stdout, stderr, status } = spawnSync(process.execPath, command, {
			cwd: copy,
			encoding: 'utf8',
		});
		writeFileSync(file, whole);
		// Jest escapes quotation marks when it prints the strings in a list.
		const printed = (stdout + stderr).replaceAll('\\"', '"');
		expect({ status, printed }).toEqual({
			status: expect.any(Number) as number,
			printed: expect.stringContaining(words) as string,
		});
		expect(status).not.toBe(0);
	},
	300_000,
);
