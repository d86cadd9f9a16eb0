import type { Notification } from '../api/notification';
import { meansOneOf } from '../api/templates';
import { eventRetryTime, ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import type { ServiceContext } from '../http/request';
import { settle } from '../util/async';
import { normalName } from '../util/values';
import type { Filters } from './form';

/**
 * Whether a notification passes the filters. Template, title and signatory are ignored if the notification
 * has no such field, as one about an identity has no template: one event too many is better than a lost
 * one. An empty `templateID` is no absent one: the document was made from no template.
 * @throws ServiceError if the lists of templates are needed to tell, and cannot be loaded now.
 */
export async function passesFilters(
	{ templates, signatory, sentBy, title }: Filters,
	{ document, emails }: Notification,
	context: ServiceContext,
): Promise<boolean> {
	const { templateId, title: ofDocument } = document?.summary ?? {};
	return (
		(ofDocument === undefined || normalName(ofDocument).includes(title)) &&
		(emails.length === 0 || hasOne(signatory, emails)) &&
		hasOne(sentBy, document?.sentBy ? [document.sentBy] : []) &&
		(templateId === undefined ||
			templates.length === 0 ||
			templates.includes(templateId) ||
			(await isOtherIdOf(templateId, templates, context)))
	);
}

/** Whether the ID of an event is the other one of a template that is filtered by. */
async function isOtherIdOf(
	id: string,
	templates: string[],
	context: ServiceContext,
): Promise<boolean> {
	if (!id) return false;
	const service = new ServiceClient(context, eventRetryTime);
	const meant = await settle(meansOneOf(service, id, templates));
	if (meant.ok) return meant.value;
	// A service without such a list will not have it when the event comes again.
	const status = meant.error instanceof ServiceError ? meant.error.answered : undefined;
	if ([400, 403, 404, 405, 410, 422].includes(status ?? 0)) return false;
	throw meant.error;
}

function hasOne(wanted: string[], emails: string[]): boolean {
	return wanted.length === 0 || emails.some((email) => wanted.includes(email));
}
