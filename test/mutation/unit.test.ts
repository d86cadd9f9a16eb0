import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '..', 'unit');

/** Thousands of random values or calls, or the forms of all operations: seconds for each change. */
const slow = /^(operations|notifications\.property)\.test\.ts$/;
/** They wait or make many calls: last, because most changes are noticed before. */
const last = /^(download|output)\.test\.ts$/;

// Stryker loads every file of tests for each change that it makes. Here the code under test is loaded once
// instead of once for each file.
const isLast = (file: string) => Number(last.test(file));
const files = readdirSync(folder).sort((left, right) => isLast(left) - isLast(right));
for (const file of files) {
	if (!file.endsWith('.test.ts') || slow.test(file)) continue;
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	describe(file, () => void require(path.join(folder, file)));
}
