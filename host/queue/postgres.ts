import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { loopback } from '../ports';
import {
	giveToService,
	MissingProgramError,
	runAsService,
	serviceFolder,
	startService,
	type OwnService,
} from './service';

const run = promisify(execFile);

/** Debian's packages install PostgreSQL here, with a folder for each major version. */
const debianFolder = '/usr/lib/postgresql';
const defaultUser = 'n8n';
/** The database that initdb creates besides the template databases. */
const database = 'postgres';

/**
 * Returns the folder that contains the programs of the newest PostgreSQL on this machine.
 * @throws MissingProgramError
 */
export function postgresPrograms(): string {
	const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
	for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
		const folder = path.join(debianFolder, version, 'bin');
		if (['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name)))) return folder;
	}
	throw new MissingProgramError('PostgreSQL');
}

/** Creates an empty database whose only user has the given name and password. */
function initializeDatabase(
	programs: string,
	folder: string,
	{ data, user, password }: { data: string; user: string; password: string },
): void {
	const passwordFile = path.join(folder, 'postgres.password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	giveToService(passwordFile);
	try {
		const args = ['-D', data, '-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
		runAsService(path.join(programs, 'initdb'), [...args, '-E', 'UTF8', '--locale=C'], folder);
	} catch (error) {
		// The next start would mistake an incomplete folder for a complete one.
		rmSync(data, { recursive: true, force: true });
		throw error;
	} finally {
		rmSync(passwordFile, { force: true });
	}
}

/**
 * Runs SQL in n8n's database.
 * @param env n8n's variables for the connection.
 * @param args `-c` with SQL statements, or `-f` with a file.
 * @returns The printed rows, one per line, with tabs between the fields.
 * @throws Error with PostgreSQL's message.
 */
export async function sql(env: Record<string, string>, args: string[]): Promise<string> {
	const options = ['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1'];
	const { stdout } = await run(path.join(postgresPrograms(), 'psql'), [...options, ...args], {
		maxBuffer: 1 << 28,
		env: {
			PGHOST: env.DB_POSTGRESDB_HOST,
			PGPORT: env.DB_POSTGRESDB_PORT,
			PGUSER: env.DB_POSTGRESDB_USER,
			PGDATABASE: env.DB_POSTGRESDB_DATABASE,
			PGPASSWORD: env.DB_POSTGRESDB_PASSWORD,
		},
	});
	return stdout;
}

/** Runs `deploy/keep-events.sql` in n8n's database. n8n must already have created its tables there. */
export async function keepEvents(env: Record<string, string>): Promise<void> {
	await sql(env, ['-f', path.join(__dirname, '..', '..', 'deploy', 'keep-events.sql')]);
}

/**
 * Starts a separate PostgreSQL server on loopback.
 * @param options.folder The folder for the data, which is created if missing.
 * @param options.password The user's password, which is set only at the first start.
 * @param options.user The name of the superuser. Defaults to "n8n".
 * @throws MissingProgramError, or Error if PostgreSQL does not start.
 */
export async function startPostgres(options: {
	folder: string;
	port: number;
	password: string;
	user?: string;
}): Promise<OwnService> {
	const { folder, port, password, user = defaultUser } = options;
	const programs = postgresPrograms();
	const data = path.join(folder, 'data');
	serviceFolder(folder);
	if (!existsSync(data)) initializeDatabase(programs, folder, { data, user, password });
	const settings = [
		`listen_addresses=${loopback}`,
		'unix_socket_directories=',
		// Each of the four n8n processes has a pool of connections, and tests also connect.
		'max_connections=100',
	];
	const service = await startService({
		name: 'PostgreSQL',
		command: path.join(programs, 'postgres'),
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		folder,
		port,
		// PostgreSQL's fast shutdown closes connections instead of waiting for them.
		stopSignal: 'SIGINT',
		logFile: path.join(folder, 'postgres.log'),
		probe: () => {
			const args = ['-h', loopback, '-p', String(port), '-q'];
			if (spawnSync(path.join(programs, 'pg_isready'), args).status !== 0) throw new Error();
		},
	});
	return {
		service,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: loopback,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: database,
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_PASSWORD: password,
		},
	};
}
