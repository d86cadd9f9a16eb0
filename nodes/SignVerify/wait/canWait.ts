import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import { canKeepWait, isInEngine2, isVariant } from '../n8nInternals';

const insteadOfWaiting =
	"an operation that doesn't wait, and a second workflow that starts with a SignVerify Trigger.";

/** @throws InputError if this execution cannot wait, or if the node has more than one item to wait for. */
export function checkCanWait(execute: IExecuteFunctions): void {
	const itemCount = execute.getInputData().length;
	if (itemCount > 1) {
		throw cannotWait(
			`an execution can wait for only one item, but this node received ${itemCount}. Nothing was sent`,
			'Start a sub-workflow for each person: Loop Over Items with a batch size of 1, then Execute Sub-workflow with Wait For Sub-Workflow Completion turned off, and this node in the sub-workflow. For more than about 100 people, use Send for Signature, a SignVerify Trigger, and a table.',
		);
	}
	if (isVariant(execute, 'Tool')) {
		throw cannotWait("an AI agent can't wait for an event", `Use ${insteadOfWaiting}`);
	}
	if (!canKeepWait(execute)) {
		const problem = 'this version of n8n is too old to wait for an event. Nothing was sent';
		throw cannotWait(problem, `Update n8n to version 2 or later, or use ${insteadOfWaiting}`);
	}
	if (isInEngine2(execute)) {
		const problem = "n8n's Engine 2.0 can't wait for an event. Nothing was sent";
		const remedy = `Return to n8n's previous engine, or use ${insteadOfWaiting}`;
		throw cannotWait(problem, remedy);
	}
}

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}
