import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { ensureHost } from '../../../host/install.cjs';
import { startN8n } from '../../../host/n8n';
import { copyNewN8n } from '../../../host/newN8n';
import { raiseStage, type Stage, type StageOptions } from '../../../host/stage';
import { root } from '../../../scripts/tools';
import { knownSecrets, leaksIn, type Secret } from '../../support/secrets';

let shared: Stage | undefined;

/**
 * A real n8n with the package installed, and a sandbox, for the tests in the calling file. Both are started
 * from scratch on free ports before the tests, and stopped and cleaned up afterward. At the end, nothing that
 * n8n has written may contain any of the sandbox's keys, tokens or webhook secrets. If the file is in a group
 * (groups.cjs), it gets the group's stage.
 * @param settings Gets the stage's folder and returns environment variables for n8n.
 * @param examples Whether all examples are imported into n8n, as with `npm start`.
 */
export function useStage(
	name: string,
	settings?: (folder: string) => Promise<Record<string, string>>,
	examples?: StageOptions['examples'],
): Stage {
	if (!shared) return useOwnStage(name, settings, examples);
	if (settings || examples) throw new Error('A group has no settings (test/e2e/groups.cjs).');
	return shared;
}

/**
 * Starts the stage that {@link useStage} returns in all files of a group.
 * @param lastFile The file that is to blame for a secret that is found at the end.
 */
export function shareStage(name: string, lastFile: string): Stage {
	return (shared = useOwnStage(name, undefined, undefined, lastFile));
}

function useOwnStage(
	name: string,
	settings: (folder: string) => Promise<Record<string, string>> = async () => ({}),
	examples?: StageOptions['examples'],
	lastFile?: string,
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
		const file = lastFile ?? path.relative(root, expect.getState().testPath ?? '');
		if (holder.n8n) await expectNoLeaks(holder, file);
		await rm(folder, { recursive: true, force: true });
	});
	return holder;
}

/** The leaks of a group's earlier files. */
const reported = new Set<string>();

/**
 * Searches for secrets in everything that n8n has written: its log, every table of its database (executions,
 * workflows and their history; credentials are encrypted), and the files in its folder, including binary
 * data.
 * @param file The test file that has just run. A leak that an earlier file has already been blamed for is left out.
 */
export async function expectNoLeaks(
	{ n8n: { userFolder, logFile }, sandbox }: Stage,
	file: string,
): Promise<void> {
	const secrets = knownSecrets();
	// Make sure that there are secrets to search for. Otherwise, this check would always pass.
	expect(secrets.map(({ value }) => value)).toContain(sandbox.account.apiKey);
	const folder = path.join(userFolder, '.n8n');
	const found = leaksIn("n8n's log", await readFile(logFile, 'utf8'), secrets);
	for (const stored of await filesOf(folder)) {
		const place = path.relative(folder, stored);
		if (place === 'database.sqlite') found.push(...(await leaksInDatabase(stored, secrets)));
		else found.push(...leaksIn(place, await readFile(stored, 'latin1'), secrets));
	}
	const leaks = found.filter((leak) => !reported.has(leak));
	for (const leak of leaks) reported.add(leak);
	expect({ file, leaks }).toEqual({ file, leaks: [] });
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
