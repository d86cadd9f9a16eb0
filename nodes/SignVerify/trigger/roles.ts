import type { Role } from '../api/documents';
import type { Notification } from '../api/notification';
import { listTemplates, slotsOf, templateMeantBy } from '../api/templates';
import { ServiceClient } from '../http/client';
import type { ServiceContext } from '../http/request';
import { settle, withTimeout } from '../util/async';
import { isFalse } from '../util/values';

/** How long (ms) an event waits for the roles, because the service waits for the answer. */
const maxWait = 3000;

/**
 * Who signs a notification's document in which role of its template: the people stand in the order of the
 * template's places to sign (docs/dev/service.md#template-version-2). Never throws, because an event without
 * roles is better than a lost one.
 * @returns Nobody if the template is not known, or has fewer places than people sign.
 */
export async function rolesOf(
	context: ServiceContext,
	{ document, isDocumented }: Notification,
): Promise<Role[]> {
	const { templateId } = document?.summary ?? {};
	const people = document?.signatories ?? [];
	// Only templates of version 2 list their places to sign.
	const isOlder = document && isFalse(document.source.isTemplateV2);
	if (!isDocumented || !templateId || isOlder || people.length === 0) return [];
	const service = new ServiceClient(context, maxWait);
	// Only their names, because events can come by the hundred, and each gets a copy.
	const load = async () =>
		await service.lookUp('roles of templates', async () =>
			(await listTemplates(service, 'v2')).map((template) => ({
				templateID: template.templateID,
				_id: template._id,
				roles: slotsOf(template).map(({ label }) => label),
			})),
		);
	const loaded = await settle(withTimeout(load, maxWait));
	if (!loaded.ok) return [];
	const { roles = [] } = templateMeantBy(templateId, loaded.value) ?? {};
	if (people.length > roles.length) return [];
	return people.flatMap(({ email }, index) => {
		const role = roles[index];
		return email && role ? [{ email, role }] : [];
	});
}
