import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import { canKeepWait, isInEngine2, isVariant } from '../n8nInternals';

const insteadOfWaiting =
	"use an operation that doesn't wait, and continue in a second workflow that starts with a SignVerify Trigger.";

/** @throws InputError if this execution cannot wait, or if the node has more than one item to wait for. */
export function checkCanWait(execute: IExecuteFunctions): void {
	const itemCount = execute.getInputData().length;
	if (itemCount > 1) {
		throw cannotWait(
			`an execution can wait for only one item, but this node received ${itemCount}. Nothing was sent`,
			"Move this node to a sub-workflow that runs once for each person. In this workflow, add Loop Over Items with a batch size of 1, and connect its loop output to an Execute Sub-workflow node. In that node, turn off Wait For Sub-Workflow Completion. For more than about 100 people, use an operation that doesn't wait, keep track of the items in a table, and continue in a second workflow that starts with a SignVerify Trigger.",
		);
	}
	if (isVariant(execute, 'Tool')) {
		const problem = "an AI agent can't wait for an event. Nothing was sent";
		throw cannotWait(problem, `Instead, ${insteadOfWaiting}`);
	}
	if (!canKeepWait(execute)) {
		const problem = 'this version of n8n is too old to wait for an event. Nothing was sent';
		throw cannotWait(
			problem,
			`Update n8n to version 2 or later. Alternatively, ${insteadOfWaiting}`,
		);
	}
	if (isInEngine2(execute)) {
		const problem = "n8n's Engine 2.0 can't wait for an event. Nothing was sent";
		const remedy = `Switch back to n8n's previous engine. Alternatively, ${insteadOfWaiting}`;
		throw cannotWait(problem, remedy);
	}
}

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}
