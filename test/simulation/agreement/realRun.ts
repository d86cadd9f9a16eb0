import { setTimeout as delay } from 'node:timers/promises';

import type { Credential } from '../../../host/apiTypes';
import type { Sandbox } from '../../../sandbox';
import {
	requestIdentity,
	sendDocument,
	signDocument,
	type Service,
} from '../../operations/service';
import type { Host } from '../../e2e/composition/host';
import { axios } from '../../e2e/support/http';
import { clientOf } from '../../support/client';
import type { Targets } from '../workflows';
import {
	forgedAddress,
	forgedBody,
	planOf,
	type Outcome,
	type Scenario,
	type Step,
} from './scenario';
import { RealView, type RealWorkflows } from './realView';
import {
	actionWorkflow,
	noTargets,
	sandboxFault,
	triggerWorkflow,
	type CallableWorkflow,
} from './realWorkflows';

/** How long (ms) n8n may take until all is as it is in the model. */
const longTime = 70_000;

/** The same once something is not as it is in the model: what follows will not be, either. */
const shortTime = 5000;

/** How often (ms) one looks. */
const interval = 250;

/** More than any scenario needs of what was there before. */
const mostTargets = 4;

/** A scenario while it is run in a real n8n. */
export class RealRun {
	private readonly outcomes: Outcome[] = [];

	private readonly service: Service;

	private readonly view: RealView;

	private readonly workflows: RealWorkflows = { action: '', trigger: '' };

	private callable: CallableWorkflow | undefined;

	private readonly targets: Targets[] = [];

	private readonly posted: Array<[what: string, status: number | undefined]> = [];

	private differs = false;

	/** What kept it from its end. */
	private problem: Error | undefined;

	/** @param expected The outcomes after each step, as they are in the model. */
	constructor(
		private readonly host: Host,
		readonly scenario: Scenario,
		private readonly sandbox: Sandbox,
		private readonly expected: Outcome[],
	) {
		this.service = { sandbox, client: clientOf(sandbox) };
		this.view = new RealView(this.api, sandbox, this.workflows, this.posted);
	}

	private get api() {
		return this.host.n8n.api;
	}

	/** Does all up to the restart of n8n, or to the end. */
	async begin(): Promise<void> {
		const { steps } = this.scenario;
		const restart = steps.findIndex((step) => step.do === 'limit');
		await this.guard(async () => {
			await this.prepare();
			await this.takeAll(restart < 0 ? steps : steps.slice(0, restart));
		});
	}

	/** Does the rest: n8n was restarted. */
	async finish(): Promise<void> {
		const rest = this.scenario.steps.slice(this.outcomes.length);
		await this.guard(async () => await this.takeAll(rest));
	}

	/**
	 * Looks once more whether all has stayed as it was, and ends the service.
	 * @returns The outcomes after each step; that after the last one is the latest.
	 * @throws Error of what kept it from its end.
	 */
	async close(): Promise<Outcome[]> {
		await this.guard(async () => {
			this.outcomes.splice(-1, 1, await this.view.outcome());
		});
		await this.sandbox.close();
		if (this.problem) throw this.problem;
		return this.outcomes;
	}

	/** What goes wrong in one scenario must not end the others. */
	private async guard(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.problem ??= new Error(`Step ${this.outcomes.length + 1}: ${(error as Error).message}`);
		}
	}

	private async takeAll(steps: Step[]): Promise<void> {
		for (const step of steps) {
			await this.take(step);
			this.outcomes.push(await this.settled(this.expected[this.outcomes.length]));
		}
	}

	/** Makes what the steps and the items name, and the workflow. */
	private async prepare(): Promise<void> {
		const { scenario, service, sandbox, api, workflows } = this;
		const plan = planOf(scenario);
		const isNeeded =
			plan.task === 'waitForDocument' || scenario.steps.some((step) => 'target' in step);
		for (let index = 0; index < mostTargets; index++) {
			this.targets.push({
				...noTargets,
				documentId: isNeeded ? await sendDocument(service, `before-${index}@example.com`) : '',
				validationId: isNeeded ? await requestIdentity(service, `person-${index}@example.com`) : '',
			});
		}
		const credential = await this.host.credentialFor(sandbox, { parallelRequests: 1 });
		if (scenario.trigger) await this.addTrigger(scenario.trigger, credential);
		else {
			this.callable = actionWorkflow(plan, this.targets, credential);
			workflows.action = (await api.createWorkflow(this.callable.workflow)).id;
			await api.activate(workflows.action);
		}
	}

	private async addTrigger(events: string[], credential: Credential): Promise<void> {
		const workflow = triggerWorkflow(events, credential);
		this.workflows.trigger = (await this.api.createWorkflow(workflow)).id;
	}

	private async take(step: Step): Promise<void> {
		const { api, sandbox, workflows } = this;
		switch (step.do) {
			case 'rest':
			case 'limit':
				return undefined;
			case 'run':
				return await this.run();
			case 'sign':
				return await signDocument(sandbox, this.documentOf(step.person));
			case 'verify':
				return await this.verify(this.requestOf(step.person));
			case 'sign existing':
				return await signDocument(sandbox, this.targets[step.target]?.documentId ?? '');
			case 'verify existing':
				return await this.verify(this.targets[step.target]?.validationId ?? '');
			case 'stop':
			case 'retry':
				return await this.intervene(step);
			case 'fault':
				return void sandbox.faults.set(sandboxFault(step));
			case 'publish':
				return await api.activate(workflows.trigger);
			case 'unpublish':
				return await api.deactivate(workflows.trigger);
			case 'post':
				return await this.post(step.what);
		}
	}

	/** Calls the workflow, so that it runs as in production and not as by hand. */
	private async run(): Promise<void> {
		const { path = '', body } = this.callable ?? {};
		const { status } = await axios.post(`${this.host.n8n.url}/webhook/${path}`, body);
		if (status !== 200) throw new Error(`n8n answered ${status} when the workflow was called.`);
	}

	private async verify(validationId: string): Promise<void> {
		if (validationId) await this.sandbox.completeIdentity(validationId, 'pass');
	}

	private async intervene(step: Step & { do: 'stop' | 'retry' }): Promise<void> {
		const { client } = this.host;
		const id = (await this.view.executionIds()).at(-1) ?? '';
		if (step.do === 'stop') return void (await client.call('POST', `/executions/${id}/stop`));
		const body = { loadWorkflow: step.withSavedWorkflow };
		// n8n answers only when the new execution waits or has ended; where it refuses there is none.
		void client.call('POST', `/executions/${id}/retry`, { body }).catch(() => undefined);
	}

	private async post(what: 'again' | 'forged'): Promise<void> {
		const last = this.sandbox.deliveries().at(-1);
		const { url, body } = what === 'again' && last ? last : this.forged();
		this.posted.push([what, (await axios.post(url, body)).status]);
	}

	private forged() {
		const address = this.sandbox.webhooks().at(-1)?.webHookUrl ?? '';
		return { url: forgedAddress(address), body: forgedBody(this.documentOf(0)) };
	}

	private documentOf(person: number): string {
		const own = this.sandbox
			.documents()
			.filter(({ signatory }) => signatory[0]?.emailID === `w0-${person}@example.com`);
		return own.at(-1)?.documentID ?? '';
	}

	private requestOf(person: number): string {
		const own = this.sandbox
			.identityRequests()
			.filter(({ emailId }) => emailId === `w0-${person}@example.com`);
		return own.at(-1)?.validationId ?? '';
	}

	/** Waits until all is as it is in the model; gives how it is then, or when the time is over. */
	private async settled(expected: Outcome | undefined): Promise<Outcome> {
		const deadline = Date.now() + (this.differs ? shortTime : longTime);
		for (;;) {
			const outcome = await this.view.outcome();
			const isSame = JSON.stringify(outcome) === JSON.stringify(expected);
			if (isSame) return outcome;
			if (Date.now() > deadline) {
				this.differs = true;
				return outcome;
			}
			await delay(interval);
		}
	}
}
