import { readArguments, UsageError, type Command } from '../scripts/arguments';
import { startSandbox, type Sandbox } from '.';
import { FolderInUseError, FolderUnreadableError } from './state/dataFolder';
import { chosenTemplates, environmentHelp, importTemplateFile, StartUpRefusal } from './startUp';
import { fileErrorText } from './util/fileErrors';

/** Thrown if the command cannot run. The message is printed without a stack trace. */
class CommandRefusal extends Error {}

const command = {
	name: 'npm run sandbox',
	options: { data: 'text' },
	example: 'npm run sandbox -- --data my-folder',
	usage: `Usage: npm run sandbox -- [options]

Starts the signing sandbox on this machine.

Options:

  --data <folder>   Keep all data in this folder, even after a restart
  --help            Show this help

Environment variables:

${environmentHelp}
`,
} satisfies Command;

async function main(): Promise<void> {
	const given = readArguments(command);
	if (given) await start(given.values.data);
}

async function start(dataFolder: string | undefined): Promise<void> {
	const port = readPort('SANDBOX_PORT', 4010);
	const smtpPort = readPort('SANDBOX_SMTP_PORT', 2525);
	if (port === smtpPort && port !== 0) {
		throw new CommandRefusal(
			`SANDBOX_PORT and SANDBOX_SMTP_PORT are both ${port}. Set them to different ports.`,
		);
	}
	const { SANDBOX_USER_ID: userId, SANDBOX_API_KEY: apiKey } = process.env;
	const templates = await chosenTemplates();
	const options = { port, smtpPort, userId, apiKey, dataFolder };
	const sandbox = await startSandbox(options).catch((error: unknown) => {
		throw explained(error, port, smtpPort);
	});
	const imported = templates ? importTemplateFile(sandbox, templates) : [];
	// Install the signal handlers before printing anything, because a program that reads the output may stop
	// the sandbox immediately.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			sandbox.close().then(
				() => process.exit(0),
				(error: unknown) => fail(error),
			);
		});
	}
	console.log(announcement(sandbox, dataFolder, imported));
}

function readPort(variable: string, fallback: number): number {
	const given = process.env[variable];
	if (!given) return fallback;
	const port = Number(given);
	if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	throw new CommandRefusal(`${variable} must be a port number from 0 to 65535, not "${given}".`);
}

function explained(error: unknown, port: number, smtpPort: number): unknown {
	if (error instanceof FolderInUseError) {
		return new CommandRefusal(
			`${error.message} Use that sandbox, stop it, or choose another folder with --data.`,
		);
	}
	if (error instanceof FolderUnreadableError) return new CommandRefusal(error.message);
	const { code, port: taken = port } = error as { code?: unknown; port?: number };
	const file = fileErrorText(error);
	if (file !== undefined) return new CommandRefusal(file);
	if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
	const variable = taken === smtpPort && taken !== port ? 'SANDBOX_SMTP_PORT' : 'SANDBOX_PORT';
	return new CommandRefusal(
		code === 'EADDRINUSE'
			? `Port ${taken} is already in use. Set ${variable} to another port, or to 0 to use any free one.`
			: `You don't have permission to use port ${taken}. Set ${variable} to a port above 1023.`,
	);
}

function announcement(
	sandbox: Sandbox,
	dataFolder: string | undefined,
	imported: string[],
): string {
	const templates = imported.map((line) => `\n  Templates           ${line}`).join('');
	const kept = 'start with: npm run sandbox -- --data <folder>';
	const loss = process.env.SANDBOX_API_KEY
		? `When you stop the sandbox, its data is lost. To keep it, ${kept}`
		: `When you stop the sandbox, its data is lost, and the next start creates a new API Key. To keep both,\n${kept}`;
	return `
The signing sandbox is running on this machine only.

  Console             ${sandbox.url}/
  Mailbox             ${sandbox.url}/mailbox
  Mail server (SMTP)  ${sandbox.smtp.host}:${sandbox.smtp.port}
  Data                ${dataFolder ?? 'In memory only'}${templates}

Your n8n has to run on this machine, and not in Docker. In n8n, create a SignVerify API credential with
these values:

  Base URL            ${sandbox.baseUrl}
  User ID             ${sandbox.account.userId}
  API Key             ${sandbox.account.apiKey}
${dataFolder ? '' : `\n${loss}\n`}
Press Ctrl-C to stop the sandbox.
`;
}

function fail(error: unknown): void {
	const isRefusal = [CommandRefusal, StartUpRefusal, UsageError].some(
		(refusal) => error instanceof refusal,
	);
	const known = isRefusal ? (error as Error).message : fileErrorText(error);
	console.error(known ?? error);
	process.exit(1);
}

main().catch(fail);
