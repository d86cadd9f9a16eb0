import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { QueueStage } from '../../../host/queue/stage';
import { actionSteps, type Step } from '../../../host/workflow';
import type { Delivery } from '../../../sandbox/types';
import { post } from '../../support/http';
import { listWorkflow } from '../../e2e/support/wait';
import { until } from '../../support/until';
import { filledForm } from '../../support/service';
import type { WaitDelivery, WaitRun, Told } from './checkWaits';
import { statusCounts, storedExecutions } from './stage';
import type { Outages } from './kills';
import type { Sandbox } from '../../../sandbox';

/** One call that starts an execution which waits. */
export interface PlannedWait {
	limitMinutes: number;
	signing: Signing;
}

/** What a call to the workflow carries. */
interface WaitBody {
	/** By its name, n8n's data say which call an execution comes from. */
	call: string;
	limitMinutes: number;
}

/**
 * A workflow that is called, sends a document, waits until it is signed, and tells a server of the item
 * that it continues with. Its execution can die before that, meanwhile, and after it.
 * @param url Of that server.
 * @returns With the path of the webhook that starts it.
 */
async function waitWorkflow({ api, sandbox }: QueueStage, url: string) {
	const template = sandbox.templates().find(({ slots }) => slots.length === 1);
	if (!template) throw new Error('The sandbox has no template for one signatory.');
	const action = await actionSteps(api);
	const sign = action('Sign', {
		resource: 'document',
		operation: 'sendAndWait',
		...filledForm(template),
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
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody },
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
	private readonly calls: WaitRun['calls'] = [];
	private readonly signings = new Map<string, Signing>();
	private started = 0;

	private constructor(
		private readonly stage: QueueStage,
		private readonly outages: Outages,
		private readonly receiver: Receiver,
		private readonly id: string,
		private readonly url: string,
	) {
		this.people = new People(stage.sandbox, (call) => this.signings.get(call));
	}

	/** @param takesMs How long what is behind the wait takes. */
	static async publish(stage: QueueStage, outages: Outages, takesMs: number): Promise<Waits> {
		const receiver = await startReceiver(takesMs);
		const { workflow, path } = await waitWorkflow(stage, receiver.url);
		const { id } = await stage.api.createWorkflow(workflow);
		await stage.api.activate(id);
		return new Waits(stage, outages, receiver, id, `${stage.url}/webhook/${path}`);
	}

	/** Starts an execution that waits; again if the call is not answered 2xx. */
	async start({ limitMinutes, signing }: PlannedWait): Promise<void> {
		const name = `wait-${String(++this.started).padStart(5, '0')}`;
		let tries = 0;
		await until('the call is taken', async () => {
			const body: WaitBody = { call: `${name}.${++tries}`, limitMinutes };
			const call = { call: body.call, isAccepted: false };
			this.calls.push(call);
			this.signings.set(call.call, signing);
			call.isAccepted = (await post(this.url, body).catch(() => undefined)) === 200;
			if (!call.isAccepted) await delay(2000);
			return call.isAccepted;
		});
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
		const { calls, outages, stage } = this;
		const { sandbox } = stage;
		const { told } = this.receiver;
		const documents = sandbox
			.documents()
			.filter((each) => this.signings.has(callOf(each)))
			.sort((a, b) => a.addedOn - b.addedOn)
			.map((each) => ({ document: each.documentID, call: callOf(each) }));
		return {
			at: Date.now(),
			...{ calls, documents, told: [...told], signedAt: this.people.signedAt, outages },
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
		...{ execution, document, at, answeredAt: at + durationMs },
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

/** A server that hears from the executions what they continue with. */
export interface Receiver {
	url: string;
	told: Told[];
	close(): Promise<void>;
}

/** What the node behind the waiting one sends. */
interface Message {
	execution: string;
	call: string;
	document?: string;
	completed?: boolean;
	timedOut?: boolean;
	waitUntil?: string;
}

/**
 * Starts it on loopback.
 * @param takesMs It answers so late, so that the executions are under way for a while.
 */
export async function startReceiver(takesMs: number): Promise<Receiver> {
	const told: Told[] = [];
	const server = createServer((request, response) => {
		void text(request)
			.then((body) => told.push(toldOf(JSON.parse(body) as Message)))
			// The execution fails then, and its wait stays open.
			.catch(() => (response.statusCode = 500))
			.then(() => delay(takesMs))
			.then(() => response.end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		told,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

function toldOf({ execution, call, document = '', completed, timedOut, waitUntil }: Message): Told {
	if (typeof completed !== 'boolean' || timedOut !== !completed) {
		throw new Error(`Neither completed nor timed out: ${call}`);
	}
	return {
		...{ at: Date.now(), execution, call, document, isCompleted: completed },
		waitUntil: waitUntil === undefined ? undefined : Date.parse(waitUntil),
	};
}
