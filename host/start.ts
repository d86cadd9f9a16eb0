import path from 'node:path';

import { screen } from '../scripts/install.cjs';
import { startQueue } from './queue/start';
import { raiseStage } from './stage';
import { announce, chosen, reportFailure, untilAsked } from './terminal';

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
	console.log('Stopped.');
}

// `npm start -- queue` starts n8n in queue mode.
const run = process.argv[2] === 'queue' ? startQueue : start;
run().catch((error: unknown) => reportFailure('npm start', error));
