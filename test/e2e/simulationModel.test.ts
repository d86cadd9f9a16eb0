import { fork } from 'node:child_process';
import path from 'node:path';

import type { Outcome } from '../simulation/agreement/scenario';
import { RealN8n } from '../simulation/agreement/real';
import { scenarios } from '../simulation/agreement/scenarios';

/**
 * The outcomes in the model. It runs in a process of its own: it replaces the clock, which the real
 * n8n's service must not notice.
 */
async function outcomesInModel(): Promise<Outcome[][]> {
	const file = path.join(__dirname, '../simulation/agreement/model.ts');
	const child = fork(file, { execArgv: ['--import', 'tsx'] });
	return await new Promise((resolve, reject) => {
		child.once('message', (outcomes: Outcome[][]) => resolve(outcomes));
		child.once('error', reject);
		child.once('exit', (code) => reject(new Error(`The model ended with code ${code}.`)));
	});
}

let real: RealN8n;
let expected: Outcome[][] = [];
let found: Array<PromiseSettledResult<Outcome[]>> = [];

beforeAll(async () => {
	const model = outcomesInModel();
	// Its failure is told of below, when there is an n8n that can be ended.
	model.catch(() => undefined);
	real = await RealN8n.start();
	expected = await model;
	found = await real.runAll(scenarios, expected);
});

afterAll(async () => {
	if (real) expect(await real.close()).toEqual([]);
});

test.each(scenarios.map(({ name }, index) => [name, index] as const))('%s', (_name, index) => {
	const result = found[index];
	if (result?.status !== 'fulfilled') throw result?.reason;
	expect(result.value).toHaveLength(scenarios[index]?.steps.length ?? -1);
	// Step by step: as n8n does it is how the model has to do it.
	expect(expected[index]).toEqual(result.value);
});
