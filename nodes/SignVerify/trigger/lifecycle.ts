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

/** How long (ms) registering may take. n8n gives up on a publication after about 85 seconds. */
const maxTime = 60_000;

/**
 * How long (ms) each of its calls may wait for its turn and be retried. With the smallest Requests per Second, the
 * last of them waits for half a minute. It is shorter than the whole, so that the call's own reason is told.
 */
export const maxCallTime = 45_000;

/** The URLs for which n8n's further tries fail at once for a while, because they would end too late. */
const slowUrls = new ProcessMemory<true>({
	name: 'URLs that were too slow to register',
	bound: 1000,
	life: maxTime,
});

/**
 * How long (ms) a removal waits before it begins, and before each further try. To publish a changed trigger,
 * n8n deletes and creates it within a moment, on a busy machine within seconds, and must find its
 * webhooks there.
 */
const pauses = [10_000, 60_000, 600_000];

/** A removal that waits for its time. */
interface WaitingRemoval {
	cancel: AbortController;
	/** What it would delete by its ID: the service may not list it, and the static data may have lost it since. */
	known: KnownWebhook[];
}

/** The removals by account and URL. After the credential has changed, only they know the webhooks of the old account. */
const removals = new ProcessMemory<WaitingRemoval>({
	name: 'removals that wait',
	bound: 1000,
	life: 'until pushed out',
});

/** Registering and removing at one account and URL, one after another. */
const mutex = new KeyedMutex('registrations of triggers');

/**
 * Registers the trigger's URL for its events. If it throws, n8n deletes the trigger, and repeats it up to five
 * times. If it worked only after n8n's deadline, n8n would not know, so it gives up before.
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	const work = async (): Promise<boolean> => {
		const form = triggerForm(this);
		// Another wrong value is reported now, too, and not when an event arrives.
		const { types } = readAll({
			types: () => readEvents(form),
			choices: () => readTriggerChoices(form),
		});
		const url = urlOf(this);
		const service = new ServiceClient(this, maxCallTime);
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
			await mutex.run(place, async () => {
				const { state, known } = readState(this, account, url);
				const left = [...(removal?.known ?? []), ...known];
				const webhooks = await syncWebhooks(service, { ...owner, signal }, leadsTo(url), left);
				Object.assign(state, { owner: ownerOfState(this, account), url, webhooks });
			});
		const registered = await settle(withTimeout(register, maxTime));
		if (registered.ok) return true;
		if (objectOf(registered.error).code !== timeIsOver) throw registered.error;
		slowUrls.set(url, true);
		throw tooSlow();
	};
	return await withNodeErrors(this, work, { isPublication: !isTest(this) });
}

/**
 * Removes the trigger's webhooks: at once after a test, and in production a moment later, unless n8n
 * creates the trigger first. They are recognized by their IDs and secrets, so those of a copy's original stay.
 * @throws ServiceError if the credential cannot be read, or if a test's could not be removed.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(this, async () => {
		const url = urlOf(this);
		const service = new ServiceClient(this, maxCallTime);
		const { id: account } = await service.account();
		const { isOwn, known } = readState(this, account, url);
		const secretOf = await readSecrets(this, service);
		const secrets = new Set(events.map(({ value }) => secretOf(value)));
		const isOwnUrl = leadsTo(url);
		const removeAll = async () => {
			const { left, failure } = await removeWebhooks(
				service,
				known,
				({ webHookUrl }) => isOwnUrl(webHookUrl) && (isOwn || secrets.has(secretIn(webHookUrl))),
			);
			if (left.length > 0 && !failure) {
				const stays = 'It stays at the service, and is used again when the workflow is published.';
				warn(this, `the service did not delete the webhook for identity verifications. ${stays}`);
			}
			return failure;
		};
		if (!isTest(this)) {
			void removeLater(this, `${account} ${url}`, known, removeAll);
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
	known: KnownWebhook[],
	removeAll: () => Promise<unknown>,
): Promise<void> {
	removals.get(place)?.cancel.abort();
	const cancel = new AbortController();
	removals.set(place, { cancel, known });
	for (const pause of pauses) {
		if (!(await delay(pause, cancel.signal))) return;
		const removal = await settle(
			mutex.run(place, async () => (cancel.signal.aborted ? undefined : await removeAll())),
		);
		const failure = removal.ok ? removal.value : removal.error;
		if (!failure) return;
		warn(context, `its webhooks could not be deleted: ${describeError(failure).message}`);
	}
}

function tooSlow(): ServiceError {
	return new ServiceError({
		message: 'The service is too slow to register the webhooks in time',
		description: `n8n waits about 85 seconds for a workflow to be published. What was registered in the first ${maxTime / 1000} is deleted again. Publish the workflow again in a few minutes.`,
		docsAnchor: 'the-service-is-too-slow-to-register-the-webhooks-in-time',
	});
}

/**
 * The trigger's static data, and what they say if they are its own ({@link ownerOfState}), and for this URL: n8n
 * copies them along with a workflow. They are only a help to delete, because n8n writes them back at the end of
 * each execution, as they were when it began. Test and production runs each have their own.
 */
function readState(context: IHookFunctions, account: string, url: string) {
	const state = context.getWorkflowStaticData('node');
	const isOfNode = state.owner === ownerOfState(context, account);
	const isOwn = isOfNode && state.url === url;
	if (isOfNode && !isOwn) {
		warn(
			context,
			'the webhook URL of this n8n has changed. Webhooks with the old URL may be left at the service. Find them with "Webhook: Get Many" and delete them with "Webhook: Delete".',
		);
	}
	// n8n stores the same object, so it is emptied.
	if (!isOwn) for (const name of Object.keys(state)) delete state[name];
	// Anybody who can edit the workflow can have written it.
	const webhooks = isOwn ? listOf(state.webhooks).filter(isObject) : [];
	const known = webhooks.map((webhook) => ({
		webHookID: textOf(webhook.webHookID),
		type: textOf(webhook.type),
	}));
	return { state, isOwn, known };
}

/**
 * A name for a trigger node in any n8n (docs/dev/architecture.md, "The trigger"), and an account: in another one,
 * the same ID can be somebody else's webhook.
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
