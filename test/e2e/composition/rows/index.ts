import { byEnd, tableOf } from '../../../support/documentedPart';
import { faultOf } from '../cells';
import type { SingleRow } from '../scene';
import { besideRows } from './beside';
import { flowRows, settingRows } from './flows';
import { loopRows } from './loops';
import { table, type End } from '../table';

/** All individual rows, which cover settings, loops, copies and so on. */
export const allRows: SingleRow[] = [...settingRows, ...loopRows, ...flowRows, ...besideRows];

/** A row, with the endpoint that is slowed, if any. */
export interface SlowedRow {
	row: SingleRow;
	slow?: string | undefined;
}

/** The name of a row in reports. */
export function nameOfRow({ what, tried }: SingleRow): string {
	return `${what}, ${tried.words}`;
}

/** The name of a row in reports, with the slowed endpoint. */
export function nameOfSlowed({ row, slow }: SlowedRow): string {
	return slow ? `${nameOfRow(row)}, ${slow} slower` : nameOfRow(row);
}

/** Returns each row once for each endpoint that its operation calls, with that endpoint slowed. */
export function slowedRows(): SlowedRow[] {
	return allRows.flatMap((row) => Object.values(row.tried.calls).map((slow) => ({ row, slow })));
}

/** The words that docs/dev/proof.md uses for each outcome. */
const ends: Record<End, string> = {
	done: 'all items succeed',
	allFail: 'all items fail',
	oneFails: 'one item fails',
	oneUnsure: 'one item **may have been created**',
	oneWrong: 'with Stop Workflow, nothing is sent; otherwise, one item fails',
};

/** The text about the matrix in docs/dev/proof.md. */
export function compositionPart(): string {
	return [
		tableOf(
			['Fault', 'Operations', 'Result'],
			table.map(({ fault, where, end }) => [faultOf(fault).words, where, ends[end]]),
		),
		'The matrix also covers these settings and workflows:',
		tableOf(
			['Setting or workflow', 'Result'],
			byEnd(allRows.map(({ what, expected }) => [what, expected])),
		),
	].join('\n\n');
}
