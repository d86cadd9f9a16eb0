import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { plainText } from '../util/redact';
import { cutText } from '../util/values';

/** The message beside the output shows at most this many characters of the warnings. */
const maxShownWarnings = 1000;

/**
 * The warnings of all items of one execution, and the messages that n8n shows beside the node's output. They are kept here
 * and not in the context of an item, because checking and sending use two contexts of the same item.
 */
export class Notices {
	readonly #warningsByItem = new Map<number, string[]>();

	/** The warnings of {@link warnOnce}. */
	readonly #addedOnce = new Set<string>();

	readonly #shownHints = new Set<string>();

	constructor(private readonly execute: Pick<IExecuteFunctions, 'addExecutionHints'>) {}

	/** Returns the warnings of an item, in the order in which they were added. */
	warningsOf(itemIndex: number): readonly string[] {
		return this.#warningsByItem.get(itemIndex) ?? [];
	}

	/** Adds a warning to an item, unless the item has it already. */
	warn(itemIndex: number, text: string): void {
		const warning = plainText(text);
		const warnings = this.warningsOf(itemIndex);
		if (!warnings.includes(warning)) this.#warningsByItem.set(itemIndex, [...warnings, warning]);
	}

	/** Adds a warning to an item, unless the same warning was already added to an item of this execution. */
	warnOnce(itemIndex: number, text: string): void {
		if (this.#addedOnce.has(text)) return;
		this.#addedOnce.add(text);
		this.warn(itemIndex, text);
	}

	/** Shows a message beside the node's output, once for all items. */
	hint(text: string, type: NodeExecutionHint['type'] = 'warning'): void {
		const message = plainText(text);
		if (this.#shownHints.has(message)) return;
		this.#shownHints.add(message);
		this.execute.addExecutionHints({ message, type, location: 'outputPane' });
	}

	/** Lists the items with warnings beside the node's output. Does nothing if no item has one. */
	showWarnings(): void {
		const count = this.#warningsByItem.size;
		if (count === 0) return;
		const parts = [...this.#warningsByItem]
			.sort(([left], [right]) => left - right)
			.map(([index, warnings]) => `Item ${index + 1}: ${warnings.join(' ')}`);
		const items = count === 1 ? '1 item has' : `${count} items have`;
		this.hint(`${items} warnings. ${cutText(parts.join(' '), maxShownWarnings)}`);
	}
}
