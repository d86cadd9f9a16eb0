import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { startSandbox } from '../sandbox';
import { root } from './tools';

const file = 'sandbox/openapi.json';

/** Writes what the sandbox serves at /openapi.json, formatted as the repository's files are. */
async function main(): Promise<void> {
	const sandbox = await startSandbox();
	try {
		const answer = await fetch(`${sandbox.url}/openapi.json`);
		if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}`);
		const config = await resolveConfig(join(root, file));
		const text = await format(await answer.text(), { ...config, filepath: file });
		await writeFile(join(root, file), text);
		console.log(`${file} is written.`);
	} finally {
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
