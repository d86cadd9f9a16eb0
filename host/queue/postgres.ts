import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { LOOPBACK } from '../ports';
import {
	giveToService,
	MissingProgramError,
	runAsService,
	serviceFolder,
	startService,
	type OwnService,
} from './service';

const run = promisify(execFile);

/** Where Debian's packages put PostgreSQL, one folder for each major version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'n8n';
/** The database that initdb makes besides its templates. */
const DATABASE = 'postgres';

/**
 * The folder with PostgreSQL's programs, of the newest version present.
 *
 * @throws MissingProgramError
 */
export function postgresPrograms(): string {
	const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
	for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
		const folder = path.join(DEBIAN_FOLDER, version, 'bin');
		if (['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name)))) return folder;
	}
	throw new MissingProgramError('PostgreSQL was');
}

/** Makes an empty database whose only user has the password. */
function initialise(
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
		// A half-made one would be taken for a whole one the next time.
		rmSync(data, { recursive: true, force: true });
		throw error;
	} finally {
		rmSync(passwordFile, { force: true });
	}
}

/**
 * Runs SQL in n8n's database.
 *
 * @param env how to reach it, in n8n's variables
 * @param args `-c` and statements, or `-f` and a file
 * @returns what it printed: fields separated by tabs, a row a line
 * @throws Error with PostgreSQL's words
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

/** Puts `deploy/keep-events.sql` into n8n's database; n8n has to have made its tables. */
export async function keepEvents(env: Record<string, string>): Promise<void> {
	await sql(env, ['-f', path.join(__dirname, '..', '..', 'deploy', 'keep-events.sql')]);
}

/**
 * Starts a PostgreSQL on loopback with data of its own.
 *
 * @param options.folder what it keeps its data in, made when it is missing
 * @param options.password its user's; that of the first start holds for good
 * @param options.user its superuser, "n8n" when absent
 * @throws MissingProgramError; Error when it does not start
 */
export async function startPostgres(options: {
	folder: string;
	port: number;
	password: string;
	user?: string;
}): Promise<OwnService> {
	const { folder, port, password, user = USER } = options;
	const programs = postgresPrograms();
	const data = path.join(folder, 'data');
	serviceFolder(folder);
	if (!existsSync(data)) initialise(programs, folder, { data, user, password });
	const settings = [
		`listen_addresses=${LOOPBACK}`,
		'unix_socket_directories=',
		// Four processes of n8n with their pools, and some to look at it.
		'max_connections=100',
	];
	const service = await startService({
		name: 'PostgreSQL',
		command: path.join(programs, 'postgres'),
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		folder,
		port,
		// "Fast": ends connections in place of waiting for them.
		stopSignal: 'SIGINT',
		logFile: path.join(folder, 'postgres.log'),
		probe: () => {
			const args = ['-h', LOOPBACK, '-p', String(port), '-q'];
			if (spawnSync(path.join(programs, 'pg_isready'), args).status !== 0) throw new Error();
		},
	});
	return {
		service,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: DATABASE,
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_PASSWORD: password,
		},
	};
}
