import type { Execution } from '../../n8n/database';
import { receive } from '../../n8n/incoming';
import type { Notification, ServiceResponse } from '../service/contract';
import { maxDeliveryTime } from '../service/deliveries';
import type { Simulation } from '../simulation';
import { Broken } from './broken';
import { checkEvents, checkLimits, checkWaitsEnd, type AcceptedEvent } from './waiting';
import { checkOutputs } from './outputs';
import {
	checkConvergence,
	checkDeletion,
	checkOrphans,
	checkOwnSecrets,
	checkPublished,
} from './registrations';
import { checkSecrets, secretParameters } from './secrets';
import { checkAllRight, checkReported, checkSentOnce } from './sending';

/** Checks the nodes' guarantees during a run and at its end. */
export class Guarantees {
	/** All of n8n's responses to calls to its URLs. */
	readonly responses: string[] = [];

	/** The events that a trigger's n8n instance has accepted with a 2xx response. */
	private readonly accepted: AcceptedEvent[] = [];

	/**
	 * The first guarantee found to be broken while the node's code was running. It is stored, because a check
	 * must not throw at that point.
	 */
	private broken: Broken | undefined;

	constructor(private readonly simulation: Simulation) {
		simulation.service.onDeletion = (deletion) =>
			this.guard(() => checkDeletion(simulation, deletion));
	}

	/**
	 * Runs a check in the middle of the node's code. If the check fails, stores the failure, so that the code
	 * is not affected.
	 */
	private guard(check: () => void): void {
		try {
			check();
		} catch (error) {
			if (!(error instanceof Broken)) throw error;
			this.broken ??= error;
		}
	}

	/** Records n8n's response to a notification. */
	recordResponse(notification: Notification, response: ServiceResponse): void {
		this.responses.push(JSON.stringify(response.body));
		const { url } = notification;
		const n8n = this.simulation.instances.find((instance) =>
			url.startsWith(`${instance.url}/webhook/`),
		);
		if (!n8n || response.status > 299) return;
		const accepted = { n8n, ...notification };
		this.accepted.push(accepted);
		// The check runs now, because a crash could lose what n8n stores later.
		this.guard(() => checkEvents(this.simulation, [accepted]));
	}

	/** Calls one of n8n's URLs without knowing the URL's secret. */
	forge(address: string): void {
		const n8n = this.simulation.instances.find((instance) => address.startsWith(instance.url));
		const [document] = this.simulation.service.documentRecords;
		if (!n8n || !document) return;
		const url = new URL(address);
		for (const name of secretParameters) {
			const right = url.searchParams.get(name);
			// A secret in the wrong format would be rejected before being compared, so this one has the
			// correct length.
			if (right !== null) url.searchParams.set(name, 'g'.repeat(right.length));
		}
		const { documentID } = document;
		const body = {
			type: 'completedDocument',
			addedOn: Date.now(),
			Document: { documentID, status: 'COMPLETED', forged: true },
		};
		void receive(n8n, { url: url.href, body }).then(
			({ status, body: responseBody }) => {
				this.responses.push(JSON.stringify(responseBody));
				// A 400, 413 or 422 would show a caller without the secret what else is wrong with the
				// request.
				if (status < 300 || [400, 413, 422].includes(status)) {
					this.broken ??= new Broken(
						'Events are authenticated',
						`${address} responded with ${status}`,
					);
				}
			},
			() => undefined,
		);
	}

	/**
	 * Calls a webhook's URL with its secret and without a document. A service that gets an error from the node
	 * may not register the webhook.
	 */
	testUrl(address: string): void {
		const n8n = this.simulation.instances.find((instance) => address.startsWith(instance.url));
		if (!n8n) return;
		void receive(n8n, { url: address, body: {} }).then(
			({ status, body }) => {
				this.responses.push(JSON.stringify(body));
				// n8n itself responds with 404, 409, or 5xx, and an old secret gets a 401.
				const isStarted = JSON.stringify(body).includes('Workflow was started');
				if (isStarted || [400, 413, 422].includes(status)) {
					this.broken ??= new Broken(
						'Webhooks match the published workflows',
						`a call without a document to ${address} got a ${status}${isStarted ? ' and started the workflow' : ''}`,
					);
				}
			},
			() => undefined,
		);
	}

	/**
	 * Checks the guarantees that must hold at all times.
	 * @throws Broken for the first guarantee that does not hold.
	 */
	check(): void {
		if (this.broken) throw this.broken;
		checkAllRight(this.simulation);
		checkSentOnce(this.simulation);
		checkEvents(this.simulation, this.accepted);
		for (const execution of this.simulation.executions) this.checkExecution(execution);
	}

	private checkExecution(execution: Execution): void {
		checkOutputs(this.simulation, execution);
		const isOver = execution.status === 'success' || execution.status === 'error';
		if (isOver) checkReported(this.simulation, execution);
	}

	/** Ends the run: removes all faults and checks the guarantees that must hold at the end. */
	async finish(): Promise<void> {
		const { simulation } = this;
		const { world, instances, network, deliveries } = simulation;
		network.faults.mend();
		simulation.service.liftRateLimit();
		for (const { database } of instances) database.starts = [];
		// A restart also detects executions that crashed because their process was killed.
		for (const n8n of instances) if (n8n.alive.length < n8n.processes.length) n8n.restart();
		// When an event continues an execution, the execution can cause further events.
		do {
			deliveries.release();
			await world.pass(maxDeliveryTime(simulation.plan.deliveries) + 600_000);
		} while (deliveries.pending > 0);
		this.check();
		await checkNothingHangs(simulation);
		// In half of the runs, no more events are sent, so waits end only when they reach their time limits.
		if (simulation.plan.chance % 2 === 1) await checkLimits(simulation);
		this.check();
		await checkWaitsEnd(simulation);
		this.check();
		checkOwnSecrets(simulation);
		checkOrphans(simulation);
		await checkPublished(simulation);
		await checkConvergence(simulation);
		this.check();
		checkSecrets(simulation);
	}
}

/**
 * Checks that every execution has ended or is waiting, whatever went wrong. Running executions get two more
 * minutes, because an execution is briefly busy after its time limit expires.
 */
async function checkNothingHangs({ executions, world }: Simulation): Promise<void> {
	const running = executions.filter(({ status }) => status === 'running');
	if (running.length > 0) await world.settle();
	const left = running.find(({ status }) => status === 'running');
	if (left) throw new Broken('Work is bounded', `execution ${left.id} never ends`);
}
