import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { attempt } from '../transport/attempt';
import type { ServiceClient } from '../transport/client';
import { textOf } from '../transport/text';
import { eventsOf, isRegisteredHere, registerWait, removeWait } from './registration';
import { isOpen, keepState, outputsOf, type WaitState } from './state';
import { sleepOn } from './wait';

/**
 * Going on at each signature as well. n8n ends a wait when it goes on, so each signature leaves by an
 * output of its own and comes back to the node, which then waits on instead of sending again, as n8n's
 * own loop node does. Within an execution the node has one address: its registrations stay through
 * all rounds, and what comes between two rounds n8n refuses with 409, to be sent again.
 */
export const goOnField: INodeProperties = {
	displayName: 'Go On',
	name: 'goOn',
	type: 'options',
	// The node's outputs depend on it.
	noDataExpression: true,
	options: [
		{
			name: 'Also at Each Signature',
			value: 'eachSignature',
			description:
				'Each signature leaves by the output "Signature". Lead that branch back to this node: it then waits on.',
		},
		{
			name: 'When Everybody Has Signed',
			value: 'completed',
			description: 'Once, with the signed document',
		},
	],
	default: 'completed',
	description: 'When the workflow is to go on',
};

/** The outputs of the action node: a second one where it also goes on at each signature. */
export const actionOutputs =
	'={{ $parameter["resource"] === "document" && $parameter["operation"] === "sendAndWait" && $parameter["goOn"] === "eachSignature" ? [{ type: "main", displayName: "Done" }, { type: "main", displayName: "Signature" }] : ["main"] }}' as const;

/** Lets a signature go out into the workflow. */
export function goOut(
	execute: IExecuteFunctions,
	state: WaitState,
	signature: INodeExecutionData,
): INodeExecutionData[][] {
	state.asleep = false;
	keepState(execute, state);
	return [[], [signature]];
}

/**
 * Waits on when what went out comes back.
 * @returns undefined when something else came: the node begins anew.
 */
export async function waitFurther(
	execute: IExecuteFunctions,
	service: ServiceClient,
	state: WaitState,
): Promise<INodeExecutionData[][] | undefined> {
	if (!state.eachSignature || state.asleep) return undefined;
	if (!state.items.some(isOpen) || !isAboutSame(execute, state)) return undefined;
	if (state.until !== undefined && state.until <= Date.now()) {
		state.asleep = true;
		keepState(execute, state);
		await attempt(removeWait(service, state.registration));
		return [outputsOf(state), []];
	}
	await ensureRegistered(execute, service, state);
	return [await sleepOn(execute, service, state), []];
}

/**
 * Sees to it that the registrations stand: somebody may have removed them, or the execution is a
 * repetition of one that failed, with an address of its own.
 * @throws ServiceFailure when none are there.
 */
export async function ensureRegistered(
	execute: IExecuteFunctions,
	service: ServiceClient,
	state: WaitState,
): Promise<void> {
	const registered = await attempt(registerWait(execute, service, eventsOf(state.registration)));
	if (registered.ok) state.registration = registered.value;
	// Where the service cannot be asked just now, those of the last round most likely stand.
	else if (!isRegisteredHere(execute, state.registration)) throw registered.error;
}

/** Where the form names documents, others than those waited for are a new wait. */
function isAboutSame(execute: IExecuteFunctions, { items }: WaitState): boolean {
	if (execute.getNodeParameter('document', 0, 'new') !== 'existing') return true;
	const known = items.map(({ awaited }) =>
		awaited?.kind === 'document' ? awaited.document.documentId : undefined,
	);
	return execute
		.getInputData()
		.every((_, index) =>
			known.includes(textOf(execute.getNodeParameter('documentId', index, '')).trim()),
		);
}
