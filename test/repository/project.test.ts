import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { root } from '../../scripts/tools';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter((file) => file !== '' && existsSync(path.join(root, file)));

/**
 * The files of the repository that a file imports. In what ships, a type is a dependency between rooms,
 * too. In the tests, only what runs counts: a check names the type of what it looks at.
 */
function importsOf(file: string): string[] {
	const source = readFileSync(path.join(root, file), 'utf8');
	const isTest = file.startsWith('test/');
	const counted = isTest ? source.replace(/^import type [^;]*;$/gms, '') : source;
	const { importedFiles } = ts.preProcessFile(counted);
	return importedFiles
		.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => path.join(path.dirname(file), fileName))
		.flatMap((base) => [`${base}.ts`, path.join(base, 'index.ts'), base])
		.filter(
			(each) => existsSync(path.join(root, each)) && statSync(path.join(root, each)).isFile(),
		);
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));

test('no file imports itself, by whatever way round', () => {
	const ended = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string, way: string[]): void => {
		if (way.includes(file)) {
			circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
			return;
		}
		if (ended.has(file)) return;
		for (const each of graph.get(file) ?? []) visit(each, [...way, file]);
		ended.add(file);
	};
	expect(files.length).toBeGreaterThan(300);
	for (const file of files) visit(file, []);
	expect(circles).toEqual([]);
});

/** By folder with rooms: what the files of a room may import, besides those of their own. */
const allowed: Record<string, Record<string, string[]>> = {
	'nodes/SignVerify/': {
		util: [],
		n8nInternals: ['util'],
		http: ['n8nInternals', 'util'],
		input: ['http', 'n8nInternals', 'util'],
		api: ['http', 'input', 'util'],
		events: ['api', 'http', 'input', 'util'],
		registrations: ['api', 'http', 'util'],
		trigger: ['api', 'events', 'http', 'input', 'registrations', 'util'],
		wait: ['api', 'events', 'http', 'input', 'n8nInternals', 'registrations', 'util'],
		operations: ['api', 'events', 'http', 'input', 'n8nInternals', 'util', 'wait'],
		methods: ['api', 'http', 'input', 'operations', 'util'],
	},
	'sandbox/': {
		util: [],
		schemas: ['util'],
		state: ['schemas', 'util'],
		types: ['schemas', 'state', 'util'],
		service: ['schemas', 'state', 'types', 'util'],
		contract: ['schemas', 'service'],
		http: ['contract', 'schemas', 'service', 'state', 'types', 'util'],
		demo: ['http', 'schemas', 'service', 'state', 'types', 'util'],
		index: ['demo', 'http', 'service', 'state', 'types', 'util'],
		main: ['index', 'state', 'util'],
	},
};

/** A folder, or a file beside the folders that is a room of its own. The nodes are in none. */
const roomOf = (file: string, house = 'nodes/SignVerify/') =>
	file.startsWith(house) ? /^(\w+)(?:\/|\.ts$)/.exec(file.slice(house.length))?.[1] : undefined;

test.each(Object.entries(allowed))(
	'the rooms of %s import each other one way only',
	(house, rooms) => {
		const wrong = [...graph].flatMap(([file, imported]) => {
			const room = roomOf(file, house);
			if (room === undefined) return [];
			return imported
				.filter((each) => {
					const other = roomOf(each, house);
					return other !== room && !(other && rooms[room]?.includes(other));
				})
				.map((each) => `${file} → ${each}`);
		});
		expect(wrong).toEqual([]);
		const found = files.map((file) => roomOf(file, house)).filter(Boolean);
		expect(new Set(found)).toEqual(new Set(Object.keys(rooms)));
	},
);

test('only api/ names paths of the service, besides the token exchange', () => {
	const naming = files.filter((file) => {
		if (!file.startsWith('nodes/SignVerify/')) return false;
		const code = readFileSync(path.join(root, file), 'utf8');
		return /['}]\/(?:access|templates|webhooks|identity)\b/.test(code);
	});
	expect(naming.filter((file) => roomOf(file) !== 'api')).toEqual([
		'nodes/SignVerify/http/token.ts',
	]);
	expect(naming).toHaveLength(6);
});

test.each(['node', 'n8n', 'n8n-2.41.3'])('the lock of host/%s names no registry', (part) => {
	const lock = readFileSync(path.join(root, 'host', part, 'package-lock.json'), 'utf8');
	expect(lock).toContain('"integrity"');
	expect(lock).not.toContain('"resolved"');
});

test('what ships measures intervals with a clock that cannot be set back', () => {
	/** They compare a moment with one that the service or n8n has named, or name one. */
	const moments = [
		'http/retry.ts',
		'operations/document/sendAndWait.ts',
		'registrations/wait.ts',
		'wait/start.ts',
	].map((file) => `nodes/SignVerify/${file}`);
	const withWallClock = files
		.filter((file) => /^(?:nodes|credentials)\//.test(file))
		.filter((file) =>
			/\bDate\.now\(\)|new Date\(\)/.test(readFileSync(path.join(root, file), 'utf8')),
		);
	expect(withWallClock.sort()).toEqual(moments);
});
