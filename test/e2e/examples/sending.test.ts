import { own } from './runStage';
import { sending, rowsOf } from './table/days';
import { forms } from './table/forms';
import { closeSheet, lists } from './table/lists';
import { runSending } from './table/runSending';

const examples = { ...forms, ...lists };
afterAll(closeSheet);
afterEach(own.unpublish);
test.each(rowsOf(sending))('$file: $day', async ({ file, day, tag, expected }) => {
	const example = examples[file];
	if (!example) throw new Error(`There is no ${file} in forms.ts or lists.ts.`);
	await runSending(example, day, tag, expected);
});
