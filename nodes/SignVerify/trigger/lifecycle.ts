import { createHash } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import { events } from '../api/events';
import { ServiceClient } from '../http/client';
import { describeError, ServiceError, withNodeErrors } from '../http/errors';
import { readAll } from '../input/inputError';
import { isTest } from '../n8nInternals';
import {
	type KnownWebhook,
	removeWebhooks,
	syncWebhooks,
	type WebhookOwner,
} from '../registrations/sync';
import {
	checkReachable,
	placeOfNode,
	leadsTo,
	readSecrets,
	secretIn,
	urlWithSecret,
	webhookName,
} from '../registrations/url';
import { delay, KeyedMutex, settle, timeIsOver, withTimeout } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { isObject, listOf, objectOf, textOf } from '../util/values';
import { readEvents, readTriggerChoices, triggerForm } from './form';

/** How long the registration of all webhooks may take. n8n gives up on a publication after about 85 seconds. */
const registrationTimeoutMs = 60_000;

/**
 * How long each call may wait for its turn and be retried. With the smallest Requests per Second, the last call waits
 * for half a minute. The time is shorter than {@link registrationTimeoutMs}, so that the error gives the reason of the
 * call that failed.
 */
export const callTimeoutMs = 45_000;

/** The URLs whose registration was too slow. Further tries by n8n fail at once, because they would end too late. */
const slowUrls = new ProcessMemory<true>({
	name: 'URLs whose registration took too long',
	bound: 1000,
	life: registrationTimeoutMs,
});

/**
 * The pauses before a removal begins, and before each further try. To publish a changed trigger, n8n deletes and creates
 * the trigger within a moment, on a busy machine within seconds, and must find its webhooks there.
 */
const removalPausesMs = [10_000, 60_000, 600_000];

/** A removal whose pause is not over. */
interface PendingRemoval {
	cancel: AbortController;
	/** Webhooks to delete by their IDs: the service may not list them, and the static data may have lost them since. */
	knownWebhooks: KnownWebhook[];
}

/**
 * Pending removals by account and URL. The account is part of the key because a trigger with another credential would
 * never remove the webhooks of the old account.
 */
const removals = new ProcessMemory<PendingRemoval>({
	name: 'postponed removals',
	bound: 1000,
	life: 'until pushed out',
});

/** Runs the registrations and removals at one account and URL one after another. */
const registrationMutex = new KeyedMutex('registrations of triggers');

/**
 * Registers the trigger's URL for its events. If this throws, n8n deletes the trigger and tries again, up to five times.
 * If this succeeded only after n8n's deadline, n8n would not know of the webhooks, so the registration gives up earlier
 * ({@link registrationTimeoutMs}).
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	const work = async (): Promise<boolean> => {
		const form = triggerForm(this);
		// Wrong values of the whole form are reported now, and not only when an event arrives.
		const { types } = readAll({
			types: () => readEvents(form),
			choices: () => readTriggerChoices(form),
		});
		const url = urlOf(this);
		const service = new ServiceClient(this, callTimeoutMs);
		const { id: account, baseUrl } = await service.account();
		const place = `${account} ${url}`;
		const warning = checkReachable(baseUrl, url);
		if (warning) warn(this, warning);
		const secretOf = await readSecrets(this, service);
		const owner: WebhookOwner = {
			urls: new Map(types.map((type) => [type, urlWithSecret(url, secretOf(type))])),
			name: webhookName(this),
			docsAnchor: 'the-trigger',
		};
		if (slowUrls.has(url)) throw tooSlow();
		const removal = removals.get(place);
		removal?.cancel.abort();
		const register = async (signal: AbortSignal) =>
			await registrationMutex.run(place, async () => {
				const { state, knownWebhooks } = readState(this, account, url);
				const oldWebhooks = [...(removal?.knownWebhooks ?? []), ...knownWebhooks];
				const webhooks = await syncWebhooks(
					service,
					{ ...owner, signal },
					leadsTo(url),
					oldWebhooks,
				);
				Object.assign(state, { owner: ownerOfState(this, account), url, webhooks });
			});
		const registration = await settle(withTimeout(register, registrationTimeoutMs));
		if (registration.ok) return true;
		if (objectOf(registration.error).code !== timeIsOver) throw registration.error;
		slowUrls.set(url, true);
		throw tooSlow();
	};
	return await withNodeErrors(this, work, { isPublication: !isTest(this) });
}

/**
 * Removes the trigger's webhooks: at once after a test, and in production a moment later, unless n8n creates the trigger
 * again first. The webhooks are recognized by their IDs and secrets, so the webhooks of a copied trigger's original stay.
 * @throws ServiceError if the credential cannot be read, or if the webhooks of a test could not be removed.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const url = urlOf(this);
		const service = new ServiceClient(this, callTimeoutMs);
		const { id: account } = await service.account();
		const { isOwn, knownWebhooks } = readState(this, account, url);
		const secretOf = await readSecrets(this, service);
		const secrets = new Set(events.map(({ type }) => secretOf(type)));
		const isOwnUrl = leadsTo(url);
		const removeAll = async () => {
			const { remaining, failure } = await removeWebhooks(
				service,
				knownWebhooks,
				({ webHookUrl }) => isOwnUrl(webHookUrl) && (isOwn || secrets.has(secretIn(webHookUrl))),
			);
			if (remaining.length > 0 && !failure) {
				const stays = 'It stays in the account, and is used again when the workflow is published.';
				warn(this, `the service didn't delete the webhook for identity verifications. ${stays}`);
			}
			return failure;
		};
		if (!isTest(this)) {
			void removeLater(this, `${account} ${url}`, knownWebhooks, removeAll);
			return true;
		}
		const failure = await removeAll();
		if (failure) throw failure as Error;
		return true;
	});
}

/** Removes webhooks after a pause, with retries. Never throws. */
async function removeLater(
	context: IHookFunctions,
	place: string,
	knownWebhooks: KnownWebhook[],
	removeAll: () => Promise<unknown>,
): Promise<void> {
	removals.get(place)?.cancel.abort();
	const cancel = new AbortController();
	removals.set(place, { cancel, knownWebhooks });
	for (const pauseMs of removalPausesMs) {
		if (!(await delay(pauseMs, cancel.signal))) return;
		const removal = await settle(
			registrationMutex.run(place, async () =>
				cancel.signal.aborted ? undefined : await removeAll(),
			),
		);
		const failure = removal.ok ? removal.value : removal.error;
		if (!failure) return;
		warn(context, `its webhooks could not be deleted: ${describeError(failure).message}`);
	}
}

function tooSlow(): ServiceError {
	return new ServiceError({
		message: 'The service is too slow to register the webhooks in time',
		description: `n8n waits about 85 seconds for a workflow to be published. The webhooks from this attempt have been removed. Publish the workflow again in a few minutes, when the service may respond faster.`,
		docsAnchor: 'the-service-is-too-slow-to-register-the-webhooks-in-time',
	});
}

/**
 * The trigger's static data, and the webhooks listed in it. The list is ignored if it belongs to another node
 * ({@link ownerOfState}) or URL, because n8n copies static data when a workflow is copied. The list only helps to delete
 * webhooks: at the end of each execution, n8n writes the static data back as it was when the execution began. Test runs
 * and production each have static data of their own.
 */
function readState(context: IHookFunctions, account: string, url: string) {
	const state = context.getWorkflowStaticData('node');
	const isOfNode = state.owner === ownerOfState(context, account);
	const isOwn = isOfNode && state.url === url;
	if (isOfNode && !isOwn) {
		warn(
			context,
			'the webhook URL of this n8n has changed. Webhooks with the old URL may still be registered. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".',
		);
	}
	// n8n stores this very object, so it must be emptied and not replaced.
	if (!isOwn) for (const name of Object.keys(state)) delete state[name];
	// Everyone who can edit the workflow can change this list, so check the type of each value.
	const webhooks = isOwn ? listOf(state.webhooks).filter(isObject) : [];
	const knownWebhooks = webhooks.map((webhook) => ({
		webHookID: textOf(webhook.webHookID),
		type: textOf(webhook.type),
	}));
	return { state, isOwn, knownWebhooks };
}

/**
 * Identifies a trigger node in any n8n (docs/dev/architecture.md, "The trigger") together with an account. The account
 * is part of the hash because the same webhook ID in another account can belong to another owner.
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
