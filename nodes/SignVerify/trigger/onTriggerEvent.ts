import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { ServiceClient } from '../account/client';
import { eventRow, type EventType } from '../api/events';
import type { NotifiedDocument } from '../api/notification';
import { toItem } from '../events/eventItem';
import {
	type EventResponse,
	fieldsForLog,
	notCompleted,
	readEvent,
	refuse,
	respond,
	statusForLog,
	wrongSecret,
} from '../events/eventRequest';
import { claimEvent } from '../events/eventClaims';
import { isTriggerTest } from '../n8nInternals';
import { placeOfNode } from '../registrations/ownWebhooks';
import {
	canBeSecret,
	hashOfSecret,
	isSecret,
	readSecrets,
	secretParameter,
} from '../registrations/webhookSecret';
import { withoutLogins } from '../util/redact';
import { sharedLookUp } from '../util/singleFlight';
import { readEvents, readTriggerChoices, triggerForm } from './form';
import { itemsPerPerson } from './perPerson';

export async function startOnEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, startOrRefuse, "SignVerify Trigger couldn't process an event");
}

/**
 * The responses to an event for a completed document if the document isn't completed. Such an event isn't
 * claimed.
 */
const refusalByState: Partial<Record<NotifiedDocument['state'], EventResponse>> = {
	open: notCompleted,
	// Services turn off a webhook that refuses events again and again, and this event will never be accepted.
	canceled: {
		status: 200,
		message:
			"The document in this event was canceled, rejected, or deleted, or has expired, so the workflow wasn't started.",
	},
};

async function startOrRefuse(
	context: IWebhookFunctions,
): Promise<INodeExecutionData[] | EventResponse> {
	const { [secretParameter]: secret } = context.getQueryData() as IDataObject;
	// Check the secret first so that neither the credential nor the body is read for a request without it.
	if (!canBeSecret(secret)) return wrongSecret;
	const form = triggerForm(context);
	const types = readEvents(form);
	const type = await eventOf(secret, types, context);
	const url = withoutLogins(context.getNodeWebhookUrl('default') ?? '');
	const call = `${type ?? 'an event'} at ${url}`;
	if (!type) {
		const hint =
			'If the credential has changed, or the event is no longer selected, unpublish the workflow and publish it again.';
		return refuse(context, call, wrongSecret, hint);
	}
	const event = await readEvent(context, type, [secret]);
	if (!event.isAccepted) {
		return refuse(context, call, event.response, await fieldsForLog(context, event.body));
	}
	const { notification } = event;
	const { document } = notification;
	if (eventRow(type).means === 'completed') {
		const refusal = refusalByState[document?.state ?? 'open'];
		const hint = refusal && document && (await statusForLog(context, document));
		if (refusal) return refuse(context, call, refusal, hint);
	}
	// This throws if the form contains an invalid choice. The service then sends the event again.
	const { passesFilter, output, isPerPerson } = readTriggerChoices(form);
	if (!passesFilter(notification)) {
		return { status: 200, message: 'A filter in this workflow excludes this event.' };
	}
	const linkedFiles = output.files.filter((file) => notification.files[file] !== null);
	// A test ends with its first event, and someone may test again with the same one.
	const claim = isTriggerTest(context)
		? undefined
		: await claimEvent(`${secret} ${notification.id}`, context.getResponseObject(), linkedFiles);
	if (claim?.repeated) return claim.repeated;
	const item = await toItem(context, notification, output, claim);
	const repeated = claim?.recordFiles(Object.keys(item.binary ?? {}));
	if (repeated) return repeated;
	const isSupplement = claim?.earlierFiles !== undefined;
	const isRaw = output.output === 'raw';
	const isAboutDocument = eventRow(type).about === 'document';
	const isSplit = isPerPerson && isAboutDocument && !isRaw;
	const items = isSplit ? itemsPerPerson(notification, item, output) : [item];
	// Raw output is what the provider sent, apart from what a workflow could not find out otherwise.
	const showsFiles = output.files.length > 0 && isAboutDocument && (!isRaw || isSupplement);
	if (!showsFiles) return items;
	return items.map((one) => ({ ...one, json: { ...one.json, isSupplement } }));
}

/**
 * If a request's secret matches no cached hash, the credential is read again, but at most once in this time
 * (ms). Otherwise, a stranger who knows the URL could make n8n load and decrypt the credential for every
 * request.
 */
const rereadPauseMs = 1000;

/**
 * Finds the event whose webhook has this secret. The hashes of a node's secrets are cached for ten seconds so
 * that the credential isn't read for every event.
 */
async function eventOf(
	secret: string,
	types: EventType[],
	context: IWebhookFunctions,
): Promise<EventType | undefined> {
	const readHashes = async () => {
		const secretOf = await readSecrets(context, new ServiceClient(context));
		return types.map((type) => hashOfSecret(secretOf(type)));
	};
	const findIn = (hashes: string[]) =>
		types.find((_, index) => isSecret(secret, hashes[index] ?? ''));
	// If no cached hash matches, read the secrets again, because the API key may have been changed, and the
	// workflow published again, since they were cached.
	const sharedHashes = await sharedLookUp(sharedByEvents(context, types), readHashes);
	const type = findIn(sharedHashes);
	if (type) return type;
	const rereadKey = sharedByEvents(context, { rereadFor: types });
	return findIn(await sharedLookUp(rereadKey, readHashes, { lifeMs: rereadPauseMs }));
}

/**
 * Returns the key for data that is cached for ten seconds and shared by a node's events. Without this cache,
 * n8n would load the credential from the database and decrypt it for every event, which takes longer than
 * everything else that the node does for an event.
 * @param what What the data is, plus anything it depends on other than the node and its credential.
 */
function sharedByEvents(context: IWebhookFunctions, what: unknown): string {
	const { credentials } = context.getNode();
	return JSON.stringify([...placeOfNode(context), isTriggerTest(context), credentials, what]);
}
