import { sampled } from '../../composition/cells';
import { type Day, days, type Outcome, type Outcomes } from './days';

/** One day of one example. */
export interface Row {
	file: string;
	day: Day;
	/** In all names and addresses of that day. */
	tag: string;
	expected: Outcome;
}

/** Days that take minutes. */
const long: Day[] = ['300 rows', 'never signs'];
const everything = process.env.SIGNVERIFY_EXAMPLES === 'all';
const seed = Number(process.env.SIGNVERIFY_EXAMPLES_SEED) || Math.floor(Math.random() * 1e6);

/** The rows to run: all (`npm run test:examples`), or two of each example, chosen by a seed. */
export function rowsOf(table: Record<string, Outcomes>): Row[] {
	const all = Object.entries(table).flatMap(([file, outcomes], index) =>
		days.flatMap((day, at): Row[] => {
			const expected = outcomes[day];
			return expected === undefined ? [] : [{ file, day, tag: `x${index}d${at}`, expected }];
		}),
	);
	if (everything) return all;
	const short = all.filter(({ day }) => !long.includes(day));
	console.log(`To repeat these days: SIGNVERIFY_EXAMPLES_SEED=${seed}`);
	const numbers = new Map(short.map((row, index) => [row, index]));
	return sampled(short, seed, (row) => `${row.file} ${(numbers.get(row) ?? 0) % 2}`);
}
