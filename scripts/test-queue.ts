import { ensureHost } from '../host/install';
import { runJest } from './jest';
import { runSteps } from './tools';

void runSteps([
	{
		name: 'Real n8n',
		run: async () => {
			await ensureHost({ log: (line) => console.log(line) });
			return 0;
		},
	},
	{
		name: 'Failures in queue mode',
		run: async () => await runJest('queue', ['queue'], ['--runInBand', ...process.argv.slice(2)]),
	},
]).then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
