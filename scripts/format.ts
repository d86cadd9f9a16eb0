import { runTool } from './tools';

void runTool('prettier/bin/prettier.cjs', ['--write', '--log-level=warn', '.']).then((code) => {
	process.exitCode = code;
});
