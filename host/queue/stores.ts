import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { CleanupStack } from '../cleanupStack';
import { freePorts } from '../ports';
import { postgresPrograms, startPostgres } from './postgres';
import { redisProgram, startRedis } from './redis';
import type { Service } from './service';

export interface Secrets {
	encryptionKey: string;
	postgres: string;
	redis: string;
}

/** Reads this n8n's secrets, which are generated when it is first started. */
export async function secretsOf(folder: string): Promise<Secrets> {
	const file = path.join(folder, 'secrets.json');
	if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Secrets;
	const secret = (): string => randomBytes(24).toString('hex');
	const secrets = { encryptionKey: secret(), postgres: secret(), redis: secret() };
	await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
	return secrets;
}

/** The stores that n8n uses in queue mode: PostgreSQL for the data, and Redis for the queue. */
const stores = [
	{
		name: 'postgres',
		host: 'DB_POSTGRESDB_HOST',
		variables: 'DB_POSTGRESDB_',
		program: postgresPrograms,
		start: startPostgres,
	},
	{
		name: 'redis',
		host: 'QUEUE_BULL_REDIS_HOST',
		variables: 'QUEUE_BULL_',
		program: redisProgram,
		start: startRedis,
	},
] as const;

/** Returns the environment variables whose names begin with the given prefix. */
function given(beginning: string): Record<string, string> {
	const found = Object.entries(process.env).filter(([name]) => name.startsWith(beginning));
	return Object.fromEntries(found.map(([name, value]) => [name, value ?? '']));
}

/**
 * Checks that the programs for PostgreSQL and Redis are installed, except where the environment variables
 * specify an existing server.
 * @throws MissingProgramError
 */
export function requireStorePrograms(): void {
	for (const { host, program } of stores) if (!process.env[host]) program();
}

/** n8n's connections to its stores, and the stores that this process has started. */
export interface Stores {
	/** n8n's environment variables for the connections, including secrets. */
	env: Record<string, string>;
	postgres?: Service;
	redis?: Service;
}

/** Starts PostgreSQL and Redis, except where the environment variables specify an existing server. */
export async function raiseStores(
	folder: string,
	secrets: Secrets,
	closing: CleanupStack,
): Promise<Stores> {
	const ports = await freePorts(stores.length);
	const raised: Stores = { env: { DB_TYPE: 'postgresdb' } };
	for (const [index, { name, host, variables, start }] of stores.entries()) {
		if (process.env[host]) {
			Object.assign(raised.env, given(variables));
			continue;
		}
		const { service, env } = await start({
			folder: path.join(folder, name),
			port: ports[index] as number,
			password: secrets[name],
		});
		closing.add(async () => await service.stop());
		raised[name] = service;
		Object.assign(raised.env, env);
	}
	return raised;
}
