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
import { firstEntries, runStack } from './engine';
import { nodeOf, type Installation } from './execute';
import { Process } from './process';
import { ProcessedStore } from './processedStore';
import type { Clock, Http, NodeCode } from './surroundings';
import { publish, unpublish } from './triggers';

/** The settings and the environment of an n8n instance. */
export interface Setup {
	instanceId: string;
	/** The public URL, without a trailing slash. */
	url: string;
	clock: Clock;
	network: Http;
	load(): NodeCode;
	credentials: Database['credentials'];
	processes: number;
	/** The number of webhooks that have ever been registered with the service. */
	registeredCount(): number;
}

/** A database that contains only credentials. */
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

/** One company's n8n, with a database, one or more processes and a public URL. */
export class N8n implements Installation {
	readonly database: Database;

	readonly processes: Process[] = [];

	/** The lines that nodes have written to the log. */
	readonly logged: string[] = [];

	/** Whether two processes have ever run at the same time. */
	hadSeveral = false;

	private executions = 0;

	private readonly underWay = new Set<Promise<void>>();

	/**
	 * For each workflow with a trigger, the last attempt to publish or unpublish it, which may still be
	 * running.
	 */
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

	get alive(): Process[] {
		return this.processes.filter(({ isAlive }) => isAlive);
	}

	/** Any running process, or undefined if none is running. */
	someProcess(): Process | undefined {
		const { alive } = this;
		return alive[Math.floor(this.clock.random() * alive.length)];
	}

	/**
	 * Starts an execution of an action workflow. @returns The execution, or undefined if no process is
	 * running.
	 */
	start(workflow: ActionWorkflow): Execution | undefined {
		const process = this.someProcess();
		if (!process) return undefined;
		const execution = this.newExecution(stored(workflow));
		execution.data.executionData.nodeExecutionStack.push(...firstEntries(process, execution));
		void this.run(process, execution);
		return execution;
	}

	/** Stores an execution that has not started. */
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

	/** Resolves when everything that is running now has ended. */
	async idle(): Promise<void> {
		await Promise.all(this.underWay);
	}

	/** Runs an execution in a process until the execution ends or waits, and stores a copy of its data. */
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
		const left = await runStack(process, this, execution, workflowNode);
		const caller = process.caller('run', { execution: execution.id });
		await process.withDatabase(caller, `is ${left}`, () => {
			process.running.delete(execution.id);
			// A user may have stopped the execution in the meantime.
			if (execution.status !== 'running') return;
			execution.data = stored(execution.data);
			execution.status = left === 'success' && execution.error ? 'error' : left;
			execution.waitTill = left === 'waiting' ? execution.data.waitTill : undefined;
			this.clock.note(`execution ${execution.id} of ${this.instanceId}: ${left}`);
			execution.waitingSince = this.clock.now();
			if (left === 'waiting') this.watchLimit(execution);
		});
	}

	/**
	 * Continues an execution at its time limit. Once a minute, n8n looks for approaching limits and sets a
	 * timer for each.
	 */
	private watchLimit(execution: Execution): void {
		const { waitTill = 0 } = execution;
		const late = Math.floor(this.clock.random() * 60_000);
		this.clock.after(Math.max(waitTill - this.clock.now(), 0) + late, () => {
			if (execution.status !== 'waiting') return;
			// If an event continues an execution shortly before its limit and the execution waits again, n8n
			// may keep the old timer. In that case, n8n continues the execution at the earlier wait's limit.
			const isEarlier = (execution.waitTill ?? Infinity) > this.clock.now() + clockTolerance;
			const isKept = execution.waitingSince >= waitTill - timerTime && this.clock.random() < 0.5;
			if (isEarlier && !isKept) return;
			const process = this.someProcess();
			// If no process is running, nothing happens until one starts and looks for limits that have
			// passed.
			if (process) this.continueAtLimit(process, execution, isEarlier);
		});
	}

	/** Continues an execution as n8n does when the time limit is reached. */
	continueAtLimit(process: Process, execution: Execution, isEarlier = false): void {
		const limit = isEarlier ? 'the limit of an earlier wait' : 'the limit';
		this.clock.note(`${limit} of execution ${execution.id} of ${this.instanceId} is reached`);
		execution.endedWaits.push('limit');
		void this.run(process, execution);
	}

	/**
	 * Stops an execution, like the Stop command in the list of executions. This requires a running process.
	 */
	stop(execution: Execution): void {
		if (this.alive.length === 0) return;
		if (execution.status !== 'running' && execution.status !== 'waiting') return;
		execution.wasWaiting = execution.status === 'waiting';
		// n8n keeps the data from when the execution was started or continued, and loses all later changes.
		if (!execution.wasWaiting && execution.begun) execution.data = execution.begun;
		execution.status = 'canceled';
		execution.error = new Error('The execution was cancelled manually');
		for (const { running } of this.alive) {
			running.get(execution.id)?.abort();
		}
	}

	/**
	 * Retries an execution that failed or was stopped while it waited.
	 * @param withSavedWorkflow Whether n8n uses the saved workflow. If so, n8n replaces the node in each
	 * entry with the saved node, and rejects the retry if the saved workflow does not contain a node with the
	 * same name.
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
		// n8n clears the error only if a node has returned output. If the error remains, the retry cannot
		// succeed.
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

	/** Starts a new process, and marks executions that were running in dead processes as crashed. */
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
	 * Publishes the currently saved version of a workflow, or unpublishes the workflow. n8n makes the changes
	 * to a workflow one at a time (`WorkflowPublicationLifecycleLock` in n8n 2.41.1).
	 * @returns Whether the change succeeded. If no process is running, nothing happens.
	 */
	async publish(workflow: TriggerWorkflow, isOn: boolean): Promise<boolean> {
		const version: TriggerVersion = { ...workflow.draft };
		const before = this.publishing.get(workflow.id) ?? Promise.resolve();
		const turn = before.then(async () => {
			// Hooks run in the main process. In this simulation, that is the first running process.
			const [process] = this.alive;
			if (!process) return false;
			const isNeeded = isOn || workflow.isPublished;
			// n8n has no trigger to delete, because the workflow is not published.
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

/** A limit that is this close (ms) is treated as reached, because clocks can differ. */
const clockTolerance = 1000;

/** n8n sets a limit's timer at most this long (ms) before the limit. */
const timerTime = 70_000;
