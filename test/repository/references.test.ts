import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { SignVerifyApi } from '../../credentials/SignVerifyApi.credentials';
import { docsLink, repository } from '../../nodes/SignVerify/http/errors';
import { root } from '../../scripts/tools';
import { events } from '../../nodes/SignVerify/api/events';
import { readPage, spansOf } from '../docs/markdown';
import { listFile, llmsList } from '../docs/llms';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
	homepage: string;
	repository: { url: string };
	bugs: { url: string };
	devDependencies: Record<string, string>;
	dependencies?: object;
};

test('the links of the errors lead to the repository that package.json names', () => {
	expect(manifest.repository.url).toBe(`git+${repository}.git`);
	expect(manifest.homepage).toBe(`${repository}#readme`);
	expect(manifest.bugs.url).toBe(`${repository}/issues`);
	expect(docsLink('files')).toBe(`More: ${repository}/blob/main/docs/errors.md#files`);
	expect(new SignVerifyApi().documentationUrl).toBe(`${repository}#set-up-the-credential`);
});

test('no other address of it stands anywhere', () => {
	const files = execFileSync('git', ['grep', '-lI', 'github.com/[^ ]*n8n-nodes-signverify'], {
		cwd: root,
		encoding: 'utf8',
	});
	const addresses = files
		.trim()
		.split('\n')
		.flatMap((file) => {
			const text = read(file);
			return text.match(/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-signverify\b/g) ?? [];
		});
	expect(addresses.length).toBeGreaterThan(10);
	expect([...new Set(addresses)]).toEqual([repository]);
});

test('docs/dev/architecture.md says of each development dependency what it is for', () => {
	const [, section = ''] = readPage('docs/dev/architecture.md').prose.split(
		'## Development dependencies\n',
	);
	// `- `name`, `name`: words`, for packages that serve one purpose.
	const groups = [...section.matchAll(/^- ((?:`[^`]+`,? ?)+):\s\S[\s\S]{5}/gm)];
	const listed = groups.flatMap(([, names = '']) =>
		spansOf({ file: '', blocks: [], prose: names }),
	);
	expect(listed.sort()).toEqual(Object.keys(manifest.devDependencies).sort());
});

test('there are at most 50, each in an exact version, and no other dependencies', () => {
	const versions = Object.values(manifest.devDependencies);
	expect(versions.length).toBeLessThanOrEqual(50);
	expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	expect(manifest.dependencies).toBeUndefined();
});

/** Folders that a command makes. */
const generated = ['node_modules', 'dist', 'coverage'];

const rows = readPage('docs/trigger.md')
	.prose.split('\n')
	.filter((line) => line.startsWith('|'))
	.map((line) => line.split('|').map((cell) => cell.trim()));

test('every event is in the table of the trigger', () => {
	const names = rows.map(([, first]) => first);
	for (const { name } of events) expect(names).toContain(name);
});

test('the architecture page names every folder of the source', () => {
	const page = readPage('docs/dev/architecture.md').prose;
	const own = (folder: string) =>
		readdirSync(path.join(root, folder), { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !generated.includes(entry.name))
			.map(({ name }) => `${folder}${name}/`);
	const folders = [...own('').filter((name) => !name.startsWith('.')), ...own('nodes/SignVerify/')];
	expect(folders.length).toBeGreaterThan(10);
	// `nodes/` is named by what is in it.
	const unnamed = folders.filter((name) => !page.includes(`\`${name}`));
	expect(unnamed).toEqual([]);
	const tests = own('test/').map((name) => `\`${path.basename(name)}\``);
	expect(tests.filter((name) => !page.includes(name))).toEqual([]);
});

const regenerateWith = 'npm run generate -- llms';

test('llms.txt is up to date', () => {
	expect({ regenerateWith, text: read(listFile) }).toEqual({ regenerateWith, text: llmsList() });
});
