import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { isObject, listOf, objectOf, textOf } from '../util/values';
import type { TemplateV1, TemplateV2, TemplateVariable } from './types';

/** The two generations of templates (docs/dev/service.md#versions). */
export type TemplateVersion = 'v1' | 'v2';

/** Both; the first one is the default. */
export const templateVersions: TemplateVersion[] = ['v2', 'v1'];

/** A template of either generation, as listed. */
export type Template = TemplateV1 | TemplateV2;

/**
 * Lists the templates of a generation (docs/dev/service.md#list-templates-version-1,
 * #list-templates-version-2). The place of the list in the answer is not documented for version 2, so
 * all plausible places are tried.
 * @throws ServiceError if there is no list in the answer.
 */
export async function listTemplates(
	service: ServiceClient,
	version: TemplateVersion,
): Promise<Template[]> {
	const path = version === 'v2' ? '/templates/v2' : '/templates';
	const envelope = await service.call({ method: 'GET', path, isList: true });
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
	return listOf('form' in template ? template.form : template.inputs) as TemplateVariable[];
}

/** A place to sign in a template (docs/dev/service.md#template-version-2). */
interface SignatureSlot {
	/** Unique among the places of the template. */
	id: string;
	/** For people: "Employer" for the key `employer`. */
	label: string;
}

/** The places to sign of a template, in its order. Version 1 does not list them. */
export function slotsOf(template: Template): SignatureSlot[] {
	const slots = 'signatories' in template ? listOf(template.signatories) : [];
	const keys = slots.map((slot) => textOf(objectOf(slot).key).trim());
	return keys.map((key, index) => {
		const isOwn = key !== '' && keys.indexOf(key) === index;
		const words = key.replaceAll(/[_\s-]+/g, ' ').trim();
		return {
			id: isOwn ? key : String(index + 1),
			label: isOwn && words ? words[0]?.toUpperCase() + words.slice(1) : `Signatory ${index + 1}`,
		};
	});
}

/** The template with an ID; undefined if it is not in the list. */
export function findTemplate(templates: Template[], id: string): Template | undefined {
	return templates.find(({ templateID, _id }) => templateID === id || _id === id);
}

/** The ID that the creating calls need. */
export function idOf(template: Template): string {
	return template.templateID || template._id;
}
