import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../../../sandbox';
import type { History } from '../history/history';
import type { Signing } from './plan';

const POLL_MS = 100;

/** The key of a document: its only signatory is named by it. */
export function keyOf({ signatory }: ReturnType<Sandbox['documents']>[number]): string {
	return signatory[0]?.emailID.split('@')[0] ?? '';
}

/** The people who sign the documents, each at its moment. */
export class People {
	private readonly begun = new Set<string>();
	private readonly signed = new Set<string>();
	private readonly underway: Array<Promise<void>> = [];
	private readonly watching: Promise<void>;
	private isStopping = false;
	private isHurried = false;

	/** @param signingOf what happens to the document of a key; undefined for somebody else's */
	constructor(
		private readonly sandbox: Sandbox,
		private readonly history: History,
		private readonly signingOf: (key: string) => Signing | undefined,
	) {
		this.watching = this.watch();
	}

	/** From now on every new document is signed at once. */
	hurry(): void {
		this.isHurried = true;
	}

	/** Whether somebody has yet to sign a document that was sent. */
	isBusy(): boolean {
		return this.signed.size < this.begun.size;
	}

	/** Somebody has the service deliver the events of signed documents of these keys once more. */
	async repeat(keys: Set<string>): Promise<void> {
		for (const document of this.sandbox.documents()) {
			const { documentID } = document;
			if (!this.signed.has(documentID) || !keys.has(keyOf(document))) continue;
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
				const planned = this.signingOf(keyOf(document));
				const signing = planned && this.isHurried ? { afterMs: 0 } : planned;
				if (this.begun.has(documentID) || signing?.afterMs === undefined) continue;
				this.begun.add(documentID);
				this.underway.push(this.sign(documentID, signatory[0]?.emailID ?? '', signing));
			}
			await delay(POLL_MS);
		}
	}

	private async sign(document: string, email: string, signing: Signing): Promise<void> {
		await delay(signing.afterMs);
		this.history.note({ type: 'completed', document });
		await this.sandbox.sign(document, email);
		this.signed.add(document);
		if (signing.repeatMs === undefined) return;
		await delay(signing.repeatMs);
		await this.sandbox.fire('completedDocument', document);
	}
}
