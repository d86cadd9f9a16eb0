import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '..', 'unit');

/**
 * These files try thousands of values or the forms of all operations, so they would take seconds for each
 * change.
 */
const slow = /^(operations|notifications\.property)\.test\.ts$/;
/** These files wait or make many calls. They run last, because other files detect most changes. */
const last = /^(download|output)\.test\.ts$/;

// For each change, Stryker loads every test file. With all tests in a single file, the code is loaded only
// once.
const isLast = (file: string) => Number(last.test(file));
const files = readdirSync(folder).sort((left, right) => isLast(left) - isLast(right));
for (const file of files) {
	if (!file.endsWith('.test.ts') || slow.test(file)) continue;
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	describe(file, () => void require(path.join(folder, file)));
}
