import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(__dirname, '..');

export interface ToolOptions {
	/** Environment variables in addition to those of this process. */
	env?: Record<string, string>;
	/** Called with the program's output, which is also shown on the screen. */
	onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** The signals that a terminal, a CI runner or another program sends to stop a command. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Windows has no process groups, so only the program itself can be stopped there. */
const hasProcessGroups = process.platform !== 'win32';

/**
 * When a signal stops this process, forwards the signal to a program and all processes that the program has
 * started. Otherwise, Jest's workers and the tests' servers would keep running after `npm test` is stopped.
 * @returns A function that stops the forwarding.
 */
function endTogether(child: ChildProcess): () => void {
	const end = (signal: NodeJS.Signals) => {
		try {
			if (hasProcessGroups && child.pid) process.kill(-child.pid, signal);
			else child.kill(signal);
		} catch {
			// The program has already exited.
		}
	};
	const listeners = endingSignals.map((signal) => {
		const listener = () => {
			end(signal);
			process.exitCode = 1;
		};
		process.on(signal, listener);
		return () => process.off(signal, listener);
	});
	return () => listeners.forEach((stop) => stop());
}

/**
 * Runs a program from the project's dependencies and shows its output. A signal that stops this process also
 * stops the program and all processes that the program has started.
 * @param script The program's file in node_modules, for example `typescript/bin/tsc`.
 * @returns The exit code.
 */
export async function runTool(
	script: string,
	args: string[] = [],
	{ env, onOutput }: ToolOptions = {},
): Promise<number> {
	const file = resolve(root, 'node_modules', script);
	// Without FORCE_COLOR, a program that writes to a pipe would drop its colors.
	const color = onOutput && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
	const child = spawn(process.execPath, [file, ...args], {
		cwd: root,
		stdio: onOutput ? ['inherit', 'pipe', 'pipe'] : 'inherit',
		env: { ...process.env, ...color, ...env },
		detached: hasProcessGroups,
	});
	const stopPassingOn = endTogether(child);
	for (const stream of ['stdout', 'stderr'] as const) {
		child[stream]?.setEncoding('utf8').on('data', (text: string) => {
			onOutput?.(stream, text);
			process[stream].write(text);
		});
	}
	return await new Promise((done, fail) => {
		child.once('error', fail);
		child.once('close', (code, signal) => {
			stopPassingOn();
			done(signal ? 1 : (code ?? 1));
		});
	});
}

/**
 * A command sets this variable after building the package. Otherwise, the package would be rebuilt each time
 * n8n starts.
 */
export const builtVariable = 'SIGNVERIFY_BUILT';

/**
 * Builds the shipped package into `dist` (gulpfile.js).
 * @throws Error if a step fails. The step has already printed its own message.
 */
export async function buildPackage(): Promise<void> {
	if ((await runTool('gulp/bin/gulp.js', ['--silent'])) !== 0) {
		throw new Error('The build failed, as shown above.');
	}
}

export interface Step {
	name: string;
	/** How long the step takes if it is slow, for example `about 3 minutes`. */
	estimate?: string | undefined;
	/** Returns the exit code of the step. Any value other than 0 stops the command. */
	run: () => Promise<number>;
}

/**
 * Runs the steps of a command one after another until one fails, and shows the name and the duration of each.
 * The process exits with the exit code of the failed step.
 */
export async function runSteps(steps: Step[]): Promise<void> {
	try {
		process.exitCode = await codeOf(steps);
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}

async function codeOf(steps: Step[]): Promise<number> {
	for (const { name, estimate, run } of steps) {
		console.log(`\n▶ ${name}${estimate ? ` (${estimate})` : ''}`);
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
