import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { CommandRefusal, SandboxClient } from './cli/client';
import { commandHelp, runCommand } from './cli/commands';
import { readStateFile } from './cli/states';
import type { startSandbox } from './index';
import type { Sandbox, SandboxOptions } from './types';
import { fileErrorText } from './util/fileErrors';

type Start = typeof startSandbox;

const HELP = `npm run sandbox -- [options] starts the signing service on this machine:

  --data <folder>   keep everything over a restart (also: SANDBOX_DATA)
  --seed <n>        make up n templates and n documents, to try lists and searches on; <t>:<d> for
                    t templates and d documents (also: SANDBOX_SEED)
  --scenario <name> start with a prepared state (empty, hr-team, limits), or with a saved file
                    (also: SANDBOX_SCENARIO)
  --help            show this

Environment: SANDBOX_PORT (4010), SANDBOX_SMTP_PORT (2525), SANDBOX_USER_ID, SANDBOX_API_KEY.

npm run sandbox -- <command> talks to the sandbox that runs at SANDBOX_PORT:

${commandHelp()}`;

async function main(): Promise<void> {
	const { values, positionals } = readArguments();
	const [command, ...words] = positionals;
	const port = readPort('SANDBOX_PORT', 4010);
	if (values.help) console.log(HELP);
	else if (command === undefined) await start(values, port);
	else {
		const client = new SandboxClient(`http://127.0.0.1:${port}`);
		const { json, follow } = values;
		await runCommand(command, { client, words, json, follow, print: (text) => console.log(text) });
	}
}

async function start(
	{ data, seed: wanted, scenario }: { data?: string; seed?: string; scenario?: string },
	port: number,
): Promise<void> {
	const smtpPort = readPort('SANDBOX_SMTP_PORT', 2525);
	if (port === smtpPort && port !== 0) {
		throw new CommandRefusal(
			`SANDBOX_PORT and SANDBOX_SMTP_PORT are both ${port}. Give them different numbers.`,
		);
	}
	const { SANDBOX_USER_ID: userId, SANDBOX_API_KEY: apiKey, SANDBOX_DATA } = process.env;
	const beginning = readBeginning(scenario ?? process.env.SANDBOX_SCENARIO);
	const dataFolder = data ?? (SANDBOX_DATA || undefined);
	const seed = readSeed(wanted ?? process.env.SANDBOX_SEED);
	const options = { port, smtpPort, userId, apiKey, dataFolder, seed, ...beginning };
	// Loaded here only: a command is to be quick.
	const { startSandbox } = createRequire(__filename)('./index') as { startSandbox: Start };
	const sandbox = await startSandbox(options).catch((error: unknown) => {
		throw explained(error, port, smtpPort);
	});
	console.log(announcement(sandbox, dataFolder));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			sandbox.close().then(
				() => process.exit(0),
				(error: unknown) => fail(error),
			);
		});
	}
}

function readArguments() {
	try {
		return parseArgs({
			allowPositionals: true,
			options: {
				data: { type: 'string' },
				seed: { type: 'string' },
				scenario: { type: 'string' },
				json: { type: 'boolean', default: false },
				follow: { type: 'boolean', short: 'f', default: false },
				help: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		throw new CommandRefusal(error instanceof Error ? error.message : String(error));
	}
}

function readSeed(given: string | undefined): SandboxOptions['seed'] {
	if (!given) return undefined;
	const [, templates, documents = templates] = /^(\d{1,6})(?::(\d{1,6}))?$/.exec(given) ?? [];
	if (templates !== undefined) {
		return { templates: Number(templates), documents: Number(documents) };
	}
	throw new CommandRefusal(
		`--seed (SANDBOX_SEED) must be a number, or two as in 200:5000, not "${given}".`,
	);
}

/** A word without a dot or a slash is the name of a scenario. Everything else is a file. */
function readBeginning(given: string | undefined): Pick<SandboxOptions, 'scenario' | 'state'> {
	if (!given) return {};
	return /^[\w-]+$/.test(given) ? { scenario: given } : { state: readStateFile(given) };
}

function readPort(variable: string, fallback: number): number {
	const given = process.env[variable];
	if (!given) return fallback;
	const port = Number(given);
	if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	throw new CommandRefusal(`${variable} must be a port number from 0 to 65535, not "${given}".`);
}

function explained(error: unknown, port: number, smtpPort: number): unknown {
	if (error instanceof Error && error.name === 'FolderInUseError') {
		return new CommandRefusal(
			`${error.message} Use that sandbox, or stop it, or name another folder with --data.`,
		);
	}
	if (error instanceof Error && error.name === 'StateRefusal') {
		return new CommandRefusal(`${error.message}.`);
	}
	const { code, port: taken = port } = error as { code?: unknown; port?: number };
	const file = fileErrorText(error);
	if (file !== undefined) return new CommandRefusal(file);
	if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
	const variable = taken === smtpPort && taken !== port ? 'SANDBOX_SMTP_PORT' : 'SANDBOX_PORT';
	const why = code === 'EADDRINUSE' ? 'is already in use' : 'may not be used by this user';
	return new CommandRefusal(
		`Port ${taken} ${why}: set ${variable} to another one (0 takes a free one).`,
	);
}

function announcement(sandbox: Sandbox, dataFolder: string | undefined): string {
	return `
The signing sandbox is running, on this machine only.

  Console    ${sandbox.url}/
  Mailbox    ${sandbox.url}/mailbox
  API        ${sandbox.url}/docs
  SMTP       ${sandbox.smtp.host}:${sandbox.smtp.port}
  Data       ${dataFolder ?? 'in memory: gone when it stops (--data <folder> keeps it)'}

The credential for n8n:

  Base URL   ${sandbox.baseUrl}
  User ID    ${sandbox.account.userId}
  API Key    ${sandbox.account.apiKey}

Stop it with Ctrl+C.
`;
}

function fail(error: unknown): void {
	const known = error instanceof CommandRefusal ? error.message : fileErrorText(error);
	console.error(known ?? error);
	process.exit(1);
}

main().catch(fail);
