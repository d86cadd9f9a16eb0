import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { HostInstallation } from '../host/install.cjs';
import { root, runTool } from '../scripts/tools';
import { judge, type Measured } from './thresholds';

interface Column {
	/** The key that the rows use for this column's values. */
	key: string;
	/** The heading, with the unit. */
	title: string;
	/** The number of decimal places. The default is 0. */
	digits?: number;
}

/** A row of a table. A value that was not measured is undefined. */
export type Row = Record<string, string | number | undefined>;

export interface Table {
	/** The table's name in the results file, for example `create`. */
	id: string;
	title: string;
	columns: Column[];
	rows: Row[];
}

/** What a measurement adds to the results. */
export interface Outcome extends Measured {
	tables: Table[];
}

/** The facts about the machine that affect the results. The machine's name is not included. */
interface Machine {
	cores: number;
	processor: string;
	memoryGB: number;
	system: string;
	/** The version of Node that runs the sandbox. */
	node: string;
	n8n: string;
	/** The version of Node that runs n8n and the bare client. */
	n8nNode: string;
	/** The one-minute load average when the measurements began. */
	load: number;
}

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

/** The results of a run, in the format of the results file. */
export interface Results extends Measured {
	/** ISO 8601 */
	date: string;
	machine: Machine;
	/** How long the measurements took, in seconds. */
	seconds: number;
	tables: Table[];
	/** The measurements that failed, with the reason for each. */
	failures: string[];
}

export function summaryOf(results: Results): string {
	const { date, machine, seconds } = results;
	const { cores, processor, memoryGB, system, node, n8n, n8nNode, load } = machine;
	return [
		`Measured on ${date.slice(0, 10)}, in ${(seconds / 60).toFixed(1)} minutes, on ${cores} cores (${processor}) with ` +
			`${memoryGB} GB of memory (${system}). n8n ${n8n} and the bare client ran on Node ${n8nNode}, and the ` +
			`sandbox on Node ${node}. The system load at the start was ${load}.`,
		'### Thresholds',
		thresholdTable(results),
	].join('\n\n');
}

export function tableOf({ title, columns, rows }: Table): string {
	const head = columns.map((column) => column.title);
	const cells = rows.map((row) => columns.map((column) => cell(row, column)));
	return `### ${title}\n\n${markdownTable(head, cells)}`;
}

/** The tables to show on the page, by ID, with an explanatory sentence for each. */
const tablesOfPage = new Map([
	[
		'repeats',
		"For each row, this node asks n8n's database whether its key was used for the same people. The Remove Duplicates node asks once for the whole list, and records a row before anything is sent.",
	],
	[
		'processor',
		'This node sends 50 documents at a time. The second service only repeats what the sandbox once responded, so it leaves n8n more of the machine.',
	],
	[
		'rateLimit',
		"The service in this comparison rejects every call above its limit and doesn't send `Retry-After`.",
	],
	[
		'trigger',
		'Each workflow consists of the node that receives the event and one node that does nothing.',
	],
]);

/** Formats the part of the results that the page shows: the summary and some of the tables. */
export function partOfPage(results: Results): string {
	const shown = results.tables.flatMap((table) => {
		const sentence = tablesOfPage.get(table.id);
		const [title = '', ...rows] = tableOf(table).split('\n\n');
		return sentence === undefined ? [] : [title, sentence, ...rows];
	});
	return [summaryOf(results), ...shown].join('\n\n');
}

/**
 * Writes the results of a complete run to `bench/results/<date>.json`, and updates the results on the page.
 * @returns The paths of both files, relative to the project.
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

function thresholdTable(measured: Measured): string {
	const rows = judge(measured).map(({ what, value, threshold }) => [
		what,
		value.toFixed(2),
		threshold,
	]);
	return markdownTable(['What was measured', 'Measured', 'Threshold'], rows);
}

function cell(row: Row, { key, digits = 0 }: Column): string {
	const value = row[key];
	if (typeof value !== 'number') return value ?? '';
	return value.toLocaleString('en', {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});
}

/**
 * Formats a Markdown table. The cells are padded so that the table is also readable in a terminal, and
 * columns of numbers are right-aligned.
 */
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
