import { setTimeout as delay } from 'node:timers/promises';

import { sql } from '../../../host/queue/postgres';
import type { QueueStage } from '../../../host/queue/stage';
import type { Entry } from './history/entries';

/** Asks n8n's database; gives the rows as lists of texts. */
async function query({ env }: Pick<QueueStage, 'env'>, statement: string): Promise<string[][]> {
	const lines = (await sql(env, ['-c', statement])).split('\n').filter((line) => line !== '');
	return lines.map((line) => line.split('\t'));
}

/** An execution, and what of the tests' calls its stored data name. */
export interface StoredExecution {
	id: string;
	workflow: string;
	status: string;
	/** The call that it was started by; empty where the stored data no longer hold it. */
	call: string;
	error: string;
	/** The execution that it is a "Retry" of; empty where it is none. */
	retryOf: string;
	/** Epoch milliseconds, by PostgreSQL's and n8n's clocks, which are this machine's. */
	created: number;
	/** Undefined while it is not over. */
	stopped?: number;
}

/** The executions of a workflow, with the call (`event-00001#1`) that each was started by. */
export async function storedExecutions(
	stage: QueueStage,
	workflowId: string,
): Promise<StoredExecution[]> {
	const moment = (column: string): string =>
		`coalesce(floor(extract(epoch FROM ${column}) * 1000)::text, '')`;
	const rows = await query(
		stage,
		`SELECT e.id, e.status, coalesce(substring(d.data from '(?:event|forged|send|wait)-[0-9]{5}#[0-9]+'), ''),
			coalesce(substring(d.data from '"message":"?([^"]{1,80})'), ''), coalesce(e."retryOf", ''),
			${moment('e."createdAt"')}, ${moment('e."stoppedAt"')}
		FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' ORDER BY e.id`,
	);
	return rows.map((row) => {
		const [id = '', status = '', call = '', error = '', retryOf = '', created, stopped] = row;
		return {
			...{ id, workflow: workflowId, status, call, error, retryOf, created: Number(created) },
			stopped: stopped ? Number(stopped) : undefined,
		};
	});
}

/** How many executions of a workflow are in each status. */
export async function statusCounts(
	stage: QueueStage,
	workflowId: string,
): Promise<Record<string, number>> {
	const rows = await query(
		stage,
		`SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${workflowId}' GROUP BY status`,
	);
	return Object.fromEntries(rows.map(([status = '', count]) => [status, Number(count)]));
}

/** How many bytes the table of n8n takes that has the keys of "Send Once", with its indexes. */
export async function bytesOfKeys(stage: QueueStage): Promise<number> {
	const [[bytes] = []] = await query(stage, "SELECT pg_total_relation_size('processed_data')");
	return Number(bytes);
}

/**
 * Waits until no execution of a workflow is under way, or so long.
 *
 * @returns how many are in each status then
 */
export async function settled(
	stage: QueueStage,
	workflowId: string,
	limitMs: number,
): Promise<Record<string, number>> {
	const deadline = Date.now() + limitMs;
	for (;;) {
		const counts = await statusCounts(stage, workflowId);
		const { running = 0, new: fresh = 0 } = counts;
		if (running + fresh === 0 || Date.now() > deadline) return counts;
		await delay(2000);
	}
}

/** The executions of a workflow that have one of these statuses now. */
export async function idsOfStatus(
	stage: QueueStage,
	workflowId: string,
	statuses: string[],
): Promise<string[]> {
	const list = statuses.map((each) => `'${each}'`).join(', ');
	const rows = await query(
		stage,
		`SELECT id FROM execution_entity WHERE "workflowId" = '${workflowId}' AND status IN (${list})`,
	);
	return rows.map(([id = '']) => id);
}

/**
 * Executions as a history holds them.
 *
 * @param failed says when each that failed did so
 */
export function executionEntries(
	executions: StoredExecution[],
	failed: { momentOf: (execution: string) => number },
): Entry[] {
	return executions.flatMap(({ id, status, call, retryOf, created, stopped }): Entry[] => {
		const started: Entry = {
			...{ type: 'started', at: created, execution: id, call },
			...(retryOf ? { retryOf } : {}),
		};
		if (['new', 'running', 'waiting'].includes(status)) return [started];
		const at = status === 'success' ? (stopped ?? Date.now()) : failed.momentOf(id);
		return [started, { type: 'finished', at, execution: id, status }];
	});
}
