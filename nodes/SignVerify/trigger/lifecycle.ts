import { createHash } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import { events } from '../api/events';
import { ServiceClient } from '../account/client';
import { describeError, ServiceError, withNodeErrors } from '../http/errors';
import { publishingCallMs } from '../http/timeLimits';
import { readAll } from '../input/inputError';
import { isTriggerTest } from '../n8nInternals';
import {
	type KnownWebhook,
	type Removal,
	removeObsolete,
	removeWebhooks,
	syncWebhooks,
	type WantedWebhooks,
} from '../registrations/sync';
import {
	checkReachable,
	placeOfNode,
	pointsTo,
	readSecrets,
	secretIn,
	urlWithSecret,
	webhookName,
} from '../registrations/url';
import { delay, KeyedMutex, settle, timeIsOver, withTimeout } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { isObject, listOf, objectOf, textOf } from '../util/values';
import { readEvents, readTriggerChoices, triggerForm } from './form';

/**
 * How long registering all webhooks may take. n8n gives up on publishing after about 85 seconds. This limit
 * is longer than {@link publishingCallMs} so that a slow call fails first, with an error that contains the
 * reason. The rest of the 85 seconds is for deleting obsolete webhooks (registrations/sync.ts).
 */
const registrationTimeoutMs = 60_000;

/**
 * The errors from registrations that were too slow, by account, URL, and events. If n8n tries again soon,
 * create() fails immediately with the same error, because another registration would exceed n8n's deadline.
 * The key includes the account, because a different account's service may be faster. It also includes the
 * events, because a user may deselect the event that couldn't be registered. Registering the others may be
 * fast, and the error would be about an event that is no longer selected.
 */
const slowRegistrations = new ProcessMemory<ServiceError>({
	bound: 1000,
	life: 60_000,
});

/**
 * The pauses before a removal's first attempt and before each later attempt. When a changed trigger is
 * published, n8n deletes the trigger and creates it again a moment later (on a busy machine, seconds later).
 * The trigger's webhooks must not disappear in between.
 */
const removalPausesMs = [10_000, 60_000, 600_000];

/**
 * How long a running removal may continue after create() is called. create() waits for it to end, because
 * every webhook whose deletion got no response must be replaced.
 */
const canceledRemovalTimeoutMs = 10_000;

/** A removal that starts, or is retried, after a pause. */
interface PostponedRemoval {
	cancel: AbortController;
	/**
	 * The IDs of webhooks that may or may not have been deleted, because the removal was aborted while
	 * deleting them.
	 */
	doubtfulIds: string[];
	/**
	 * Webhooks to delete by ID. They are kept here until they are deleted, because the service may not list
	 * them, and the static data may no longer contain them.
	 */
	knownWebhooks: KnownWebhook[];
}

/**
 * Postponed removals by account and URL. Even finished and canceled removals are kept, because the next
 * removal needs their webhooks, and so does create() if n8n calls it again. create() cancels the removal that
 * has the same key. The key includes the account so that a removal continues if the trigger's credential is
 * changed to a different account. In that case, create() doesn't remove the old account's webhooks.
 */
const removals = new ProcessMemory<PostponedRemoval>({
	bound: 1000,
	life: 'until pushed out',
});

/** Makes the registrations and removals for the same account and URL run one at a time. */
const registrationMutex = new KeyedMutex();

/**
 * Registers the trigger's URL for its events. If this function throws, n8n deletes the trigger and tries
 * again, up to five times. If it succeeded after n8n's deadline, n8n wouldn't know about the registered
 * webhooks, so this function gives up before the deadline ({@link registrationTimeoutMs}).
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	const work = async (): Promise<boolean> => {
		const form = triggerForm(this);
		// Report every wrong value in the form now instead of when an event arrives.
		const { types } = readAll({
			types: () => readEvents(form),
			choices: () => readTriggerChoices(form),
		});
		const url = urlOf(this);
		const service = new ServiceClient(this, publishingCallMs);
		const { id: account, baseUrl } = await service.account();
		const registrationKey = `${account} ${url}`;
		const warning = checkReachable(baseUrl, url);
		if (warning) warn(this, warning);
		const secretOf = await readSecrets(this, service);
		const wanted: WantedWebhooks = {
			urls: new Map(types.map((type) => [type, urlWithSecret(url, secretOf(type))])),
			name: webhookName(this),
			docsAnchor: 'the-trigger',
			permanentUrl: url,
		};
		const attemptKey = JSON.stringify([registrationKey, types]);
		const earlierError = slowRegistrations.get(attemptKey);
		if (earlierError) throw earlierError;
		const removal = removals.get(registrationKey);
		removal?.cancel.abort();
		let reason: ServiceError | undefined;
		const onFailure = (error: ServiceError) => {
			reason = error;
		};
		const register = async (signal: AbortSignal) =>
			await registrationMutex.run(registrationKey, async () => {
				const { state, knownWebhooks } = openState(this, account, url);
				const oldWebhooks = [...(removal?.knownWebhooks ?? []), ...knownWebhooks];
				const { webhooks, obsolete } = await syncWebhooks(
					service,
					{ ...wanted, signal, onFailure },
					pointsTo(url),
					// Read the doubtful IDs inside the mutex, because a removal that has just ended may have
					// added some.
					{ knownWebhooks: oldWebhooks, doubtfulIds: removal?.doubtfulIds ?? [] },
				);
				if (removal) removal.doubtfulIds = [];
				Object.assign(state, { owner: ownerOfState(this, account), url, webhooks });
				return { state, webhooks, obsolete };
			});
		const registration = await settle(withTimeout(register, registrationTimeoutMs));
		if (registration.ok) {
			const { state, webhooks, obsolete } = registration.value;
			const ownWebhooks = [...webhooks, ...(await removeObsolete(service, obsolete))];
			state.webhooks = ownWebhooks;
			if (removal) removal.knownWebhooks = ownWebhooks;
			return true;
		}
		if (objectOf(registration.error).code !== timeIsOver) throw registration.error;
		const error = reason?.withDetail(waitBeforeNextAttempt) ?? tooSlow();
		slowRegistrations.set(attemptKey, error);
		throw error;
	};
	return await withNodeErrors(this, work, { isPublication: !isTriggerTest(this) });
}

/**
 * Removes the trigger's webhooks. After a test, this happens immediately. In production, it happens a moment
 * later, unless n8n has created the trigger again by then. Webhooks are recognized by their IDs and secrets,
 * so removing a copy of a trigger leaves the original's webhooks in place.
 * @throws ServiceError if the credential cannot be read, or if a test's webhooks could not be removed.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const url = urlOf(this);
		const service = new ServiceClient(this, publishingCallMs);
		const { id: account } = await service.account();
		const { isOwnState, knownWebhooks } = openState(this, account, url);
		const secretOf = await readSecrets(this, service);
		const secrets = new Set(events.map(({ type }) => secretOf(type)));
		const isOwnUrl = pointsTo(url);
		const removeAll = async (webhooks: KnownWebhook[], end?: AbortSignal) => {
			const { remaining, failure } = await removeWebhooks(
				end ? service.until(end) : service,
				webhooks,
				({ webHookUrl }) =>
					isOwnUrl(webHookUrl) && (isOwnState || secrets.has(secretIn(webHookUrl))),
			);
			if (remaining.length > 0 && !failure) {
				const stays =
					'It stays in the account, and the trigger will reuse it when the workflow is published again.';
				warn(this, `the service didn't delete the webhook for identity verifications. ${stays}`);
			}
			return { remaining, failure };
		};
		if (!isTriggerTest(this)) {
			void removeLater(this, `${account} ${url}`, knownWebhooks, removeAll);
			return true;
		}
		const { failure } = await removeAll(knownWebhooks);
		if (failure) throw failure as Error;
		return true;
	});
}

/** Removes webhooks after a pause, with retries. Never throws. */
async function removeLater(
	context: IHookFunctions,
	registrationKey: string,
	knownWebhooks: KnownWebhook[],
	removeAll: (webhooks: KnownWebhook[], end: AbortSignal) => Promise<Removal>,
): Promise<void> {
	const cancel = new AbortController();
	const earlier = removals.get(registrationKey);
	earlier?.cancel.abort();
	const allKnown = [...(earlier?.knownWebhooks ?? []), ...knownWebhooks];
	const byId = new Map(allKnown.map((webhook) => [webhook.webHookID, webhook]));
	// Change the earlier removal instead of replacing it, because it may still be running and add doubtful
	// IDs.
	const postponed = Object.assign(earlier ?? { doubtfulIds: [] }, {
		cancel,
		knownWebhooks: [...byId.values()],
	});
	removals.set(registrationKey, postponed);
	for (const pauseMs of removalPausesMs) {
		if (!(await delay(pauseMs, cancel.signal))) return;
		const removal = await settle(
			registrationMutex.run(registrationKey, async () => {
				if (cancel.signal.aborted) return undefined;
				const end = new AbortController();
				const endSoon = () => void delay(canceledRemovalTimeoutMs).then(() => end.abort());
				cancel.signal.addEventListener('abort', endSoon);
				const { remaining, failure } = await removeAll(postponed.knownWebhooks, end.signal);
				// create() also cancels a removal that has already ended. That must not start a timer.
				cancel.signal.removeEventListener('abort', endSoon);
				if (!end.signal.aborted) {
					postponed.knownWebhooks = remaining;
					return failure;
				}
				// create() is waiting for this removal to end. It replaces these webhooks, and then deletes
				// them.
				postponed.doubtfulIds = remaining.map(({ webHookID }) => webHookID);
				return undefined;
			}),
		);
		const failure = removal.ok ? removal.value : removal.error;
		if (!failure) return;
		warn(context, `couldn't delete its webhooks: ${describeError(failure).message}`);
	}
}

/**
 * Added to the error about an event that couldn't be registered if the attempt used up all the time for
 * registering ({@link slowRegistrations}).
 */
const waitBeforeNextAttempt =
	" This took so long that you have to wait a minute before you try again. Until then, you'd get the same error.";

function tooSlow(): ServiceError {
	return new ServiceError({
		message: 'The service is too slow to register the webhooks in time',
		description:
			'n8n waits about 85 seconds for a workflow to be published. The trigger removes all the webhooks that it registered in this attempt. Publish the workflow again in a few minutes, when the service may respond faster.',
		docsAnchor: 'the-service-is-too-slow-to-register-the-webhooks-in-time',
	});
}

/**
 * Opens the trigger's static data, which n8n stores with the workflow, and reads the webhooks listed in it.
 *
 * n8n copies static data along with a workflow, so data that belongs to a different node
 * ({@link ownerOfState}) or a different URL is deleted. The list may be outdated: at the end of each
 * execution, n8n overwrites the static data with the data from when the execution began. So the list is used
 * only to delete webhooks. Test runs and production have separate static data.
 */
function openState(context: IHookFunctions, account: string, url: string) {
	const state = context.getWorkflowStaticData('node');
	const isOfNode = state.owner === ownerOfState(context, account);
	const isOwnState = isOfNode && state.url === url;
	if (isOfNode && !isOwnState) {
		warn(
			context,
			"n8n's webhook URL has changed. Webhooks with the old URL may still be registered. To find them, run Webhook: Get Many with Return All turned on. Then delete them with Webhook: Delete.",
		);
	}
	// n8n stores this exact object, so empty it instead of replacing it.
	if (!isOwnState) for (const name of Object.keys(state)) delete state[name];
	// Anyone who can edit the workflow can also change this list, so check the type of each value.
	const webhooks = isOwnState ? listOf(state.webhooks).filter(isObject) : [];
	const knownWebhooks = webhooks.map((webhook) => ({
		webHookID: textOf(webhook.webHookID),
		type: textOf(webhook.type),
	}));
	return { state, isOwnState, knownWebhooks };
}

/**
 * Returns a hash that identifies a trigger node across all n8n instances, together with an account
 * (docs/dev/decisions.md, "The trigger"). The hash includes the account, because the same ID can belong to
 * someone else's webhook in a different account.
 */
function ownerOfState(context: IHookFunctions, account: string): string {
	return createHash('sha256')
		.update(JSON.stringify([...placeOfNode(context), account]))
		.digest('hex');
}

function urlOf(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

function warn(context: IHookFunctions, text: string): void {
	context.logger.warn(`SignVerify Trigger: ${text}`);
}
