import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Sandbox } from '../../../sandbox';
import type { Told } from './checkWaits';

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
