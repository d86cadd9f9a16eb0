import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../host/queue/stage';
import { actionSteps, toRealPeople, type Step } from '../../../host/workflow';
import type { Delivery } from '../../../sandbox/types';
import { Stub } from '../../support/stub';
import { listWorkflow } from '../../e2e/support/wait';
import { filledForm, templateFor } from '../../support/service';
import type { WaitDelivery, WaitRun, Told } from './checkWaits';
import { startExecution, type StartCall, statusCounts, storedExecutions } from './stage';
import type { Outages } from './kills';
import type { Sandbox } from '../../../sandbox';

/** The plan for one call that starts a waiting execution. */
export interface PlannedWait {
	limitMinutes: number;
	signing: Signing;
}

/**
 * A workflow that sends a document when it is called, waits until the document is signed, and then sends the
 * resulting item to a server. Its execution can be killed before, during and after each of these steps.
 * @param url The URL of the server.
 * @returns The workflow, and the path of the webhook that starts it.
 */
async function waitWorkflow({ api, sandbox }: QueueStage, url: string) {
	const action = await actionSteps(api);
	const sign = action('Sign', {
		resource: 'document',
		operation: 'sendAndWait',
		...filledForm(templateFor(1, sandbox)),
		// The signatory's email address contains the name of the call.
		signatories: { signatory: [{ email: '={{ $json.call }}@example.com', name: 'Ana Lima' }] },
		limitWaitTime: '={{ $json.limitMinutes }}',
		limitWaitTimeUnit: 'minutes',
		...toRealPeople,
	});
	const told = `{
		execution: $execution.id,
		call: $('Items').first().json.call,
		document: $json.documentId,
		outcome: $json.outcome,
		waitUntil: $json.waitUntil
	}`;
	const jsonBody = `={{ JSON.stringify(${told}) }}`;
	const tell: Step = {
		name: 'Tell',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody,
			options: {},
		},
	};
	return listWorkflow('Waits', '={{ { list: [$json.body] } }}', [sign, tell]);
}

/** The ID of the execution that a URL belongs to, or undefined if the URL does not belong to a wait. */
function executionOf(url: string): string | undefined {
	return /\/webhook-waiting\/(\d+)\//.exec(url)?.[1];
}

/** A workflow whose executions wait for signatures, and the people who sign. */
export class Waits {
	readonly people: People;
	private readonly calls: Array<PlannedWait & StartCall> = [];
	private readonly told: Told[] = [];
	private started = 0;

	private constructor(
		private readonly stage: QueueStage,
		private readonly outages: Outages,
		private readonly receiver: Stub,
		private readonly id: string,
		private readonly url: string,
	) {
		this.people = new People(stage.sandbox, (call) => this.planOf(call));
	}

	/** @param takesMs How long the step after the wait takes. */
	static async publish(stage: QueueStage, outages: Outages, takesMs: number): Promise<Waits> {
		const receiver = await new Stub().start();
		const { workflow, path } = await waitWorkflow(stage, receiver.url);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.publish(id);
		const waits = new Waits(stage, outages, receiver, id, `${stage.url}/webhook/${path}`);
		receiver.respond = (response, { body }) => {
			waits.told.push({ at: Date.now(), ...(JSON.parse(body) as Omit<Told, 'at'>) });
			// The late response keeps executions running for a while.
			setTimeout(() => response.end('{}'), takesMs);
		};
		return waits;
	}

	/** The plan for a call's document, or undefined for another client's document. */
	private planOf(call: string): Signing | undefined {
		return this.calls.find((own) => own.call === call)?.signing;
	}

	/** Starts a waiting execution. Repeats the call until n8n responds with 200. */
	async start(wait: PlannedWait): Promise<void> {
		const name = `wait-${String(++this.started).padStart(5, '0')}`;
		await startExecution(this.url, name, wait, this.calls);
	}

	/**
	 * Publishes the workflow again, because n8n unpublishes a workflow after three crashed executions in a
	 * row.
	 */
	async publishAgain(): Promise<void> {
		await this.stage.api.publish(this.id);
	}

	/**
	 * Waits until no execution is running and no signature is due, or until `limitMs` has passed.
	 * @param orWaits Whether executions that are waiting must also have ended.
	 */
	async quiet(limitMs: number, orWaits?: 'or waits'): Promise<void> {
		const deadline = Date.now() + limitMs;
		// The check must succeed twice, because an execution does not continue immediately after its event
		// arrives.
		for (let times = 0; times < 2 && Date.now() < deadline; await delay(1000)) {
			const { running = 0, new: fresh = 0, waiting = 0 } = await statusCounts(this.stage, this.id);
			const isDelivering = this.stage.sandbox.deliveries().some(({ state }) => state === 'pending');
			const isBusy = running + fresh > 0 || isDelivering || this.people.isBusy();
			times = isBusy || (orWaits && waiting > 0) ? 0 : times + 1;
		}
	}

	/** Reads the current records of n8n and the service. */
	async look(): Promise<WaitRun> {
		const { calls, outages, stage, told } = this;
		const { sandbox } = stage;
		const documents = sandbox
			.documents()
			.filter((document) => this.planOf(callOf(document)))
			.sort((a, b) => a.addedOn - b.addedOn)
			.map((document) => ({ document: document.documentID, call: callOf(document) }));
		return {
			at: Date.now(),
			calls,
			documents,
			told: [...told],
			signedAt: this.people.signedAt,
			outages,
			executions: await storedExecutions(stage, this.id),
			deliveries: sandbox.deliveries().flatMap(deliveriesOf),
			webhooks: sandbox.webhooks().flatMap(({ webHookUrl }) => executionOf(webHookUrl) ?? []),
		};
	}

	async stop(): Promise<void> {
		await this.people.stop();
		await this.receiver.close();
	}
}

/** Every attempt to make one delivery. The sandbox keeps only the last 2,000 deliveries. */
function deliveriesOf({ url, type, body, attempts }: Delivery): WaitDelivery[] {
	const execution = executionOf(url);
	if (type !== 'completedDocument' || execution === undefined) return [];
	const { documentID: document } = (body as { Document: { documentID: string } }).Document;
	return attempts.map(({ at, durationMs, status = 0 }) => ({
		execution,
		document,
		at,
		respondedAt: at + durationMs,
		isAccepted: status >= 200 && status < 300,
	}));
}

/** When one document is signed, and whether its event is delivered again. */
export interface Signing {
	/** The time between creating and signing the document, or undefined if no one ever signs. */
	afterMs?: number | undefined;
	/**
	 * The time between signing the document and delivering its event again, or undefined if that does not
	 * happen.
	 */
	repeatMs?: number | undefined;
}

const pollMs = 100;

/** The name of the call that created a document, taken from its only signatory's email address. */
export function callOf({ signatory }: ReturnType<Sandbox['documents']>[number]): string {
	return signatory[0]?.emailID.split('@')[0] ?? '';
}

/** The people who sign each document at its planned time. */
export class People {
	/** When each document was signed (epoch-ms). */
	readonly signedAt = new Map<string, number>();
	private readonly begun = new Set<string>();
	private readonly underway: Array<Promise<void>> = [];
	private readonly watching: Promise<void>;
	private isStopping = false;
	private isHurried = false;

	/**
	 * @param signingOf Returns the plan for a call's document, or undefined for another client's document.
	 */
	constructor(
		private readonly sandbox: Sandbox,
		private readonly signingOf: (call: string) => Signing | undefined,
	) {
		this.watching = this.watch();
	}

	/** After this call, people sign every new document immediately. */
	hurry(): void {
		this.isHurried = true;
	}

	/** Whether any planned signature is still missing. */
	isBusy(): boolean {
		return this.signedAt.size < this.begun.size;
	}

	/** Makes the service send the event again for every signed document of these calls. */
	async repeat(calls: string[]): Promise<void> {
		for (const document of this.sandbox.documents()) {
			const { documentID } = document;
			if (!this.signedAt.has(documentID) || !calls.includes(callOf(document))) continue;
			await this.sandbox.fire('completedDocument', documentID);
		}
	}

	async stop(): Promise<void> {
		this.isStopping = true;
		await this.watching;
		await Promise.all(this.underway);
	}

	private async watch(): Promise<void> {
		while (!this.isStopping) {
			for (const document of this.sandbox.documents()) {
				const { documentID, signatory } = document;
				const planned = this.signingOf(callOf(document));
				const signing = planned && this.isHurried ? { afterMs: 0 } : planned;
				if (this.begun.has(documentID) || signing?.afterMs === undefined) continue;
				this.begun.add(documentID);
				this.underway.push(this.sign(documentID, signatory[0]?.emailID ?? '', signing));
			}
			await delay(pollMs);
		}
	}

	private async sign(document: string, email: string, signing: Signing): Promise<void> {
		await delay(signing.afterMs);
		const at = Date.now();
		await this.sandbox.sign(document, email);
		this.signedAt.set(document, at);
		if (signing.repeatMs === undefined) return;
		await delay(signing.repeatMs);
		await this.sandbox.fire('completedDocument', document);
	}
}
