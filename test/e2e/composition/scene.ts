import { setTimeout as delay } from 'node:timers/promises';
import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Credential, Execution, WorkflowInput } from '../../../host/apiTypes';
import { outputOf } from '../../../host/executions';
import { toRealPeople } from '../../../host/workflow';
import {
	type Item,
	type Service,
	type TestedOperation,
	awaitedBy,
	operationNamed,
	register,
	startService,
} from '../../operations';
import { until } from '../../support/until';
import type { Host } from './host';
import { saysNotDone, type Checks } from './report';
import { stopExecution } from '../support/wait';
import { credentialsOf, nodeOf } from '../support/workflow';
import { names, workflowOf } from './workflow';
import type { Sandbox } from '../../../sandbox';

/** A row of the matrix that is not built from the table of faults but defines its own workflow. */
export interface SingleRow {
	/** The name of the setting or the workflow in reports. */
	what: string;
	/** The operation under test. Other operations use the same code. */
	tried: TestedOperation;
	run(scene: Scene): Promise<void>;
}

/** An operation's parameters. If it sends, it sends to the real people, although its workflow runs manually. */
const parametersOf = ({ parameters, operation }: TestedOperation): INodeParameters => ({
	...parameters,
	...(operation.sends ? toRealPeople : {}),
});

const signVerify = ({ id }: Credential, rest: Partial<INode>) =>
	nodeOf({
		name: names.node,
		type: 'n8n-nodes-signverify.signVerify',
		credentials: credentialsOf(id),
		...rest,
	});

/** How long (ms) an execution may keep waiting after its event. */
const timeLimit = 20_000;

export interface Driving {
	/** Finds the waiting execution, if it is not the one that was started. */
	waiter?: () => Promise<string>;
	/** The delay (ms) before anything is signed, which gives an earlier wait time to clean up. */
	rest?: number;
	/**
	 * Returns true if nothing is to be signed during the wait with this index. That wait ends at its time
	 * limit.
	 */
	leave?: (index: number) => boolean;
	/** How long (ms) a wait may take to end. */
	timeLimit?: number;
}

/** One run of the matrix: n8n, a service, an operation, and the checks. */
export class Scene {
	/** IDs of other clients' documents or requests whose event has not been sent yet. */
	private readonly others: string[] = [];

	constructor(
		readonly host: Host,
		readonly service: Service,
		readonly checks: Checks,
		readonly credential: Credential,
		readonly operation: TestedOperation,
	) {}

	/**
	 * Returns a SignVerify node with the operation under test. The given settings and parameters override the
	 * defaults.
	 */
	node(rest: Partial<INode> = {}, parameters: INodeParameters = {}): INode {
		return signVerify(this.credential, {
			parameters: { ...parametersOf(this.operation), ...parameters },
			...rest,
		});
	}

	/** Stores a workflow. @returns Its ID. */
	async add(workflow: WorkflowInput): Promise<string> {
		return (await this.host.n8n.api.createWorkflow(workflow)).id;
	}

	/** Stores a workflow and runs it manually. @returns The ID of the execution. */
	async start(workflow: WorkflowInput): Promise<string> {
		return await this.host.n8n.api.run(await this.add(workflow), names.start);
	}

	/** The IDs of the documents or requests that the service created for the items. */
	createdFor(items: Item[]): string[] {
		return items.flatMap((item) => this.operation.created?.(this.service.sandbox, item) ?? []);
	}

	/**
	 * Creates other clients' documents or requests. Call this method before setting a fault that would hit
	 * them.
	 */
	async prepareOthers(count: number): Promise<void> {
		const { waits } = this.operation;
		while (waits && this.others.length < count) this.others.push(await waits.other(this.service));
	}

	/** The IDs of the documents or requests that a wait for the items waits for. */
	awaitedBy(items: Item[]): string[] {
		return awaitedBy(this.operation, this.service.sandbox, items);
	}

	/** Checks that an execution is waiting and has its webhook. @returns Whether it is waiting. */
	async checkWaits(id: string): Promise<boolean> {
		const { status } = await this.host.watch.settled(id);
		this.checks.expectSame('waitsWithRegistration', 'the execution', status, 'waiting');
		if (status === 'waiting') this.checkRegistered(id);
		return status === 'waiting';
	}

	private checkRegistered(id: string): void {
		const own = this.service.sandbox.webhooks().filter((webhook) => isOf(webhook.webHookUrl, id));
		// In a loop, the webhook of an earlier wait for the same event may still exist.
		const types = [...new Set(own.map(({ type }) => type))];
		const expected = [this.operation.waits?.event];
		this.checks.expectSame('waitsWithRegistration', 'registered for', types, expected);
	}

	/**
	 * Completes the document or request that an execution waits for, and waits until the event is delivered.
	 */
	async finish(id: string, created: string): Promise<void> {
		const { sandbox } = this.service;
		await this.operation.waits?.finish(sandbox, created);
		await until('all deliveries have ended', () => {
			const own = sandbox.deliveries().filter(({ url }) => isOf(url, id));
			return own.every(({ state }) => state !== 'pending');
		});
	}

	/** Checks that the event of another client's document or request does not end a wait. */
	private async checkOtherEvent(id: string): Promise<void> {
		await this.prepareOthers(1);
		const other = this.others.pop();
		if (other) await this.finish(id, other);
		const { status } = await this.host.watch.settled(id);
		const what = 'after the event of something else';
		this.checks.expectSame('waitsWithRegistration', what, status, 'waiting');
	}

	/**
	 * Drives an execution to its end. Whenever the execution waits, this method checks its webhook, sends
	 * another client's event, and then completes the document or request that the execution waits for.
	 * @param items The items that the execution may wait for.
	 */
	async drive(id: string, items: Item[], driving: Driving = {}): Promise<Execution> {
		const seen = new Set<string>();
		let deadline = Date.now() + timeLimit;
		for (;;) {
			const execution = await this.host.watch.settled(id);
			if (execution.status !== 'waiting') return execution;
			const awaited = this.awaitedBy(items).find((subject) => !seen.has(subject));
			if (awaited && this.#isReached(execution, awaited)) {
				await delay(driving.rest ?? 0);
				const waiter = driving.waiter ? await driving.waiter() : id;
				this.checkRegistered(waiter);
				await this.checkOtherEvent(waiter);
				if (!driving.leave?.(seen.size)) await this.finish(waiter, awaited);
				seen.add(awaited);
				deadline = Date.now() + (driving.timeLimit ?? timeLimit);
			}
			if (Date.now() > deadline) return await this.giveUp(id);
			await delay(150);
		}
	}

	/**
	 * Whether an execution already waits for this document or request. A document exists only once its wait begins.
	 * A request exists before, so a loop may still wait for an earlier one.
	 */
	#isReached({ runData }: Execution, awaited: string): boolean {
		if (this.operation.created) return true;
		const others = Object.entries(runData).filter(([name]) => name !== names.start);
		return JSON.stringify(others).includes(awaited);
	}

	private async giveUp(id: string): Promise<Execution> {
		const { n8n, client } = this.host;
		await stopExecution(n8n.api, client, id);
		this.checks.expect('waitsWithRegistration', false, () => 'all is done, and it still waits');
		return await n8n.api.execution(id);
	}

	checkSuccess({ status, error }: Execution): void {
		const seen = [status, error?.message ?? ''];
		this.checks.expectSame('outcome', 'the execution', seen, ['success', '']);
	}

	/** Checks that a node returned one item for each input item, in the same order, and that each is done. */
	checkDone(items: Item[], outputs: INodeExecutionData[]): void {
		const sources = outputs.map(({ json }) => json.source);
		const expected = items.map(({ n }) => n);
		this.checks.expectSame('onePerItem', 'items out, by the item in', sources, expected);
		for (const output of outputs) {
			const item = items.find(({ n }) => n === output.json.source);
			if (!item) continue;
			const problem = saysNotDone(output)
				? `it says that it is not done: ${JSON.stringify(output.json)}`
				: this.operation.problemOf(this.service.sandbox, item, output);
			this.checks.expect('doneOrSaysSo', !problem, () => `item ${item.n}: ${problem}`);
		}
	}

	/** Checks that an execution succeeded, and that each item reached the next node and is done. */
	checkNext(items: Item[], execution: Execution): void {
		this.checkSuccess(execution);
		this.checkDone(items, outputOf(execution, names.next));
	}

	/**
	 * Checks how many documents or requests were created for each item: by default, exactly one. An operation that
	 * creates nothing has none.
	 */
	checkOnce(items: Item[], times = 1): void {
		if (!this.operation.created) return;
		const counts = items.map((item) => this.createdFor([item]).length);
		const expected = items.map(() => times);
		this.checks.expectSame('neverTwice', 'created for each item', counts, expected);
	}
}

/** Whether a URL belongs to this waiting execution. */
function isOf(address: string, execution: string): boolean {
	return new URL(address).pathname.includes(`/webhook-waiting/${execution}/`);
}

/** A URL with nothing listening, as when an n8n instance is down. */
const elsewhere = 'http://127.0.0.1:9';
const secret = 'of-somebody-else-entirely';

/** An execution that waits throughout all runs. */
export interface StandingWait {
	/** The URL to which the execution's event is sent. */
	address: string;
	/**
	 * Completes the document or request that the execution waits for. @returns The execution's final status.
	 */
	finish(): Promise<string>;
}

/** Starts a waiting execution with its own service. */
export async function startStandingWait(host: Host, name: string): Promise<StandingWait> {
	const service = await startService();
	const { sandbox } = service;
	const operation = operationNamed(name);
	const items = await operation.prepare(service, 1);
	const parameters = parametersOf(operation);
	const node = signVerify(await host.credentialFor(sandbox), { parameters });
	const { id } = await host.n8n.api.createWorkflow(workflowOf(`Waits: ${name}`, node, items));
	const execution = await host.n8n.api.run(id, names.start);
	const { status } = await host.watch.settled(execution);
	if (status !== 'waiting') throw new Error(`The execution that is to wait: ${status}`);
	const [awaited = ''] = awaitedBy(operation, sandbox, items);
	const webhook = sandbox.webhooks().find(({ type }) => type === operation.waits?.event);
	return {
		address: webhook?.webHookUrl ?? '',
		async finish() {
			await operation.waits?.finish(sandbox, awaited);
			const ended = await host.watch.ended(execution);
			await sandbox.close();
			return ended.status;
		},
	};
}

/**
 * Registers other clients' webhooks for an event in the same account. The clients are triggers and waiting
 * executions, both in this n8n and in a different one.
 * @returns The IDs of the webhooks, which no run may remove.
 */
export async function registerOthers(
	service: Service,
	host: Host,
	event: string,
	standing: StandingWait | undefined,
): Promise<string[]> {
	const trigger = `webhook/0b6e0c4e-7a51-4c0c-9d4f-3f0f3f1f7a10/signverify?secret=${secret}`;
	const wait = `webhook-waiting/1/0b6e0c4e?until=1&secret=${secret}&signature=${secret}`;
	const addresses = [
		`${host.n8n.url}/${trigger}`,
		`${elsewhere}/${trigger}`,
		`${elsewhere}/${wait}`,
		...(standing ? [standing.address] : []),
	];
	const ids: string[] = [];
	for (const url of addresses) ids.push(await register(service, event, url));
	return ids;
}

/** The IDs in the list whose webhooks no longer exist. */
export function missingOf(sandbox: Sandbox, ids: string[]): string[] {
	const there = new Set(sandbox.webhooks().map(({ webHookID }) => webHookID));
	return ids.filter((id) => !there.has(id));
}
