import { tableOf } from '../../../support/documentedPart';
import { allDays, days } from './days';

const letterOf = (index: number) => String.fromCharCode('a'.charCodeAt(0) + index);

/** The table as docs/dev/proof.md shows it: a letter for each day that can happen, else a dash. */
export function badDaysPart(): string {
	const rows = Object.keys(allDays)
		.sort()
		.map((file) => [
			file,
			`\`${days.map((day, at) => (day in (allDays[file] ?? {}) ? letterOf(at) : '-')).join('')}\``,
		]);
	const legend = [0, 7, 14].map((from) => [
		`${letterOf(from)} to ${letterOf(from + 6)}`,
		days.slice(from, from + 7).join(', '),
	]);
	return [tableOf(['Letters', 'Days'], legend), tableOf(['Example', 'Days'], rows)].join('\n\n');
}
