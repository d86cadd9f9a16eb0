import { plantedFaults } from '../simulation/planted';
import { promiseNames } from '../simulation/promises/broken';
import { DocumentedPart, tableOf } from '../support/documentedPart';

test('docs/reliability.md names every promise that the simulation checks', async () => {
	const rows = Object.entries(promiseNames).map(([name, sentence]) => [name, sentence]);
	const part = new DocumentedPart('docs/reliability.md', 'promises');
	await part.expectToBe(tableOf(['Promise', 'What holds'], rows), 'test/docs/simulation.test.ts');
});

test('at least twelve faults are planted, each with a name of its own', () => {
	const names = plantedFaults.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names.length).toBeGreaterThanOrEqual(12);
});
