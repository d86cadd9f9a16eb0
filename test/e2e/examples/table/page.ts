import { tableOf } from '../../../support/documentedPart';
import { days, following, type Outcomes, sending, single } from './days';

const letterOf = (index: number) => String.fromCharCode('a'.charCodeAt(0) + index);

/** The table as docs/dev/bad-days.md shows it: a letter for each day that can happen, else a dash. */
export function badDaysPart(): string {
	const all: Record<string, Outcomes> = { ...sending, ...following, ...single };
	const rows = Object.keys(all)
		.sort()
		.map((file) => [
			file,
			`\`${days.map((day, at) => (day in (all[file] ?? {}) ? letterOf(at) : '-')).join('')}\``,
		]);
	const legend = [0, 5, 10, 15].map((from) => [
		`${letterOf(from)} to ${letterOf(from + 4)}`,
		days.slice(from, from + 5).join(', '),
	]);
	return [tableOf(['Letters', 'Days'], legend), tableOf(['Example', 'Days'], rows)].join('\n\n');
}
