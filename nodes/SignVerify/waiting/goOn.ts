import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { defaultFileSeconds, takeFiles } from '../notifications/files';
import { simplifyNotification } from '../notifications/output';
import type { ServiceClient } from '../transport/client';
import { progressOf } from './progress';
import { keptState, type Awaited, type WaitingItem } from './state';
import { sleepOn } from './wait';

/**
 * Notes an event for one of several items, and lets the execution wait for the rest.
 * @returns undefined when this is an ordinary run.
 */
export async function waitOn(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<INodeExecutionData[] | undefined> {
	const state = keptState(execute);
	const progress = state && progressOf(execute, state);
	if (!progress) return undefined;
	const { index, event, body, json } = progress;
	const item = state.items[index];
	if (item) item.output = await outputOfEvent(execute, item, event, body, json);
	return await sleepOn(execute, service, state);
}

/**
 * The output of an item whose event has come.
 * @param made An output that is made already.
 */
export async function outputOfEvent(
	context: Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>,
	{ awaited, pending }: WaitingItem,
	event: string,
	body: IDataObject,
	made?: IDataObject,
): Promise<INodeExecutionData> {
	const pairedItem = pending.pairedItem ?? { item: 0 };
	if (made || awaited?.kind !== 'document') return { json: made ?? body, pairedItem };
	return { ...(await documentOutput(context, awaited, event, body)), pairedItem };
}

async function documentOutput(
	{ helpers }: Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>,
	{ simplify, files }: Extract<Awaited, { kind: 'document' }>,
	event: string,
	body: IDataObject,
): Promise<INodeExecutionData> {
	const json = simplify ? { ...simplifyNotification(event, body), timedOut: false } : body;
	if (!files) return { json };
	const { binary, missingFiles } = await takeFiles({ helpers }, event, body, defaultFileSeconds);
	return { json: { ...json, ...(missingFiles.length > 0 ? { missingFiles } : {}) }, binary };
}
