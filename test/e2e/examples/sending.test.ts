import { own } from './runStage';
import { type Day, days, type Outcomes, sending } from './table/days';
import { forms } from './table/forms';
import { closeSheet, lists } from './table/lists';
import { runSending } from './table/runSending';

afterAll(closeSheet);
const drivers = { ...forms, ...lists };
const rows = Object.entries(sending).flatMap(([file, outcomes], index) =>
	days.flatMap((day, at): Array<[string, Day, string]> =>
		day in outcomes ? [[file, day, `x${index}d${at}`]] : [],
	),
);
afterEach(own.unpublish);
test.each(rows)('%s: %s', async (file, day, tag) => {
	const driver = drivers[file];
	if (!driver) throw new Error(`There is no ${file} in forms.ts or lists.ts.`);
	await runSending(driver, day, tag, (sending as Record<string, Outcomes>)[file]?.[day] ?? '');
});
