import type { Notification } from '../api/notification';
import { quoted } from '../util/redact';
import { isEmpty, textOf } from '../util/values';
import type { EventResponse } from './request';

/** The response to an event about a document that the event doesn't clearly report as completed. */
export const notCompleted: EventResponse = {
	status: 422,
	message: "The document in this event hasn't been completed.",
};

/**
 * Returns a sentence for n8n's log with the status of an event's document. It shows a provider's own word for
 * a status, which the nodes don't know.
 */
export function statusInLog({ document }: Notification): string {
	const status = document?.source.status;
	if (isEmpty(status)) return 'The document has no status.';
	return `The document's status is ${quoted(textOf(status) || JSON.stringify(status))}.`;
}
