import { hasFloor, judge, type Ratio } from './floors';
import type { Machine } from './machine';
import type { Column, Row, Table } from './types';

/** What a run found. */
export interface Results {
	/** ISO 8601 */
	date: string;
	machine: Machine;
	/** Seconds that it took, n8n's start included. */
	seconds: number;
	ratios: Ratio[];
	tables: Table[];
	/** Measurements that came to nothing, each with its reason. */
	failures: string[];
}

/** The machine, what could not be measured, and the ratios, as Markdown. */
export function summaryOf({ date, machine, seconds, ratios, failures }: Results): string {
	const { cores, processor, memoryGB, system, node, n8n, n8nNode, load } = machine;
	return [
		`Run of ${date.slice(0, 10)}, ${(seconds / 60).toFixed(1)} minutes: ${cores} cores (${processor}), ` +
			`${memoryGB} GB, ${system}; n8n ${n8n} and the bare client on Node ${n8nNode}, the sandbox on ` +
			`Node ${node}; load when it began ${load}.`,
		...failures.map((failure) => `**Not measured:** ${failure}`),
		...(ratios.length > 0 ? ['### Ratios that have to hold', ratioTable(ratios)] : []),
	].join('\n\n');
}

/** One table with its title, as Markdown. */
export function tableOf({ title, columns, rows }: Table): string {
	const head = columns.map((column) => column.title);
	const cells = rows.map((row) => columns.map((column) => cell(row, column)));
	return `### ${title}\n\n${markdownTable(head, cells)}`;
}

function ratioTable(ratios: Ratio[]): string {
	return markdownTable(
		['Ratio', 'Measured', 'Floor', 'Holds'],
		ratios
			.filter(hasFloor)
			.map(({ name, value }) => judge(name, value))
			.map(({ what, value, floor, holds }) => [
				what,
				value.toFixed(2),
				floor,
				holds ? 'yes' : '**no**',
			]),
	);
}

function cell(row: Row, { key, digits = 0 }: Column): string {
	const value = row[key];
	if (typeof value !== 'number') return value ?? '';
	return value.toLocaleString('en', {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});
}

/** With columns of even width, for the screen; numbers stand on the right. */
function markdownTable(head: string[], rows: string[][]): string {
	const isNumber = head.map((_, at) => rows.every((row) => /^[\d.,]*$/.test(row[at] ?? '')));
	const widths = head.map((title, at) =>
		Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)),
	);
	const line = (cells: string[]): string =>
		`| ${cells
			.map((text, at) =>
				isNumber[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0),
			)
			.join(' | ')} |`;
	const rule = widths.map((width, at) =>
		isNumber[at] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
	);
	return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
