import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import ts from 'typescript';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { docsLink, docsOf, packageVersion, repository } from '../../nodes/SignVerify/errors/docs';
import { endpointNames } from '../../sandbox/contract/endpoints';
import { runNpm } from '../../scripts/install.cjs';
import { root } from '../../scripts/tools';
import { listFile, llmsList } from '../docs/llms';
import { readPage, spansOf } from '../docs/markdown';
import { manifest, textOfFile } from '../support/files';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter((file) => file !== '' && existsSync(path.join(root, file)));

/**
 * The files of the repository that a file imports. For shipped code, this includes imports of types. For
 * tests, it includes only imports that exist at run time.
 */
function importsOf(file: string): string[] {
	const source = textOfFile(file);
	const isTest = file.startsWith('test/');
	const counted = isTest ? source.replace(/^import type [^;]*;$/gms, '') : source;
	const { importedFiles } = ts.preProcessFile(counted);
	return importedFiles
		.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => path.join(path.dirname(file), fileName))
		.flatMap((base) => [`${base}.ts`, path.join(base, 'index.ts'), base])
		.filter(
			(target) => existsSync(path.join(root, target)) && statSync(path.join(root, target)).isFile(),
		);
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));

test('no file imports itself, directly or indirectly', () => {
	const ended = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string, way: string[]): void => {
		if (way.includes(file)) {
			const circle = [...way.slice(way.indexOf(file)), file].join(' → ');
			circles.push(`${circle}: move what two of them need into a file of its own`);
			return;
		}
		if (ended.has(file)) return;
		for (const imported of graph.get(file) ?? []) visit(imported, [...way, file]);
		ended.add(file);
	};
	expect(files.length).toBeGreaterThan(300);
	for (const file of files) visit(file, []);
	expect(circles).toEqual([]);
});

/** What the modules that handle an event may import. */
const ofEvents = ['account', 'api', 'errors', 'files', 'form', 'http', 'util'];

/**
 * For each folder, its modules; for each module, the other modules that its files may import, all of which are listed
 * before it. A file outside the folder is listed by its path.
 */
const allowed: Record<string, Record<string, string[]>> = {
	'nodes/SignVerify/': {
		util: [],
		generated: [],
		builderHints: [],
		n8nInternals: ['util'],
		errors: ['generated', 'n8nInternals', 'util'],
		http: ['errors', 'util'],
		account: ['errors', 'http', 'util'],
		api: ['account', 'http', 'util'],
		text: ['errors', 'util'],
		form: ['errors', 'text', 'util'],
		item: ['account', 'api', 'errors', 'form', 'text', 'util'],
		columns: ['errors', 'form', 'item', 'text', 'util'],
		templateForm: [
			...['account', 'api', 'columns', 'errors', 'form', 'item', 'n8nInternals', 'text', 'util'],
		],
		methods: ['account', 'api', 'columns', 'errors', 'form', 'templateForm', 'text', 'util'],
		files: ['api', 'errors', 'form', 'http', 'text', 'util'],
		events: ofEvents,
		registrations: [
			...['account', 'api', 'errors', 'events', 'http', 'n8nInternals', 'text', 'util'],
		],
		trigger: [...ofEvents, 'events', 'n8nInternals', 'registrations', 'text'],
		wait: [...ofEvents, 'events', 'item', 'n8nInternals', 'registrations'],
		operations: [
			...ofEvents,
			...['columns', 'item', 'n8nInternals', 'registrations', 'templateForm', 'text', 'wait'],
		],
	},
	'sandbox/': {
		util: [],
		schemas: ['util'],
		state: ['schemas', 'util'],
		types: ['schemas', 'state', 'util'],
		service: ['schemas', 'state', 'types', 'util'],
		contract: ['schemas', 'service', 'util'],
		http: ['contract', 'schemas', 'service', 'state', 'types', 'util'],
		demo: ['http', 'schemas', 'service', 'state', 'types', 'util'],
		index: ['demo', 'http', 'service', 'state', 'types', 'util'],
		startUp: ['demo', 'service', 'types'],
		// `npm run sandbox` reads its arguments the same way as the other commands.
		main: ['index', 'startUp', 'state', 'util', 'scripts/arguments.ts'],
	},
};

/**
 * The module that a file belongs to: its subfolder, or the file itself if it is directly in the folder. The
 * files of the node classes do not belong to a module.
 */
const moduleOf = (file: string, folder = 'nodes/SignVerify/') =>
	file.startsWith(folder) ? /^(\w+)(?:\/|\.ts$)/.exec(file.slice(folder.length))?.[1] : undefined;

test.each(Object.entries(allowed))(
	'the modules in %s import each other in one direction only',
	(folder, modules) => {
		const wrong = [...graph].flatMap(([file, imported]) => {
			const own = moduleOf(file, folder);
			if (own === undefined) return [];
			return imported
				.filter((target) => {
					const other = moduleOf(target, folder);
					return other !== own && !modules[own]?.includes(other ?? target);
				})
				.map(
					(target) =>
						`${file} imports ${target}, but files of ${own} may import only ${modules[own]?.join(', ') || 'each other'}: move the code, or change "allowed" in test/repository/project.test.ts`,
				);
		});
		expect(wrong).toEqual([]);
		const found = new Set(files.map((file) => moduleOf(file, folder)).filter(Boolean));
		const place = `"allowed" in test/repository/project.test.ts, ${folder}`;
		const unlisted = [...found].filter((name) => !(String(name) in modules));
		const gone = Object.keys(modules).filter((name) => !found.has(name));
		const used = new Set(
			[...graph].flatMap(([file, imported]) =>
				imported.map((target) => `${moduleOf(file, folder)} ${moduleOf(target, folder) ?? target}`),
			),
		);
		const unused = Object.entries(modules).flatMap(([name, others]) =>
			others.filter((other) => !used.has(`${name} ${other}`)).map((other) => ({ name, other })),
		);
		const names = Object.keys(modules);
		const upward = Object.entries(modules).flatMap(([name, others]) =>
			others
				.filter((other) => names.indexOf(other) > names.indexOf(name))
				.map((other) => ({ name, other })),
		);
		expect([
			...upward.map(
				({ name, other }) =>
					`${place}: ${name} may import only modules listed before it, so move what it needs out of ${other}`,
			),
			...unused.map(
				({ name, other }) => `${place}: no file of ${name} imports ${other}, so remove it`,
			),
			...unlisted.map((name) => `${place}: add ${name} with what it may import`),
			...gone.map((name) => `${place}: remove ${name}, which has no files`),
		]).toEqual([]);
	},
);

test('the modules of the package import each other in at most 60 % of the possible ways', () => {
	const modules = Object.values(allowed['nodes/SignVerify/'] ?? {});
	const possible = (modules.length * (modules.length - 1)) / 2;
	expect(possible).toBeGreaterThan(100);
	expect(modules.flat().length / possible).toBeLessThanOrEqual(0.6);
});

test("only the table of endpoints and the authentication contain the service's paths", () => {
	const beginnings = new Set(endpointNames.map((name) => name.split('/')[1]));
	const aPath = new RegExp(`['}]/(?:${[...beginnings].join('|')})\\b`);
	const naming = files.filter((file) => {
		if (!file.startsWith('nodes/SignVerify/')) return false;
		return aPath.test(textOfFile(file));
	});
	const allowedFiles = ['account/authenticate', 'http/endpoints'].map(
		(name) => `nodes/SignVerify/${name}.ts`,
	);
	const elsewhere = naming.filter((file) => !allowedFiles.includes(file));
	expect(
		elsewhere.map(
			(file) =>
				`${file} names a path: call a function of nodes/SignVerify/api/, or move the path to nodes/SignVerify/http/endpoints.ts`,
		),
	).toEqual([]);
	// Make sure that the pattern still finds paths.
	expect([...naming].sort()).toEqual(allowedFiles);
});

test.each(['node', 'n8n', 'n8n-2.41.3'])(
	'the lock file in host/%s does not contain any registry URLs',
	(part) => {
		const lock = textOfFile(`host/${part}/package-lock.json`);
		expect(lock).toContain('"integrity"');
		expect(lock).not.toContain('"resolved"');
	},
);

/** A file's name says what it decides, so only operations, whose folders and files n8n names, share one. */
test('no two files of the shipped code have the same name', () => {
	const operation =
		/^nodes\/SignVerify\/operations\/\w+\/(?:create|delete|download|get|getAll|request|send|sendAndWait)\.ts$/;
	const names = files
		.filter((file) => /^(?:nodes|credentials)\//.test(file) && !operation.test(file))
		.map((file) => path.basename(file));
	expect(names.length).toBeGreaterThan(100);
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('no file of the shipped code declares a name that another file exports', () => {
	const declared = /^(export )?(?:async )?(?:function|const|let|class|interface|type|enum) (\w+)/gm;
	const declarations = files
		.filter((file) => /^(?:nodes|credentials)\//.test(file))
		.flatMap((file) =>
			[...textOfFile(file).matchAll(declared)].map(([, isExported, name = '']) => ({
				file,
				name,
				isExported: isExported !== undefined,
			})),
		);
	const exporting = new Map(
		declarations.filter(({ isExported }) => isExported).map(({ name, file }) => [name, file]),
	);
	expect(exporting.size).toBeGreaterThan(500);
	expect(
		declarations
			.filter(({ name, file }) => (exporting.get(name) ?? file) !== file)
			.map(({ name, file }) => `${file} and ${exporting.get(name)} both declare ${name}`),
	).toEqual([]);
});

// A file is renamed together with its imports, but no compiler reads the comments.
test('comments name only files that exist', () => {
	const commentLine = /^\s*(?:\/?\*|\/\/).*/gm;
	const aFile = /(?<![\w.*/-])[\w-]+(?:\/[\w-]+)*(?:\.[\w-]+)*\.ts\b/g;
	const named = files.flatMap((file) =>
		[...textOfFile(file).matchAll(commentLine)]
			.flatMap(([text]) => [...text.matchAll(aFile)])
			.map(([name]) => ({ file, name })),
	);
	expect(named.length).toBeGreaterThan(50);
	expect(
		named
			.filter(({ name }) => !files.some((one) => `/${one}`.endsWith(`/${name}`)))
			.map(({ file, name }) => `A comment in ${file} names ${name}, which doesn't exist`),
	).toEqual([]);
});

// n8n's scanner ignores such comments, and it runs only every night (package.nightly.test.ts).
test("no comment in the shipped code turns off one of n8n's lint rules", () => {
	const shipped = files.filter((file) => /^(?:nodes|credentials)\//.test(file));
	const comments = shipped.flatMap((file) =>
		[...textOfFile(file).matchAll(/eslint-disable(?:-next-line|-line)?(.*)/g)].map(
			([, rest = '']) => ({ file, rules: rest.split('--')[0]?.replace('*/', '').trim() ?? '' }),
		),
	);
	expect(comments.length).toBeGreaterThan(0);
	// The rules of n8n's sets have a prefix, except for no-console. Without a name, all rules are turned off.
	expect(comments.filter(({ rules }) => /^$|\/|no-console/.test(rules))).toEqual([]);
});

test('the shipped code measures intervals with a monotonic clock', () => {
	/**
	 * These files need the time of day, because they send a timestamp or compare a timestamp from the service
	 * or n8n with the current time.
	 */
	const moments = [
		'api/officialId.ts',
		'http/callProblems.ts',
		'http/request.ts',
		'registrations/waitWebhooks.ts',
		'wait/start.ts',
	].map((file) => `nodes/SignVerify/${file}`);
	const withWallClock = files
		.filter((file) => /^(?:nodes|credentials)\//.test(file))
		.filter((file) => /\bDate\.now\(\)|new Date\(\)/.test(textOfFile(file)));
	const place = '"moments" in test/repository/project.test.ts';
	expect([
		...withWallClock
			.filter((file) => !moments.includes(file))
			.map(
				(file) =>
					`${file} reads the wall clock: measure with performance.now(). If it needs a moment of the calendar, add it to ${place}`,
			),
		...moments
			.filter((file) => !withWallClock.includes(file))
			.map((file) => `${place}: remove ${file}, which does not read a wall clock`),
	]).toEqual([]);
});

test('what a process remembers has a bound: it is in a ProcessMemory, or belongs to an object that ends with its run', () => {
	// A Map or Set that starts empty is filled at run time, so the process uses it to remember something. A WeakMap
	// forgets an entry with its key.
	const emptyStore =
		/^(?:export )?(?:const|let) (\w+)[^\n]* = new (?:Map|Set)(?:<[^\n]*>)?\(\);$/gm;
	const stores = files
		.filter((file) => file.startsWith('nodes/'))
		.flatMap((file) => [...textOfFile(file).matchAll(emptyStore)].map(([, name]) => name));
	expect(stores).toEqual(['memories']);
});

test('error messages link to the repository that package.json names', () => {
	expect(manifest.repository.url).toBe(`git+${repository}.git`);
	expect(manifest.homepage).toBe(`${repository}#readme`);
	expect(manifest.bugs.url).toBe(`${repository}/issues`);
	expect(new SignVerifyApi().documentationUrl).toBe(
		`${repository}/blob/main/docs/install.md#set-up-the-credential`,
	);
});

test('error messages link to the documentation for the installed version', () => {
	expect(packageVersion).toBe(manifest.version);
	expect(docsOf('0.0.0')).toBe(`${repository}/blob/main/docs`);
	expect(docsOf('1.12.3')).toBe(`${repository}/blob/v1.12.3/docs`);
	const page = `${docsOf(manifest.version)}/troubleshooting.md`;
	expect(docsLink('proxy')).toBe(`More: ${page}#proxy`);
	expect(docsLink('proxy', { isHtml: true })).toBe(
		`<a href="${page}#proxy" target="_blank">More about this error</a>`,
	);
});

test('all files use the same URL for the repository', () => {
	const files = execFileSync('git', ['grep', '-lI', 'github.com/[^ ]*n8n-nodes-signverify'], {
		cwd: root,
		encoding: 'utf8',
	});
	const addresses = files
		.trim()
		.split('\n')
		.flatMap((file) => {
			const text = textOfFile(file);
			return text.match(/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-signverify\b/g) ?? [];
		});
	expect(addresses.length).toBeGreaterThan(10);
	expect([...new Set(addresses)]).toEqual([repository]);
});

test('docs/dev/dependencies.md explains each development dependency', () => {
	const section = readPage('docs/dev/dependencies.md').prose;
	// A list item can name several packages with the same purpose: "- `name`, `name`: words".
	const groups = [...section.matchAll(/^- ((?:`[^`]+`,? ?)+):\s\S[\s\S]{5}/gm)];
	const listed = groups.flatMap(([, names = '']) =>
		spansOf({ file: '', blocks: [], prose: names }),
	);
	const installed = Object.keys(manifest.devDependencies);
	const page = 'docs/dev/dependencies.md';
	expect([
		...installed
			.filter((name) => !listed.includes(name))
			.map((name) => `${page}: add "- \`${name}\`: what it is for"`),
		...listed
			.filter((name) => !installed.includes(name))
			.map((name) => `${page}: remove \`${name}\`, which package.json does not have`),
	]).toEqual([]);
	expect(new Set(listed).size).toBe(listed.length);
});

test('package.json lists at most 50 development dependencies, all with exact versions, and no other dependencies', () => {
	const versions = Object.entries(manifest.devDependencies);
	expect(versions.length).toBeLessThanOrEqual(50);
	const ranges = versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
	expect(
		ranges.map(
			([name, version]) =>
				`package.json, devDependencies: write one version of ${name} instead of ${version}`,
		),
	).toEqual([]);
	// n8n does not verify packages that have runtime dependencies.
	expect(manifest.dependencies).toBeUndefined();
});

/** Folders that are created by commands. */
const generated = ['node_modules', 'dist', 'coverage'];

test('docs/dev/architecture.md lists every source code folder', () => {
	const page = readPage('docs/dev/architecture.md').prose;
	const own = (folder: string) =>
		readdirSync(path.join(root, folder), { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !generated.includes(entry.name))
			.map(({ name }) => `${folder}${name}/`);
	const folders = [...own('').filter((name) => !name.startsWith('.')), ...own('nodes/SignVerify/')];
	expect(folders.length).toBeGreaterThan(10);
	// The page names the folders inside `nodes/`, but not `nodes/` itself, so only the beginning of a name
	// must match.
	const unnamed = folders.filter((name) => !page.includes(`\`${name}`));
	const tests = own('test/').map((name) => `\`${path.basename(name)}\``);
	const unnamedTests = tests.filter((name) => !page.includes(name));
	const place = 'docs/dev/architecture.md, "Modules"';
	expect([
		...unnamed.map((name) => `${place}: add a row for \`${name}\``),
		...unnamedTests.map((name) => `${place}: add ${name} to the row of \`test/\``),
	]).toEqual([]);
});

test('git checks out every text file with LF, even on Windows', () => {
	const listed = execFileSync('git', ['ls-files', '--eol'], { cwd: root, encoding: 'utf8' });
	// A line begins with the line endings in the index, then those on this machine, then the attributes. git
	// recognizes a binary file by its content.
	const isRight = /^i\/(?:lf|none|-text)\s+\S+\s+attr\/text=auto eol=lf\s/;
	expect(listed).not.toBe('');
	expect(
		listed
			.trimEnd()
			.split('\n')
			.filter((line) => !isRight.test(line)),
	).toEqual([]);
});

test('npm is restarted if it hangs', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'hanging-npm-'));
	const cli = path.join(folder, 'npm-cli.js');
	const hangs = `fs.writeFileSync('begun', ''); setInterval(() => {}, 1000);`;
	writeFileSync(cli, `const fs = require('fs'); if (!fs.existsSync('begun')) { ${hangs} }`);
	const own = process.env.npm_execpath;
	process.env.npm_execpath = cli;
	try {
		const { seconds } = await runNpm({ args: ['ci'], cwd: folder, limitMs: 5000 });
		expect(existsSync(path.join(folder, 'begun'))).toBe(true);
		expect(seconds).toBeGreaterThanOrEqual(5);
	} finally {
		if (own === undefined) delete process.env.npm_execpath;
		else process.env.npm_execpath = own;
		rmSync(folder, { recursive: true });
	}
});

const regenerateWith = 'npm run generate -- llms';

test('llms.txt is up to date', () => {
	expect({ regenerateWith, text: textOfFile(listFile) }).toEqual({
		regenerateWith,
		text: llmsList(),
	});
});

// The list of places to check when n8n is upgraded: `grep -rn @n8n nodes credentials`.
test('every place with the tag @n8n describes what n8n does there', () => {
	const tagged = files
		.filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file))
		.filter((file) => !file.endsWith('/n8nInternals.ts'))
		.flatMap((file) => {
			const comments = textOfFile(file).match(/\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
			return comments
				.filter((comment) => comment.includes('@n8n'))
				.map((comment) => ({ file, comment }));
		});
	expect(tagged.length).toBeGreaterThan(50);
	const isExplained = (comment: string) => /n8n|\beditor\b/.test(comment.replaceAll('@n8n', ''));
	expect(tagged.filter(({ comment }) => !isExplained(comment))).toEqual([]);
});
