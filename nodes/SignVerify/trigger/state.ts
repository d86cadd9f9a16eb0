import { createHash } from 'crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { ServiceClient } from '../http/client';
import type { KnownWebhook } from '../registrations/sync';
import { isObject, listOf, textOf } from '../util/values';

/**
 * A trigger's static data. It is only a help to delete: n8n writes it back at the end of each execution of
 * the workflow, as it was when that execution began. Test and production runs each have their own.
 */
export interface TriggerState extends IDataObject {
	/** Whose state it is ({@link ownerOfState}), because n8n copies static data along with a workflow. */
	owner?: string;
	/** The node's registered URL, without a secret. */
	url?: string;
	webhooks?: KnownWebhook[];
}

type Context = Pick<IHookFunctions, 'getInstanceId' | 'getWorkflow' | 'getNode' | 'getMode'>;

/**
 * What tells a trigger node from those in other instances, workflows and places. It is the same in its hooks
 * and in `webhook()`, in every process of n8n. Its URL is not: n8n gives a test run its production URL.
 */
function identityOf(context: Context): string[] {
	const { id = '' } = context.getWorkflow();
	return [context.getInstanceId(), String(id), context.getNode().id];
}

/** Whether it runs because somebody tests it in the editor. Test and production have different secrets. */
export function isTest(context: Context): boolean {
	return context.getMode() === 'manual';
}

/**
 * Makes the secrets in the URLs of a node's webhooks, one for each event. They are derived from the API key,
 * so who has the credential can recognize them, and nothing has to be kept.
 * @throws ServiceError if the credential cannot be used.
 */
export async function readSecrets(
	context: Context,
	service: ServiceClient,
): Promise<(event: EventType) => string> {
	const secretOf = await service.secretMaker();
	const mode = isTest(context) ? 'test' : 'production';
	const parts = ['SignVerify Trigger', ...identityOf(context), mode];
	return (event) => secretOf([...parts, event]);
}

/**
 * A name for a trigger node in any n8n (docs/dev/architecture.md, "The trigger"), and an account: in another one,
 * the same ID can be somebody else's webhook.
 */
export function ownerOfState(context: Context, account: string): string {
	return createHash('sha256')
		.update(JSON.stringify([...identityOf(context), account]))
		.digest('hex');
}

/** The webhooks that a state names. Anybody who can edit the workflow can have written it. */
export function webhooksIn({ webhooks }: TriggerState): KnownWebhook[] {
	return listOf(webhooks)
		.filter(isObject)
		.map(({ webHookID, type }) => ({ webHookID: textOf(webHookID), type: textOf(type) }));
}
