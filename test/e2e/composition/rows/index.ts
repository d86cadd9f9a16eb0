import { sampled } from '../cells';
import type { SingleRow } from '../scene';
import { besideRows } from './beside';
import { flowRows, settingRows } from './flows';
import { loopRows } from './loops';

/** The rows that stand for themselves: settings, loops, copies and the like. */
export const allRows: SingleRow[] = [...settingRows, ...loopRows, ...flowRows, ...besideRows];

/** A row, maybe with an endpoint at which the service is slower. */
export interface SlowedRow {
	row: SingleRow;
	slow?: string | undefined;
}

/** A row as reports name it. */
export function nameOfRow({ what, tried }: SingleRow): string {
	return `${what}, ${tried.words}`;
}

/** The same, with the endpoint at which the service is slower. */
export function nameOfSlowed({ row, slow }: SlowedRow): string {
	return slow ? `${nameOfRow(row)}, ${slow} slower` : nameOfRow(row);
}

/** Every row with each endpoint that its operation calls slower. */
export function slowedRows(): SlowedRow[] {
	return allRows.flatMap((row) => Object.values(row.tried.calls).map((slow) => ({ row, slow })));
}

/** One of these for each setting or workflow, chosen by a seed; none that takes long. */
export function sampledRows(seed: number): SlowedRow[] {
	const quick = slowedRows().filter(({ row }) => !row.long);
	return sampled(quick, seed, ({ row }) => row.what);
}
