import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../input/inputError';
import type { ItemContext } from '../input/item';
import { readChoice, readNumber } from '../input/parameters';
import { canKeepWait } from '../n8nInternals';

const day = 86_400_000;
/** With their milliseconds. */
const units = [
	{ name: 'Minutes', value: 'minutes', ms: 60_000 },
	{ name: 'Hours', value: 'hours', ms: 3_600_000 },
	{ name: 'Days', value: 'days', ms: day },
];
const maxDays = 3650;

/** The form for how long an operation waits. Every wait ends, because its webhook must not stay forever. */
export const limitWaitTimeFields: INodeProperties[] = [
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'When to give up waiting, at most after 3,650 days. The workflow then continues with an item that says timedOut: true.',
	},
	{
		displayName: 'Limit Wait Time Unit',
		name: 'limitWaitTimeUnit',
		type: 'options',
		noDataExpression: true,
		options: units,
		default: 'days',
	},
];

/**
 * Reads how long to wait.
 * @returns Milliseconds.
 * @throws InputError if it is out of range.
 */
export function readWaitLimit(item: ItemContext): number {
	const unit = item.parameter('limitWaitTimeUnit');
	const amount = item.parameter('limitWaitTime');
	const { ms } = readChoice(unit, 'Limit Wait Time Unit', units);
	return readNumber(amount, 'Limit Wait Time', { max: (maxDays * day) / ms }) * ms;
}

const instead =
	'an operation that does not wait, and a workflow that begins with a SignVerify Trigger.';

/** @throws InputError if this execution cannot wait, or the node has more than one item to wait for. */
export function checkCanWait(execute: IExecuteFunctions): void {
	const count = execute.getInputData().length;
	if (count > 1) {
		throw cannotWait(
			`an execution can wait for one item, and this node got ${count}. Nothing was sent`,
			'Start a sub-workflow for each person: Loop Over Items with a batch size of 1, then Execute Sub-workflow with "Wait For Sub-Workflow Completion" off, and this node in the sub-workflow. For more than about 100 people, use Send for Signature, a SignVerify Trigger and a table.',
		);
	}
	// n8n's variants of the node for AI agents: as a tool, and for human review.
	if (execute.getNode().type.endsWith('Tool')) {
		throw cannotWait('an AI agent cannot wait for it', `Use ${instead}`);
	}
	// An older n8n does not have it, whatever the types say.
	if (!(execute as Partial<IExecuteFunctions>).getSignedResumeUrl || !canKeepWait(execute)) {
		const problem = 'this n8n is too old to wait for an event. Nothing was sent';
		throw cannotWait(problem, `Update n8n to version 2, or use ${instead}`);
	}
	// For Engine 2.0 of n8n 2.41, a node that waits is done. Its contexts have no signal for cancelling.
	if (!execute.getExecutionCancelSignal()) {
		const problem = "n8n's Engine 2.0 cannot wait for an event. Nothing was sent";
		throw cannotWait(problem, `Let the workflow run in the engine before it, or use ${instead}`);
	}
}

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}
