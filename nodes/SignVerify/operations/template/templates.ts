import type { IDataObject } from 'n8n-workflow';

import type { TemplateV1, TemplateV2, TemplateVariable } from '../../api/types';
import type { ServiceClient } from '../../transport/client';
import { isObject } from '../../transport/envelope';
import { InputError, ServiceError } from '../../transport/errors';
import type { ItemContext } from '../types';

/** The two generations of templates (docs/service.md#versions). */
export type TemplateVersion = 'v1' | 'v2';

/** Both, the one that people should use first. */
export const templateVersions: TemplateVersion[] = ['v2', 'v1'];

/** A template of either generation, as listed. */
export type Template = TemplateV1 | TemplateV2;

/** Reads the parameter that tells the generations apart. */
export function readTemplateVersion(value: unknown): TemplateVersion {
	if (value === 'v1' || value === 'v2') return value;
	throw new InputError(
		'Template Version',
		'there is no such version',
		'Choose "Version 2" or "Version 1".',
	);
}

/**
 * Lists the templates of a generation (docs/service.md#list-templates-version-1,
 * #list-templates-version-2). Where in the answer the list of version 2 stands is not shown, so all
 * plausible places count.
 * @throws ServiceError when there is no list in the answer.
 */
export async function listTemplates(
	service: ServiceClient,
	version: TemplateVersion,
): Promise<Template[]> {
	const path = version === 'v2' ? '/templates/v2' : '/templates';
	const envelope = await service.call({ method: 'GET', path });
	const { responseData } = envelope;
	const list = [
		isObject(responseData) ? responseData.templates : undefined,
		responseData,
		(envelope as IDataObject).templates,
	].find(Array.isArray) as unknown[] | undefined;
	if (list) return list.filter(isObject) as unknown as Template[];
	throw new ServiceError({
		message: `The service answered without a list of templates (${service.describe(envelope)})`,
		description: 'Check the Base URL in the credential, its path included.',
	});
}

/** The variables to fill when a document is created: `inputs` (v1) or `form` (v2). */
export function variablesOf(template: Template): TemplateVariable[] {
	const variables = 'form' in template ? template.form : template.inputs;
	return Array.isArray(variables) ? variables : [];
}

/** The ID that the creating calls take. */
export function idOf(template: Template): string {
	return template.templateID || template._id;
}

/**
 * The template that the item's form names, looked up once for all items.
 * @throws InputError when none is chosen or the account has none of that ID.
 */
export async function chosenTemplate(
	item: ItemContext,
	version: TemplateVersion,
): Promise<Template> {
	const id = item.locator('templateId');
	if (!id) {
		throw new InputError('Template', 'none is chosen', 'Choose one from the list or enter its ID.');
	}
	const templates = await item.shared(
		`templates ${version}`,
		async () => await listTemplates(item.service, version),
	);
	const template = templates.find((each) => each.templateID === id || each._id === id);
	if (template) return template;
	const other = version === 'v2' ? '"Version 1"' : '"Version 2"';
	throw new InputError(
		'Template',
		`the account has no ${version} template with the ID "${id}"`,
		`Choose one from the list, or set Template Version to ${other} if it is one of those.`,
	);
}
