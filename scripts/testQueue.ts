import { realN8n } from './hostSteps';
import { runJest } from './jest';
import { runSteps } from './tools';

void runSteps([
	realN8n,
	{
		name: 'Failures in queue mode',
		run: async () => await runJest('queue', ['queue'], ['--runInBand', ...process.argv.slice(2)]),
	},
]);
