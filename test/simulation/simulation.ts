import { type Fault, isPassing, isRefusal } from './faults';
import type { ActionWorkflow, Execution, TriggerWorkflow } from '../n8n/database';
import { receive } from '../n8n/incoming';
import { N8n } from '../n8n/instance';
import type { NodeCode } from '../n8n/surroundings';
import { storeBeside } from '../n8n/triggers';
import { derivedId } from '../../sandbox/util/ids';
import { templateId } from '../operations/service';
import { baseUrl, Network } from './network';
import type { Plan } from './plan';
import { type Notification, owners, type ServiceResponse } from './service/contract';
import { Deliveries, type Post } from './service/deliveries';
import { Accounts } from './service/accounts';
import { jsonOf } from './service/ids';
import {
	prepareTargets,
	itemsOf,
	parametersOf,
	type Targets,
	type WorkflowPlan,
} from './workflows';
import type { World } from './world';
import { Guarantees } from './guarantees/guarantees';

/** The response from every other server on the internet. */
const elsewhere: ServiceResponse = { status: 200, body: '' };

/**
 * One run of the simulation: the service, one or more n8n instances with the nodes' real code, and the
 * network between them.
 */
export class Simulation {
	readonly service: Accounts;

	readonly network: Network;

	readonly deliveries: Deliveries;

	readonly instances: N8n[] = [];

	readonly guarantees: Guarantees;

	/** The objects that workflows use, by account. */
	readonly targets: Targets[][] = [];

	/**
	 * The kinds of calls that the faults so far could have affected, plus `process` if a process was killed.
	 * The service's variants are not included.
	 */
	readonly troubled = new Set<Fault['on'] | 'process'>();

	/** Whether a fault could make the service itself refuse to return a verification. */
	hadRefusedReading = false;

	/** The number of faults so far that a deletion can survive, because its next attempt succeeds. */
	private passing = 0;

	/** Whether the service may have acted on a call long after the caller gave up. */
	hadOverdue = false;

	private copies = 0;

	/** Sets up a run, with everything that exists before the first command. */
	static async create(plan: Plan, world: World, load: () => NodeCode): Promise<Simulation> {
		const simulation = new Simulation(plan, world, load);
		const last = plan.workflows.some(({ account }) => account === 1) ? 1 : 0;
		for (let account = 0; account <= last; account++) {
			simulation.targets.push(await prepareTargets(simulation.service, account));
		}
		simulation.addInstance();
		for (const workflow of plan.workflows) simulation.addWorkflow(workflow);
		for (const events of plan.triggers) simulation.addTrigger(events);
		return simulation;
	}

	private constructor(
		readonly plan: Plan,
		readonly world: World,
		private readonly load: () => NodeCode,
	) {
		this.service = new Accounts(plan.variants);
		this.network = new Network(this.world, this.service);
		const post: Post = async (notification) =>
			await this.post(notification, plan.deliveries.timeLimit);
		this.deliveries = new Deliveries(this.world, plan.deliveries, post, (id) =>
			this.service.webhooks.some(({ webHookID }) => webHookID === id),
		);
		this.service.onNotifications = (notifications) => this.deliveries.send(notifications);
		this.guarantees = new Guarantees(this);
	}

	private addInstance(): N8n {
		const number = this.instances.length + 1;
		const credential = { baseUrl, accessToken: '', parallelRequests: this.plan.parallel };
		const n8n = new N8n({
			instanceId: `n8n-${number}`,
			url: `https://n8n-${number}.example.com`,
			clock: this.world,
			network: this.network,
			load: this.load,
			credentials: {
				...owners.map((owner) => ({ ...credential, ...owner })),
				byItem: credential,
			},
			processes: number === 1 ? this.plan.processes : 1,
			registeredCount: () => this.service.registered.length,
		});
		this.instances.push(n8n);
		return n8n;
	}

	/** The n8n instance in which all workflows start. */
	get n8n(): N8n {
		return this.instances[0] as N8n;
	}

	private addWorkflow(plan: WorkflowPlan): void {
		const { workflows } = this.n8n.database;
		const name = `w${workflows.size}`;
		const workflow: ActionWorkflow = {
			id: name,
			nodeId: `node-of-${name}`,
			parameters: parametersOf(plan),
			settings: plan.settings,
			batch: plan.batch,
			branches: plan.branches,
			account: plan.account,
			items: itemsOf(plan, name, this.targets[plan.account === 1 ? 1 : 0] ?? []),
		};
		workflows.set(name, workflow);
	}

	/** Publishes the triggers and starts the first workflow. */
	async begin(): Promise<void> {
		const { trouble, publishedInTrouble, runs } = this.plan;
		if (publishedInTrouble) for (const fault of trouble) this.addTrouble(fault);
		for (const { n8n, workflow } of this.triggers) void n8n.publish(workflow, true);
		await this.world.settle();
		if (!publishedInTrouble) for (const fault of trouble) this.addTrouble(fault);
		for (let run = 0; run < runs; run++) {
			this.world.note('> run a workflow(0)');
			this.start(0);
		}
		await this.world.advance(this.plan.steps, 120_000);
	}

	planOf({ id }: { id: string }): WorkflowPlan {
		return this.plan.workflows[Number(id.slice(1))] as WorkflowPlan;
	}

	private addTrigger(events: string[]): void {
		const { triggers } = this.n8n.database;
		const name = `t${triggers.size}`;
		const webhookId = `hook-${name}`;
		const version = { events, account: this.plan.triggerAccount };
		triggers.set(name, {
			id: name,
			nodeId: `node-of-${name}`,
			webhookId,
			...version,
			draft: version,
			files: this.plan.triggerFiles,
			// The filter would exclude documents that do not name their template, so there is no filter if
			// the service never names templates.
			templates:
				this.plan.triggerFilter && this.plan.variants.templateIdGiven
					? [`${derivedId(templateId)},${templateId}`]
					: [],
			isPublished: false,
			active: false,
			staticData: {},
		});
	}

	get triggers(): Array<{ n8n: N8n; workflow: TriggerWorkflow }> {
		return this.instances.flatMap((n8n) =>
			[...n8n.database.triggers.values()].map((workflow) => ({
				n8n,
				workflow,
			})),
		);
	}

	/** Every execution, oldest first. */
	get executions(): Execution[] {
		return [...this.n8n.database.executions.values()];
	}

	/**
	 * Sends a notification to its receiver.
	 * @param timeLimit How many milliseconds the sender waits for a response.
	 */
	async post(notification: Notification, timeLimit: number): Promise<number | undefined> {
		const { url, body, event, contentType } = notification;
		await this.world.step(`delivery of ${event}`);
		try {
			const n8n = this.instances.find((instance) => url.startsWith(`${instance.url}/`));
			const incoming = { url, body: jsonOf(body), contentType, timeLimit };
			const response = n8n ? await receive(n8n, incoming) : elsewhere;
			this.guarantees.recordResponse(notification, response);
			this.world.note(`${event} delivered to ${new URL(url).pathname}: ${response.status}`);
			return response.status;
		} catch {
			return undefined;
		}
	}

	start(index: number): void {
		const { workflows } = this.n8n.database;
		const workflow = [...workflows.values()][index % workflows.size];
		if (workflow) this.n8n.start(workflow);
	}

	async sign(index: number): Promise<void> {
		const pending = this.service.documentRecords.filter(({ completedAt }) => !completedAt);
		const document = pick(pending, index);
		if (document) await this.service.sign(document.documentID);
	}

	reportStatus(index: number, status: string): void {
		const pending = this.service.documentRecords.filter(({ completedAt }) => !completedAt);
		const document = pick(pending, index);
		if (document) this.service.reportStatus(document.documentID, status);
	}

	finishIdentity(index: number): void {
		const pending = this.service.identityRecords.filter(({ status }) => status !== 'COMPLETED');
		const request = pick(pending, index);
		if (request) this.service.finishIdentity(request.validationId);
	}

	kill(index: number): void {
		this.troubled.add('process');
		const [process] = pick(this.instances, index)?.alive ?? [];
		process?.kill();
	}

	restart(index: number): void {
		const n8n = pick(this.instances, index);
		if (n8n && n8n.alive.length < this.plan.processes) n8n.restart();
	}

	stop(index: number): void {
		const active = this.executions.filter(({ status }) => ['running', 'waiting'].includes(status));
		const execution = pick(active, index);
		if (execution) this.n8n.stop(execution);
	}

	retry(index: number, withSavedWorkflow: boolean): void {
		// If a user retries a wait twice, the workflow's later steps run twice, which is not a bug in the
		// node.
		const isRetried = (id: string) => this.executions.some(({ retryOf }) => retryOf === id);
		const over = this.executions.filter(
			({ status, wasWaiting, id }) =>
				['canceled', 'error', 'crashed'].includes(status) && !(wasWaiting && isRetried(id)),
		);
		const execution = pick(over, index);
		if (!execution) return;
		// With the saved workflow, n8n would skip the waiting node in all later rounds
		// (docs/waiting.md) and in the other branch, even if that node was about to continue the
		// execution.
		const isOfWait = execution.wasWaiting || execution.data.waitTill !== undefined;
		const isAlone = execution.data.executionData.nodeExecutionStack.length === 1;
		const skips = isOfWait && (execution.workflow.batch > 0 || !isAlone);
		this.n8n.retry(execution, withSavedWorkflow && !skips);
	}

	publish(index: number, isOn: boolean): void {
		const trigger = pick(this.triggers, index);
		if (trigger) void trigger.n8n.publish(trigger.workflow, isOn);
	}

	/**
	 * Changes the events of a trigger and publishes its workflow again.
	 * @param beside How long (ms) it takes until an execution that is already running stores static data;
	 * null if there is no such execution.
	 */
	republish(
		index: number,
		events: string[] | undefined,
		beside: number | null,
		isOtherAccount = false,
	): void {
		const trigger = pick(this.triggers, index);
		if (!trigger) return;
		const { n8n, workflow } = trigger;
		const { draft } = workflow;
		workflow.draft = {
			events: events ?? draft.events,
			account: isOtherAccount ? 1 - draft.account : draft.account,
		};
		if (beside !== null) this.storeBeside(index, beside);
		void n8n.publish(workflow, true);
	}

	/** Makes another node in the trigger's workflow store static data. */
	storeBeside(index: number, lasting: number): void {
		const trigger = pick(this.triggers, index);
		const process = trigger?.n8n.someProcess();
		if (trigger && process) void storeBeside(process, trigger.workflow, lasting);
	}

	/**
	 * Copies a workflow, including its static data, into the same n8n instance or a different one, and
	 * publishes the copy.
	 */
	copy(index: number, intoAnother: boolean): void {
		const trigger = pick(this.triggers, index);
		if (!trigger) return;
		const { workflow } = trigger;
		const n8n = intoAnother ? (this.instances[1] ?? this.addInstance()) : trigger.n8n;
		if (n8n.database.triggers.size > 3) return;
		const name = `${workflow.id}copy${++this.copies}`;
		const isKept = intoAnother && !n8n.database.triggers.has(workflow.id);
		const copy: TriggerWorkflow = {
			...workflow,
			...(isKept ? {} : { id: name, webhookId: `hook-${name}` }),
			staticData: structuredClone(workflow.staticData),
			isPublished: false,
			active: false,
			became: undefined,
		};
		n8n.database.triggers.set(copy.id, copy);
		void n8n.publish(copy, true);
	}

	addTrouble(fault: Fault): void {
		// A deletion is attempted up to four times, so it can survive three faults.
		const isOvercome = fault.on === 'delete' && isPassing(fault) && ++this.passing <= 3;
		if (!isOvercome) this.troubled.add(fault.on);
		this.hadRefusedReading ||= isRefusal(fault, 'read');
		this.hadOverdue ||= fault.kind === 'overdue';
		this.network.faults.add(fault);
	}

	/** Makes n8n either refuse to store the next executions that a trigger starts, or store them slowly. */
	troubleStarts(index: number, starts: Array<'refused' | 'slow'>): void {
		const n8n = pick(this.instances, index);
		if (n8n) n8n.database.starts = [...starts];
	}

	/** Sends an event to a registered URL without knowing the URL's secret. */
	forge(index: number): void {
		const webhook = pick(this.service.webhooks, index);
		if (webhook) this.guarantees.forge(webhook.webHookUrl);
	}

	/** Calls a document webhook's URL as some services do to test it: with its secret, but without an event. */
	testUrl(index: number): void {
		const tested = ['completedDocument', 'signDocument'];
		const webhooks = this.service.webhooks.filter(({ type }) => tested.includes(type));
		const webhook = pick(webhooks, index);
		if (webhook) this.guarantees.testUrl(webhook.webHookUrl);
	}
}

function pick<Value>(list: readonly Value[], index: number): Value | undefined {
	return list.length > 0 ? list[list.length - 1 - (index % list.length)] : undefined;
}
