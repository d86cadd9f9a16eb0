import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { EventType } from '../api/events';
import { toItem } from '../events/output';
import {
	type Answer,
	comeAgain,
	isWorthALine,
	readEvent,
	respond,
	wrongSecret,
} from '../events/request';
import { claimEvent } from '../events/seen';
import { ServiceClient } from '../http/client';
import { isTest } from '../n8nInternals';
import {
	canBeSecret,
	hashOfSecret,
	isSecret,
	placeOfNode,
	readSecrets,
	secretParameter,
} from '../registrations/url';
import { settle } from '../util/async';
import { sharedLookUp } from '../util/sharedLookUp';
import { passesFilters } from './filters';
import { readEvents, readTriggerChoices, triggerForm } from './form';
import { rolesOf } from './roles';

/** Handles a request to the trigger's URL: starts the workflow with the event, or answers why not. */
export async function onEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await respond(context, startOrRefuse, failed);
}

const failed = 'SignVerify Trigger could not process an event';

async function startOrRefuse(context: IWebhookFunctions): Promise<INodeExecutionData[] | Answer> {
	const { [secretParameter]: secret } = context.getQueryData() as IDataObject;
	// Before the credential is read, and before anything of the body is.
	if (!canBeSecret(secret)) return wrongSecret;
	const form = triggerForm(context);
	const types = readEvents(form);
	const type = await eventOf(secret, types, context);
	if (!type) {
		const hint = 'If the credential has changed, unpublish and publish the workflow.';
		return refuse(context, 'an event', wrongSecret, hint);
	}
	const notification = await readEvent(context, type, types);
	if ('message' in notification) return refuse(context, type, notification);
	if (type === 'completedDocument' && notification.document?.state !== 'completed') {
		const message = 'The document of this event is not completed.';
		return refuse(context, type, { status: 422, message });
	}
	// Each webhook has its own secret, also that of a test run beside production.
	const key = `${secret} ${notification.id}`;
	// What cannot be understood is a fault, after which the service sends the event again.
	const { filters, output } = readTriggerChoices(form);
	const filtered = await settle(passesFilters(filters, notification, context, key));
	if (!filtered.ok) return comeAgain(context, failed, filtered.error);
	if (!filtered.value) {
		return { status: 200, message: 'A filter of this workflow excludes this event.' };
	}
	const refused = await claimEvent(key, context.getResponseObject());
	if (refused) return refused;
	const roles = output.output === 'raw' ? [] : await rolesOf(context, notification);
	return [await toItem(context, notification, { ...output, own: { roles } })];
}

/**
 * The event whose webhook has this secret. n8n reads a credential from its database and decrypts it each
 * time, which costs more than all the rest here, so the events of ten seconds share the hashes.
 */
async function eventOf(
	secret: string,
	types: EventType[],
	context: IWebhookFunctions,
): Promise<EventType | undefined> {
	const readHashes = async () => {
		const secretOf = await readSecrets(context, new ServiceClient(context));
		return types.map((event) => hashOfSecret(secretOf(event)));
	};
	const find = (hashes: string[]) => types.find((_, at) => isSecret(secret, hashes[at] ?? ''));
	const { credentials } = context.getNode();
	const node = JSON.stringify([...placeOfNode(context), isTest(context), credentials, types]);
	// The key may have changed since then, and the workflow been published again.
	return find(await sharedLookUp(node, readHashes)) ?? find(await readHashes());
}

/** Logs a refused event, at most one a minute for a node: otherwise nobody would know why nothing starts. */
function refuse(context: IWebhookFunctions, event: string, answer: Answer, hint = ''): Answer {
	const url = context.getNodeWebhookUrl('default') ?? '';
	if (!isWorthALine(url)) return answer;
	const words = `SignVerify Trigger refused ${event} at ${url}: ${answer.message} ${hint}`;
	context.logger.warn(words.trim());
	return answer;
}
