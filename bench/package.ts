import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { runNpm } from '../scripts/install.cjs';
import { root } from '../scripts/tools';
import { median } from './statistics';
import type { Bench, Outcome } from './types';

const run = promisify(execFile);

/** The package's size, and how long n8n's own loader takes for it. */
export async function measurePackage(bench: Bench): Promise<Outcome> {
	const { log, plan } = bench;
	if (!plan.package) return { tables: [] };
	const { stdout } = await runNpm({
		args: ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
		cwd: root,
		log,
	});
	const [packed] = JSON.parse(stdout) as Array<{
		size: number;
		unpackedSize: number;
		entryCount: number;
	}>;
	const loads: number[] = [];
	for (let round = 0; round < plan.package.rounds; round++) loads.push(await loadOnce(bench));
	return {
		tables: [
			{
				id: 'package',
				title: 'The package',
				columns: [
					{ key: 'packedKB', title: 'Packed (kB)' },
					{ key: 'unpackedKB', title: 'Unpacked (kB)' },
					{ key: 'files', title: 'Files' },
					{ key: 'loadMs', title: "Loaded by n8n's loader (ms)" },
				],
				rows: [
					{
						packedKB: (packed?.size ?? NaN) / 1000,
						unpackedKB: (packed?.unpackedSize ?? NaN) / 1000,
						files: packed?.entryCount,
						loadMs: median(loads),
					},
				],
			},
		],
	};
}

async function loadOnce({ installation, packageFolder }: Bench): Promise<number> {
	const modules = path.join(installation.folder, 'n8n', 'node_modules');
	const { stdout } = await run(
		installation.node,
		[path.join(__dirname, 'loadPackage.cjs'), modules, packageFolder],
		// n8n lets packages find n8n-workflow so.
		{ env: { ...process.env, NODE_PATH: modules } },
	);
	const found = JSON.parse(stdout) as { ms: number; nodes: number; credentials: number };
	if (found.nodes < 2 || found.credentials < 1) throw new Error('The package did not load.');
	return found.ms;
}
