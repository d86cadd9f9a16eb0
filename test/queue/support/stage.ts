import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
	type QueueStage,
	type QueueStageOptions,
	raiseQueueStage,
} from '../../../host/queue/stage';
import { root } from '../../../scripts/tools';
import { createDocument, loggedIn, retryExecution as retryOne } from '../../e2e/support/trigger';
import { post } from '../../support/http';
import { until } from '../../support/until';
import type { Sandbox } from '../../../sandbox';
import { sql } from '../../../host/queue/postgres';

/** Enough time (ms) to start five n8n processes and migrate a new database on a busy machine. */
const startMs = 420_000;

/**
 * An n8n instance in queue mode with the package and a sandbox, for the tests in the calling file. It uses
 * free ports and an empty folder, and the onboarding workflows are unpublished.
 */
export function useQueueStage(
	name: string,
	options: Omit<QueueStageOptions, 'folder' | 'log'> = {},
	onboarding?: 'with the onboarding',
): QueueStage {
	const folder = path.join(root, '.run', `queue-${name}`);
	const holder = {} as QueueStage;
	beforeAll(async () => {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		Object.assign(holder, await raiseQueueStage({ folder, log: report, ...options }));
		if (onboarding) return;
		for (const id of Object.values(holder.workflows)) await holder.api.unpublish(id);
	}, startMs);
	afterAll(async () => {
		await holder.close?.();
		// QUEUE_KEEP=1 keeps logs and data for inspection.
		if (!process.env.QUEUE_KEEP) await rm(folder, { recursive: true, force: true });
	}, startMs);
	return holder;
}

export interface StartCall {
	/**
	 * The call's name, such as `send-00001.1`, which is part of the data that n8n stores for the execution.
	 */
	call: string;
	/** Whether n8n responded with 200. */
	isAccepted: boolean;
}

/**
 * Starts an execution. Repeats the call until n8n responds with 200.
 * @param calls The list to which each call is added, together with the data that it carries.
 */
export async function startExecution<Carried extends object>(
	url: string,
	name: string,
	carried: Carried,
	calls: Array<Carried & StartCall>,
): Promise<void> {
	let tries = 0;
	await until('n8n accepts the call', async () => {
		const call = { ...carried, call: `${name}.${++tries}`, isAccepted: false };
		calls.push(call);
		call.isAccepted = (await post(url, call).catch(() => undefined)) === 200;
		if (!call.isAccepted) await delay(1000);
		return call.isAccepted;
	});
}

const began = Date.now();

/** Prints a line immediately, with the seconds since the start, because these tests take minutes. */
export function report(line: string): void {
	const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
	process.stdout.write(`${seconds} s  ${line}\n`);
}

/**
 * How long (ms) to wait for the response to a retry. n8n usually responds once the new execution is waiting
 * or has ended, but not always.
 */
const responseMs = 8000;

/** Retries each execution, the way "Retry with original workflow" in the list of executions does. */
export async function retry(
	{ url, owner }: Pick<QueueStage, 'url' | 'owner'>,
	executions: Array<{ id: string }>,
): Promise<void> {
	const client = await loggedIn(url, owner);
	for (const { id } of executions) {
		const response = retryOne(client, id, false);
		// The response is ignored, because a later check determines whether there is a new execution.
		await Promise.race([response.catch(() => undefined), delay(responseMs)]);
	}
}

/**
 * Makes the sandbox send one event to its registered webhook.
 * @returns A function that makes copies of that notification, each about a different document. The name of
 * the call becomes the document's title, so n8n's data shows which call started an execution. A repeated
 * notification is still about the same event, because an event's ID does not depend on the title.
 */
export async function genuine(
	sandbox: Sandbox,
): Promise<(documentID: string, call?: string) => unknown> {
	const [delivery] = await sandbox.fire('signDocument', await createDocument(sandbox));
	await sandbox.idle();
	const body = delivery?.body as { Document: object };
	return (documentID, call = `${documentID}.1`) => ({
		...body,
		Document: { ...body.Document, documentID, title: call },
	});
}

/** Runs a statement in n8n's database. @returns The rows, each as a list of strings. */
async function query({ env }: Pick<QueueStage, 'env'>, statement: string): Promise<string[][]> {
	const lines = (await sql(env, ['-c', statement])).split('\n').filter((line) => line !== '');
	return lines.map((line) => line.split('\t'));
}

/** An execution in n8n's database, and the call that started it. */
export interface StoredExecution {
	id: string;
	/** n8n's name for the status. */
	status: string;
	/** The call whose data the execution contains, or '' if the data was lost. */
	call: string;
	/** The execution that was retried, or '' if this is not a retry. */
	retryOf: string;
	/** Epoch-ms. PostgreSQL and n8n both use this machine's clock. */
	created: number;
	/** When the execution ended, or undefined until then. After a crash, this is the last sign of life. */
	stopped?: number | undefined;
}

/** The executions of a workflow, each with the call (`event-00001.1`) that started it. */
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
		id,
		status,
		call,
		retryOf,
		created: Number(created),
		stopped: stopped ? Number(stopped) : undefined,
	}));
}

/** Whether an execution was interrupted, meaning that it ended without success. */
export function isInterrupted({ status }: StoredExecution): boolean {
	return !['success', 'new', 'running', 'waiting'].includes(status);
}

/** The number of a workflow's executions in each status. */
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

/**
 * The size (bytes) of the n8n table that stores the Send Once Keys. Includes its indexes, but not the old row
 * versions that PostgreSQL removes over time.
 */
export async function bytesOfKeys(stage: QueueStage): Promise<number> {
	await query(stage, 'VACUUM FULL processed_data');
	const [[bytes] = []] = await query(stage, "SELECT pg_total_relation_size('processed_data')");
	return Number(bytes);
}

/**
 * Waits until no execution of a workflow is running, or until `limitMs` has passed.
 * @returns The number of executions in each status.
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
