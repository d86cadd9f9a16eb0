import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { kinds, matrix, type Cell, type Kind } from './matrix';

/** The page for users that shows the matrix. */
const page = path.join(__dirname, '../../docs/reliability.md');
const marks = ['<!-- matrix: begin -->', '<!-- matrix: end -->'] as const;

const headings: Record<Kind, string> = {
	token: 'Token',
	read: 'Read',
	document: 'Create document',
	identity: 'Identity request',
	delete: 'Delete',
};

/** The matrix as the table in docs/reliability.md, in the form in which Prettier leaves it. */
export function matrixTable(): string {
	const head = ['What goes wrong', ...kinds.map((kind) => headings[kind])];
	const rows = matrix.map(({ fault, cells }) => [
		fault,
		...kinds.map((kind) => words(cells[kind])),
	]);
	const widths = head.map((_, column) =>
		Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: string[]) =>
		`| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function words([outcome, calls]: Cell): string {
	const end = { done: 'done', refused: 'error', mayExist: '**may exist**' }[outcome];
	return `${end}, ${calls === 1 ? '1 call' : `${calls} calls`}`;
}

/** The table that the page shows now. */
export async function documentedTable(): Promise<string> {
	const text = await readFile(page, 'utf8');
	return text.slice(text.indexOf(marks[0]) + marks[0].length, text.indexOf(marks[1])).trim();
}

/** Writes the matrix into the page. */
export async function updateDocumentation(): Promise<void> {
	const text = await readFile(page, 'utf8');
	const before = text.slice(0, text.indexOf(marks[0]) + marks[0].length);
	const after = text.slice(text.indexOf(marks[1]));
	await writeFile(page, `${before}\n\n${matrixTable()}\n\n${after}`);
}
