import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import type { ExecutionSummary, WorkflowInput } from '../host/apiTypes';
import { createAll } from './documents';
import { median, medianRatio, processorMs } from './measure';
import type { Outcome, Row } from './report';
import { withBench, withService, type Bench, type Service } from './stage';

const parallel = 20;
const warmUpEvents = 30;
const event = 'signDocument';

/**
 * An n8n setting. By default, n8n creates an isolate for expressions on each webhook call and discards it
 * afterward. The only exception is n8n's own Webhook node, if it does not contain any expressions. With this
 * setting, n8n creates an isolate only when there is an expression to evaluate, whichever node is called.
 */
const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** A published workflow that waits for calls, and its results in each round. */
interface Listener {
	name: string;
	workflowId: string;
	url: string;
	/** The events per second in each round. */
	rates: number[];
	/** How much processor time n8n used per event in each round, in milliseconds. */
	costs: number[];
}

/**
 * Measures how many events per second this trigger and n8n's Webhook node handle. The measured time ends when
 * the last execution has ended. Both nodes get copies of a genuine event, and each is followed by a No
 * Operation node. They are compared in an n8n instance that treats both alike. A complete run also compares
 * them in an n8n with default settings.
 */
export async function measureTrigger(bench: Bench): Promise<Outcome> {
	bench.log(`  n8n with ${Object.keys(lazy).join()}…`);
	const alike = await withBench(bench.plan, bench.log, compare, lazy);
	const rows = rowsOf('isolates created lazily', alike);
	if (!bench.plan.quick) rows.push(...rowsOf('by default', await compare(bench)));
	return {
		tables: [
			{
				id: 'trigger',
				title: `Events, ${parallel} in parallel`,
				columns: [
					{ key: 'n8n', title: 'n8n' },
					{ key: 'side', title: 'Node' },
					{ key: 'rate', title: 'Events per second', digits: 1 },
					{ key: 'cost', title: "n8n's processor time per event (ms)", digits: 1 },
				],
				rows,
			},
		],
		ratios: { trigger: medianRatio(alike[0].costs, alike[1].costs) },
	};
}

/** Measures in short rounds so that other load on the machine affects both workflows equally. */
async function compare(bench: Bench): Promise<[own: Listener, other: Listener]> {
	const { rounds, events } = bench.plan.trigger;
	return await withService(bench, {}, async (service) => {
		const own = await listenByTrigger(bench, service);
		const other = await listenByWebhook(bench);
		const eventsOf = await patternOf(bench, service, own);
		for (const listener of [own, other]) await deliver(bench, listener, eventsOf(warmUpEvents));
		for (let round = 0; round < rounds; round++) {
			// Running first in a round may be an advantage, so the order alternates.
			for (const listener of round % 2 ? [other, own] : [own, other]) {
				const before = await processorMs(bench.n8n.pid);
				listener.rates.push(await deliver(bench, listener, eventsOf(events)));
				listener.costs.push(((await processorMs(bench.n8n.pid)) - before) / events);
			}
		}
		for (const { workflowId } of [own, other]) await bench.n8n.api.unpublish(workflowId);
		return [own, other];
	});
}

function rowsOf(n8n: string, listeners: Listener[]): Row[] {
	return listeners.map(({ name, rates, costs }) => {
		const cost = median(costs);
		return { n8n, side: name, rate: median(rates), cost: Number.isNaN(cost) ? undefined : cost };
	});
}

/** Creates and publishes a workflow with this trigger, which then registers its URL with the service. */
async function listenByTrigger(bench: Bench, service: Service): Promise<Listener> {
	const workflowId = await publish(bench, {
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		typeVersion: 1.1,
		parameters: { events: [event] },
		credentials: await service.credentialsFor(10),
	});
	const [registration] = service.sandbox.webhooks();
	if (!registration) throw new Error("The trigger hasn't registered a URL.");
	const url = registration.webHookUrl;
	return { name: 'this trigger', workflowId, url, rates: [], costs: [] };
}

/** Creates and publishes a workflow with n8n's Webhook node, whose URL accepts calls from anyone. */
async function listenByWebhook(bench: Bench): Promise<Listener> {
	const path = randomUUID();
	const workflowId = await publish(bench, {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path },
	});
	const url = `${bench.n8n.url}/webhook/${path}`;
	return { name: 'Webhook node', workflowId, url, rates: [], costs: [] };
}

type Trigger = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

async function publish({ n8n: { api } }: Bench, trigger: Trigger): Promise<string> {
	const place = (name: string, x: number) => ({
		id: randomUUID(),
		name,
		position: [x, 0] as [number, number],
	});
	const workflow: WorkflowInput = {
		name: `Started by ${trigger.type}`,
		nodes: [
			{ ...trigger, ...place('Trigger', 0), webhookId: randomUUID() },
			{ ...place('Next', 240), type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		],
		connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	};
	const { id } = await api.createWorkflow(workflow);
	await api.publish(id);
	return id;
}

/**
 * Has the sandbox send one event to the trigger, and returns a function that makes copies of this event. Each
 * copy is about a different document, because the trigger drops repeats. Before returning, waits until the
 * execution that the original event started has ended, so that this execution is not counted in the
 * measurement.
 */
async function patternOf(
	bench: Bench,
	service: Service,
	listener: Listener,
): Promise<(count: number) => unknown[]> {
	const { sandbox } = service;
	await createAll(bench, service, { kind: 'bare', parallel: 1 }, 1);
	const [document] = sandbox.documents();
	const [delivery] = await sandbox.fire(event, document?.documentID ?? '');
	await sandbox.idle();
	await endedExecutions(bench, listener, new Set(), 1);
	const pattern = delivery?.body as { Document: object } | undefined;
	if (!pattern) throw new Error("The sandbox didn't send an event.");
	const another = () => ({
		...pattern,
		Document: { ...pattern.Document, documentID: randomUUID() },
	});
	return (count) => Array.from({ length: count }, another);
}

/** n8n lists at most 100 executions per call. */
const listed = 100;

/**
 * Waits until a workflow has `count` new executions (those not in `before`) and all of them have succeeded.
 * @throws Error if this takes longer than three minutes.
 */
async function endedExecutions(
	{ n8n: { api } }: Bench,
	{ name, workflowId }: Listener,
	before: Set<string>,
	count: number,
): Promise<ExecutionSummary[]> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		const executions = await api.executions({ workflowId, limit: listed });
		const started = executions.filter(({ id }) => !before.has(id));
		const isDone = started.every(({ status }) => status === 'success');
		if (started.length === count && isDone) return started;
		if (Date.now() > deadline) {
			throw new Error(`${count} events to ${name} started ${started.length} executions.`);
		}
		await delay(100);
	}
}

/**
 * Sends at most 100 events and waits until their executions have ended.
 * @returns The number of events per second, measured from the first call to the end of the last execution.
 * @throws Error if any event did not get a 200 or did not start exactly one successful execution.
 */
async function deliver(bench: Bench, listener: Listener, bodies: unknown[]): Promise<number> {
	const { client, n8n } = bench;
	const { name, url, workflowId } = listener;
	const executions = await n8n.api.executions({ workflowId, limit: listed });
	const before = new Set(executions.map(({ id }) => id));
	const { statuses, startedAt } = await client.make({ url, bodies, parallel });
	if (statuses['200'] !== bodies.length) {
		throw new Error(`${name} responded with ${JSON.stringify(statuses)}.`);
	}
	const ended = await endedExecutions(bench, listener, before, bodies.length);
	const end = Math.max(...ended.map(({ stoppedAt = '' }) => Date.parse(stoppedAt)));
	return bodies.length / ((end - startedAt) / 1000);
}
