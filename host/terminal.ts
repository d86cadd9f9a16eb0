import type { Sandbox } from '../sandbox';
import { chosenTemplates } from '../sandbox/startUp';
import { FolderInUseError } from '../sandbox/state/dataFolder';
import { fileErrorText } from '../sandbox/util/fileErrors';
import type { Owner } from './apiTypes';
import { firstExampleOfTask } from './examples';
import { checkPort, notAPort, PortTakenError } from './ports';
import type { SetUp } from './setUp';
import type { StageOptions } from './stage';

/** The last line of `npm start`, which keeps all data in a folder between runs. */
export const stopped = 'Stopped. Your data will be here the next time you start.';

/** The ports that `npm start` uses unless environment variables specify others. */
const defaultPorts = { n8n: 5678, sandbox: 4010, smtp: 2525 };

/** The facts that `npm start` and `npm start -- queue` print once everything is running. */
export interface Announcement extends SetUp {
	sandbox: Sandbox;
	/** The URL of n8n. */
	url: string;
	owner: Owner;
	/** Additional lines to print, each with a name and a value. */
	more: Array<[string, string]>;
}

export function announce(announcement: Announcement): void {
	console.log(announcementText(announcement));
}

export function announcementText(announcement: Announcement): string {
	const { sandbox, url, owner, formUrl, deskUrl, workflows, more } = announcement;
	const { send, signed } = workflows;
	const tasks = Object.keys(firstExampleOfTask);
	const steps = [
		...(formUrl ? [[line('Fill in the form', formUrl, 5)]] : []),
		[
			line(formUrl ? 'Open the email and sign' : 'Open the mailbox', `${sandbox.url}/mailbox`, 5),
			...(formUrl && signed ? ['     A second email with the signed files then arrives.'] : []),
		],
		[
			line('Log in to n8n', `${url}/home/workflows`, 5),
			line('       Email', owner.email),
			line('       Password', owner.password),
			...(send && signed ? ['     These two workflows did the work:'] : []),
			...(send ? [line('       Sends the contract', `${url}/workflow/${send}`)] : []),
			...(signed ? [line('       Emails the signed copy', `${url}/workflow/${signed}`)] : []),
		],
	];
	const facts: Array<[string, string]> = [
		['Sandbox console', sandbox.url],
		['Sandbox API (Base URL)', sandbox.baseUrl],
		['Mail server (SMTP)', `${sandbox.smtp.host}:${sandbox.smtp.port}`],
		...more,
	];
	const signingDesk = `
    Signing desk                Send contracts from Claude or another AI app (docs/signing-desk.md). For Claude Code:
                                claude mcp add --transport http signing-desk ${deskUrl}`;
	return `
Ready. Everything runs on this machine only. Press Ctrl-C to stop.

${steps.map((lines, index) => `  ${index + 1}. ${lines.join('\n')}`).join('\n')}

  More examples                 In the list of workflows. Each has the tag of its task:
                                ${tasks.slice(0, 3).join(', ')},
                                ${tasks.slice(3).join(', ')}. Start with 01, 02, and 16.
                                Those tagged "For builders" need some knowledge of code, AI agents, or webhooks.${deskUrl && signingDesk}
  If a workflow fails           An email with the reason arrives in the mailbox, unless you started the
                                workflow in the editor, which then shows the reason itself.
  Other forms                   If a form asks you to log in, use the email and password above.

${facts.map(([name, value]) => line(`  ${name}`, value)).join('\n')}
`;
}

/**
 * Returns a line with a name and a value. All values begin in the same column.
 * @param indent The number of characters that stand before the line. The default is 0.
 */
function line(name: string, value: string, indent = 0): string {
	return `${name.padEnd(32 - indent)}${value}`;
}

/**
 * Reads a port from an environment variable and checks that it is free, before the slow part of the start
 * begins.
 * @throws PortTakenError, or Error if the value is not a port number.
 */
async function portFrom(variable: string, fallback: number): Promise<number> {
	const value = process.env[variable];
	// Number() would also accept 1e3 and spaces.
	if (value && !/^\d{1,5}$/.test(value)) throw notAPort(variable, value);
	const port = value ? Number(value) : fallback;
	await checkPort(port, variable);
	return port;
}

/**
 * Throws if two ports are the same. Without this check, the start would fail only after everything had been
 * built.
 */
function checkDifferent(ports: Record<string, number>): void {
	const seen = new Map<number, string>();
	for (const [variable, port] of Object.entries(ports)) {
		const other = seen.get(port);
		if (other) {
			throw new Error(`${other} and ${variable} are both ${port}. Set them to different ports.`);
		}
		seen.set(port, variable);
	}
}

/**
 * Reads the ports, the sandbox's account and the templates that the user has set in environment variables.
 * @throws PortTakenError, StartUpRefusal, or Error if a value is not a port number.
 */
export async function chosen(): Promise<Pick<StageOptions, 'ports' | 'account' | 'templates'>> {
	const { SANDBOX_USER_ID: userId, SANDBOX_API_KEY: apiKey } = process.env;
	const ports = {
		n8n: await portFrom('N8N_PORT', defaultPorts.n8n),
		sandbox: await portFrom('SANDBOX_PORT', defaultPorts.sandbox),
		smtp: await portFrom('SANDBOX_SMTP_PORT', defaultPorts.smtp),
	};
	checkDifferent({
		N8N_PORT: ports.n8n,
		SANDBOX_PORT: ports.sandbox,
		SANDBOX_SMTP_PORT: ports.smtp,
	});
	const templates = await chosenTemplates();
	return {
		ports,
		...(templates ? { templates } : {}),
		account: { ...(userId ? { userId } : {}), ...(apiKey ? { apiKey } : {}) },
	};
}

/** Waits until Ctrl-C or another signal asks the process to stop. */
export async function untilAsked(): Promise<'asked'> {
	return await new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => resolve('asked'));
		}
	});
}

/** Prints why a start failed and exits with an error code. */
export function reportFailure(command: string, error: unknown): void {
	const message = fileErrorText(error) ?? (error instanceof Error ? error.message : String(error));
	const hint =
		error instanceof PortTakenError
			? `\nIf the program is another "${command}", press Ctrl-C in its window to stop it.`
			: error instanceof FolderInUseError
				? `\n"${command}" is already running in this copy of the project. Use that one, or press Ctrl-C in its window to stop it. To run two at once, make a second copy of the project.`
				: '';
	console.error(`\n${message}${hint}`);
	// Exit explicitly, because an installation of n8n may still be running, and the process would wait for it
	// to finish.
	process.exit(1);
}
