import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { plainText } from '../util/redact';
import { cutText } from '../util/text';

/** The maximum length of the warnings in the message next to the output, in characters. */
const maxShownWarnings = 1000;

/**
 * The warnings for all of a run's items, and the messages that n8n shows next to the node's output. An item's
 * context cannot store them, because the node creates two contexts per item: one for checking, and one for
 * sending.
 */
export class Notices {
	readonly #warningsByItem = new Map<number, string[]>();

	readonly #shownHints = new Set<string>();

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'addExecutionHints' | 'getInputData'>,
	) {}

	warningsOf(itemIndex: number): readonly string[] {
		return this.#warningsByItem.get(itemIndex) ?? [];
	}

	warn(itemIndex: number, text: string): void {
		const warning = plainText(text);
		const warnings = this.warningsOf(itemIndex);
		if (!warnings.includes(warning)) this.#warningsByItem.set(itemIndex, [...warnings, warning]);
	}

	hint(text: string, type: NodeExecutionHint['type'] = 'warning'): void {
		const message = plainText(text);
		if (this.#shownHints.has(message)) return;
		this.#shownHints.add(message);
		this.context.addExecutionHints({ message, type, location: 'outputPane' });
	}

	/**
	 * Shows a message next to the node's output that lists the warnings, by item if the input has several. Does
	 * nothing if there are no warnings.
	 * @param nameOf Returns how a message names an item.
	 */
	showWarnings(nameOf: (itemIndex: number) => string): void {
		const count = this.#warningsByItem.size;
		if (count === 0) return;
		const isOnly = this.context.getInputData().length === 1;
		const parts = [...this.#warningsByItem]
			.sort(([left], [right]) => left - right)
			// Each item takes at least one of the characters.
			.slice(0, maxShownWarnings)
			.map(([index, warnings]) =>
				[...(isOnly ? [] : [`${nameOf(index)}:`]), ...warnings].join(' '),
			);
		const introduction = count === 1 ? '' : `${count} items have warnings. `;
		this.hint(introduction + cutText(parts.join(' '), maxShownWarnings));
	}
}
