import { spawnSync, type ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();
let watching = false;

/**
 * Sends a signal to a process that was started in a group of its own, and to all of that group.
 * Does nothing when they are gone.
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
		// already gone
	}
}

/** Has a child end with this process, where this one ends without stopping it first. */
export function trackChild(child: ChildProcess): void {
	children.add(child);
	child.once('exit', () => children.delete(child));
	if (watching) return;
	watching = true;
	process.on('exit', () => {
		for (const running of children) endGroup(running, 'SIGTERM');
	});
}
