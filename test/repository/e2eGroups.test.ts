import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { alone, groupsOf } from '../e2e/groups.cjs';
import { filesIn } from '../support/files';

const folder = path.join(root, 'test/e2e');
const isTest = (file: string) => file.endsWith('.test.ts');
const isNightly = (file: string) => file.endsWith('.nightly.test.ts');
const files = filesIn(folder).filter(isTest).sort();

/** The files that Jest runs in an n8n of their own if it runs all end-to-end tests. */
function listedAlone(nightly: boolean): string[] {
	const { stdout } = spawnSync(
		process.execPath,
		['node_modules/jest/bin/jest.js', '--listTests', '--json', '--selectProjects', 'e2e: alone'],
		{
			cwd: root,
			encoding: 'utf8',
			env: { ...process.env, SIGNVERIFY_NIGHTLY: nightly ? '1' : '' },
		},
	);
	return (JSON.parse(stdout) as string[]).map((file) =>
		path.relative(folder, file).replaceAll(path.sep, '/'),
	);
}

test('each end-to-end test is in exactly one group, or the table explains why it is in none', () => {
	const listed = [...groupsOf(true).flatMap((group) => group.files), ...Object.keys(alone)];
	expect(listed.sort()).toEqual(files);
});

test.each([false, true])('each end-to-end test runs once (every night: %s)', (nightly) => {
	const expected = files.filter((file) => nightly || !isNightly(file));
	const grouped = groupsOf(nightly).flatMap((group) => group.files);
	expect([...grouped, ...listedAlone(nightly)].sort()).toEqual(expected);
});

test('each group has a name of its own', () => {
	const names = groupsOf(true).map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
});
