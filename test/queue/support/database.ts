import { setTimeout as delay } from 'node:timers/promises';

import { sql } from '../../../host/queue/postgres';
import type { QueueStage } from '../../../host/queue/stage';

/** Asks n8n's database; gives the rows as lists of texts. */
async function query({ env }: Pick<QueueStage, 'env'>, statement: string): Promise<string[][]> {
	const lines = (await sql(env, ['-c', statement])).split('\n').filter((line) => line !== '');
	return lines.map((line) => line.split('\t'));
}

/** An execution, and which of the tests' calls started it. */
export interface StoredExecution {
	id: string;
	/** n8n's own word. */
	status: string;
	/** The call whose data it holds; '' if it holds none any more. */
	call: string;
	/** The execution that it is a "Retry" of; '' if it is none. */
	retryOf: string;
	/** Epoch-ms, by the clocks of PostgreSQL and n8n, which are this machine's. */
	created: number;
	/** Undefined while it is not over. After a crash it is the last sign of life. */
	stopped?: number;
}

/** The executions of a workflow, with the call (`event-00001.1`) that started each. */
export async function storedExecutions(
	stage: QueueStage,
	workflowId: string,
): Promise<StoredExecution[]> {
	const moment = (column: string): string =>
		`coalesce(floor(extract(epoch FROM ${column}) * 1000)::text, '')`;
	const rows = await query(
		stage,
		`SELECT e.id, e.status,
			coalesce(substring(d.data from '(?:event|forged|send|wait)-[0-9]{5}[.][0-9]+'), ''),
			coalesce(e."retryOf", ''), ${moment('e."createdAt"')}, ${moment('e."stoppedAt"')}
		FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' ORDER BY e.id`,
	);
	return rows.map(([id = '', status = '', call = '', retryOf = '', created, stopped]) => ({
		...{ id, status, call, retryOf, created: Number(created) },
		stopped: stopped ? Number(stopped) : undefined,
	}));
}

/** Whether an execution was interrupted: it neither did what its workflow says, nor is it under way. */
export function isInterrupted({ status }: StoredExecution): boolean {
	return !['success', 'new', 'running', 'waiting'].includes(status);
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

/** How many bytes n8n's table with the Send Once Keys takes, with its indexes. */
export async function bytesOfKeys(stage: QueueStage): Promise<number> {
	const [[bytes] = []] = await query(stage, "SELECT pg_total_relation_size('processed_data')");
	return Number(bytes);
}

/**
 * Waits until no execution of a workflow is under way, or so long.
 * @returns How many are in each status then.
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
