import { runTool } from './tools';

// Arguments are Stryker's own, e.g. `-- --mutate 'nodes/SignVerify/transport/*.ts'`.
void runTool('@stryker-mutator/core/bin/stryker.js', ['run', ...process.argv.slice(2)]).then(
	(code) => {
		process.exitCode = code;
	},
);
