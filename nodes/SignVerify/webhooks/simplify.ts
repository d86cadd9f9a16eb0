import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { isObject } from '../util/values';

/** The form for how much of an answer or event to output. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * Fields that are only in raw output: secrets of a signatory (docs/dev/service.md#signatory), what was read
 * from an ID, and its scores (design rule 6).
 */
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];

/**
 * The fields of a notification that a workflow needs.
 * @returns For the four events without a documented body: the whole body without its private fields,
 * with `event` and `eventId`.
 */
export function simplifyNotification(notification: Notification): IDataObject {
	const { event, id, body, document, signatory, files, addedOn } = notification;
	const { summary, signatories = [] } = document ?? {};
	if (!document || !notification.isDocumented) {
		const shown = withoutPrivate(body) as IDataObject;
		// If the body has these two names, it is in the output as a whole, too.
		const received = 'event' in shown || 'eventId' in shown ? { received: shown } : {};
		return { ...summary, ...shown, ...received, event, eventId: id };
	}
	return {
		event,
		eventId: id,
		...summary,
		...(signatory ? { signatory } : {}),
		signatories,
		pendingSignatories: signatories.filter((each) => !each.signed).length,
		documentUrl: files.document,
		certificateUrl: files.certificate,
		pscCertificateUrl: files.pscCertificate,
		addedOn,
	};
}

function withoutPrivate(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutPrivate);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !privateFields.includes(name))
			.map(([name, inner]) => [name, withoutPrivate(inner)]),
	);
}
