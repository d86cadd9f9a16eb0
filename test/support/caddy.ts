import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * The path of the installed Caddy executable (from CADDY_PATH or Debian's package), or undefined if Caddy is
 * not installed.
 */
const caddy = [process.env.CADDY_PATH, '/usr/bin/caddy'].find((file) => file && existsSync(file));

interface RunningCaddy {
	stop(): void;
}

/**
 * Starts Caddy on loopback, without HTTPS and without its admin interface.
 * @param text A Caddyfile.
 * @param env The variables that the Caddyfile uses.
 * @throws Error if Caddy is not installed.
 */
export function startCaddy(text: string, env: Record<string, string> = {}): RunningCaddy {
	if (!caddy)
		throw new Error('Caddy not found: run apt-get install caddy, or name it in CADDY_PATH.');
	const folder = mkdtempSync(path.join(os.tmpdir(), 'signverify-caddy-'));
	const file = path.join(folder, 'Caddyfile');
	const own = '\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n';
	writeFileSync(
		file,
		text.startsWith('{\n') ? text.replace('{\n', `{\n${own}`) : `{\n${own}}\n${text}`,
	);
	const child = spawn(caddy, ['run', '--config', file, '--adapter', 'caddyfile'], {
		env: { HOME: folder, ...env },
		stdio: 'ignore',
	});
	return {
		stop: () => {
			child.kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
