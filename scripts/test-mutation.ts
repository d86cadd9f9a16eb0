import { runTool } from './tools';

/** Stryker (stryker.config.mjs); for one folder only: `-- --mutate 'nodes/SignVerify/transport/*.ts'`. */
void runTool('@stryker-mutator/core/bin/stryker.js', ['run', ...process.argv.slice(2)]).then(
	(code) => {
		process.exitCode = code;
	},
);
