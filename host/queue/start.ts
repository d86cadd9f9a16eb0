import path from 'node:path';

import { raiseQueueStage } from './stage';
import { screen } from '../../scripts/install.cjs';
import { announce, chosen, stopped, untilAsked } from '../terminal';

/** `npm start -- queue` keeps its data in this folder between runs. */
const folder = path.join(__dirname, '..', '..', '.run', 'queue');

/** Starts n8n in queue mode and runs it until the user stops it. */
export async function startQueue(): Promise<void> {
	const stage = await raiseQueueStage({
		folder,
		...(await chosen()),
		examples: 'all',
		log: screen,
	});
	const { postgres, redis, workers } = stage;
	announce({
		...stage,
		more: [
			['PostgreSQL', postgres ? `127.0.0.1:${postgres.port}` : 'as set in the environment'],
			['Redis', redis ? `127.0.0.1:${redis.port}` : 'as set in the environment'],
			['n8n', `main, ${workers.length} workers, 1 webhook processor`],
			['All data and logs', stage.folder],
		],
	});
	await untilAsked();
	console.log('\nStopping n8n, Redis, PostgreSQL, and the sandbox…');
	await stage.close();
	console.log(stopped);
}
