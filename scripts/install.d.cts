/** Thrown if an installation fails. The message is meant for the user and names the next step. */
export class InstallError extends Error {}

/** Thrown if the user interrupts an installation (Ctrl-C). */
export class InterruptedError extends Error {
	readonly signal: NodeJS.Signals;
}

export interface NpmRun {
	/** The arguments of npm, beginning with the command. */
	args: string[];
	/** The working folder. */
	cwd: string;
	/** The `node` that runs npm. The default is the Node of this process. */
	node?: string;
	/** Environment variables in addition to those of this process. */
	env?: Record<string, string>;
	/** The name of the step on the screen. Without a label, the step is not shown. */
	label?: string;
	/** The expected duration and size, for the screen: `about 2 minutes, 2.2 GB`. */
	estimate?: string;
	/** Called with each line of progress. Required if there is a label. */
	log?: (line: string) => void;
	/** The next step for the user, which an error shows after npm's output. */
	advice?: string;
	/** A signal that stops npm when it is aborted. The call then fails. */
	signal?: AbortSignal;
	/**
	 * Only for `npm ci`: how long npm may take before it is considered to hang. npm is then started once more,
	 * without a limit. The default is ten minutes.
	 */
	limitMs?: number;
}

/** Prints a line of progress above the running steps. */
export function screen(line: string): void;

/**
 * Runs one step of a command. With {@link screen}, a terminal shows all running steps on one line; otherwise,
 * a line is logged at the beginning and at the end of the step.
 */
export function step<T>(
	what: { label: string; estimate?: string; log: (line: string) => void },
	work: () => Promise<T>,
): Promise<T>;

/**
 * Runs npm without showing its output. With a label, npm runs as a step.
 * @throws InstallError with npm's output, or InterruptedError after SIGINT or SIGTERM.
 */
export function runNpm(run: NpmRun): Promise<{ stdout: string; seconds: number }>;

/**
 * Runs `work` while this process holds the lock `file`. If another process holds the lock, waits for it
 * first. Takes over a lock that a killed process left behind.
 */
export function withLock<T>(
	file: string,
	work: () => Promise<T>,
	log: (line: string) => void,
): Promise<T>;

/** Returns a short hash of strings or bytes. A different order results in a different hash. */
export function fingerprint(...parts: Array<string | Buffer>): string;

/**
 * Whether `file` contains exactly `value`. If it does, the step that wrote the file is done and up to date.
 */
export function isStamped(file: string, value: string): boolean;
