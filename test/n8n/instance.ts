import { createHmac } from 'node:crypto';
import type { INode } from 'n8n-workflow';

import {
	stored,
	type ActionWorkflow,
	type Database,
	type Execution,
	type TriggerVersion,
	type TriggerWorkflow,
} from './database';
import { firstEntries, work } from './engine';
import { nodeOf, type Installation } from './execute';
import { Process } from './process';
import { ProcessedStore } from './processedStore';
import type { Clock, Http, NodeCode } from './surroundings';
import { publish, unpublish } from './triggers';

/** What an n8n consists of. */
export interface Setup {
	instanceId: string;
	/** The public address, without a slash at its end. */
	url: string;
	clock: Clock;
	network: Http;
	load(): NodeCode;
	credentials: Database['credentials'];
	processes: number;
	/** How many webhooks were ever registered at the service. */
	registeredCount(): number;
}

/** A database that holds nothing but credentials. */
export function emptyDatabase(credentials: Database['credentials']): Database {
	return {
		executions: new Map(),
		triggered: [],
		workflows: new Map(),
		triggers: new Map(),
		processed: new ProcessedStore(),
		credentials,
		starts: [],
	};
}

/** An n8n as one company runs it: a database, one or more processes, a public address. */
export class N8n implements Installation {
	readonly database: Database;

	readonly processes: Process[] = [];

	/** What its nodes wrote to its log. */
	readonly logged: string[] = [];

	/** Whether two processes have ever run at the same time. */
	hadSeveral = false;

	private executions = 0;

	private readonly underWay = new Set<Promise<void>>();

	/** What is under way last for each workflow that begins with a trigger. */
	private readonly publishing = new Map<string, Promise<unknown>>();

	readonly instanceId: string;

	readonly url: string;

	readonly clock: Clock;

	constructor(private readonly setup: Setup) {
		({ instanceId: this.instanceId, url: this.url, clock: this.clock } = setup);
		this.database = emptyDatabase(setup.credentials);
		for (let number = 0; number < setup.processes; number++) this.startProcess();
	}

	sign(url: string): string {
		return createHmac('sha256', this.instanceId).update(url).digest('hex');
	}

	private startProcess(): Process {
		const name = `${this.instanceId}/${this.processes.length + 1}`;
		const { instanceId, clock, database, setup } = this;
		const process = new Process(name, instanceId, setup.load(), clock, setup.network, database);
		this.processes.push(process);
		this.hadSeveral ||= this.alive.length > 1;
		return process;
	}

	/** The processes that run. */
	get alive(): Process[] {
		return this.processes.filter(({ isAlive }) => isAlive);
	}

	/** Some process that runs; undefined when none does. */
	someProcess(): Process | undefined {
		const { alive } = this;
		return alive[Math.floor(this.clock.random() * alive.length)];
	}

	/** Starts an execution of an action workflow; undefined when no process runs. */
	start(workflow: ActionWorkflow): Execution | undefined {
		const process = this.someProcess();
		if (!process) return undefined;
		const execution = this.newExecution(stored(workflow));
		execution.data.executionData.nodeExecutionStack.push(...firstEntries(process, execution));
		void this.run(process, execution);
		return execution;
	}

	/** An execution in the database that has not begun. */
	newExecution(workflow: ActionWorkflow): Execution {
		const execution: Execution = {
			id: `${++this.executions}`,
			workflow,
			mode: 'trigger',
			status: 'running',
			data: {
				executionData: { contextData: {}, nodeExecutionStack: [] },
				input: [],
				runs: [],
				hasOutput: false,
				loop: undefined,
			},
			begun: undefined,
			waitTill: undefined,
			waitingSince: 0,
			retryOf: undefined,
			wasWaiting: false,
			registeredBefore: this.setup.registeredCount(),
			endedWaits: [],
			error: undefined,
			hints: [],
		};
		this.database.executions.set(execution.id, execution);
		return execution;
	}

	/** When nothing runs any more that is under way now. */
	async idle(): Promise<void> {
		await Promise.all(this.underWay);
	}

	/** Runs an execution in a process, to its end or until it waits; what it kept is a copy. */
	async run(process: Process, execution: Execution, workflowNode?: INode): Promise<void> {
		const run = this.runIn(process, execution, workflowNode);
		const ended = Promise.race([run, process.death]);
		this.underWay.add(ended);
		await ended;
		this.underWay.delete(ended);
	}

	private async runIn(
		process: Process,
		execution: Execution,
		workflowNode = nodeOf(execution, process.code.action),
	): Promise<void> {
		execution.status = 'running';
		execution.registeredBefore = this.setup.registeredCount();
		execution.begun = stored(execution.data);
		process.running.set(execution.id, new AbortController());
		const left = await work(process, this, execution, workflowNode);
		const caller = process.caller('run', { execution: execution.id });
		await process.withDatabase(caller, `is ${left}`, () => {
			process.running.delete(execution.id);
			// Somebody may have stopped it meanwhile.
			if (execution.status !== 'running') return;
			execution.data = stored(execution.data);
			execution.status = left === 'success' && execution.error ? 'error' : left;
			execution.waitTill = left === 'waiting' ? execution.data.waitTill : undefined;
			this.clock.note(`execution ${execution.id} of ${this.instanceId}: ${left}`);
			execution.waitingSince = this.clock.now();
			if (left === 'waiting') this.watchLimit(execution);
		});
	}

	/** n8n looks once a minute for executions whose limit is near, and sets a timer for each. */
	private watchLimit(execution: Execution): void {
		const { waitTill = 0 } = execution;
		const late = Math.floor(this.clock.random() * 60_000);
		this.clock.after(Math.max(waitTill - this.clock.now(), 0) + late, () => {
			if (execution.status !== 'waiting') return;
			// n8n may keep its timer if an event continued the execution shortly before, and it waits anew:
			// for n8n the limit of the earlier wait is reached then.
			const isEarlier = (execution.waitTill ?? Infinity) > this.clock.now() + clockTolerance;
			const isKept = execution.waitingSince >= waitTill - timerTime && this.clock.random() < 0.5;
			if (isEarlier && !isKept) return;
			const process = this.someProcess();
			// A process that starts looks for all that is due.
			if (process) this.continueAtLimit(process, execution, isEarlier);
		});
	}

	/** n8n continues an execution because its limit is reached. */
	continueAtLimit(process: Process, execution: Execution, isEarlier = false): void {
		const limit = isEarlier ? 'the limit of an earlier wait' : 'the limit';
		this.clock.note(`${limit} of execution ${execution.id} of ${this.instanceId} is reached`);
		execution.endedWaits.push('limit');
		void this.run(process, execution);
	}

	/** Stops an execution, as a person does in the list of executions, which a running n8n shows. */
	stop(execution: Execution): void {
		if (this.alive.length === 0) return;
		if (execution.status !== 'running' && execution.status !== 'waiting') return;
		execution.wasWaiting = execution.status === 'waiting';
		// n8n keeps what it had when it began or went on: what it has done since is lost.
		if (!execution.wasWaiting && execution.begun) execution.data = execution.begun;
		execution.status = 'canceled';
		execution.error = new Error('The execution was cancelled manually');
		for (const { running } of this.alive) {
			running.get(execution.id)?.abort();
		}
	}

	/**
	 * Retries an execution that was stopped while it waited, or that failed.
	 * @param withSavedWorkflow n8n then puts the same node into all entries, and refuses where it has
	 * none of an entry's name.
	 */
	retry(before: Execution, withSavedWorkflow: boolean): Execution | undefined {
		const process = this.someProcess();
		const isOver = ['canceled', 'error', 'crashed'].includes(before.status);
		if (!process || !isOver) return undefined;
		const { nodeExecutionStack } = before.data.executionData;
		const { name } = nodeOf(before, process.code.action);
		const isKnown = nodeExecutionStack.every(({ node }) => node.name === name);
		if (withSavedWorkflow && !isKnown) return undefined;
		const execution = this.newExecution(before.workflow);
		execution.data = stored(before.data);
		execution.retryOf = before.id;
		// n8n forgets the error only where a node had output something: with it nothing can succeed.
		if (!before.data.hasOutput && before.status === 'canceled') execution.error = before.error;
		if (before.wasWaiting) execution.endedWaits.push('retry');
		execution.mode = 'retry';
		const workflowNode = nodeOf(execution, process.code.action);
		if (withSavedWorkflow) {
			for (const entry of execution.data.executionData.nodeExecutionStack)
				entry.node = workflowNode;
		}
		void this.run(process, execution, workflowNode);
		return execution;
	}

	/** Another process takes its place. What ran in the dead ones has crashed. */
	restart(): void {
		const process = this.startProcess();
		for (const execution of this.database.executions.values()) {
			const runsSomewhere = this.alive.some(({ running }) => running.has(execution.id));
			if (execution.status === 'running' && !runsSomewhere) {
				execution.status = 'crashed';
				if (execution.begun) execution.data = execution.begun;
			}
			const { waitTill = Infinity } = execution;
			if (execution.status === 'waiting' && waitTill <= this.clock.now()) {
				this.continueAtLimit(process, execution);
			}
		}
	}

	/**
	 * Publishes a workflow as it is saved now, or unpublishes it. n8n does one such thing for a workflow after
	 * another (`WorkflowPublicationLifecycleLock` in n8n 2.41.1).
	 * @returns Whether it worked; nothing happens where no process runs.
	 */
	async publish(workflow: TriggerWorkflow, isOn: boolean): Promise<boolean> {
		const version: TriggerVersion = { ...workflow.draft };
		const before = this.publishing.get(workflow.id) ?? Promise.resolve();
		const turn = before.then(async () => {
			// Hooks run in the main process, which is the first that runs.
			const [process] = this.alive;
			if (!process) return false;
			const isNeeded = isOn || workflow.isPublished;
			// n8n calls nobody.
			if (!isNeeded) return true;
			workflow.became = undefined;
			const work = isOn
				? publish(process, this, workflow, version)
				: unpublish(process, this, workflow);
			const done = await Promise.race([work, process.death.then(() => undefined)]);
			if (done) workflow.became = isOn ? 'published' : 'unpublished';
			if (done !== undefined) return done;
			workflow.cutOff = true;
			workflow.active = false;
			return false;
		});
		this.publishing.set(workflow.id, turn);
		return await turn;
	}
}

/** A limit (ms) that is so near is reached: clocks need not agree. */
const clockTolerance = 1000;

/** How long (ms) before a limit n8n sets its timer at most. */
const timerTime = 70_000;
