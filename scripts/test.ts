import { format, lint, types } from './checks';
import { runJest } from './jest';
import { runSteps } from './tools';

const args = process.argv.slice(2);
// With a test file named on the command line only that is run, and coverage says nothing.
const coverage = args.length ? [] : ['--coverage'];
const tests = {
	name: 'Unit and integration tests',
	run: async () =>
		await runJest('test', ['unit', 'integration', 'docs', 'sandbox'], [...args, ...coverage]),
};

void runSteps(args.length ? [tests] : [lint, format, types, tests]);
