import { parseArgs } from 'node:util';
import { startSandbox } from './index';
import type { Sandbox, SandboxOptions } from './types';

const HELP = `Starts the signing service on this machine.

  --data <folder>   keep everything over a restart (also: SANDBOX_DATA)
  --seed <n>        make up n templates and n documents, to try lists and searches on; <t>:<d> for
                    t templates and d documents (also: SANDBOX_SEED)
  --help            show this

Environment: SANDBOX_PORT (4010), SANDBOX_SMTP_PORT (2525), SANDBOX_USER_ID, SANDBOX_API_KEY.`;

/** A mistake of whoever started it: shown as it is, without a stack. */
class StartRefusal extends Error {}

async function main(): Promise<void> {
	const { data, seed: wanted, help } = readArguments();
	if (help) {
		console.log(HELP);
		return;
	}
	const port = readPort('SANDBOX_PORT', 4010);
	const smtpPort = readPort('SANDBOX_SMTP_PORT', 2525);
	const { SANDBOX_USER_ID: userId, SANDBOX_API_KEY: apiKey, SANDBOX_DATA } = process.env;
	const dataFolder = data ?? (SANDBOX_DATA || undefined);
	const seed = readSeed(wanted ?? process.env.SANDBOX_SEED);
	const options = { port, smtpPort, userId, apiKey, dataFolder, seed };
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

function readArguments(): { data?: string; seed?: string; help: boolean } {
	try {
		const { values } = parseArgs({
			options: {
				data: { type: 'string' },
				seed: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
		return values;
	} catch (error) {
		throw new StartRefusal(error instanceof Error ? error.message : String(error));
	}
}

function readSeed(given: string | undefined): SandboxOptions['seed'] {
	if (!given) return undefined;
	const [, templates, documents = templates] = /^(\d{1,6})(?::(\d{1,6}))?$/.exec(given) ?? [];
	if (templates !== undefined) {
		return { templates: Number(templates), documents: Number(documents) };
	}
	throw new StartRefusal(
		`--seed (SANDBOX_SEED) must be a number, or two as in 200:5000, not "${given}".`,
	);
}

function readPort(variable: string, fallback: number): number {
	const given = process.env[variable];
	if (!given) return fallback;
	const port = Number(given);
	if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	throw new StartRefusal(`${variable} must be a port number from 0 to 65535, not "${given}".`);
}

function explained(error: unknown, port: number, smtpPort: number): unknown {
	const { code, port: taken = port } = error as { code?: unknown; port?: number };
	if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
	const variable = taken === smtpPort && taken !== port ? 'SANDBOX_SMTP_PORT' : 'SANDBOX_PORT';
	const why = code === 'EADDRINUSE' ? 'is already in use' : 'may not be used by this user';
	return new StartRefusal(
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
	console.error(error instanceof StartRefusal ? error.message : error);
	process.exit(1);
}

main().catch(fail);
