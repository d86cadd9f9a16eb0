import { sampled, slowness } from '../cells';
import { Checks } from '../invariants';
import { identityFinished } from '../../../support/client';
import { startService } from '../service';
import { missingOf, registerOthers } from '../others';
import { operations } from '../operations';
import type { Result } from '../report';
import type { CellDeps } from '../run';
import { copyRows } from './copies';
import { flowRows } from './flows';
import { loopRows } from './loops';
import { retriedRows } from './retried';
import { nameOfRow, Scene, type SingleRow } from './scene';
import { settingRows } from './settings';
import { sharedRows } from './shared';

export { nameOfRow, type SingleRow } from './scene';

/** The rows that stand for themselves: settings, loops, copies and the like. */
export const allRows: SingleRow[] = [
	...settingRows,
	...loopRows,
	...flowRows,
	...sharedRows,
	...retriedRows,
	...copyRows,
];

/** A row with an endpoint at which the service is slower. */
export interface SlowedRow {
	row: SingleRow;
	slow?: string | undefined;
}

/** A row as reports name it. */
export function nameOfSlowed({ row, slow }: SlowedRow): string {
	return slow ? `${nameOfRow(row)}, ${slow} slower` : nameOfRow(row);
}

/** Every row that is about one operation, with each endpoint that this calls slower. */
export function slowedRows(): SlowedRow[] {
	return allRows.flatMap((row) => {
		const { calls } = operations[row.operation ?? 'document/download'];
		return Object.values(calls).map((slow) => ({ row, slow }));
	});
}

/** One of these for each setting or workflow, chosen by a seed; none that takes long. */
export function sampledRows(seed: number): SlowedRow[] {
	const quick = slowedRows().filter(({ row }) => !row.long);
	return sampled(quick, seed, ({ row }) => row.what);
}

/**
 * Tests one row, with what others have at the same account. Never throws.
 */
export async function runSingle(
	{ host, standing }: CellDeps,
	{ row, slow }: SlowedRow,
): Promise<Result> {
	const begun = Date.now();
	const service = await startService();
	const checks = new Checks();
	try {
		const others: string[] = [];
		for (const event of ['completedDocument', identityFinished]) {
			others.push(...(await registerOthers(service, host, event, standing.get(event))));
		}
		const credential = await host.credentialFor(service.sandbox);
		if (slow) service.sandbox.faults.set({ endpoint: slow, delayMs: slowness });
		await row.run(new Scene(host, service, checks, credential));
		const missing = missingOf(service.sandbox, others);
		checks.same('othersStay', 'registrations of others that are gone', missing, []);
	} catch (error) {
		checks.that('outcome', false, () => (error as Error).message);
	} finally {
		await service.sandbox.close();
	}
	const { count, violations } = checks;
	const name = nameOfSlowed({ row, slow });
	return { name, checks: count, violations, seconds: (Date.now() - begun) / 1000 };
}
