import type { Execution } from '../../n8n/database';
import { receive } from '../../n8n/incoming';
import type { Notification, ServiceAnswer } from '../service/contract';
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

/** Watches over what the nodes promise, along the way and at the end. */
export class Promises {
	/** Everything that n8n answered to whoever called its addresses. */
	readonly answers: string[] = [];

	/** Events that a trigger's n8n answered with 2xx. */
	private readonly accepted: AcceptedEvent[] = [];

	/** The first promise that broke where nobody could throw it. */
	private broken: Broken | undefined;

	constructor(private readonly simulation: Simulation) {
		simulation.service.onDeletion = (deletion) =>
			this.guard(() => checkDeletion(simulation, deletion));
	}

	/** Runs a check in the midst of the node's code, which must not notice. */
	private guard(check: () => void): void {
		try {
			check();
		} catch (error) {
			if (!(error instanceof Broken)) throw error;
			this.broken ??= error;
		}
	}

	/** Notes what n8n answered to a notification. */
	answered(notification: Notification, answer: ServiceAnswer): void {
		this.answers.push(JSON.stringify(answer.body));
		const { url } = notification;
		const n8n = this.simulation.instances.find((instance) =>
			url.startsWith(`${instance.url}/webhook/`),
		);
		if (!n8n || answer.status > 299) return;
		// An account that may not list its templates cannot be filtered by their other IDs.
		const isExcluded = JSON.stringify(answer.body).includes('A filter of this workflow excludes');
		if (isExcluded && this.simulation.hadRefused.templates) return;
		const accepted = { n8n, ...notification };
		this.accepted.push(accepted);
		// At this moment: what n8n stores later, a crash would lose.
		this.guard(() => checkEvents(this.simulation, [accepted]));
	}

	/** Somebody who does not know the secret calls an address of n8n. */
	forge(address: string): void {
		const n8n = this.simulation.instances.find((instance) => address.startsWith(instance.url));
		const [document] = this.simulation.service.documentRecords;
		if (!n8n || !document) return;
		const url = new URL(address);
		for (const name of secretParameters) {
			const right = url.searchParams.get(name);
			// What looks like no secret is refused before anything is compared.
			if (right !== null) url.searchParams.set(name, 'g'.repeat(right.length));
		}
		const { documentID } = document;
		const body = {
			type: 'completedDocument',
			addedOn: Date.now(),
			Document: { documentID, status: 'COMPLETED', forged: true },
		};
		void receive(n8n, { url: url.href, body }).then(
			({ status, body: answer }) => {
				this.answers.push(JSON.stringify(answer));
				// Whoever does not know the secret is told nothing else either.
				if (status < 300 || [400, 413, 422].includes(status)) {
					this.broken ??= new Broken('Events are authenticated', `${address} answered ${status}`);
				}
			},
			() => undefined,
		);
	}

	/** What must hold at every moment. @throws Broken for the first promise that does not. */
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

	/** Ends the run: everything works again, and what was promised for then must hold. */
	async finish(): Promise<void> {
		const { simulation } = this;
		const { world, instances, network, deliveries } = simulation;
		network.faults.mend();
		simulation.service.liftRateLimit();
		for (const { database } of instances) database.starts = [];
		// It finds what crashed in the processes that were killed.
		for (const n8n of instances) if (n8n.alive.length < n8n.processes.length) n8n.restart();
		// What continues because of an event can bring about further ones.
		do {
			deliveries.release();
			await world.pass(maxDeliveryTime(simulation.plan.deliveries) + 600_000);
		} while (deliveries.pending > 0);
		this.check();
		await checkNothingHangs(simulation);
		// In every other run nobody is told of anything, and only the limits end the waits.
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
 * Whatever went wrong, an execution comes to its end or waits. One whose limit has just passed works
 * for a moment, so what is not at rest is given two minutes.
 */
async function checkNothingHangs({ executions, world }: Simulation): Promise<void> {
	const running = executions.filter(({ status }) => status === 'running');
	if (running.length > 0) await world.settle();
	const left = running.find(({ status }) => status === 'running');
	if (left) throw new Broken('Work is bounded', `execution ${left.id} never comes to an end`);
}
