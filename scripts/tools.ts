import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The project's folder. */
export const root = resolve(__dirname, '..');

/** What a program gets, and who listens to it. */
export interface ToolOptions {
	/** Variables beside those of this process. */
	env?: Record<string, string>;
	/** Hears what the program prints, which is shown on the screen all the same. */
	heard?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** The signals with which a terminal, a CI runner or another program ends a command. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** On Windows there are no process groups, so only the program itself can be ended there. */
const hasProcessGroups = process.platform !== 'win32';

/**
 * Passes the end of this process on to a program and to everything that the program has started: Jest's
 * workers and the servers of tests would otherwise go on after `npm test` was ended.
 * @returns Stops passing it on.
 */
function endTogether(child: ChildProcess): () => void {
	const end = (signal: NodeJS.Signals) => {
		try {
			if (hasProcessGroups && child.pid) process.kill(-child.pid, signal);
			else child.kill(signal);
		} catch {
			// The program has ended in the meantime.
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
 * Runs a program of the project's dependencies, its output on this screen. If this process is ended by a signal, so
 * are the program and all that it has started.
 * @param script The program's file below node_modules, e.g. `typescript/bin/tsc`.
 * @returns The exit code.
 */
export async function runTool(
	script: string,
	args: string[] = [],
	{ env, heard }: ToolOptions = {},
): Promise<number> {
	const file = resolve(root, 'node_modules', script);
	const colour = heard && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
	const child = spawn(process.execPath, [file, ...args], {
		cwd: root,
		stdio: heard ? ['inherit', 'pipe', 'pipe'] : 'inherit',
		env: { ...process.env, ...colour, ...env },
		detached: hasProcessGroups,
	});
	const stopPassingOn = endTogether(child);
	for (const stream of ['stdout', 'stderr'] as const) {
		child[stream]?.setEncoding('utf8').on('data', (text: string) => {
			heard?.(stream, text);
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

/** Set by a command that has built the package, for the many starts of n8n that it makes. */
export const builtVariable = 'SIGNVERIFY_BUILT';

/**
 * Builds what ships to users into `dist` (gulpfile.js).
 * @throws Error when a step fails; its own words are on the screen.
 */
export async function buildPackage(): Promise<void> {
	if ((await runTool('gulp/bin/gulp.js', ['--silent'])) !== 0) {
		throw new Error('The build failed (above).');
	}
}

/** A part of a command. */
export interface Step {
	name: string;
	/** Gives an exit code; anything but 0 ends the command. */
	run: () => Promise<number>;
}

/**
 * Runs a command: its steps one after another, each with its name and duration on the screen, up to
 * the first that fails. The process then ends with that step's exit code.
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
