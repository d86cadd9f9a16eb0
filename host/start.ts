import path from 'node:path';

import { environmentHelp } from '../sandbox/startUp';
import { readArguments } from '../scripts/arguments';
import { screen } from '../scripts/install.cjs';
import { startQueue } from './queue/start';
import { raiseStage } from './stage';
import { announce, chosen, reportFailure, stopped, untilAsked } from './terminal';

/** `npm start` keeps the data of n8n and the sandbox in this folder between runs. */
const folder = path.join(path.dirname(__dirname), '.run', 'start');

async function start(): Promise<void> {
	const stage = await raiseStage({
		folder,
		...(await chosen()),
		examples: 'all',
		log: screen,
	});
	const { n8n } = stage;
	announce({
		...stage,
		url: n8n.url,
		more: [['n8n log', n8n.logFile]],
	});
	const reason = await Promise.race([untilAsked(), n8n.ended.then(() => 'n8n ended' as const)]);
	if (reason === 'asked') {
		console.log('\nStopping n8n and the sandbox…');
	} else {
		console.error(`\nn8n stopped unexpectedly. To find out why, open its log: ${n8n.logFile}`);
		process.exitCode = 1;
	}
	await stage.close();
	console.log(stopped);
}

async function main(): Promise<void> {
	const given = readArguments({
		name: 'npm start',
		example: 'npm start -- queue',
		names: { what: 'Mode', known: ['queue'] },
		usage: `Usage: npm start [-- queue]

Starts n8n with the nodes, the sandbox, and a mailbox. Everything runs until you press Ctrl-C, and your data
is kept for the next time. With "queue", n8n runs in queue mode, with PostgreSQL and Redis. The first time,
the command also installs n8n (2.2 GB), which takes a few minutes.

Environment variables:

  N8N_PORT            The port of n8n (default: 5678)
${environmentHelp}`,
	});
	// Exit explicitly, because scripts/run.mjs may already be installing n8n, and the process would wait for
	// the installation to finish.
	if (!given) process.exit();
	await (given.names.includes('queue') ? startQueue() : start());
}

main().catch((error: unknown) => reportFailure('npm start', error));
