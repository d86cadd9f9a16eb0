import type { IDataObject } from 'n8n-workflow';

import type { Webhook } from '../../api/types';
import { redactWebhook } from '../../api/webhooks';
import type { Output } from '../../form/outputChoice';
import { isoTime } from '../../util/times';

/** Returns the output for a webhook. Even raw output doesn't show the secrets in the webhook's URL. */
export function outputOfWebhook(output: Output, webhook: Partial<Webhook>): IDataObject {
	const raw = redactWebhook(webhook);
	if (output === 'raw') return raw;
	const { webHookID, type, webHookUrl, name, addedOn } = raw;
	return {
		...(webHookID === undefined ? {} : { webhookId: webHookID }),
		event: type,
		webhookUrl: webHookUrl,
		...(name === undefined ? {} : { name }),
		...(addedOn === undefined ? {} : { createdAt: isoTime(addedOn) }),
	};
}
