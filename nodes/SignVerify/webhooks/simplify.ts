import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { expiryOf, isOfPerson, readSignatory, signatoryEntries, signedAt } from '../api/documents';
import { identityEvent } from '../api/events';
import type { Notification } from '../api/notification';
import { firstText, isObject, isoTime, isTrue, objectOf } from '../util/values';
import { downloadFiles } from './files';
import { includedFields, type Output, outputOf } from './output';

/**
 * Fields that are only in raw output: secrets of a signatory (docs/dev/service.md#signatory), what was read
 * from an ID, and its scores (design rule 6).
 */
const privateFields = ['password', 'verificationCode', 'signing', 'ocr', 'score'];

/** How to output an event. */
export interface OutputChoice {
	output: Output;
	/** Whether to attach the document's files. */
	files: boolean;
	/** The choices of "Include". */
	include?: unknown[];
}

/** The item for an event, of the trigger and of a waiting node. */
export async function toItem(
	context: Pick<IWebhookFunctions, 'helpers'>,
	notification: Notification,
	{ output, files, include }: OutputChoice,
): Promise<INodeExecutionData> {
	const { binary, missing = [] } = files ? await downloadFiles(context, notification) : {};
	const fileNames = Object.keys(binary ?? {}).join(',');
	const json = outputOf(output, notification.body, () =>
		simplifyNotification(notification, include, fileNames),
	);
	return {
		json: missing.length > 0 ? { ...json, missingFiles: missing } : json,
		...(binary ? { binary } : {}),
	};
}

/**
 * The fields of a notification that a workflow needs. Addresses and names of files are texts that a mail
 * node accepts as they are.
 * @returns For the four events without a documented body: the whole body without its private fields,
 * with `event` and `eventId`, and what an identity event says of its request.
 */
export function simplifyNotification(
	{ event, id, body, document, isDocumented, ...notification }: Notification,
	include: unknown[] = [],
	fileNames = '',
): IDataObject {
	if (!document || !isDocumented) {
		const shown = withoutPrivate(body) as IDataObject;
		const { validationIds, passed } = notification;
		const [validationId = null] = validationIds.length === 1 ? validationIds : [];
		const verdict = event === identityEvent ? { validationId, passed } : {};
		const own: IDataObject = { event, eventId: id, ...verdict };
		// If the body has another value by one of these names, it is in the output as a whole, too.
		const isHidden = Object.keys(own).some((name) => name in shown && shown[name] !== own[name]);
		return { ...document?.summary, ...shown, ...(isHidden ? { received: shown } : {}), ...own };
	}
	const { source, summary } = document;
	const { signatory, files, addedOn } = notification;
	const signer = objectOf(event === 'signDocument' && objectOf(source.webhookData).signatory);
	const signerId = firstText(signer.signatoryID, signer._id) ?? '';
	// Who has just signed has signed, also if the list is from before.
	const entries = signatoryEntries(source.signatory).map((each) =>
		isOfPerson(each, signerId, signer.emailID) ? { ...each, isSigned: 1 } : each,
	);
	const hasHistory = include.includes('history');
	const signatories = entries.map((each) => ({
		...readSignatory(each),
		...(hasHistory ? { signedAt: signedAt(source, each) } : {}),
		...includedFields(each, 'ofSignatory', include),
	}));
	const unsigned = signatories.filter(({ signed }) => !signed);
	const ends = entries.flatMap((each) => (isTrue(each.isSigned) ? [] : (expiryOf(each) ?? [])));
	const [firstEnd] = ends.sort((left, right) => left - right);
	return {
		event,
		eventId: id,
		...summary,
		...(signatory ? { signatory } : {}),
		signatories,
		signatoryEmails: emailsOf(signatories),
		pendingSignatories: unsigned.length,
		missing: emailsOf(unsigned),
		linksExpire: isoTime(firstEnd) ?? null,
		documentUrl: files.document,
		certificateUrl: files.certificate,
		pscCertificateUrl: files.pscCertificate,
		fileNames,
		addedOn,
		...includedFields(source, 'ofDocument', include),
	};
}

/** What is not one address is left out: a mail node would send to each of several. */
function emailsOf(people: Array<{ email?: string }>): string {
	const emails = people.map(({ email = '' }) => email.trim());
	return emails.filter((each) => /^[^\s,;<>]+@[^\s,;<>]+$/.test(each)).join(', ');
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
