import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
	type QueueStage,
	type QueueStageOptions,
	raiseQueueStage,
} from '../../../host/queue/stage';
import { root } from '../../../scripts/tools';
import { createDocument, loggedIn, retry as retryOne } from '../../e2e/support/trigger';
import { post } from '../../support/http';
import { until } from '../../support/until';
import type { Sandbox } from '../../../sandbox';
import { sql } from '../../../host/queue/postgres';

/** Five processes of n8n and the migrations of a new database, on a machine that does other work. */
const startMs = 420_000;

/**
 * A queue-mode n8n with the package and a sandbox, for the tests of the calling file: on free ports
 * and an empty folder, with the onboarding workflows deactivated.
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
		for (const id of Object.values(holder.workflows)) await holder.api.deactivate(id);
	}, startMs);
	afterAll(async () => {
		await holder.close?.();
		// QUEUE_KEEP=1 leaves logs and data to be looked at.
		if (!process.env.QUEUE_KEEP) await rm(folder, { recursive: true, force: true });
	}, startMs);
	return holder;
}

/** A call that starts an execution. */
export interface StartCall {
	/** By its name, n8n's data say which call an execution comes from: `send-00001.1`. */
	call: string;
	/** Whether it was answered 2xx. */
	isAccepted: boolean;
}

/**
 * Starts an execution, by another call if one is not answered 2xx.
 * @param calls Gets each call, with what it carries.
 */
export async function startExecution<Carried extends object>(
	url: string,
	name: string,
	carried: Carried,
	calls: Array<Carried & StartCall>,
): Promise<void> {
	let tries = 0;
	await until('the call is taken', async () => {
		const call = { ...carried, call: `${name}.${++tries}`, isAccepted: false };
		calls.push(call);
		call.isAccepted = (await post(url, call).catch(() => undefined)) === 200;
		if (!call.isAccepted) await delay(1000);
		return call.isAccepted;
	});
}

const began = Date.now();

/** Prints a line at once, with the seconds since the beginning: these tests take minutes. */
export function report(line: string): void {
	const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
	process.stdout.write(`${seconds} s  ${line}\n`);
}

/** n8n answers a "Retry" when the new execution waits or is over, but not always. */
const answerMs = 8000;

/** "Retry" in the list of executions, with the original workflow. */
export async function retry(
	{ url, owner }: Pick<QueueStage, 'url' | 'owner'>,
	executions: Array<{ id: string }>,
): Promise<void> {
	const client = await loggedIn(url, owner);
	for (const { id } of executions) {
		const answer = retryOne(client, id, false);
		// Whether there is a new execution, is for the check to say.
		await Promise.race([answer.catch(() => undefined), delay(answerMs)]);
	}
}

/**
 * Has the sandbox send one event to whoever registered for it.
 *
 * @returns makes notifications like that one, each of another document. The call that delivers it
 *   becomes the document's title: n8n's data then say which call an execution comes from, and a
 *   repeated event stays the same event, since its ID has nothing of the title.
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
		id,
		status,
		call,
		retryOf,
		created: Number(created),
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

/**
 * How many bytes n8n's table with the Send Once Keys takes, with its indexes, without the old versions of
 * rows, which PostgreSQL clears away by and by.
 */
export async function bytesOfKeys(stage: QueueStage): Promise<number> {
	await query(stage, 'VACUUM FULL processed_data');
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
