import type { Notification } from '../api/notification';
import { isRefusedForGood, isSameTemplateAsOneOf } from '../api/templates';
import { logOncePerMinute, refuseAgain } from '../events/request';
import { eventRetryTimeMs, ServiceClient } from '../http/client';
import { describeError } from '../http/errors';
import type { ServiceContext } from '../http/request';
import { settle } from '../util/async';
import { normalName } from '../util/values';
import type { Filters } from './form';

/**
 * Whether the filters let a notification start the workflow. A notification that contains no template, title or
 * signatory passes the filters for these, because one event too many is better than a lost event. Notifications about
 * identities contain no template and no title, for example.
 * @param key The event's ID together with its registration.
 * @throws ServiceError if the decision needs the lists of templates and they cannot be loaded now. If the service
 * refuses the lists for good, the event is excluded after it has arrived a few times.
 */
export async function passesFilters(
	{ templates, signatory, sentBy, title }: Filters,
	{ document, emails }: Notification,
	context: ServiceContext,
	key: string,
): Promise<boolean> {
	const { templateId, title: documentTitle } = document?.summary ?? {};
	if (documentTitle !== undefined && !normalName(documentTitle).includes(title)) return false;
	if (emails.length > 0 && !hasOneOf(signatory, emails)) return false;
	if (!hasOneOf(sentBy, document?.sentBy ? [document.sentBy] : [])) return false;
	// An empty ID means "made without a template", so the filter applies. A missing ID means "unknown", so the event
	// passes.
	if (templateId === undefined || hasOneOf(templates, [templateId])) return true;
	return await isOtherIdOfOne(templates, templateId, context, key);
}

/** Whether the event's template ID is the other ID of a template in the filter. Each template has two IDs. */
async function isOtherIdOfOne(
	templates: string[],
	id: string,
	context: ServiceContext,
	key: string,
): Promise<boolean> {
	if (!id) return false;
	const service = new ServiceClient(context, eventRetryTimeMs);
	const lookUp = await settle(isSameTemplateAsOneOf(service, id, templates));
	if (lookUp.ok) return lookUp.value;
	const { error } = lookUp;
	if (!isRefusedForGood(error)) throw error;
	const isRefusedAgain = refuseAgain(key);
	if (isRefusedAgain) throw error;
	const line = `SignVerify Trigger excluded an event of the template "${id}", because the service doesn't list the templates, and no filter has this ID: ${describeError(error).message}`;
	logOncePerMinute(context, 'warn', line);
	return false;
}

/** Whether the filter contains one of the values. An empty filter lets every value pass. */
function hasOneOf(wanted: string[], values: string[]): boolean {
	return wanted.length === 0 || values.some((value) => wanted.includes(value));
}
