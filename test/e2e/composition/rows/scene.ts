import { setTimeout as delay } from 'node:timers/promises';

import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Credential, Execution, WorkflowInput } from '../../../../host/apiTypes';
import { outputOf } from '../../../../host/executions';
import { until } from '../../support/stage';
import type { Host } from '../host';
import { saysNotDone, type Checks } from '../invariants';
import { operations, type Item, type OperationName, type OperationUnderTest } from '../operations';
import type { Service } from '../service';
import { isOf } from '../waits';
import { names, signVerify } from '../workflow';

/** How long (ms) an execution may wait although all that it waits for is done. */
const timeLimit = 20_000;

/** How an execution is driven to its end. */
export interface Driving {
	/** The execution that waits, where it is another one than that which was started. */
	waiter?: () => Promise<string>;
	/** Lets the clean-up of an earlier wait do what it does (ms), before anything is signed. */
	rest?: number;
	/** What is not to be ended, so that its wait ends by its limit. */
	leave?: (index: number) => boolean;
	/** How long (ms) the last wait may take to end. */
	timeLimit?: number;
}

/** One row of the matrix while it is tested: an n8n, a service, and what was checked. */
export class Scene {
	/** What other clients have, and whose event was not sent yet. */
	private readonly others: string[] = [];

	constructor(
		readonly host: Host,
		readonly service: Service,
		readonly checks: Checks,
		readonly credential: Credential,
	) {}

	/** A SignVerify node, by its operation. */
	node(name: OperationName, rest: Partial<INode> = {}, parameters: INodeParameters = {}): INode {
		const form = { ...operations[name].parameters, ...parameters };
		return signVerify(this.credential, form, rest);
	}

	/** Stores a workflow; gives its ID. */
	async add(workflow: WorkflowInput): Promise<string> {
		return (await this.host.n8n.api.createWorkflow(workflow)).id;
	}

	/** Stores a workflow and runs it by hand; gives the execution. */
	async start(workflow: WorkflowInput): Promise<string> {
		return await this.host.n8n.api.run(await this.add(workflow), names.start);
	}

	/** The IDs of what the operation created, and those of other clients not. */
	created(name: OperationName): string[] {
		const { sandbox } = this.service;
		const another = 'somebody.else@example.com';
		if (name.startsWith('document/')) {
			const own = sandbox.documents().filter(({ signatory }) => signatory[0]?.emailID !== another);
			return own.map(({ documentID }) => documentID);
		}
		const own = sandbox.identityRequests().filter(({ emailId }) => emailId !== another);
		return own.map(({ validationId }) => validationId);
	}

	/** Makes what other clients have, before a fault is set that would hit them. */
	async prepareOthers(name: OperationName, count: number): Promise<void> {
		const { waits } = operations[name];
		while (waits && this.others.length < count) this.others.push(await waits.other(this.service));
	}

	/** Checks that an execution waits with its registration; gives whether it does. */
	async checkWaits(id: string, name: OperationName): Promise<boolean> {
		const { status } = await this.host.watch.settled(id);
		this.checks.same('waitsWithRegistration', 'the execution', status, 'waiting');
		if (status === 'waiting') this.checkRegistered(id, operations[name]);
		return status === 'waiting';
	}

	/** Ends what an execution waits for, and waits until that was told. */
	async finish(id: string, name: OperationName, created: string): Promise<void> {
		const { sandbox } = this.service;
		await operations[name].waits?.finish(sandbox, created);
		await until('the deliveries are through', () => {
			const own = sandbox.deliveries().filter(({ url }) => isOf(url, id));
			return own.every(({ state }) => state !== 'pending');
		});
	}

	/** Checks that the event of something else does not end a wait. */
	async checkOtherEvent(id: string, name: OperationName): Promise<void> {
		await this.prepareOthers(name, 1);
		const other = this.others.pop();
		if (other) await this.finish(id, name, other);
		const { status } = await this.host.watch.settled(id);
		this.checks.same(
			'waitsWithRegistration',
			'after the event of something else',
			status,
			'waiting',
		);
	}

	/**
	 * Drives an execution to its end: whenever it waits, its registration is looked at, the event of
	 * something else is sent, and what it waits for is ended, the last first.
	 */
	async drive(id: string, name: OperationName, driving: Driving = {}): Promise<Execution> {
		const seen = new Set<string>();
		let deadline = Date.now() + timeLimit;
		for (;;) {
			const execution = await this.host.watch.settled(id);
			if (execution.status !== 'waiting') return execution;
			const open = this.created(name).filter((each) => !seen.has(each));
			if (open.length > 0) {
				await this.endWait(driving.waiter ? await driving.waiter() : id, name, open, driving, seen);
				deadline = Date.now() + (driving.timeLimit ?? timeLimit);
			}
			if (Date.now() > deadline) return await this.giveUp(id);
			await delay(150);
		}
	}

	private async endWait(
		id: string,
		name: OperationName,
		open: string[],
		{ rest = 0, leave }: Driving,
		seen: Set<string>,
	): Promise<void> {
		await delay(rest);
		this.checkRegistered(id, operations[name]);
		await this.checkOtherEvent(id, name);
		const left = open.filter((_, index) => leave?.(seen.size + index));
		for (const each of open) seen.add(each);
		for (const each of open.reverse()) {
			if (!left.includes(each)) await this.finish(id, name, each);
		}
	}

	private checkRegistered(id: string, { waits }: OperationUnderTest): void {
		const own = this.service.sandbox.webhooks().filter((each) => isOf(each.webHookUrl, id));
		// In a loop that of an earlier wait may still be there; it is of the same event.
		const types = [...new Set(own.map(({ type }) => type))];
		this.checks.same('waitsWithRegistration', 'registered for', types, [waits?.event]);
	}

	private async giveUp(id: string): Promise<Execution> {
		await this.host.client.call('POST', `/executions/${id}/stop`);
		this.checks.that('waitsWithRegistration', false, () => 'all is done, and it still waits');
		return await this.host.n8n.api.execution(id);
	}

	/** Checks that an execution ended well. */
	checkSuccess({ status, error }: Execution): void {
		const seen = [status, error?.message ?? ''];
		this.checks.same('outcome', 'the execution', seen, ['success', '']);
	}

	/** Checks the items that a node gave: one for each that came in, in order, and done. */
	checkDone(name: OperationName, items: Item[], outputs: INodeExecutionData[]): void {
		const sources = outputs.map(({ json }) => json.source);
		const expected = items.map(({ n }) => n);
		this.checks.same('onePerItem', 'items out, by the item in', sources, expected);
		for (const output of outputs) {
			const item = items.find(({ n }) => n === output.json.source);
			if (!item) continue;
			const problem = saysNotDone(output)
				? `it says that it is not done: ${JSON.stringify(output.json)}`
				: operations[name].problemOf(this.service.sandbox, item, output);
			this.checks.that('doneOrSaysSo', !problem, () => `item ${item.n}: ${problem}`);
		}
	}

	/** The same for what came behind the node. */
	checkNext(name: OperationName, items: Item[], execution: Execution): void {
		this.checkSuccess(execution);
		this.checkDone(name, items, outputOf(execution, names.next));
	}

	/** Checks that each person got what was created for them once. */
	checkOnce(name: OperationName, items: Item[], each = 1): void {
		const counts = items.map(
			(item) => operations[name].created?.(this.service.sandbox, item).length ?? 0,
		);
		this.checks.same(
			'neverTwice',
			'created for each item',
			counts,
			items.map(() => each),
		);
	}
}

/** A row of the matrix that stands for itself. */
export interface SingleRow {
	/** The setting or the workflow, as the documentation names it. */
	what: string;
	/** The operation that it is tried with; absent where the row is not about one. */
	operation?: OperationName;
	/** What it is tried with instead, as the documentation calls it. */
	triedWith?: string;
	/** Whether it takes long, so that there is no time to do it for a sample. */
	long?: boolean;
	/** What is expected, as the end of a sentence. */
	expected: string;
	run(scene: Scene): Promise<void>;
}

/** A row as reports name it. */
export function nameOfRow({ what, operation }: SingleRow): string {
	return operation ? `${what}, ${operations[operation].words}` : what;
}
