import { spawnSync, type ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();
let watching = false;

/**
 * Sends a signal to a child's entire process group. Does nothing if all processes in the group have already
 * exited.
 */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === 'win32') {
			spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
		} else {
			process.kill(-child.pid, signal);
		}
	} catch {
		// All processes in the group have already exited.
	}
}

/** Stops a child process if this process exits without having stopped it. */
export function trackChild(child: ChildProcess): void {
	children.add(child);
	child.once('exit', () => children.delete(child));
	if (watching) return;
	watching = true;
	process.on('exit', () => {
		for (const running of children) endGroup(running, 'SIGTERM');
	});
}
