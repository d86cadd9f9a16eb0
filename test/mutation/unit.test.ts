import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '..', 'unit');

/** These files would take seconds for each change: they try thousands of values, or the forms of all operations. */
const slow = /^(operations|notifications\.property)\.test\.ts$/;
/** These files wait or make many calls. They come last, because other files notice most changes. */
const last = /^(download|output)\.test\.ts$/;

// Stryker loads every test file for each change that it makes. When all tests are in one file, they load the
// code only once.
const isLast = (file: string) => Number(last.test(file));
const files = readdirSync(folder).sort((left, right) => isLast(left) - isLast(right));
for (const file of files) {
	if (!file.endsWith('.test.ts') || slow.test(file)) continue;
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	describe(file, () => void require(path.join(folder, file)));
}
