import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { loopback } from '../ports';
import {
	giveToService,
	MissingProgramError,
	serviceFolder,
	startService,
	type OwnService,
} from './service';

/**
 * Finds Redis's server program.
 * @throws MissingProgramError
 */
export function redisProgram(): string {
	const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/bin');
	const found = folders
		.map((folder) => path.join(folder, 'redis-server'))
		.find((file) => existsSync(file));
	if (found) return found;
	throw new MissingProgramError('Redis');
}

/**
 * Starts a Redis server on loopback that saves every write to disk before confirming it.
 * @param options.folder The folder for the data, which is created if missing.
 * @throws MissingProgramError, or Error if Redis does not start.
 */
export async function startRedis(options: {
	folder: string;
	port: number;
	password: string;
}): Promise<OwnService> {
	const { folder, port, password } = options;
	const command = redisProgram();
	serviceFolder(folder);
	const file = path.join(folder, 'redis.conf');
	const settings = [
		`port ${port}`,
		`bind ${loopback}`,
		// All users on the machine can see command lines, so the password goes into a file that only its
		// owner can read.
		`requirepass ${password}`,
		`dir ${folder}`,
		// With these two settings, a job is on disk before n8n responds to the event that created the job.
		'appendonly yes',
		'appendfsync always',
		'save ""',
		// A full Redis must refuse new jobs instead of dropping old ones.
		'maxmemory-policy noeviction',
	];
	writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o600 });
	giveToService(file);
	const service = await startService({
		name: 'Redis',
		command,
		args: [file],
		folder,
		port,
		stopSignal: 'SIGTERM',
		logFile: path.join(folder, 'redis.log'),
	});
	return {
		service,
		env: {
			QUEUE_BULL_REDIS_HOST: loopback,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
	};
}
