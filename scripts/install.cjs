'use strict';
// Functions for installing missing dependencies. scripts/run.mjs uses them for the project, and host/ uses
// them for n8n. scripts/run.mjs runs before the project's dependencies are installed, so this file uses only
// Node's built-in modules.

const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const interruptGraceMs = 1_000;
const lockTouchMs = 2_000;
/** If a lock has not been touched for this long, the process that held it is assumed to have been killed. */
const lockStaleMs = 20_000;
/**
 * npm sometimes hangs after it has downloaded everything. An installation takes only a few minutes, so if npm
 * is still running after this time, it is assumed to hang.
 */
const hangsAfterMs = 600_000;
/**
 * How many lines of npm's output an error shows, from the beginning and from the end. npm names the problem
 * in one of these places; the lines between them are unrelated notices.
 */
const headLines = 8;
const tailLines = 17;
/** Matches the lines with the reason why a compilation failed. An error shows the first few of these lines. */
const reasonPattern =
	/gyp ERR! (?:find|stack)|make: \*\*\*|: (?:fatal )?error:|not found|No space left|ENOSPC/i;
const reasonLines = 12;

class InstallError extends Error {
	constructor(message) {
		super(message);
		this.name = 'InstallError';
	}
}

class InterruptedError extends Error {
	constructor(signal) {
		super(`Interrupted by ${signal}.`);
		this.name = 'InterruptedError';
		this.signal = signal;
	}
}

/** Returns the path of npm's entry file, which any installed version of Node can run without a shell. */
function npmCli() {
	const cli = path.join('node_modules', 'npm', 'bin', 'npm-cli.js');
	const nodeFolder = path.dirname(process.execPath);
	const onPath = (process.env.PATH || '').split(path.delimiter);
	const candidates = [
		process.env.npm_execpath,
		path.join(nodeFolder, '..', 'lib', cli),
		...[nodeFolder, ...onPath].flatMap((folder) => [
			path.join(folder, cli),
			path.join(folder, 'npm'),
		]),
	];
	for (const candidate of candidates) {
		const real = candidate && fs.existsSync(candidate) ? fs.realpathSync(candidate) : '';
		// If the command was started with a different package manager, npm_execpath is that package manager's
		// file.
		if (path.basename(real) === 'npm-cli.js') return real;
	}
	throw new InstallError('npm not found. It comes with Node.js, so check that it is on the PATH.');
}

/**
 * Returns this process's environment without the variables that npm adds for scripts. With them, an npm
 * started from `npm start` would use the wrong folder and .npmrc. The variables with the user's settings
 * (registry, proxy, certificates) are kept.
 */
function npmEnvironment(extra) {
	// By default, npm tries for minutes to reach a registry that is down. With these settings, npm fails
	// within seconds.
	const shortRetries = {
		npm_config_fetch_retry_mintimeout: '1000',
		npm_config_fetch_retry_maxtimeout: '8000',
	};
	const addedByNpm =
		/^(npm_(lifecycle_|package_|config_(local_prefix|ignore_scripts|legacy_peer_deps|save_exact|omit_lockfile_registry_resolved|nodedir|user_agent)$|command$|execpath$|node_execpath$)|INIT_CWD$|NODE$)/;
	const env = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (!addedByNpm.test(name)) env[name] = value;
	}
	return { ...shortRetries, ...env, ...cacheElsewhere(env), ...extra };
}

/**
 * Gives npm a cache in the temporary folder if the default cache is not writable. A cache that the user has
 * chosen is kept.
 */
function cacheElsewhere(env) {
	if (env.npm_config_cache) return {};
	const cache = path.join(os.homedir(), '.npm');
	try {
		// With `recursive`, this call would never return if the home folder were /proc, for example.
		if (!fs.existsSync(cache)) fs.mkdirSync(cache);
		fs.accessSync(cache, fs.constants.W_OK);
		return {};
	} catch {
		return { npm_config_cache: path.join(os.tmpdir(), `signverify-npm-${os.userInfo().uid}`) };
	}
}

function killGroup(child, signal) {
	try {
		if (process.platform === 'win32') child.kill(signal);
		else process.kill(-child.pid, signal);
	} catch {
		// All processes in the group have already exited.
	}
}

/**
 * Runs a program in a separate process group so that an interruption also stops the compilers that npm has
 * started.
 * @param limitMs How long the program may run before it is killed. Without a limit, it may run forever.
 * @returns How the program exited, and the last part of its output.
 */
function runGroup(program, args, { signal, limitMs, ...options }) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			...options,
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: process.platform !== 'win32',
		});
		let stdout = '';
		let output = '';
		child.stdout.on('data', (chunk) => (stdout += chunk));
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk) => (output = (output + chunk).slice(-40_000)));
		}
		let interruptedBy;
		let force;
		let isLate = false;
		const giveUp = () => {
			isLate = true;
			killGroup(child, 'SIGKILL');
		};
		const watchdog = limitMs && setTimeout(giveUp, limitMs);
		const onSignal = (signal) => {
			interruptedBy = signal;
			killGroup(child, 'SIGTERM');
			// On SIGTERM, npm first finishes its current work, which can take half a minute.
			force ||= setTimeout(() => killGroup(child, 'SIGKILL'), interruptGraceMs);
		};
		const onExit = () => killGroup(child, 'SIGTERM');
		const listeners = { SIGINT: onSignal, SIGTERM: onSignal, exit: onExit };
		for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
		signal?.addEventListener('abort', onExit);
		const finish = () => {
			clearTimeout(force);
			clearTimeout(watchdog);
			signal?.removeEventListener('abort', onExit);
			for (const [event, listener] of Object.entries(listeners)) process.off(event, listener);
		};
		child.on('error', (error) => {
			finish();
			reject(new InstallError(`npm couldn't be started: ${error.message}`));
		});
		child.on('close', (code, signal) => {
			finish();
			resolve({ code, signal, stdout, output, interruptedBy, isLate });
		});
	});
}

/**
 * Ends this process by sending it the same signal again, unless another part of the program handles the
 * signal.
 */
function interrupted(signal) {
	// Wait for the next turn of the event loop, because this process's locks must be removed before it exits.
	setImmediate(() => {
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	});
	return new InterruptedError(signal);
}

/** The running steps, oldest first. A terminal shows the steps and their durations on its last line. */
const runningSteps = new Set();
let ticking;

/** Redraws the line with the running steps. If no step is running, clears the line. */
function redraw() {
	if (!process.stderr.isTTY) return;
	const steps = [...runningSteps].map(({ label, started, estimate }) => {
		const seconds = Math.round((Date.now() - started) / 1000);
		return `${label}: ${seconds} s${estimate ? ` (${estimate})` : ''}`;
	});
	const line = steps.join(' · ').slice(0, (process.stderr.columns || 80) - 1);
	process.stderr.write(`\r\x1b[K${line}`);
	clearInterval(ticking);
	if (runningSteps.size > 0) ticking = setInterval(redraw, 1000).unref();
}

/** Prints a line of a command's progress above the line of running steps. */
function screen(line) {
	if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
	process.stderr.write(`${line}\n`);
	redraw();
}

/**
 * Runs one step of a command. A terminal shows all running steps on one line. If the output is not a
 * terminal, one line is printed when the step begins and another when it ends.
 */
async function step({ label, estimate, log }, work) {
	const entry = { label, estimate, started: Date.now() };
	const onTerminal = log === screen && process.stderr.isTTY;
	if (!onTerminal) log(`${label}${estimate ? ` (${estimate})` : ''}…`);
	else runningSteps.add(entry);
	redraw();
	try {
		const result = await work();
		if (!onTerminal) log(`${label}: done in ${Math.round((Date.now() - entry.started) / 1000)} s.`);
		return result;
	} finally {
		runningSteps.delete(entry);
		redraw();
	}
}

/**
 * Runs npm without showing its output. If there is a label, the run is shown as a step. If npm fails, the
 * error quotes npm's output.
 */
async function runNpm(run) {
	return run.label ? await step(run, async () => await npm(run)) : await npm(run);
}

async function npm(run) {
	const { args, cwd, node = process.execPath, env, label, advice, signal } = run;
	const started = Date.now();
	const seconds = () => (Date.now() - started) / 1000;
	const command = [npmCli(), ...args];
	const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH || ''}`;
	const options = { cwd, env: npmEnvironment({ ...env, PATH }), signal };
	const limitMs = args[0] === 'ci' ? (run.limitMs ?? hangsAfterMs) : undefined;
	let end = await runGroup(node, command, { ...options, limitMs });
	if (end.isLate) {
		run.log?.(`${label}: npm has stopped responding. Starting it again…`);
		// The second run reuses what npm has already downloaded. It has no time limit, because the connection
		// may just be slow.
		end = await runGroup(node, command, options);
	}
	if (end.interruptedBy) throw interrupted(end.interruptedBy);
	if (end.code !== 0) {
		const how =
			end.code === null ? `was terminated by ${end.signal}` : `exited with code ${end.code}`;
		throw new InstallError(
			`${label || `npm ${args[0]}`} failed after ${Math.round(seconds())} s: npm ${how}. Its output:\n\n${excerpt(end.output)}\n\n` +
				(advice ||
					'Check that this machine can reach the npm registry, then run the same command again.'),
		);
	}
	return { stdout: end.stdout, seconds: seconds() };
}

function excerpt(output) {
	const lines = output.trimEnd().split('\n');
	if (lines.length <= headLines + tailLines) return lines.join('\n');
	const head = lines.slice(0, headLines);
	const tail = lines.slice(-tailLines);
	const middle = lines.slice(headLines, -tailLines);
	const reasons = middle.filter((line) => reasonPattern.test(line)).slice(0, reasonLines);
	return [...head, '…', ...reasons, ...(reasons.length > 0 ? ['…'] : []), ...tail].join('\n');
}

/** Takes the lock. Returns false if another process holds it. */
function tryLock(file) {
	try {
		if (Date.now() - fs.statSync(file).mtimeMs > lockStaleMs) {
			// If two processes find the same stale lock, only one of them can rename it, so only one removes
			// it.
			fs.renameSync(file, `${file}.${process.pid}`);
			fs.rmSync(`${file}.${process.pid}`);
		}
	} catch {
		// The lock does not exist, or another process has already removed it.
	}
	try {
		fs.writeFileSync(file, '', { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		return false;
	}
}

/** Runs `work` while this process holds the lock. If another process holds the lock, waits for it first. */
async function withLock(file, work, log) {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	for (let tries = 1; !tryLock(file); tries++) {
		// The first wait is silent, because a process that finds everything installed releases the lock
		// almost immediately.
		if (tries === 2) log('Another process is installing. Waiting for it…');
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	const remove = () => fs.rmSync(file, { force: true });
	const touch = setInterval(() => {
		const now = new Date();
		fs.utimes(file, now, now, () => {});
	}, lockTouchMs);
	process.on('exit', remove);
	try {
		return await work();
	} finally {
		clearInterval(touch);
		process.off('exit', remove);
		remove();
	}
}

/** Returns a short hash of the strings. The hash depends on their order. */
function fingerprint(...parts) {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part).update('\0');
	return hash.digest('hex').slice(0, 32);
}

/**
 * Whether `file` contains exactly `value`. If so, the step that wrote the file does not have to run again.
 */
function isStamped(file, value) {
	try {
		return fs.readFileSync(file, 'utf8') === value;
	} catch {
		return false;
	}
}

module.exports = {
	InstallError,
	InterruptedError,
	fingerprint,
	isStamped,
	runNpm,
	screen,
	step,
	withLock,
};
