import { createHash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { EventType } from '../api/events';
import type { WebhookRegistration } from '../api/types';
import { eventParameter } from '../registrations/address';
import { type KnownRegistrations, syncRegistrations } from '../registrations/sync';
import { removeRegistrations } from '../registrations/remove';
import type { ServiceClient } from '../transport/client';
import { textOf } from '../util/values';
import type { WaitRegistration } from './state';

/**
 * Query parameters of the signed address of a wait. Within an execution a node has one path, also
 * when a loop runs it again; the random part of each wait keeps their registrations apart. It is a
 * secret as well: n8n also lets the bearer of the execution's own resume token through.
 */
export const waitParameter = 'wait';
const ownerParameter = 'n8n';

/** Makes the random part of a wait's address, of 144 bits. */
export function makeWait(): string {
	return randomBytes(18).toString('base64url');
}

/** The address at which the running node is told of an event once its execution waits. */
export function resumeAddress(execute: IExecuteFunctions, wait: string, event: string): string {
	return execute.getSignedResumeUrl({
		[ownerParameter]: instanceOf(execute),
		[waitParameter]: wait,
		[eventParameter]: event,
	});
}

/** This n8n, so that two with the same address do not take each other's registrations for theirs. */
function instanceOf(execute: IExecuteFunctions): string {
	return createHash('sha256').update(execute.getInstanceId()).digest('base64url').slice(0, 12);
}

/**
 * Registers a wait of the execution for events. What is registered for it already stays.
 * @throws ServiceError naming the event that the service refuses; what this call had registered
 * before is removed again.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	types: EventType[],
	wait: string,
): Promise<WaitRegistration> {
	const addressFor = (type: EventType) => resumeAddress(execute, wait, type);
	const known: KnownRegistrations = { ids: {}, address: undefined, identityListed: true };
	const addresses = types.map(addressFor);
	await syncRegistrations(
		service,
		{
			addressFor,
			isOwn: (address) => waitOf(address) === wait,
			types,
			name: `n8n: ${execute.getWorkflow().name ?? 'workflow'}`.slice(0, 100),
			secrets: [wait, ...addresses.flatMap((each) => [each, new URL(each).search.slice(1)])],
		},
		known,
	);
	return { ids: known.ids, wait, execution: execute.getExecutionId() };
}

/**
 * Removes the registrations of one wait, by their IDs and by their addresses.
 * @throws ServiceError when one could not be removed.
 */
export async function removeWait(
	service: ServiceClient,
	{ ids, wait }: Omit<WaitRegistration, 'execution'>,
): Promise<void> {
	// A copy: the state of a wait says by its IDs which events it is for.
	const known = {
		ids: { ...ids },
		address: undefined,
		identityListed: true,
		identityRemovable: true,
	};
	await removeRegistrations(service, known, (address) => waitOf(address) === wait);
}

/** The wait that a registered address belongs to; undefined for every other address. */
function waitOf(address: string): string | undefined {
	return parametersOf(address)?.get(waitParameter) ?? undefined;
}

/**
 * Whether a registration was made by a waiting node of this n8n: its address names this n8n, and
 * begins as that of the running execution does.
 */
export function isOfThisInstance(
	{ webHookUrl }: WebhookRegistration,
	execute: IExecuteFunctions,
): boolean {
	const address = textOf(webHookUrl);
	return (
		waitOf(address) !== undefined &&
		parametersOf(address)?.get(ownerParameter) === instanceOf(execute) &&
		baseOf(address) === baseOf(execute.getSignedResumeUrl())
	);
}

/** The ID of the execution whose address it is. */
export function executionOf(address: string): string {
	return new URL(address).pathname.split('/').at(-2) ?? '';
}

/** An address without execution and node, its last two parts, and without parameters. */
function baseOf(address: string): string {
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname.split('/').slice(0, -2).join('/')}`;
}

function parametersOf(address: string): URLSearchParams | undefined {
	try {
		return new URL(address).searchParams;
	} catch {
		return undefined;
	}
}
