import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { HostInstallation } from '../host/install.cjs';
import { root, runTool } from '../scripts/tools';
import { judge, type Ratios } from './floors';

/** A column of a table. */
interface Column {
	/** Its values' name in the rows. */
	key: string;
	/** Its head, with the unit. */
	title: string;
	/** Decimals of its numbers. Default 0. */
	digits?: number;
}

/** One line of a table; what is absent was not measured. */
export type Row = Record<string, string | number | undefined>;

/** A table of figures. */
export interface Table {
	/** Names it in the results file, e.g. `create`. */
	id: string;
	title: string;
	columns: Column[];
	rows: Row[];
}

/** What a measurement gives. */
export interface Outcome {
	tables: Table[];
	/** Those that a floor is set for. */
	ratios: Ratios;
}

/** What a figure depends on, without anything that names the machine. */
interface Machine {
	cores: number;
	processor: string;
	memoryGB: number;
	system: string;
	/** Of the sandbox. */
	node: string;
	n8n: string;
	/** Of n8n and of the bare client. */
	n8nNode: string;
	/** Processes that waited for a processor when it began, averaged over a minute. */
	load: number;
}

/** Describes this machine as it is now. */
export function describeMachine({ n8nVersion, nodeVersion }: HostInstallation): Machine {
	return {
		cores: os.cpus().length,
		processor: os.cpus()[0]?.model.trim() ?? 'unknown',
		memoryGB: Math.round(os.totalmem() / 1e9),
		system: `${os.platform()} ${os.arch()}`,
		node: process.versions.node,
		n8n: n8nVersion,
		n8nNode: nodeVersion,
		load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
	};
}

const page = 'docs/dev/benchmarks.md';
const marks = ['<!-- bench: begin -->', '<!-- bench: end -->'] as const;

/** What a run found. */
export interface Results {
	/** ISO 8601 */
	date: string;
	machine: Machine;
	/** Seconds that it took, n8n's start included. */
	seconds: number;
	ratios: Ratios;
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
		'### Ratios that have to hold',
		ratioTable(ratios),
	].join('\n\n');
}

/** One table with its title, as Markdown. */
export function tableOf({ title, columns, rows }: Table): string {
	const head = columns.map((column) => column.title);
	const cells = rows.map((row) => columns.map((column) => cell(row, column)));
	return `### ${title}\n\n${markdownTable(head, cells)}`;
}

/** What the page shows of a run: the summary, and who got a document at a service with a rate limit. */
export function partOfPage(results: Results): string {
	const shown = results.tables.filter(({ id }) => id === 'rateLimit');
	return [summaryOf(results), ...shown.map(tableOf)].join('\n\n');
}

/**
 * Writes what a complete run found: `bench/results/<date>.json`, and the tables of the page.
 * @returns the files, relative to the project
 */
export async function publish(results: Results): Promise<string[]> {
	const file = `bench/results/${results.date.slice(0, 10)}.json`;
	await writeFile(path.join(root, file), `${JSON.stringify(results, null, '\t')}\n`);
	const text = await readFile(path.join(root, page), 'utf8');
	const [begin, end] = marks.map((mark) => text.indexOf(mark)) as [number, number];
	if (begin < 0 || end < begin) throw new Error(`${page} lacks its marks ${marks.join(' and ')}.`);
	const before = text.slice(0, begin + marks[0].length);
	const whole = `${before}\n\n${partOfPage(results)}\n\n${text.slice(end)}`;
	await writeFile(path.join(root, page), whole);
	await runTool('prettier/bin/prettier.cjs', ['--write', '--log-level=warn', page]);
	return [file, page];
}

function ratioTable(ratios: Ratios): string {
	const rows = judge(ratios).map(({ what, value, floor }) => [what, value.toFixed(2), floor]);
	return markdownTable(['Ratio', 'Measured', 'Threshold'], rows);
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
