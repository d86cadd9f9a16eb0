import type { IDataObject } from 'n8n-workflow';

import type { Notification } from '../api/notification';
import { isObject } from '../util/values';

/**
 * Fields that leave the node only in raw output: secrets of a signatory
 * (docs/service.md#signatory), and what was read off an ID and how it scored (design rule 6).
 */
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];

/**
 * A notification as the trigger puts it out, reduced to what a workflow works with. Secrets of the
 * signatories (password, verification code, signing link) are left out.
 * @returns For the four events whose bodies are not documented: the whole body but its private
 * fields, with `event` and `eventId`.
 */
export function simplifyNotification(notification: Notification): IDataObject {
	const { event, id, body, document, signatory, files, addedOn } = notification;
	const summary: IDataObject = document
		? {
				documentId: document.documentId,
				title: document.title,
				status: document.status,
				templateId: document.templateId,
			}
		: {};
	if (!document || !notification.isDocumented) {
		const shown = withoutPrivate(body) as IDataObject;
		// Should these two names be taken, nothing of the body is lost.
		const received = 'event' in shown || 'eventId' in shown ? { received: shown } : {};
		return { ...summary, ...shown, ...received, event, eventId: id };
	}
	const { signatories } = document;
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
