import fc, { type Scheduler } from 'fast-check';

import type { Execution } from '../n8n/database';
import { receive } from '../n8n/incoming';
import { compileNodes, type NodeCode } from '../nodeCode';
import { plainPlan as plainDeliveries } from '../service/deliveryPlan';
import type { Created } from '../service/service';
import { plainVariants } from '../service/variants';
import { Simulation } from '../simulation';
import { World } from '../world';
import {
	answersSeen,
	counted,
	deliveryPauses,
	executionSeen,
	forgedAddress,
	forgedBody,
	planOf,
	receiverOf,
	type Outcome,
	type Scenario,
	type Step,
} from './scenario';
import { scenarios } from './scenarios';

/** More steps than any scenario takes. */
const maxSteps = 20_000;

/** Milliseconds within which a step comes to rest, and within which nothing slow does. */
const rest = 60_000;
const moment = 300;

/** Everything in the order in which it comes up. */
function firstComeFirstServed(): Scheduler {
	return fc.schedulerFor(Array.from({ length: maxSteps }, (_, index) => index + 1));
}

/** Runs a scenario in the model. @returns The outcome after each of its steps. */
async function runInModel(scenario: Scenario, load: () => NodeCode): Promise<Outcome[]> {
	const world = new World(firstComeFirstServed(), 1);
	try {
		const run = await ModelRun.create(scenario, world, load);
		const outcomes: Outcome[] = [];
		for (const step of scenario.steps) {
			await run.take(step);
			await world.settle(step.brief ? moment : rest);
			outcomes.push(run.outcome());
		}
		return outcomes;
	} finally {
		world.end();
	}
}

class ModelRun {
	private readonly posted: Array<[string, number | undefined]> = [];

	private constructor(
		private readonly scenario: Scenario,
		private readonly world: World,
		private readonly simulation: Simulation,
	) {
		this.removeWebhooks();
	}

	static async create(scenario: Scenario, world: World, load: () => NodeCode): Promise<ModelRun> {
		const plan = {
			chance: 1,
			variants: plainVariants,
			deliveries: { ...plainDeliveries, retries: deliveryPauses },
			processes: 1,
			// One after another: it must be certain which item a fault hits.
			parallel: 1,
			workflows: [planOf(scenario)],
			triggers: scenario.trigger ? [scenario.trigger] : [],
			triggerFiles: false,
			publishedInTrouble: false,
			runs: 0,
			trouble: [],
			steps: 0,
		};
		return new ModelRun(scenario, world, await Simulation.create(plan, world, load));
	}

	/** Those of others would be listed, and in the real n8n there are none. */
	private removeWebhooks(): void {
		const { service } = this.simulation;
		for (const { webHookID } of service.webhooks) service.registrations.remove(webHookID);
	}

	private get lastExecution(): Execution {
		return this.simulation.executions.at(-1) as Execution;
	}

	async take(step: Step): Promise<void> {
		const { simulation } = this;
		const { n8n } = simulation;
		switch (step.do) {
			case 'run':
				return simulation.start(0);
			case 'rest':
				return undefined;
			case 'sign':
				return await this.tell(this.documentOf(step.person));
			case 'verify':
				return await this.tell(this.requestOf(step.person));
			case 'sign existing':
				return await this.tell(simulation.targets[step.target]?.documentId ?? '');
			case 'verify existing':
				return await this.tell(simulation.targets[step.target]?.validationId ?? '');
			case 'stop':
				return n8n.stop(this.lastExecution);
			case 'retry':
				return void n8n.retry(this.lastExecution, step.withSavedWorkflow);
			case 'limit':
				simulation.kill(0);
				this.world.tick(planOf(this.scenario).limit * 60_000);
				return simulation.restart(0);
			case 'fault':
				return simulation.network.faults.add(step);
			case 'publish':
			case 'unpublish':
				return simulation.publish(0, step.do === 'publish');
			case 'post':
				return this.post(step.what);
		}
	}

	private documentOf(person: number): string {
		return this.createdFor(person, 'document');
	}

	private requestOf(person: number): string {
		return this.createdFor(person, 'identity');
	}

	private createdFor(person: number, kind: Created['kind']): string {
		const { created } = this.simulation.service;
		const email = `w0-${person}@example.com`;
		return created.filter((each) => each.kind === kind && each.email === email).at(-1)?.id ?? '';
	}

	/** Ends a document or an identity request, if there is one. */
	private async tell(id: string): Promise<void> {
		const { service } = this.simulation;
		const kind = service.created.find((each) => each.id === id)?.kind;
		if (kind === 'document') await service.sign(id);
		if (kind === 'identity') service.finishIdentity(id);
	}

	private post(what: 'again' | 'forged'): void {
		const { n8n, service, deliveries } = this.simulation;
		const { webHookUrl: url = '' } = service.registered.at(-1) ?? {};
		const last = deliveries.records.at(-1)?.notification;
		const incoming =
			what === 'again' && last
				? { url: last.url, body: last.body }
				: { url: forgedAddress(url), body: forgedBody(this.documentOf(0)) };
		void receive(n8n, incoming).then(({ status }) => this.posted.push([what, status]));
	}

	outcome(): Outcome {
		const { service, executions, deliveries, n8n } = this.simulation;
		const ids = executions.map(({ id }) => id);
		const receiver = (url: string) => receiverOf(url, ids);
		const own = service.created.filter(({ email }) => email.startsWith('w0-'));
		const createdIds = own.map(({ id }) => id);
		return {
			executions: executions.map(({ status, data, error }) =>
				executionSeen(status, status === 'running' ? [] : data.runs, error, createdIds),
			),
			started: counted(n8n.database.triggered.map(({ item }) => String(item.json.event))),
			created: counted(own.map(({ kind, email }) => `${kind} for ${email}`)),
			registrations: counted(
				service.webhooks.map(({ type, webHookUrl }) => `${type} of ${receiver(webHookUrl)}`),
			),
			answers: answersSeen([
				...deliveries.records.flatMap(({ notification: { event, url }, statuses }) =>
					statuses.map((status): [string, number | undefined] => [
						`${event} to ${receiver(url)}`,
						status,
					]),
				),
				...this.posted,
			]),
		};
	}
}

/** Runs all scenarios in the model; its parent process gets the outcomes, scenario by scenario. */
async function main(): Promise<void> {
	const load = await compileNodes();
	const outcomes: Outcome[][] = [];
	for (const scenario of scenarios) outcomes.push(await runInModel(scenario, load));
	if (process.send) process.send(outcomes, () => process.disconnect());
	else console.log(JSON.stringify(outcomes, null, '\t'));
}

void main();
