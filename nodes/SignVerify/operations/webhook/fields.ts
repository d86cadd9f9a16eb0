import type { IDataObject } from 'n8n-workflow';

import { events, type EventType, isEvent } from '../../api/events';
import type { Webhook } from '../../api/types';
import { secretParameter } from '../../webhooks/url';
import { InputError } from '../inputError';
import { textOf } from '../../util/values';
import { resumeTokenParameter } from '../../wait/webhook';

/** @throws InputError if it is not one of the seven event types. */
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
 * A webhook without secrets. The URL of a SignVerify Trigger has the trigger's secret. That of a waiting
 * execution has n8n's signature and the wait's own token.
 */
export function redactWebhook(webhook: Partial<Webhook>): IDataObject {
	const { webHookUrl } = webhook;
	if (typeof webHookUrl !== 'string') return { ...webhook };
	const names = [secretParameter, resumeTokenParameter, 'signature'].join('|');
	const secret = new RegExp(`([?&](?:${names})=)[^&#]*`, 'gi');
	return { ...webhook, webHookUrl: webHookUrl.replace(secret, '$1…') };
}
