import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { defaultFileSeconds, takeFiles } from '../notifications/files';
import { simplifyNotification } from '../notifications/output';
import type { ServiceClient } from '../transport/client';
import { isObject } from '../transport/envelope';
import { textOf } from '../transport/text';
import { progressOf, type Progress } from './progress';
import { isRegisteredHere } from './registration';
import { ensureRegistered, goOut, waitFurther } from './rounds';
import { signaturesOf } from './signatures';
import { keptState, type Awaited, type WaitingItem, type WaitState } from './state';
import { sleepOn } from './wait';

type AwaitedDocument = Extract<Awaited, { kind: 'document' }>;
type Helpers = Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>;

/**
 * Notes an event that does not end the wait, and lets the execution wait for the rest; where it goes
 * on at each signature, lets that go out, or waits on when it has come back.
 * @returns undefined when this is an ordinary run.
 * @throws ServiceFailure when a repeated execution cannot register.
 */
export async function waitOn(
	execute: IExecuteFunctions,
	service: ServiceClient,
): Promise<INodeExecutionData[][] | undefined> {
	const state = keptState(execute);
	if (!state) return undefined;
	const progress = progressOf(execute, state);
	if (!progress) return await waitFurther(execute, service, state);
	const output = await note(execute, state, progress);
	if (state.eachSignature) return goOut(execute, state, output);
	if (!isRegisteredHere(execute, state.registration)) {
		await ensureRegistered(execute, service, state);
	}
	return [await sleepOn(execute, service, state)];
}

async function note(
	execute: IExecuteFunctions,
	state: WaitState,
	{ index, event, body, json }: Progress,
): Promise<INodeExecutionData> {
	state.taken++;
	const item = state.items[index];
	if (!item) return { json: body };
	const output = await outputOfEvent(execute, state, item, event, body, json);
	const { awaited } = item;
	if (event !== 'signDocument' || awaited?.kind !== 'document') return (item.output = output);
	awaited.signed = signaturesOf(body, awaited.signed).signed;
	// Found by its signatories: from now on it is known.
	awaited.document.documentId ||= idOfDocument(body);
	// So that it says how far it has come when the time is over.
	const nobodyNew = awaited.simplify ? { signedBy: [] } : {};
	item.pending = { ...item.pending, json: { ...output.json, ...nobodyNew } };
	return output;
}

/**
 * The output of an item whose event has come.
 * @param made An output that is made already.
 */
export async function outputOfEvent(
	context: Helpers,
	{ eachSignature }: Pick<WaitState, 'eachSignature'>,
	{ awaited, pending }: WaitingItem,
	event: string,
	body: IDataObject,
	made?: IDataObject,
): Promise<INodeExecutionData> {
	const pairedItem = pending.pairedItem ?? { item: 0 };
	if (made || awaited?.kind !== 'document') return { json: made ?? body, pairedItem };
	const signedBy = eachSignature ? signaturesOf(body, awaited.signed).news : undefined;
	return { ...(await documentOutput(context, awaited, event, body, signedBy)), pairedItem };
}

async function documentOutput(
	{ helpers }: Helpers,
	{ simplify, files }: AwaitedDocument,
	event: string,
	body: IDataObject,
	signedBy: IDataObject[] | undefined,
): Promise<INodeExecutionData> {
	const completed = event === 'completedDocument';
	const json = simplify
		? {
				...simplifyNotification(event, body),
				...(signedBy ? { signedBy } : {}),
				completed,
				timedOut: false,
			}
		: body;
	if (!files || !completed) return { json };
	const { binary, missingFiles } = await takeFiles({ helpers }, event, body, defaultFileSeconds);
	return { json: { ...json, ...(missingFiles.length > 0 ? { missingFiles } : {}) }, binary };
}

function idOfDocument({ Document: document }: IDataObject): string {
	return isObject(document) ? textOf(document.documentID) || textOf(document._id) : '';
}
