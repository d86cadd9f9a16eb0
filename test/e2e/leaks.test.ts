import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ensureHost } from '../../host/install.cjs';
import { root } from '../../scripts/tools';
import { leaksOf, type Remains } from './support/leaks';

const secrets = [
	{ kind: 'an API key', value: 'the-planted-key' },
	{ kind: 'a callback secret', value: 'the-planted-secret' },
] as const;
const key = '{"headers":{"api-key":"the-planted-key"}}';
let remains: Remains;

/** Runs SQL in the database of the n8n that is made up here. */
function inDatabase(...statements: string[]): void {
	const script = `const { DatabaseSync } = require('node:sqlite');
		const database = new DatabaseSync(process.argv[1]);
		for (const each of process.argv.slice(2)) database.exec(each);`;
	const file = path.join(remains.userFolder, '.n8n/database.sqlite');
	const { status, stderr } = spawnSync(remains.node, ['-e', script, file, ...statements]);
	expect([status, status === 0 ? '' : String(stderr)]).toEqual([0, '']);
}

beforeAll(async () => {
	const { node, n8n } = await ensureHost({ log: () => undefined });
	const userFolder = await mkdtemp(path.join(root, '.run', 'leaks-'));
	remains = { node, n8n, userFolder, logFile: path.join(userFolder, 'n8n.log') };
	await mkdir(path.join(userFolder, '.n8n/binaryData'), { recursive: true });
	await mkdir(path.join(userFolder, '.n8n/nodes'), { recursive: true });
	await writeFile(remains.logFile, 'n8n ready on port 1\n');
	inDatabase(
		'CREATE TABLE execution_data (executionId INTEGER, data TEXT)',
		'CREATE TABLE workflow_entity (id TEXT, staticData TEXT)',
		`INSERT INTO execution_data VALUES (1, '{"nothing":"here"}')`,
	);
});
afterAll(async () => await rm(remains.userFolder, { recursive: true, force: true }));

test('a planted secret is found wherever n8n writes', async () => {
	inDatabase(
		`INSERT INTO execution_data VALUES (2, '${key}')`,
		`INSERT INTO execution_data VALUES (3, 'at ?secret=the-planted-secret')`,
		`INSERT INTO workflow_entity VALUES ('v', '${key}')`,
		`INSERT INTO workflow_entity VALUES ('w', '{"secret":"the-planted-secret"}')`,
	);
	await writeFile(remains.logFile, `one\ntwo\nError: ${key}\n`);
	await writeFile(path.join(remains.userFolder, '.n8n/binaryData/file'), key);
	const leaks = await leaksOf(remains, [...secrets]);
	expect(leaks.sort()).toEqual([
		'binaryData/file, line 1: an API key',
		'execution_data.data: a callback secret',
		'execution_data.data: an API key',
		"n8n's log, line 3: an API key",
		'workflow_entity.staticData: a callback secret',
		'workflow_entity.staticData: an API key',
	]);
	expect(leaks.join()).not.toContain('planted');
});
