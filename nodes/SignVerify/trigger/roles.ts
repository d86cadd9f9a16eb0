import type { IWebhookFunctions } from 'n8n-workflow';

import type { Role } from '../api/documents';
import type { Notification } from '../api/notification';
import { listTemplates, onlyTemplateWith, signaturePlacesOf } from '../api/templates';
import { ServiceClient } from '../account/client';
import { eventRolesMs } from '../http/timeLimits';
import { sharedByEvents } from '../registrations/url';
import { settle, withTimeout } from '../util/async';
import { sharedLookUp } from '../util/sharedLookUp';
import { isFalse } from '../util/values';

/**
 * Finds the role of each person who signs a notification's document. The people are in the order of the
 * template's roles (docs/dev/service.md#template-version-2), so the first person has the first role. Never
 * throws, because an event without roles is better than a lost event.
 * @returns An empty list if the template is unknown, or has fewer roles than the document has signatories.
 */
export async function rolesOfPeople(
	context: IWebhookFunctions,
	{ document, isDocumented }: Notification,
): Promise<Role[]> {
	const { templateId } = document?.summary ?? {};
	const people = document?.signatories ?? [];
	// Version 1 templates don't list their roles.
	const isVersion1 = document && isFalse(document.source.isTemplateV2);
	if (!isDocumented || !templateId || isVersion1 || people.length === 0) return [];
	const service = new ServiceClient(context, eventRolesMs);
	const loadRoles = async () =>
		await listTemplates(service, 'v2', (templates) => {
			const template = onlyTemplateWith(templateId, templates);
			return template ? signaturePlacesOf(template).map(({ label }) => label) : [];
		});
	// Cache the roles in addition to the list, because using the cached list requires the credential. So
	// roles can be up to twenty seconds old. That is harmless, because roles never exclude an event.
	const key = sharedByEvents(context, { rolesOf: templateId });
	const shared = async () => await sharedLookUp(key, loadRoles);
	const lookUp = await settle(withTimeout(shared, eventRolesMs));
	const roles = lookUp.ok ? lookUp.value : [];
	if (people.length > roles.length) return [];
	return people.flatMap(({ email }, index) => {
		const role = roles[index];
		return email && role ? [{ email, role }] : [];
	});
}
