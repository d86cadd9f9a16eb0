import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import type { ExecutionSummary, WorkflowInput } from '../host/apiTypes';
import type { CallsDone } from './httpClient';
import { createDocuments } from './documents';
import type { Service } from './service';
import type { Bench } from './types';

const event = 'signDocument';
/** What n8n lists of executions at once. */
const page = 100;

/** An active workflow that waits for calls. */
export interface Listener {
	name: string;
	workflowId: string;
	url: string;
}

/** Where genuine events come from: each is another one, as the sandbox itself would send it. */
export interface Events {
	next(count: number): unknown[];
}

/** A workflow that this trigger starts, with its address registered at the service. */
export async function listenByTrigger(bench: Bench, service: Service): Promise<Listener> {
	const workflowId = await activate(bench, {
		type: 'n8n-nodes-signverify.signVerifyTrigger',
		typeVersion: 1.1,
		parameters: { events: [event] },
		credentials: service.credentials,
	});
	const [registration] = service.sandbox.webhooks();
	if (!registration) throw new Error('The trigger has registered no address.');
	return { name: 'this trigger', workflowId, url: registration.webHookUrl };
}

/** How a Webhook node is set up; anybody may call it unless something else is said. */
export interface WebhookOptions {
	name?: string;
	/** Asked for in a header. */
	secret?: string;
	/** Whether one of its parameters is an expression. */
	expression?: boolean;
}

/** A workflow that n8n's Webhook node starts. */
export async function listenByWebhook(
	bench: Bench,
	{ name = 'Webhook node', secret, expression }: WebhookOptions = {},
): Promise<Listener> {
	const { api, url } = bench.n8n;
	const path = randomUUID();
	const node: Trigger = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: {
			httpMethod: 'POST',
			path,
			options: expression ? { ignoreBots: '={{ false }}' } : {},
		},
	};
	if (secret) {
		const credential = await api.createCredential({
			name: 'Header of the Webhook node',
			type: 'httpHeaderAuth',
			data: { name: 'x-secret', value: secret },
		});
		node.parameters.authentication = 'headerAuth';
		node.credentials = { httpHeaderAuth: { id: credential.id, name: credential.name } };
	}
	return { name, url: `${url}/webhook/${path}`, workflowId: await activate(bench, node) };
}

type Trigger = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

async function activate({ n8n: { api } }: Bench, trigger: Trigger): Promise<string> {
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
	await api.activate(id);
	return id;
}

/** Takes one event of the sandbox as the pattern of all others. */
export async function eventsOf(bench: Bench, service: Service): Promise<Events> {
	const { sandbox } = service;
	await createDocuments(bench, service, { kind: 'bare', parallel: 1 }, 1);
	const [document] = sandbox.documents();
	const [delivery] = await sandbox.fire(event, document?.documentID ?? '');
	await sandbox.idle();
	const pattern = delivery?.body as { Document: object } | undefined;
	if (!pattern) throw new Error('The sandbox sent no event.');
	// Of another document each time; the same signature again would be dropped as a repeat.
	const another = () => ({
		...pattern,
		Document: { ...pattern.Document, documentID: randomUUID() },
	});
	return { next: (count) => Array.from({ length: count }, another) };
}

/** Events sent to a listener, and the executions that they started, in the order of their start. */
export interface Delivered extends CallsDone {
	executions: Array<Required<Pick<ExecutionSummary, 'startedAt' | 'stoppedAt'>>>;
}

/**
 * Sends events, at most 100, and waits until their executions have ended.
 * @throws Error when one was not answered with 200, or did not lead to one successful execution
 */
export async function deliver(
	{ client, n8n: { api } }: Bench,
	{ name, url, workflowId }: Listener,
	bodies: unknown[],
	parallel: number,
): Promise<Delivered> {
	const before = new Set((await api.executions({ workflowId, limit: page })).map(({ id }) => id));
	const done = await client.make({ url, bodies, parallel });
	if (done.statuses['200'] !== bodies.length) {
		throw new Error(`The ${name} answered with ${JSON.stringify(done.statuses)}.`);
	}
	const deadline = Date.now() + 180_000;
	for (;;) {
		const all = await api.executions({ workflowId, limit: page });
		const own = all.filter(({ id }) => !before.has(id)).reverse();
		if (own.length === bodies.length && own.every(({ status }) => status === 'success')) {
			const executions = own.map(({ startedAt, stoppedAt = '' }) => ({ startedAt, stoppedAt }));
			return { ...done, executions };
		}
		if (Date.now() > deadline) {
			throw new Error(`${bodies.length} events to the ${name} led to ${own.length} executions.`);
		}
		await delay(100);
	}
}
