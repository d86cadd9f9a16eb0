import path from 'node:path';

import { checkPort, PortTakenError } from './ports';
import { raiseStage, type Stage } from './stage';

/** Where `npm start` keeps n8n's and the sandbox's data between runs. */
const folder = path.join(path.dirname(__dirname), '.run', 'start');

/**
 * A port from the environment, checked before the long part begins.
 *
 * @throws PortTakenError, or Error when it is no port number
 */
async function portFrom(variable: string, fallback: number): Promise<number> {
	const port = Number(process.env[variable] || fallback);
	await checkPort(port, variable);
	return port;
}

function announce({ sandbox, n8n, owner, formUrl }: Stage): void {
	console.log(`
Ready. Everything runs on this machine only; press Ctrl-C to stop it.

  1. Fill in the form        ${formUrl}
  2. Read the mail, sign     ${sandbox.url}/mailbox
  3. See the workflows       ${n8n.url}
       log in with           ${owner.email}
       password              ${owner.password}

  The sandbox's console      ${sandbox.url}
  Its base URL for n8n       ${sandbox.baseUrl}
  Its SMTP server            ${sandbox.smtp.host}:${sandbox.smtp.port}
  n8n's log                  ${n8n.logFile}
`);
}

/** Waits for Ctrl-C or a request to end, or for n8n to end by itself. */
async function untilStopped(stage: Stage): Promise<'asked' | 'n8n ended'> {
	const asked = new Promise<'asked'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => resolve('asked'));
		}
	});
	return await Promise.race([asked, stage.n8n.ended.then(() => 'n8n ended' as const)]);
}

async function main(): Promise<void> {
	const account = {
		...(process.env.SANDBOX_USER_ID ? { userId: process.env.SANDBOX_USER_ID } : {}),
		...(process.env.SANDBOX_API_KEY ? { apiKey: process.env.SANDBOX_API_KEY } : {}),
	};
	const stage = await raiseStage({
		folder,
		ports: {
			n8n: await portFrom('N8N_PORT', 5678),
			sandbox: await portFrom('SANDBOX_PORT', 4010),
			smtp: await portFrom('SANDBOX_SMTP_PORT', 2525),
		},
		account,
		log: (line) => console.log(line),
	});
	announce(stage);
	const reason = await untilStopped(stage);
	if (reason === 'asked') {
		console.log('\nStopping n8n and the sandbox…');
	} else {
		console.error(`\nn8n has ended by itself; its log says why: ${stage.n8n.logFile}`);
		process.exitCode = 1;
	}
	await stage.close();
	console.log('Stopped.');
}

main().catch((error: unknown) => {
	const message = error instanceof Error ? error.message : String(error);
	const hint =
		error instanceof PortTakenError
			? '\nIf that is another "npm start", stop it with Ctrl-C in its window.'
			: '';
	console.error(`\n${message}${hint}`);
	process.exitCode = 1;
});
