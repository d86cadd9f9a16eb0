import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { submitForm } from '../../host/onboarding';
import { freePorts } from '../../host/ports';
import { postgresPrograms, sql, startPostgres } from '../../host/queue/postgres';
import type { Service } from '../../host/queue/service';
import { root } from '../../scripts/tools';
import { useStage } from '../e2e/support/stage';
import { until } from '../support/until';

let postgres: Service | undefined;
/** The database connection settings of n8n and of the superuser. */
let own: Record<string, string>;
let admin: Record<string, string>;
let passwordFile: string;

/** Runs a script from deploy/ the way its container does. @returns The script's output. */
async function script(name: string, args: string[], env: Record<string, string>): Promise<string> {
	const file = path.join(root, 'deploy', name);
	const PATH = `${postgresPrograms()}:${process.env.PATH}`;
	const { stdout } = await promisify(execFile)(file, args, { env: { PATH: PATH, ...env } });
	return stdout.trim();
}

const psqlOf = (env: Record<string, string>) => ({
	PGHOST: env.DB_POSTGRESDB_HOST ?? '',
	PGPORT: env.DB_POSTGRESDB_PORT ?? '',
	PGUSER: env.DB_POSTGRESDB_USER ?? '',
	PGDATABASE: env.DB_POSTGRESDB_DATABASE ?? '',
});

/** Starts PostgreSQL the way deploy/compose.yaml does. @returns The settings for a real n8n instance. */
async function database(folder: string): Promise<Record<string, string>> {
	const [port] = (await freePorts(1)) as [number];
	const started = await startPostgres({
		folder: path.join(folder, 'postgres'),
		port,
		user: 'postgres',
		password: 'of-the-superuser',
	});
	postgres = started.service;
	admin = started.env;
	mkdirSync(path.join(folder, 'secrets'));
	passwordFile = path.join(folder, 'secrets/postgres_password');
	writeFileSync(passwordFile, "n8n's own \\ password");
	const login = { ...psqlOf(admin), PGPASSWORD: 'of-the-superuser' };
	await script('create-user.sh', [], { ...login, N8N_PASSWORD_FILE: passwordFile });
	own = {
		...admin,
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_DATABASE: 'n8n',
		DB_POSTGRESDB_PASSWORD: "n8n's own \\ password",
	};
	const { DB_POSTGRESDB_HOST, DB_POSTGRESDB_PORT, DB_POSTGRESDB_USER, DB_POSTGRESDB_DATABASE } =
		own;
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST,
		DB_POSTGRESDB_PORT,
		DB_POSTGRESDB_USER,
		DB_POSTGRESDB_DATABASE,
		DB_POSTGRESDB_PASSWORD_FILE: passwordFile,
	} as Record<string, string>;
}

const stage = useStage('deploy-database', database);
afterAll(async () => await postgres?.stop());

const keepEvents = async (what: string) =>
	await script('keep-events.sh', [what], {
		...psqlOf(own),
		PGPASSWORD_FILE: passwordFile,
	}).catch((error: { stderr: string }) => error.stderr.trim());

/** The result of a database statement. */
const ask = async (env: Record<string, string>, statement: string) =>
	(await sql(env, ['-c', statement])).trim();

const noData = '[{"resultData":"1"},{"runData":"2"},{}]';
/** Overwrites an execution's data the way n8n does after a worker dies. */
const overwrite = async (id: string) =>
	await ask(own, `UPDATE execution_data SET data = '${noData}' WHERE "executionId" = ${id}`);
const dataOf = async (id: string) =>
	await ask(own, `SELECT data FROM execution_data WHERE "executionId" = ${id}`);

test('n8n connects as a database user that owns its database but does not have any other rights on the server', async () => {
	const rights = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls';
	const given = await ask(admin, `SELECT ${rights} FROM pg_roles WHERE rolname = 'n8n'`);
	expect(given).toBe('f\tf\tf\tf\tf');
	await expect(ask(own, "COPY (SELECT 1) TO PROGRAM 'cat'")).rejects.toThrow(
		/permission denied|must be superuser/,
	);

	await submitForm(stage.formUrl);
	// The execution is waiting for the user's browser to load the last page of the form.
	const [execution] = await until('an execution has sent the contract', async () => {
		const found = await stage.n8n.api.executions({ workflowId: stage.workflows.send });
		return found.some(({ status }) => status === 'waiting') && found;
	});
	expect(stage.sandbox.documents()).toHaveLength(1);
	expect(await dataOf(execution?.id ?? '')).toContain('Send the contract');
});

test('the database rule for keeping events can be applied, checked, and removed', async () => {
	const [{ id } = { id: '' }] = await stage.n8n.api.executions({
		workflowId: stage.workflows.send,
	});
	const before = await dataOf(id);
	expect(await keepEvents('check')).toMatch(/The rule is not in this database\. Run/);

	expect(await keepEvents('apply')).toBe(
		'The rule is in place. An interrupted execution keeps its event.',
	);
	expect(await keepEvents('apply')).toMatch(/^The rule is in place/);
	expect(await keepEvents('check')).toBe('The rule is in place and works.');
	await overwrite(id);
	expect(await dataOf(id)).toBe(before);

	// The check must fail if the rule is disabled and, further down, if n8n stores executions in a format
	// that the rule does not recognize.
	await ask(own, 'ALTER TABLE execution_data DISABLE TRIGGER keep_event');
	expect(await keepEvents('check')).toMatch(/The rule is not in this database/);
	await ask(own, 'ALTER TABLE execution_data ENABLE TRIGGER keep_event');

	expect(await keepEvents('remove')).toMatch(/^The rule has been removed/);
	expect(await keepEvents('remove')).toMatch(/^The rule has been removed/);
	await overwrite(id);
	expect(await dataOf(id)).toBe(noData);
	expect(await ask(own, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'n8n_%'")).toBe('0');
	await keepEvents('apply');
	// The check reads only successful executions, so this execution is made successful.
	await ask(own, `UPDATE execution_entity SET status = 'success' WHERE id = ${id}`);
	expect(await keepEvents('check')).toMatch(
		/does not understand how this version of n8n stores executions \(1 of/,
	);
	expect(await keepEvents('')).toBe('Usage: keep-events.sh apply|check|remove');
});
