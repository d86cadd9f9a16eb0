import type { IHookFunctions } from 'n8n-workflow';

import type { Account } from '../account/account';
import { ServiceClient } from '../account/client';
import { type EventRow, eventRow, events } from '../api/events';
import { describeError, withNodeErrors } from '../errors/nodeError';
import { ServiceError } from '../http/serviceError';
import { registrationProblems } from '../registrations/registrationProblems';
import { isTriggerTest } from '../n8nInternals';
import {
	cleanUpObsolete,
	deleteWebhooks,
	type Deletion,
	type KnownWebhook,
	syncWebhooks,
	type WantedWebhooks,
} from '../registrations/webhookSync';
import { checkPublicUrl, checkReachable, publicUrlLabel } from '../registrations/publicUrl';
import { hashOfOwner, placeOfNode, pointsTo, webhookName } from '../registrations/ownWebhooks';
import { readSecrets, secretIn, urlWithSecret } from '../registrations/webhookSecret';
import type { Finding } from '../text/finding';
import { InputError, readAll } from '../errors/inputError';
import { delay, KeyedMutex, settle } from '../util/async';
import { ProcessMemory } from '../util/processMemory';
import { withoutLogins } from '../util/redact';
import { parseUrl } from '../util/urls';
import { isObject, listOf, textOf } from '../util/values';
import { publishingBudget, responseMs } from './publishingBudget';
import { readEvents, readTriggerChoices, triggerForm } from './form';
import { checkTemplateIds, readTemplateFilter, type TemplateFilter } from './templateFilter';

/**
 * The pauses before a postponed deletion's first try and before each later try. When a changed trigger is
 * published, n8n deletes the trigger and creates it again a moment later (on a busy machine, seconds later).
 * The trigger's webhooks must not disappear in between.
 * @n8n
 */
export const deletionPausesMs = [10_000, 60_000, 600_000];

interface PostponedDeletion {
	cancel: AbortController;
	/**
	 * The IDs of webhooks that may or may not have been deleted, because the deletion was aborted while
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
 * Postponed deletions by account and URL. Even finished and canceled ones are kept, because the next one
 * needs their webhooks, and so does the next publication. A publication cancels the deletion that has the
 * same key. The key includes the account so that a deletion continues if the trigger's credential is changed
 * to a different account. In that case, a publication doesn't delete the old account's webhooks.
 */
const postponedDeletions = new ProcessMemory<PostponedDeletion>({
	bound: 1000,
});

/** Makes the registrations and deletions for the same account and URL run one at a time. */
const registrationMutex = new KeyedMutex();

/** n8n's hook `create`. If it throws, n8n calls the hook `delete` and then tries again, up to five times. @n8n */
export async function publishTrigger(context: IHookFunctions): Promise<boolean> {
	const work = async (): Promise<boolean> => {
		const form = triggerForm(context);
		// Report every wrong value in the form now instead of when an event arrives.
		const { types } = readAll({
			types: () => readEvents(form),
			choices: () => readTriggerChoices(form),
		});
		const rows = types.map((type) => eventRow(type));
		await publish(context, rows, readTemplateFilter(form));
		return true;
	};
	return await withNodeErrors(context, work, { isPublication: !isTriggerTest(context) });
}

/** n8n's hook `delete`. */
export async function unpublishTrigger(context: IHookFunctions): Promise<boolean> {
	return await withNodeErrors(context, async () => {
		await unpublish(context);
		return true;
	});
}

/**
 * Registers a trigger's URL for the given events, and deletes its obsolete webhooks. If this succeeded after
 * n8n's deadline, n8n wouldn't know about the registered webhooks, so each step has a time limit
 * ({@link publishingBudget}).
 * @throws InputError or ServiceError if the trigger can't be published.
 */
export async function publish(
	context: IHookFunctions,
	wantedEvents: EventRow[],
	templates: TemplateFilter,
): Promise<void> {
	const budget = publishingBudget(wantedEvents.length);
	const registerBy = performance.now() + budget.lookUpMs + budget.registrationMs;
	const url = urlOf(context);
	const service = new ServiceClient(context, budget.cleanUpMs);
	const account = await service.account();
	// @n8n When n8n restarts, it publishes triggers itself. An error would stop one that has been working.
	const isRestart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	if (!isRestart) checkRate(account, wantedEvents.length);
	const registrationKey = `${account.id} ${url}`;
	const finding = checkPublicUrl(context, isTriggerTest(context));
	if (finding) reportPublicUrl(context, finding, isRestart);
	const warning = checkReachable(account.baseUrl, url);
	if (warning) warn(context, warning);
	const secretOf = await readSecrets(context, service);
	const wanted: WantedWebhooks = {
		urls: new Map(wantedEvents.map((row) => [row, urlWithSecret(url, secretOf(row.type))])),
		name: webhookName(context),
		permanentUrl: url,
		isRestart,
		timeLimits: { registerBy, cleanUpMs: budget.cleanUpMs },
	};
	// Cancel the deletion before the first call, because it could delete webhooks that are needed again.
	const deletion = postponedDeletions.get(registrationKey);
	deletion?.cancel.abort();
	await checkTemplateIds(service.within(budget.lookUpMs), templates, isRestart);
	const { staticData, webhooks, obsolete } = await registrationMutex.run(
		registrationKey,
		async () => {
			const { staticData, knownWebhooks } = openStaticData(context, account.id, url);
			const oldWebhooks = [...(deletion?.knownWebhooks ?? []), ...knownWebhooks];
			// Read the doubtful IDs inside the mutex, because a deletion that has just ended may have added some.
			const { webhooks, obsolete } = await syncWebhooks(service, wanted, pointsTo(url), {
				knownWebhooks: oldWebhooks,
				doubtfulIds: deletion?.doubtfulIds ?? [],
			});
			if (deletion) deletion.doubtfulIds = [];
			Object.assign(staticData, {
				owner: ownerOfTrigger(context, account.id),
				url: withoutLogins(url),
				webhooks,
			});
			return { staticData, webhooks, obsolete };
		},
	);
	const remaining = await cleanUpObsolete(service, obsolete, budget.cleanUpMs);
	const ownWebhooks = [...webhooks, ...remaining];
	staticData.webhooks = ownWebhooks;
	if (deletion) deletion.knownWebhooks = ownWebhooks;
}

/** @throws InputError if no events can arrive. After a restart, and for a warning, logs it instead. */
function reportPublicUrl(
	context: IHookFunctions,
	{ severity, problem, remedy }: Finding,
	isRestart: boolean,
): void {
	if (severity === 'wrong' && !isRestart) {
		throw new InputError(publicUrlLabel, {
			problem,
			remedy: `${remedy} Nothing was registered.`,
			docsAnchor: 'public-url',
		});
	}
	warn(context, `${publicUrlLabel}: ${problem}. ${remedy}`);
}

/** @throws ServiceError if not all calls fit into n8n's deadline. */
function checkRate({ maxRequestsPerSecond }: Account, eventCount: number): void {
	const { minRequestsPerSecond } = publishingBudget(eventCount);
	if (maxRequestsPerSecond === 0 || maxRequestsPerSecond >= minRequestsPerSecond) return;
	const facts = { rate: maxRequestsPerSecond, eventCount, least: minRequestsPerSecond };
	throw new ServiceError(registrationProblems.tooSlow(facts));
}

/**
 * Deletes the trigger's webhooks. After a test, this happens immediately. In production, it happens a moment
 * later, unless the trigger has been published again by then. Webhooks are recognized by their IDs and
 * secrets, so unpublishing a copy of a trigger leaves the original's webhooks in place.
 * @throws ServiceError if the credential cannot be read, or if a test's webhooks could not be deleted.
 */
async function unpublish(context: IHookFunctions): Promise<void> {
	const url = urlOf(context);
	const service = new ServiceClient(context, publishingBudget(events.length).cleanUpMs);
	const { id: account } = await service.account();
	const { isOwnData, knownWebhooks } = openStaticData(context, account, url);
	const secretOf = await readSecrets(context, service);
	const secrets = new Set(events.map(({ type }) => secretOf(type)));
	const isOwnUrl = pointsTo(url);
	const deleteOwn = async (webhooks: KnownWebhook[], end?: AbortSignal) => {
		const { remaining, error } = await deleteWebhooks(
			end ? service.endedBy(end) : service,
			webhooks,
			({ webHookUrl }) => isOwnUrl(webHookUrl) && (isOwnData || secrets.has(secretIn(webHookUrl))),
		);
		if (remaining.length > 0 && !error) {
			const stays =
				'It stays in the account, and the trigger will reuse it when the workflow is published again.';
			warn(context, `the service didn't delete the webhook for identity verifications. ${stays}`);
		}
		return { remaining, error };
	};
	const registrationKey = `${account} ${url}`;
	if (!isTriggerTest(context)) {
		void deleteLater(context, registrationKey, knownWebhooks, deleteOwn);
		return;
	}
	// The next test of the same trigger has the same URL and secrets, and may begin before this deletion ends.
	const { error } = await registrationMutex.run(
		registrationKey,
		async () => await deleteOwn(knownWebhooks),
	);
	if (error) throw error as Error;
}

/** Deletes webhooks after a pause, with retries. Never throws. */
async function deleteLater(
	context: IHookFunctions,
	registrationKey: string,
	knownWebhooks: KnownWebhook[],
	deleteOwn: (webhooks: KnownWebhook[], end: AbortSignal) => Promise<Deletion>,
): Promise<void> {
	const cancel = new AbortController();
	const earlier = postponedDeletions.get(registrationKey);
	earlier?.cancel.abort();
	const allKnown = [...(earlier?.knownWebhooks ?? []), ...knownWebhooks];
	const byId = new Map(allKnown.map((webhook) => [webhook.webHookID, webhook]));
	// Change the earlier deletion instead of replacing it, because it may still be running and add doubtful
	// IDs.
	const postponed = Object.assign(earlier ?? { doubtfulIds: [] }, {
		cancel,
		knownWebhooks: [...byId.values()],
	});
	postponedDeletions.set(registrationKey, postponed);
	for (const pauseMs of deletionPausesMs) {
		if (!(await delay(pauseMs, cancel.signal))) return;
		const deletion = await settle(
			registrationMutex.run(registrationKey, async () => {
				if (cancel.signal.aborted) return undefined;
				const end = new AbortController();
				// Let the call that is in progress end, because every webhook whose deletion gets no response
				// has to be replaced.
				const endSoon = () => void delay(responseMs).then(() => end.abort());
				cancel.signal.addEventListener('abort', endSoon);
				const { remaining, error } = await deleteOwn(postponed.knownWebhooks, end.signal);
				// A publication also cancels a deletion that has already ended. That must not start a timer.
				cancel.signal.removeEventListener('abort', endSoon);
				if (!end.signal.aborted) {
					postponed.knownWebhooks = remaining;
					return error;
				}
				// A publication is waiting for this deletion to end. It replaces these webhooks, and then
				// deletes them.
				postponed.doubtfulIds = remaining.map(({ webHookID }) => webHookID);
				return undefined;
			}),
		);
		const error = deletion.ok ? deletion.value : deletion.error;
		if (!error) return;
		warn(context, `couldn't delete its webhooks: ${describeError(error).message}`);
	}
}

/**
 * Opens the trigger's static data, which n8n stores with the workflow, and reads the webhooks listed in it.
 *
 * n8n copies static data along with a workflow, so data that belongs to a different node
 * ({@link ownerOfTrigger}) or a different URL is deleted. The list may be outdated: at the end of each
 * execution, n8n overwrites the static data with the data from when the execution began. So the list is used
 * only to delete webhooks. Test runs and production have separate static data.
 * @n8n
 */
function openStaticData(context: IHookFunctions, account: string, url: string) {
	const staticData = context.getWorkflowStaticData('node');
	const isOfNode = staticData.owner === ownerOfTrigger(context, account);
	const isOwnData = isOfNode && staticData.url === withoutLogins(url);
	if (isOfNode && !isOwnData) {
		warn(
			context,
			`n8n's public URL has changed. Webhooks with the old URL${oldHostOf(staticData.url)} may still be registered. To find them, run the Get many webhooks action with Return All turned on. Then delete them with the Delete webhook action, unless another n8n instance still uses them.`,
		);
	}
	// n8n stores this exact object, so empty it instead of replacing it.
	if (!isOwnData) for (const name of Object.keys(staticData)) delete staticData[name];
	// Anyone who can edit the workflow can also change this list, so check the type of each value.
	const webhooks = isOwnData ? listOf(staticData.webhooks).filter(isObject) : [];
	const knownWebhooks = webhooks.map((webhook) => ({
		webHookID: textOf(webhook.webHookID),
		type: textOf(webhook.type),
	}));
	return { staticData, isOwnData, knownWebhooks };
}

function oldHostOf(url: unknown): string {
	const host = parseUrl(textOf(url))?.host;
	return host ? `, on ${host},` : '';
}

/** Returns a hash that identifies a trigger node across all n8n instances, together with an account. */
function ownerOfTrigger(context: IHookFunctions, account: string): string {
	return hashOfOwner(account, placeOfNode(context));
}

function urlOf(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

function warn(context: IHookFunctions, text: string): void {
	context.logger.warn(`SignVerify Trigger: ${text}`);
}
