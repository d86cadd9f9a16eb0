import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/envelope';
import { isSignatory, isSigned } from './signatory';
import { isoTime } from './time';

/**
 * A notification as the trigger puts it out, reduced to what a workflow works with. Secrets of the
 * signatories (password, verification code, signing link) are left out.
 * @param event The type that the notification says it is of.
 * @param body The notification as received (interface: Notification body for document events).
 * @returns The body whole, with `event` and `eventId`, where it carries no document to simplify:
 * the bodies of the biometric events are not documented.
 */
export function simplifyNotification(event: string, body: IDataObject): IDataObject {
	const eventId = eventIdOf(event, body);
	const document = body.Document;
	if (!isObject(document)) return { event, eventId, ...body };
	const webhookData = isObject(document.webhookData) ? document.webhookData : {};
	return {
		event,
		eventId,
		documentId: document.documentID ?? document._id,
		title: document.title,
		status: document.status,
		templateId: document.templateID,
		...(webhookData.signatory === undefined ? {} : { signatory: personOf(webhookData.signatory) }),
		signatories: signatoriesOf(document),
		pendingSignatories: signatoriesOf(document).filter((each) => !each.signed).length,
		documentUrl: addressOf(document.documentURL, webhookData.documentURL),
		certificateUrl: addressOf(document.certificateURL, webhookData.certificateURL),
		pscCertificateUrl: addressOf(document.pscCertificateURL, webhookData.pscUrl),
		addedOn: isoTime(body.addedOn),
	};
}

/**
 * An ID that is the same whenever the same event is delivered, and another for every other event:
 * made of type, document, signatory and moment.
 */
export function eventIdOf(event: string, body: IDataObject): string {
	const document = isObject(body.Document) ? body.Document : undefined;
	const webhookData = isObject(document?.webhookData) ? document.webhookData : {};
	const signatory = isObject(webhookData.signatory) ? webhookData.signatory : {};
	const parts = document
		? [
				event,
				document.documentID ?? document._id,
				signatory.signatoryID ?? signatory.emailID,
				body.addedOn,
			]
		: [event, body];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function signatoriesOf(document: IDataObject): IDataObject[] {
	const list = Array.isArray(document.signatory)
		? (document.signatory as unknown[]).filter(isSignatory)
		: [];
	return list.map((each) => ({ ...personOf(each), signed: isSigned(each) }));
}

function personOf(signatory: unknown): IDataObject {
	if (!isObject(signatory)) return {};
	return {
		email: signatory.emailID,
		...(signatory.name === undefined ? {} : { name: signatory.name }),
	};
}

/** An address that some notifications lack, or carry as an empty string; null keeps the column. */
function addressOf(...candidates: unknown[]): string | null {
	return candidates.find((each): each is string => typeof each === 'string' && each !== '') ?? null;
}
