import type { IDataObject } from 'n8n-workflow';

import { type EventSubject, type EventType, eventsThatEndWait, nounOf } from '../api/events';
import { inOutputOrder, outcomeFields } from '../item/outcome';
import { describeError } from '../errors/nodeError';
import { ServiceError } from '../http/serviceError';
import type { IncludedValues } from '../item/includedInput';
import type { ItemContext, ItemOutput } from '../item/item';
import { passOnAtLimit, signedResumeUrl, waitAlone } from '../n8nInternals';
import { checkReachable } from '../registrations/publicUrl';
import {
	cleanUpExpired,
	listBeforeWait,
	registerWait,
	unregisterWait,
	type WaitRegistration,
} from '../registrations/waitWebhooks';
import { settle } from '../util/async';
import { stateKey, type WaitState, type WaitTarget } from './state';
import { waitProblems } from './waitProblems';

interface NamedTarget {
	target: WaitTarget;
	/** Shown if a user opens the node during the wait, when n8n doesn't show the output yet. */
	name: string;
	/** What the output also contains if the wait reaches its limit. */
	fieldsAtLimit?: IDataObject;
}

/**
 * A sent item, and what the execution now has to wait for. `awaited` is undefined if there is nothing to wait
 * for.
 */
export interface StartedItem extends ItemOutput {
	awaited?: NamedTarget;
}

/** What has to be known about a wait before anything is sent. */
interface Wait {
	about: EventSubject;
	maxWaitMs: number;
	/** The address to which everything is sent in a test run. The output contains it, too. */
	testRecipient?: string | undefined;
	included: IncludedValues;
	/** What an error says about the document or request if the wait can't begin. */
	consequence: string;
}

/** A wait whose webhooks have been registered, and whose document or request has been sent. */
interface PreparedWait extends Pick<Wait, 'testRecipient' | 'included'> {
	registration: WaitRegistration;
	waitUntil: Date;
}

/**
 * The webhooks are registered before anything is sent, because otherwise the event could arrive before they exist.
 * Call `checkCanWait` (wait/canWait.ts) first.
 * @returns The item that the node shows while it waits, or its output if there is nothing to wait for.
 * @throws ServiceError if the wait can't begin, even if something was already sent, or whatever `sendAwaited` throws.
 */
export async function startWaiting(
	item: ItemContext,
	wait: Wait,
	sendAwaited: () => Promise<StartedItem>,
): Promise<ItemOutput> {
	const { service } = item;
	const { about, maxWaitMs, testRecipient, included } = wait;
	const waitUntil = new Date(Date.now() + maxWaitMs);
	const registering = await settle(prepareWait(item, eventsThatEndWait(about), waitUntil));
	if (!registering.ok) throw cannotBegin(wait, registering.error);
	const registration = registering.value;
	const sent = await settle(sendAwaited());
	if (!sent.ok) {
		await unregisterWait(service, registration);
		throw sent.error;
	}
	const { awaited, ...output } = sent.value;
	if (!awaited) {
		await unregisterWait(service, registration);
		return output;
	}
	const prepared = { registration, waitUntil, testRecipient, included };
	const beginning = await settle(beginWait(item, prepared, awaited, output));
	if (beginning.ok) return output;
	await unregisterWait(service, registration);
	const { created } = output;
	throw created === undefined
		? cannotBegin(wait, beginning.error)
		: cannotPutToWait(created, beginning.error);
}

async function prepareWait(
	item: ItemContext,
	events: EventType[],
	waitUntil: Date,
): Promise<WaitRegistration> {
	const { context, service } = item;
	const { baseUrl } = await service.account();
	const warning = checkReachable(baseUrl, signedResumeUrl(context));
	if (warning) item.hint(warning);
	const list = await listBeforeWait(service);
	// Delete expired webhooks in the background, because this wait does not depend on the result.
	if (list) void cleanUpExpired(context, service, list);
	return await registerWait(context, service, events, waitUntil, list);
}

async function beginWait(
	item: ItemContext,
	{ registration, waitUntil, testRecipient, included }: PreparedWait,
	{ target, name, fieldsAtLimit }: NamedTarget,
	{ json: sentJson }: ItemOutput,
): Promise<void> {
	const { context } = item;
	item.hint(`Waiting for ${name}`, 'info');
	await context.putExecutionToWait(waitUntil);
	const { json: includedFields, ...files } = included;
	const { renamedFiles } = includedFields;
	const state: WaitState = {
		version: 1,
		...registration,
		target,
		...('input' in includedFields ? { includesInput: true } : {}),
		...(renamedFiles ? { renamedFiles } : {}),
		...(testRecipient === undefined ? {} : { testRecipient }),
	};
	waitAlone(context);
	// @n8n n8n writes the node's context to its database when the execution begins to wait. So the state survives
	// a restart, and every process in queue mode reads the same state.
	context.getContext('node')[stateKey] = state;
	const timeoutFields = {
		...outcomeFields({ about: target.about, wait: 'timedOut', testRecipient }),
		...fieldsAtLimit,
		waitUntil: waitUntil.toISOString(),
	};
	const json = inOutputOrder({ ...sentJson, ...timeoutFields, ...includedFields });
	passOnAtLimit(context, { json, ...files, pairedItem: { item: 0 } });
}

/**
 * The error if the node has sent nothing. An error from n8n, or a bug in the node, must become a ServiceError, because
 * otherwise the caller would have to assume that something was sent.
 */
function cannotBegin({ about, consequence }: Wait, error: unknown): ServiceError {
	const facts = { noun: nounOf[about], reason: describeError(error).message };
	const problem =
		error instanceof ServiceError ? error : new ServiceError(waitProblems.notBegun(facts));
	return problem.withDetail(` ${consequence}`);
}

/**
 * The properties of an error that occurs after something was sent. Because of them, the item's Send Once Key
 * stays recorded, so the item isn't sent again.
 */
export const sentByThisNode = { purpose: 'creating', failure: { what: 'succeeded' } } as const;

function cannotPutToWait(created: string, error: unknown): ServiceError {
	const problem = waitProblems.notPutToWait(created, describeError(error).message);
	return new ServiceError({ ...problem, ...sentByThisNode });
}
