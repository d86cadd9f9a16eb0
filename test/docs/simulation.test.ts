import { plantedFaults } from '../simulation/planted/faults';
import { promiseNames } from '../simulation/promises/broken';
import { DocumentedPart, tableOf } from '../support/documentedPart';

test('docs/reliability.md names every promise that the simulation checks', async () => {
	const rows = Object.entries(promiseNames).map(([name, sentence]) => [name, sentence]);
	const part = new DocumentedPart('docs/reliability.md', 'promises');
	await part.expectToBe(tableOf(['Promise', 'What holds'], rows), 'test/docs/simulation.test.ts');
});

test('each promise has a planted fault that breaks it', () => {
	const broken = new Set(plantedFaults.map(({ promise }) => promise));
	expect([...broken].sort()).toEqual(Object.keys(promiseNames).sort());
});
