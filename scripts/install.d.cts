/** An installation that failed; its message is meant for the screen and says what to do. */
export class InstallError extends Error {}

/** The user interrupted an installation (Ctrl-C). */
export class InterruptedError extends Error {
	readonly signal: NodeJS.Signals;
}

export interface NpmRun {
	/** npm's arguments, the command first. */
	args: string[];
	/** The folder to run in. */
	cwd: string;
	/** The `node` to run npm under; this process's own when absent. */
	node?: string;
	/** Environment variables over the present ones. */
	env?: Record<string, string>;
	/** What is being done, for the screen; nothing is shown when absent. */
	label?: string;
	/** How long it takes, for the screen: `about 2 minutes, 2.2 GB`. */
	estimate?: string;
	/** Takes one line of progress; needed with a label. */
	log?: (line: string) => void;
	/** What to do when it fails, after npm's own words. */
	advice?: string;
	/** Ends it; it then fails. */
	signal?: AbortSignal;
	/** Of `npm ci`: after so long (ms), it hangs, and is started again, once and without a limit (default: ten minutes). */
	limit?: number;
}

/** Prints a line of a command's progress, above what is under way. */
export function screen(line: string): void;

/**
 * Does one step of a command. With {@link screen}, a terminal shows it while it lasts, on one line for
 * all steps; otherwise a line is logged when it begins and one when it ends.
 */
export function step<T>(
	what: { label: string; estimate?: string; log: (line: string) => void },
	work: () => Promise<T>,
): Promise<T>;

/**
 * Runs npm out of sight, as a step if it has a label.
 * @throws InstallError with what npm said; InterruptedError after SIGINT or SIGTERM
 */
export function runNpm(run: NpmRun): Promise<{ stdout: string; seconds: number }>;

/**
 * Runs `work` while no other process holds the lock `file`, waiting for one that does. A lock
 * that a killed process left behind is taken over.
 */
export function withLock<T>(
	file: string,
	work: () => Promise<T>,
	log: (line: string) => void,
): Promise<T>;

/** A short fingerprint of texts or bytes, order included. */
export function fingerprint(...parts: Array<string | Buffer>): string;

/** True when `file` holds exactly `value`: the step that wrote it is done and current. */
export function isStamped(file: string, value: string): boolean;
