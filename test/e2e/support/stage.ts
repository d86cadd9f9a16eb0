import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { ensureHost } from '../../../host/install.cjs';
import { startN8n } from '../../../host/n8n';
import { copyNewN8n } from '../../../host/newN8n';
import { raiseStage, type Stage, type StageOptions } from '../../../host/stage';
import { root } from '../../../scripts/tools';
import { knownSecrets, leaksIn, type Secret } from '../../support/secrets';

/**
 * A real n8n with the package installed, and a sandbox, for the tests in the calling file. Both are started
 * from scratch on free ports before the tests, and stopped and cleaned up afterward. At the end, nothing that
 * n8n has written may contain any of the sandbox's keys, tokens or webhook secrets.
 * @param settings Gets the stage's folder and returns environment variables for n8n.
 * @param examples Whether all examples are imported into n8n, as with `npm start`.
 */
export function useStage(
	name: string,
	settings: (folder: string) => Promise<Record<string, string>> = async () => ({}),
	examples?: StageOptions['examples'],
): Stage {
	// Test files that run at the same time may use the same name, so the folder's name contains the worker's
	// ID.
	const folder = path.join(root, '.run', `e2e-${name}-${process.env.JEST_WORKER_ID}`);
	const holder = {} as Stage;
	beforeAll(async () => {
		await rm(folder, { recursive: true, force: true });
		await copyNewN8n(path.join(folder, 'n8n'));
		Object.assign(
			holder,
			await raiseStage({ folder, env: await settings(folder), examples, log: () => undefined }),
		);
	});
	afterAll(async () => {
		await holder.close?.();
		if (holder.n8n) await expectNoLeaks(holder);
		await rm(folder, { recursive: true, force: true });
	});
	return holder;
}

/**
 * Searches for secrets in everything that n8n has written: its log, every table of its database (executions,
 * workflows and their history; credentials are encrypted), and the files in its folder, including binary
 * data.
 */
async function expectNoLeaks({ n8n: { userFolder, logFile }, sandbox }: Stage): Promise<void> {
	const secrets = knownSecrets();
	// Make sure that there are secrets to search for. Otherwise, this check would always pass.
	expect(secrets.map(({ value }) => value)).toContain(sandbox.account.apiKey);
	const folder = path.join(userFolder, '.n8n');
	const leaks = leaksIn("n8n's log", await readFile(logFile, 'utf8'), secrets);
	for (const file of await filesOf(folder)) {
		const name = path.relative(folder, file);
		if (name === 'database.sqlite') leaks.push(...(await leaksInDatabase(file, secrets)));
		else leaks.push(...leaksIn(name, await readFile(file, 'latin1'), secrets));
	}
	expect(leaks).toEqual([]);
}

async function leaksInDatabase(database: string, secrets: Secret[]): Promise<string[]> {
	const { node } = await ensureHost({ log: () => undefined });
	const script = path.join(__dirname, 'searchDatabase.cjs');
	const { status, stdout, stderr } = spawnSync(node, [script, database], {
		input: JSON.stringify(secrets.map(({ value }) => value)),
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`n8n's database cannot be read: ${stderr}`);
	const found = JSON.parse(stdout) as Array<[place: string, index: number]>;
	return found.map(([place, index]) => `${place}: ${secrets[index]?.kind}`);
}

/** All files in a folder, except the installed nodes. */
async function filesOf(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !file.startsWith(path.join(folder, 'nodes')));
}

/** Restarts a stage's n8n after its process has exited, using the same folder and port. */
export async function startAgain(stage: Stage): Promise<void> {
	const { userFolder, port, logFile } = stage.n8n;
	const installation = await ensureHost({ log: () => undefined });
	stage.n8n = await startN8n({ installation, userFolder, port, logFile });
	await stage.n8n.api.login(stage.owner);
}

/** The path of a screenshot, next to the test results. */
export function screenshot(name: string): string {
	return path.join(root, '.run/results', `${name}.png`);
}
