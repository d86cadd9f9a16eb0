import type { Notification } from '../api/notification';
import { isRefusedForGood, meansOneOf } from '../api/templates';
import { isWorthALine, refuseAgain } from '../events/request';
import { eventRetryTime, ServiceClient } from '../http/client';
import { describeError } from '../http/errors';
import type { ServiceContext } from '../http/request';
import { settle } from '../util/async';
import { normalName } from '../util/values';
import type { Filters } from './form';

/**
 * Whether a notification passes the filters. Template, title and signatory are ignored if the notification
 * has no such field, as one about an identity has no template: one event too many is better than a lost
 * one. An empty `templateID` is no absent one: the document was made from no template.
 * @param key Names the event and its registration.
 * @throws ServiceError if the lists of templates are needed to tell, and cannot be loaded now. If the service
 * refuses them for good, the event is excluded when it has come a few times.
 */
export async function passesFilters(
	{ templates, signatory, sentBy, title }: Filters,
	{ document, emails }: Notification,
	context: ServiceContext,
	key: string,
): Promise<boolean> {
	const { templateId, title: ofDocument } = document?.summary ?? {};
	return (
		(ofDocument === undefined || normalName(ofDocument).includes(title)) &&
		(emails.length === 0 || hasOne(signatory, emails)) &&
		hasOne(sentBy, document?.sentBy ? [document.sentBy] : []) &&
		(templateId === undefined ||
			templates.length === 0 ||
			templates.includes(templateId) ||
			(await isOtherIdOf(templateId, templates, context, key)))
	);
}

/** Whether the ID of an event is the other one of a template that is filtered by. */
async function isOtherIdOf(
	id: string,
	templates: string[],
	context: ServiceContext,
	key: string,
): Promise<boolean> {
	if (!id) return false;
	const service = new ServiceClient(context, eventRetryTime);
	const meant = await settle(meansOneOf(service, id, templates));
	if (meant.ok) return meant.value;
	const { error } = meant;
	if (!isRefusedForGood(error) || refuseAgain(key)) throw error;
	const words = `SignVerify Trigger excluded an event of the template "${id}", because the service does not list the templates, and no filter has this ID: ${describeError(error).message}`;
	if (isWorthALine(words)) context.logger.warn(words);
	return false;
}

function hasOne(wanted: string[], emails: string[]): boolean {
	return wanted.length === 0 || emails.some((email) => wanted.includes(email));
}
