import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemContext } from '../item/item';
import { canKeepWait, isInEngine2, isVariant } from '../n8nInternals';
import { checkPublicUrl, publicUrlLabel } from '../registrations/publicUrl';
import { InputError } from '../errors/inputError';
import type { ValueProblemTable } from '../errors/problem';

const operationLabel = 'Operation';

/** What to do where an execution can't wait for an event. */
export const continueWithTrigger =
	'continue in a second workflow that starts with a SignVerify Trigger';

export const cannotWaitProblems = {
	severalItems: (count: number, instead: string) => ({
		problem: `an execution can wait for only one item, but this node received ${count}`,
		remedy: `Start a sub-workflow for each person, without waiting for it. For more than about 100 people, ${instead}.`,
		docsAnchor: 'one-item',
	}),
	agent: {
		problem: "an AI agent can't wait for an event",
		remedy: 'Have the tool start a workflow that waits.',
		docsAnchor: 'agent-cannot-wait',
	},
	oldVersion: (instead: string) => ({
		problem: 'this version of n8n is too old to wait for an event',
		remedy: `Update n8n to version 2 or later. Alternatively, ${instead}.`,
	}),
	engine2: (instead: string) => ({
		problem: "n8n's Engine 2.0 can't wait for an event",
		remedy: `Switch back to n8n's previous engine. Alternatively, ${instead}.`,
		docsAnchor: 'engine-2',
	}),
	humanReview: {
		problem: "a signature can't approve an AI agent's tool call",
		remedy:
			"The tool didn't run, and no one was asked to sign. Instead, have the tool start a workflow that sends the document, waits until everyone has signed, and then acts with the same values.",
		docsAnchor: 'human-review',
	},
} satisfies ValueProblemTable;

/**
 * @param instead What to do instead of waiting. Completes "Alternatively, …".
 * @throws InputError if this execution cannot wait, or if the node has more than one item to wait for.
 */
export function checkCanWait(context: IExecuteFunctions, instead: string): void {
	const itemCount = context.getInputData().length;
	if (itemCount > 1) {
		throw new InputError(operationLabel, cannotWaitProblems.severalItems(itemCount, instead));
	}
	if (isVariant(context, 'Tool')) {
		throw new InputError(operationLabel, cannotWaitProblems.agent);
	}
	if (!canKeepWait(context)) {
		throw new InputError(operationLabel, cannotWaitProblems.oldVersion(instead));
	}
	if (isInEngine2(context)) {
		throw new InputError(operationLabel, cannotWaitProblems.engine2(instead));
	}
}

/**
 * Call this while the item is being checked, because once something has been sent, a warning comes too late.
 * @throws InputError if no event could end the wait.
 */
export function judgePublicUrl(item: ItemContext): void {
	item.judge(publicUrlLabel, checkPublicUrl(item.context));
}
