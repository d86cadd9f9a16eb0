import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { root } from '../../scripts/tools';
import { until } from '../support/until';

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

const folder = mkdtempSync(path.join(tmpdir(), 'signverify-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
	'%s terminates a command along with its tool and the processes that the tool started',
	async (signal) => {
		// The tool starts another process, the way Jest starts workers. Neither process exits on its own.
		const tool = path.join(folder, 'tool.cjs');
		writeFileSync(
			tool,
			`const { spawn } = require('node:child_process');
			const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
			console.log(JSON.stringify([process.pid, server.pid]));
			setInterval(() => {}, 1000);`,
		);
		const command = path.join(folder, 'command.ts');
		writeFileSync(
			command,
			`import { runSteps, runTool } from ${JSON.stringify(path.join(root, 'scripts/tools.ts'))};
			void runSteps([{ name: 'Tool', run: async () => await runTool(${JSON.stringify(tool)}, [], { onOutput: () => {} }) }]);`,
		);
		const running = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), command], {
			cwd: root,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let printed = '';
		for (const stream of [running.stdout, running.stderr])
			stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
		const ended = new Promise<number | null>((resolve) => running.once('close', resolve));
		await until('the tool has started', () => /\[\d+,\d+\]/.test(printed));
		const pids = JSON.parse(/\[\d+,\d+\]/.exec(printed)?.[0] ?? '[]') as number[];
		expect(pids.filter(isRunning)).toHaveLength(2);

		running.kill(signal);

		expect(await ended).toBe(1);
		expect(printed).toContain('✖ Tool failed');
		await until('the tool and its process have ended', () => !pids.some(isRunning));
	},
);
