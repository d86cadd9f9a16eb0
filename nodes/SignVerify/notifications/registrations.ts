import { isObject } from '../transport/envelope';
import type { ServiceClient } from '../transport/client';
import { ServiceFailure } from '../transport/failure';
import type { DocumentEventType, WebhookRegistration } from '../interface';
import { addressWithoutSecret } from './authenticity';

/** The registrations that a trigger wants: one for each event type, all at the same address. */
export interface WantedRegistrations {
	/** The full address, its secret included. */
	address: string;
	types: DocumentEventType[];
	/** For error messages: values in the address that must not be shown. */
	secrets: string[];
}

/** How the registrations at the service differ from the wanted ones. */
export interface RegistrationDifference {
	missing: DocumentEventType[];
	/** Ours, but not wanted: another type, an older secret, or a second one of the same kind. */
	surplus: WebhookRegistration[];
	/** Ours and wanted. */
	kept: WebhookRegistration[];
}

/**
 * Lists all registrations of the account (interface: List webhooks).
 * @throws ServiceFailure when there is no list in the answer.
 */
export async function listRegistrations(service: ServiceClient): Promise<WebhookRegistration[]> {
	const { responseData } = await service.call({ method: 'GET', path: '/webhooks' });
	if (!Array.isArray(responseData)) {
		throw new ServiceFailure({
			message: 'The service answered without a list of webhooks',
			description: 'Check the Base URL in the credential, its path included.',
		});
	}
	return responseData.filter(isObject) as unknown as WebhookRegistration[];
}

/**
 * Compares the wanted registrations with those at the service, by address and type. Ours are those
 * at our address, whatever secret they carry; nobody else's are looked at.
 */
export function compareRegistrations(
	existing: WebhookRegistration[],
	{ address, types }: WantedRegistrations,
): RegistrationDifference {
	const own = addressWithoutSecret(address);
	const kept: WebhookRegistration[] = [];
	const surplus: WebhookRegistration[] = [];
	for (const each of existing) {
		if (typeof each.webHookUrl !== 'string' || addressWithoutSecret(each.webHookUrl) !== own)
			continue;
		const wanted =
			each.webHookUrl === address &&
			types.includes(each.type as DocumentEventType) &&
			!kept.some((other) => other.type === each.type);
		(wanted ? kept : surplus).push(each);
	}
	const missing = types.filter((type) => !kept.some((each) => each.type === type));
	return { missing, surplus, kept };
}

/**
 * Brings the registrations at the service to exactly the wanted ones: adds what is missing, then
 * removes what is ours and too much. Safe to repeat.
 * @returns The IDs of the wanted registrations.
 * @throws ServiceFailure naming the event type that could not be registered; what this call had
 * registered before is removed again.
 */
export async function establishRegistrations(
	service: ServiceClient,
	wanted: WantedRegistrations,
): Promise<string[]> {
	const { missing, surplus, kept } = compareRegistrations(await listRegistrations(service), wanted);
	const added: string[] = [];
	for (const type of missing) {
		try {
			added.push(await register(service, type, wanted));
		} catch (error) {
			const undone = await undo(service, added);
			throw notRegistered(type, error, undone);
		}
	}
	for (const each of surplus) await removeRegistration(service, each.webHookID);
	return [...kept.map((each) => each.webHookID), ...added];
}

/**
 * Removes all registrations of a trigger: by the IDs it kept, and whatever else stands at its
 * address, in case an ID was lost.
 * @throws ServiceFailure when one could not be removed; the others are removed all the same.
 */
export async function removeRegistrations(
	service: ServiceClient,
	ids: string[],
	address: string,
): Promise<void> {
	const failures: unknown[] = [];
	const removeEach = async (each: string): Promise<void> => {
		try {
			await removeRegistration(service, each);
		} catch (error) {
			failures.push(error);
		}
	};
	for (const id of ids) await removeEach(id);

	const own = addressWithoutSecret(address);
	const left = (await listRegistrations(service)).filter(
		(each) => typeof each.webHookUrl === 'string' && addressWithoutSecret(each.webHookUrl) === own,
	);
	for (const each of left) await removeEach(each.webHookID);
	if (left.length > 0 && failures.length > 0) throw failures[0];
}

async function register(
	service: ServiceClient,
	type: DocumentEventType,
	{ address, secrets }: WantedRegistrations,
): Promise<string> {
	const { responseData } = await service.call<WebhookRegistration>({
		method: 'POST',
		path: '/webhooks',
		qs: { url: address, type },
		secrets: [address, ...secrets],
	});
	const id = isObject(responseData) ? responseData.webHookID : undefined;
	if (typeof id === 'string' && id !== '') return id;
	// The registration exists all the same; the list knows its ID.
	const listed = compareRegistrations(await listRegistrations(service), {
		address,
		types: [type],
		secrets,
	});
	const found = listed.kept[0];
	if (found) return found.webHookID;
	throw new ServiceFailure({
		message: 'The service confirmed the registration, but does not list it',
		description: 'Activate the workflow again in a moment.',
	});
}

/** Deletes one registration; one that is gone already counts as done (interface: Delete a webhook). */
async function removeRegistration(service: ServiceClient, webHookID: string): Promise<void> {
	await service.call({
		method: 'DELETE',
		path: '/webhooks',
		qs: { webHookID },
		missingIsDone: true,
	});
}

/** @returns The IDs that could not be removed. */
async function undo(service: ServiceClient, ids: string[]): Promise<string[]> {
	const left: string[] = [];
	for (const id of ids) {
		try {
			await removeRegistration(service, id);
		} catch {
			left.push(id);
		}
	}
	return left;
}

function notRegistered(type: string, error: unknown, left: string[]): ServiceFailure {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	const description = error instanceof ServiceFailure ? error.description : '';
	const rest = left.length ? ` Could not be undone: registration ${left.join(', ')}.` : '';
	return new ServiceFailure({
		message: `The event ${type} could not be registered: ${reason}`,
		description: `${description}${rest}`.trim(),
		...(error instanceof ServiceFailure && error.answered !== undefined
			? { httpStatus: error.answered }
			: {}),
	});
}
