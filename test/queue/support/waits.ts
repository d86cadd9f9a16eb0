import { setTimeout as delay } from 'node:timers/promises';

import type { QueueStage } from '../../../host/queue/stage';
import { actionSteps, type Step } from '../../../host/workflow';
import type { Delivery } from '../../../sandbox/types';
import { Stub } from '../../support/stub';
import { listWorkflow } from '../../e2e/support/wait';
import { filledForm, templateFor } from '../../support/service';
import type { WaitDelivery, WaitRun, Told } from './checkWaits';
import { startExecution, type StartCall, statusCounts, storedExecutions } from './stage';
import type { Outages } from './kills';
import type { Sandbox } from '../../../sandbox';

/** One call that starts an execution which waits. */
export interface PlannedWait {
	limitMinutes: number;
	signing: Signing;
}

/**
 * A workflow that is called, sends a document, waits until it is signed, and tells a server of the item
 * that it continues with. Its execution can die before that, meanwhile, and after it.
 * @param url Of that server.
 * @returns With the path of the webhook that starts it.
 */
async function waitWorkflow({ api, sandbox }: QueueStage, url: string) {
	const action = await actionSteps(api);
	const sign = action('Sign', {
		resource: 'document',
		operation: 'sendAndWait',
		...filledForm(templateFor(1, sandbox)),
		// The document names the call that it comes from.
		signatories: { signatory: [{ email: '={{ $json.call }}@example.com', name: 'Ana Lima' }] },
		limitWaitTime: '={{ $json.limitMinutes }}',
		limitWaitTimeUnit: 'minutes',
	});
	const told = `{
		execution: $execution.id,
		call: $('Items').first().json.call,
		document: $json.documentId,
		completed: $json.completed,
		timedOut: $json.timedOut,
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

/** The execution whose URL a webhook has; undefined if it is not of a wait. */
function executionOf(url: string): string | undefined {
	return /\/webhook-waiting\/(\d+)\//.exec(url)?.[1];
}

/** Executions that wait, and the people who sign. */
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

	/** @param takesMs How long what is behind the wait takes. */
	static async publish(stage: QueueStage, outages: Outages, takesMs: number): Promise<Waits> {
		const receiver = await new Stub().start();
		const { workflow, path } = await waitWorkflow(stage, receiver.url);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.activate(id);
		const waits = new Waits(stage, outages, receiver, id, `${stage.url}/webhook/${path}`);
		receiver.answer = (response, { body }) => {
			waits.told.push({ at: Date.now(), ...(JSON.parse(body) as Omit<Told, 'at'>) });
			// So late that the executions are running for a while.
			setTimeout(() => response.end('{}'), takesMs);
		};
		return waits;
	}

	/** What happens to the document of a call; undefined for somebody else's. */
	private planOf(call: string): Signing | undefined {
		return this.calls.find((own) => own.call === call)?.signing;
	}

	/** Starts an execution that waits; again if the call is not answered 2xx. */
	async start(wait: PlannedWait): Promise<void> {
		const name = `wait-${String(++this.started).padStart(5, '0')}`;
		await startExecution(this.url, name, wait, this.calls);
	}

	/** Publishes the workflow again: n8n takes one back whose last three executions crashed. */
	async publishAgain(): Promise<void> {
		await this.stage.api.activate(this.id);
	}

	/**
	 * Waits until no execution is under way and nobody has to sign, or so long.
	 * @param orWaits Also until no execution waits.
	 */
	async quiet(limitMs: number, orWaits?: 'or waits'): Promise<void> {
		const deadline = Date.now() + limitMs;
		// Looked at twice: between an event and what it leads to there is a moment.
		for (let times = 0; times < 2 && Date.now() < deadline; await delay(1000)) {
			const { running = 0, new: fresh = 0, waiting = 0 } = await statusCounts(this.stage, this.id);
			const isDelivering = this.stage.sandbox.deliveries().some(({ state }) => state === 'pending');
			const isBusy = running + fresh > 0 || isDelivering || this.people.isBusy();
			times = isBusy || (orWaits && waiting > 0) ? 0 : times + 1;
		}
	}

	/** What n8n and the service show now. */
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

/** The attempts of a delivery that the service made. The sandbox keeps the last 2,000 deliveries. */
function deliveriesOf({ url, type, body, attempts }: Delivery): WaitDelivery[] {
	const execution = executionOf(url);
	if (type !== 'completedDocument' || execution === undefined) return [];
	const { documentID: document } = (body as { Document: { documentID: string } }).Document;
	return attempts.map(({ at, durationMs, status = 0 }) => ({
		execution,
		document,
		at,
		answeredAt: at + durationMs,
		isAccepted: status >= 200 && status < 300,
	}));
}

/** What happens to one document. */
export interface Signing {
	/** How long after its creation it is signed; undefined if nobody ever signs it. */
	afterMs?: number;
	/** How long after that the service delivers its event once more. */
	repeatMs?: number;
}

const pollMs = 100;

/** The call that a document comes from: its only signatory is named by it. */
export function callOf({ signatory }: ReturnType<Sandbox['documents']>[number]): string {
	return signatory[0]?.emailID.split('@')[0] ?? '';
}

/** The people who sign the documents, each at its moment. */
export class People {
	/** When each document was signed (epoch-ms). */
	readonly signedAt = new Map<string, number>();
	private readonly begun = new Set<string>();
	private readonly underway: Array<Promise<void>> = [];
	private readonly watching: Promise<void>;
	private isStopping = false;
	private isHurried = false;

	/** @param signingOf What happens to the document of a call; undefined for somebody else's. */
	constructor(
		private readonly sandbox: Sandbox,
		private readonly signingOf: (call: string) => Signing | undefined,
	) {
		this.watching = this.watch();
	}

	/** From now on every new document is signed at once. */
	hurry(): void {
		this.isHurried = true;
	}

	/** Whether somebody has yet to sign a document that was sent. */
	isBusy(): boolean {
		return this.signedAt.size < this.begun.size;
	}

	/** Somebody has the service deliver the events of these calls' signed documents once more. */
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
