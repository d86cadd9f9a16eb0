import type { IExecuteFunctions } from 'n8n-workflow';

import type { EventType, WebhookRegistration } from '../interface';
import { addressWithoutSecret, normalAddress } from '../notifications/authenticity';
import { establishRegistrations } from '../notifications/register';
import type { KnownIds, KnownRegistrations } from '../notifications/registrations';
import { removeRegistrations } from '../notifications/remove';
import type { ServiceClient } from '../transport/client';
import { textOf } from '../transport/text';
import type { WaitRegistration } from './state';

/** Part of the signed address, by which a registration of a waiting execution is recognised. */
const marker = { signverify: 'wait' };

/** The address at which the running node hears of events once its execution waits. */
export function resumeAddress(execute: IExecuteFunctions): string {
	return execute.getSignedResumeUrl(marker);
}

/**
 * Registers the execution's resume address for events. What is registered there already stays.
 * @throws ServiceFailure naming the event that the service refuses; what this call had registered
 * before is removed again.
 */
export async function registerWait(
	execute: IExecuteFunctions,
	service: ServiceClient,
	types: EventType[],
): Promise<WaitRegistration> {
	const address = resumeAddress(execute);
	const known: KnownRegistrations = { ids: {}, address: undefined, identityListed: true };
	await establishRegistrations(
		service,
		{
			address,
			types,
			name: `n8n: ${execute.getWorkflow().name ?? 'workflow'}`.slice(0, 100),
			secrets: [address, new URL(address).search.slice(1)],
		},
		known,
	);
	return { ids: known.ids, address: withoutSignature(address) };
}

/** Whether a registration is for this execution, not for one that it repeats. */
export function isRegisteredHere(
	execute: IExecuteFunctions,
	{ address }: WaitRegistration,
): boolean {
	return withoutSignature(resumeAddress(execute)) === address;
}

/** The events that an execution waits with. */
export function eventsOf({ ids }: { ids: KnownIds }): EventType[] {
	return Object.keys(ids) as EventType[];
}

/**
 * Removes the registrations of a wait, by their IDs and by their address.
 * @throws ServiceFailure when one could not be removed.
 */
export async function removeWait(
	service: ServiceClient,
	{ ids, address }: WaitRegistration,
): Promise<void> {
	const known = { ids, address, identityListed: true, identityRemovable: true };
	await removeRegistrations(service, known, address);
}

/**
 * Whether a registration was made by a waiting node of this n8n: it carries our mark, and its
 * address begins as that of the running execution does.
 */
export function isOwnWait({ webHookUrl }: WebhookRegistration, own: string): boolean {
	try {
		const url = new URL(textOf(webHookUrl));
		return url.searchParams.get('signverify') === 'wait' && baseOf(url.href) === baseOf(own);
	} catch {
		return false;
	}
}

/** An address without execution and node, its last two parts. */
function baseOf(address: string): string {
	return withoutSignature(address).split('/').slice(0, -2).join('/');
}

function withoutSignature(address: string): string {
	return addressWithoutSecret(normalAddress(address));
}
