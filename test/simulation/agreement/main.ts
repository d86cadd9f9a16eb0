import { compileNodes } from '../nodeCode';
import { runInModel } from './model';
import type { Outcome } from './outcome';
import { scenarios } from './scenarios';

/** Runs all scenarios in the model; its parent process gets the outcomes, scenario by scenario. */
async function main(): Promise<void> {
	const load = await compileNodes();
	const outcomes: Outcome[][] = [];
	for (const scenario of scenarios) outcomes.push(await runInModel(scenario, load));
	if (process.send) process.send(outcomes, () => process.disconnect());
	else console.log(JSON.stringify(outcomes, null, '\t'));
}

void main();
