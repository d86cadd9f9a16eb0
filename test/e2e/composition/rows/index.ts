import type { SingleRow } from '../scene';
import { besideRows } from './beside';
import { flowRows, settingRows } from './flows';
import { loopRows } from './loops';

export const allRows: SingleRow[] = [...settingRows, ...loopRows, ...flowRows, ...besideRows];

/** A row, with the endpoint that is slowed, if any. */
export interface SlowedRow {
	row: SingleRow;
	slow?: string | undefined;
}

export function nameOfRow({ what, tried }: SingleRow): string {
	return `${what}, ${tried.words}`;
}

export function nameOfSlowed({ row, slow }: SlowedRow): string {
	return slow ? `${nameOfRow(row)}, ${slow} slower` : nameOfRow(row);
}

/** Returns each row once for each endpoint that its operation calls, with that endpoint slowed. */
export function slowedRows(): SlowedRow[] {
	return allRows.flatMap((row) => Object.values(row.tried.calls).map((slow) => ({ row, slow })));
}
