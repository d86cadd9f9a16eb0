import type { IDataObject } from 'n8n-workflow';

import { fileAddresses } from '../reading/files';
import { firstText } from '../reading/firstText';
import { personOf, signatoriesOf } from '../reading/signatory';
import { isoTime } from '../reading/time';
import { isObject } from '../transport/envelope';
import { eventIdOf } from './eventId';
import { hasShownBody } from './events';

/**
 * Fields that leave the node only in raw output: secrets of a signatory
 * (docs/service.md#signatory), and what was read off an ID and how it scored (design rule 6).
 */
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];

/**
 * A notification as the trigger puts it out, reduced to what a workflow works with. Secrets of the
 * signatories (password, verification code, signing link) are left out.
 * @param event The type that the notification is of.
 * @param body The notification as received (docs/service.md#notification-body).
 * @returns For the four events whose bodies are not documented: the whole body but its private
 * fields, with `event` and `eventId`.
 */
export function simplifyNotification(event: string, body: IDataObject): IDataObject {
	const eventId = eventIdOf(event, body);
	const document = body.Document;
	if (!hasShownBody(event) || !isObject(document)) {
		const shown = withoutPrivate(body) as IDataObject;
		// Should these two names be taken, nothing of the body is lost.
		const received = 'event' in shown || 'eventId' in shown ? { received: shown } : {};
		return { ...summaryOf(document), ...shown, ...received, event, eventId };
	}
	const webhookData = isObject(document.webhookData) ? document.webhookData : {};
	const signatories = signatoriesOf(document);
	const files = fileAddresses(body);
	return {
		event,
		eventId,
		...summaryOf(document),
		...(webhookData.signatory === undefined ? {} : { signatory: personOf(webhookData.signatory) }),
		signatories,
		pendingSignatories: signatories.filter((each) => !each.signed).length,
		documentUrl: files.document,
		certificateUrl: files.certificate,
		pscCertificateUrl: files.pscCertificate,
		addedOn: isoTime(body.addedOn),
	};
}

function summaryOf(document: unknown): IDataObject {
	if (!isObject(document)) return {};
	return {
		documentId: firstText(document.documentID, document._id),
		title: document.title,
		status: document.status,
		templateId: document.templateID,
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
