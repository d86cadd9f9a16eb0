import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(__dirname, '..');

/**
 * Runs a program of the project's dependencies, its output on this screen.
 * @param script The program's file below node_modules, e.g. `typescript/bin/tsc`.
 * @returns The exit code.
 */
export async function runTool(script: string, args: string[] = []): Promise<number> {
	const file = resolve(root, 'node_modules', script);
	const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
	return await new Promise((done, fail) => {
		child.once('error', fail);
		child.once('exit', (code, signal) => done(signal ? 1 : (code ?? 1)));
	});
}

/**
 * Runs the steps one after another, each with its name and duration on the screen; stops at the
 * first that fails.
 * @returns The exit code: 0, or that of the step that failed.
 */
export async function runSteps(
	steps: Array<{ name: string; run: () => Promise<number> }>,
): Promise<number> {
	for (const { name, run } of steps) {
		console.log(`\n▶ ${name}`);
		const start = Date.now();
		const code = await run();
		const seconds = ((Date.now() - start) / 1000).toFixed(1);
		if (code !== 0) {
			console.error(`✖ ${name} failed after ${seconds} s`);
			return code;
		}
		console.log(`✔ ${name} (${seconds} s)`);
	}
	return 0;
}
