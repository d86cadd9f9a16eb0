import type { IDataObject } from 'n8n-workflow';

import { events, type EventType, isEvent } from '../../api/events';
import type { WebhookRegistration } from '../../api/types';
import { secretParameter } from '../../registrations/address';
import { InputError } from '../../transport/errors';
import { textOf } from '../../util/values';
import { waitParameter } from '../../wait/registration';

/**
 * Reads an event type.
 * @throws InputError when it is none of the seven.
 */
export function readEvent(value: unknown): EventType {
	if (isEvent(value)) return value;
	const given = textOf(value).slice(0, 80);
	throw new InputError(
		'Event',
		given ? `there is no event "${given}"` : 'none is chosen',
		`Choose an event from the list: ${events.map((each) => each.value).join(', ')}.`,
	);
}

/**
 * A registration as it may be shown: an address of a SignVerify Trigger carries the secret by which
 * that trigger believes a notification, that of a waiting execution n8n's signature and the random part
 * of the wait, so their values are left out.
 */
export function redactRegistration(registration: Partial<WebhookRegistration>): IDataObject {
	const { webHookUrl } = registration;
	if (typeof webHookUrl !== 'string') return { ...registration };
	return { ...registration, webHookUrl: shownAddress(webHookUrl) };
}

function shownAddress(address: string): string {
	const names = [secretParameter, waitParameter, 'signature'].join('|');
	const secret = new RegExp(`([?&](?:${names})=)[^&#]*`, 'gi');
	return address.replace(secret, '$1…');
}
