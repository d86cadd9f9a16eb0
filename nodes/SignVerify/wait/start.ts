import { type INodeProperties, type IExecuteFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import { describeError, ServiceError } from '../http/errors';
import { readIncludedInput } from '../input/form';
import { InputError } from '../input/inputError';
import type { ItemContext, ItemOutput } from '../input/item';
import { readChoice, readNumber } from '../input/parameters';
import { canKeepWait, isInEngine2, isVariant, passOnAtLimit, waitAlone } from '../n8nInternals';
import { checkReachable } from '../registrations/url';
import { registerWait, removeExpired, removeWait, waitsAlikeAtStart } from '../registrations/wait';
import { settle } from '../util/async';
import { day } from '../util/values';
import { isWithoutId, stateKey, type WaitState, type WaitTarget } from './state';

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
			`an execution can wait for one item, and this node got ${count}. None of them was sent`,
			'Start a sub-workflow for each person: Loop Over Items with a batch size of 1, then Execute Sub-workflow with "Wait For Sub-Workflow Completion" off, and this node in the sub-workflow. For more than about 100 people, use Send for Signature, a SignVerify Trigger and a table.',
		);
	}
	if (isVariant(execute, 'Tool')) {
		throw cannotWait('an AI agent cannot wait for it', `Use ${instead}`);
	}
	if (!canKeepWait(execute)) {
		const problem = 'this n8n is too old to wait for an event. Nothing was sent';
		throw cannotWait(problem, `Update n8n to version 2, or use ${instead}`);
	}
	if (isInEngine2(execute)) {
		const problem = "n8n's Engine 2.0 cannot wait for an event. Nothing was sent";
		throw cannotWait(problem, `Let the workflow run in the engine before it, or use ${instead}`);
	}
}

function cannotWait(problem: string, remedy: string): InputError {
	return new InputError('Operation', problem, remedy, 'waiting');
}

/** What was sent, and what the execution waits for, unless there is nothing to wait for. */
export interface StartedItem extends ItemOutput {
	/** `name` is for a person who opens the node while it waits: n8n shows only this, and not the output. */
	awaited?: { target: WaitTarget; name: string };
}

/** What a wait needs to know before something is sent. */
interface Wait {
	/** The event that ends it. */
	event: EventType;
	/** How long to wait (ms). */
	limit: number;
	/** What a document is recognized by if the service gives no ID (wait/outcome.ts, `nameWithoutId`). */
	documentName?: string[];
	/** Who got it instead of the people, which is also in the output at the end of the wait. */
	testRecipient?: string | undefined;
}

/**
 * Sends something, and puts the execution to wait for it. The webhook is registered first, because the event
 * could otherwise arrive before. Check {@link checkCanWait} before.
 * @param sendAwaited Sends it, and says what to wait for.
 * @returns What the node shows while it waits, or its output if there is nothing to wait for.
 * @throws ServiceError if nothing was sent, or if the execution cannot wait for what was sent.
 */
export async function startWaiting(
	item: ItemContext,
	{ event, limit, documentName, testRecipient }: Wait,
	sendAwaited: () => Promise<StartedItem>,
): Promise<ItemOutput> {
	const { execute, service } = item;
	const until = new Date(Date.now() + limit);
	const { baseUrl } = await service.account();
	const warning = checkReachable(baseUrl, execute.getSignedResumeUrl());
	if (warning) item.hint(warning);
	// Nobody waits for it.
	void removeExpired(execute, service);
	const webhook = await registerWait(execute, service, event, until, documentName);
	let mustStay = false;
	try {
		const sent = await settle(sendAwaited());
		if (!sent.ok) {
			// A wait that comes next must see that there may be another document like its own.
			mustStay = isUnsure(sent.error) && documentName !== undefined;
			throw sent.error;
		}
		const { awaited, ...output } = sent.value;
		if (!awaited) return output;
		const { target, name } = awaited;
		mustStay = isWithoutId(target);
		const alike = mustStay ? await waitsAlikeAtStart(service, webhook) : [];
		if (alike.length > 0) throw cannotTellApart(output.created ?? 'a document', alike);
		item.hint(`Waiting for ${name}`, 'info');
		const put = await settle(execute.putExecutionToWait(until));
		if (!put.ok) {
			throw new ServiceError({
				message: `Sent (${output.created ?? 'by another node'}), but n8n cannot wait for it: ${describeError(put.error).message}`,
				description:
					'Do not send it again. A workflow with a SignVerify Trigger is told when it is done.',
				docsAnchor: 'waiting',
				// A Send Once Key must be kept.
				mayHaveCreated: output.created !== undefined,
			});
		}
		// In the execution's data, which n8n writes to its database when the execution begins to wait. So it
		// survives a restart, and every process in queue mode reads the same.
		const included = readIncludedInput(item);
		const includesInput = 'input' in included;
		const test = testRecipient === undefined ? {} : { testRecipient };
		const state: WaitState = {
			...{ version: 1, webhooks: [webhook], target },
			...(includesInput ? { includesInput } : {}),
			...test,
		};
		waitAlone(execute);
		execute.getContext('node')[stateKey] = state;
		const verdict = target.kind === 'identity' ? { passed: null } : {};
		const timedOut = {
			completed: false,
			...verdict,
			timedOut: true,
			waitUntil: until.toISOString(),
		};
		const json = { ...timedOut, ...output.json, ...test, ...timedOut, ...included };
		passOnAtLimit(execute, { json, pairedItem: { item: 0 } });
		mustStay = true;
		return output;
	} finally {
		if (!mustStay) await removeWait(service, webhook);
	}
}

function isUnsure(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveCreated;
}

/** The document was sent, and its signature could end the wait of another execution, or the other way round. */
function cannotTellApart(created: string, executions: string[]): ServiceError {
	return new ServiceError({
		message: `Sent (${created}), but the service gives no document ID, so it cannot be told apart from the document of execution ${executions.join(', ')}`,
		description:
			'Do not send it again. Both are for the same people and from the same template, and were sent at about the same time, so neither execution continues when one of them is signed. Look at the service who has signed.',
		docsAnchor: 'cannot-be-told-apart',
		// A Send Once Key must be kept.
		mayHaveCreated: true,
	});
}
