import { own } from './runStage';
import { sending } from './table/days';
import { forms } from './table/forms';
import { closeSheet, lists } from './table/lists';
import { rowsOf } from './table/rows';
import { runSending } from './table/runSending';

const examples = { ...forms, ...lists };
afterAll(closeSheet);
afterEach(own.unpublish);
test.each(rowsOf(sending))('$file: $day', async ({ file, day, tag, expected }) => {
	const example = examples[file];
	if (!example) throw new Error(`There is no ${file} in forms.ts or lists.ts.`);
	const DBG = Date.now();
	try {
		await runSending(example, day, tag, expected);
		require('fs').appendFileSync('/tmp/ex-progress', `ok ${file} ${day} ${Date.now() - DBG}\n`);
	} catch (e) {
		require('fs').appendFileSync(
			'/tmp/ex-progress',
			`FAIL ${file} ${day} ${Date.now() - DBG} ${String((e as Error).stack)
				.replace(/\u001b\[\d*m/g, '')
				.slice(0, 900)}\n`,
		);
		throw e;
	}
});
