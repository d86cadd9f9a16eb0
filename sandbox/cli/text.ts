/** Rows as columns of equal width, for a screen. The last column is as long as it is. */
export function columns(rows: string[][]): string {
	const count = Math.max(0, ...rows.map(({ length }) => length));
	const widths = Array.from({ length: count }, (_, at) =>
		Math.max(...rows.map((row) => (row[at] ?? '').length)),
	);
	return rows
		.map((row) =>
			row
				.map((cell, at) => (at === count - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** epoch-ms as date and time on this machine: `2027-01-31 09:00:00`. */
export function moment(epochMs: number): string {
	const date = new Date(epochMs);
	const two = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** One of two endings: `1 delivery`, `2 deliveries`. */
export function counted(count: number, one: string, many: string): string {
	return `${count} ${count === 1 ? one : many}`;
}
