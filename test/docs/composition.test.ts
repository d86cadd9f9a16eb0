import { baseCells, nameOf, sampledCells } from '../e2e/composition/cells';
import { compositionPart } from '../e2e/composition/pages';
import { nameOfRow, allRows } from '../e2e/composition/rows';
import { everySetting } from '../e2e/composition/settings';
import { testedOperations } from '../operations';
import { DocumentedPart } from '../support/documentedPart';

test('docs/dev/proof.md shows the composition matrix', async () => {
	const part = new DocumentedPart('docs/dev/proof.md', 'composition');
	await part.expectToBe(compositionPart(), 'test/docs/composition.test.ts');
});

test('the matrix has every operation of the node with every setting', () => {
	for (const operation of testedOperations) {
		const own = baseCells().filter((cell) => cell.operation === operation);
		expect([...new Set(own.map(({ setting }) => setting))]).toEqual(everySetting);
	}
});

test('every cell and every row has a name of its own', () => {
	const names = [...baseCells().map(nameOf), ...allRows.map(nameOfRow)];
	expect(new Set(names).size).toBe(names.length);
});

test('the sample of slowed cells is the same for the same seed, one for each row', () => {
	const names = sampledCells(7).map(nameOf);
	expect(sampledCells(7).map(nameOf)).toEqual(names);
	expect(sampledCells(8).map(nameOf)).not.toEqual(names);
	const rows = new Set(sampledCells(7).map(({ operation, fault }) => `${operation.name} ${fault}`));
	expect(rows.size).toBe(names.length);
});
