import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '..', 'unit');

/** Thousands of random values or calls, or the forms of all operations: seconds for each change. */
const slow = /^(clientLimited|operations|notifications\.property)\.test\.ts$/;
/** They wait or make many calls: last, because most changes are noticed before. */
const last = /^(download|handleFiles)\.test\.ts$/;
/** They look at other things than the code that is changed. */
const elsewhere = /^(deploy|project|verification)\.test\.ts$/;

/**
 * Describes many files of unit tests as one. Stryker loads every file of tests for each change that
 * it makes, and here the code under test is loaded once instead of once for each file.
 * @param mock Whether the files that replace a module are meant, or those that do not.
 */
export function describeUnitTests(mock: boolean): void {
	const isLast = (file: string) => Number(last.test(file));
	const files = readdirSync(folder).sort((left, right) => isLast(left) - isLast(right));
	for (const file of files) {
		if (!file.endsWith('.test.ts') || slow.test(file) || elsewhere.test(file)) continue;
		const source = path.join(folder, file);
		if (readFileSync(source, 'utf8').includes('jest.mock(') !== mock) continue;
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		describe(file, () => void require(source));
	}
}
