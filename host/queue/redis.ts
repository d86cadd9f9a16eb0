import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { LOOPBACK } from '../ports';
import {
	giveToService,
	MissingProgramError,
	serviceFolder,
	startService,
	type OwnService,
} from './service';

/**
 * Redis's server program.
 *
 * @throws MissingProgramError
 */
export function redisProgram(): string {
	const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/bin');
	const found = folders
		.map((folder) => path.join(folder, 'redis-server'))
		.find((file) => existsSync(file));
	if (found) return found;
	throw new MissingProgramError('Redis was');
}

/**
 * Starts a Redis on loopback that loses nothing that it has confirmed.
 *
 * @param options.folder what it keeps its data in, made when it is missing
 * @throws MissingProgramError; Error when it does not start
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
		`bind ${LOOPBACK}`,
		// In a file that only its user reads: a command line is everybody's to see.
		`requirepass ${password}`,
		`dir ${folder}`,
		// Each job is on disk before n8n answers the event that it came from.
		'appendonly yes',
		'appendfsync always',
		'save ""',
		// A full Redis refuses jobs; it must not drop some to make room.
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
			QUEUE_BULL_REDIS_HOST: LOOPBACK,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
	};
}
