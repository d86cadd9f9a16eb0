import { sql } from '../../../host/queue-postgres';
import type { QueueStage } from '../../../host/queue-stage';

/** Asks n8n's database; gives the rows as lists of texts. */
async function query({ env }: Pick<QueueStage, 'env'>, statement: string): Promise<string[][]> {
	const lines = (await sql(env, ['-c', statement])).split('\n').filter((line) => line !== '');
	return lines.map((line) => line.split('\t'));
}

/** An execution, and what of the sender's events its stored data names. */
export interface StoredExecution {
	id: string;
	status: string;
	/** Empty where the stored data no longer hold the event. */
	event: string;
	error: string;
}

/** The executions of a workflow, with the event (`event-00001`) that each was started by. */
export async function storedExecutions(
	stage: QueueStage,
	workflowId: string,
): Promise<StoredExecution[]> {
	const rows = await query(
		stage,
		`SELECT e.id, e.status, coalesce(substring(d.data from 'event-[0-9]{5}'), ''),
			coalesce(substring(d.data from '"message":"?([^"]{1,80})'), '')
		FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' ORDER BY e.id`,
	);
	return rows.map(([id = '', status = '', event = '', error = '']) => ({
		...{ id, status, event, error },
	}));
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
