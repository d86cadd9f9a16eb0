import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../http/client';
import { firstText, isObject, isTrue, listOf, objectOf, textOf } from '../util/values';
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
 * all plausible places are tried. A list is at most ten seconds old.
 * @throws ServiceError if there is no list in the answer.
 */
export async function listTemplates(
	service: ServiceClient,
	version: TemplateVersion,
): Promise<Template[]> {
	const path = version === 'v2' ? '/templates/v2' : '/templates';
	const request = { method: 'GET', path, isList: true, gives: ['templates'] } as const;
	return await service.lookUp(path, async () => {
		const envelope = await service.call(request);
		const { responseData } = envelope;
		const places = [objectOf(responseData).templates, responseData, objectOf(envelope).templates];
		return readList(listOf(places.find(Array.isArray)), service);
	});
}

/** The fields of both generations that are texts. */
const texts = ['_id', 'templateID', 'userID', 'name', 'description', 'key', 'status'];

/**
 * Makes templates whole, here for all who use them: what should be a text is one, and empty if the
 * service gives something else. Templates without an ID and variables without a key cannot be used, so
 * they are left out, and n8n's log has their number.
 */
function readList(list: unknown[], service: ServiceClient): Template[] {
	let leftOut = 0;
	const having = (entries: unknown[], keyOf: (entry: IDataObject) => string): IDataObject[] => {
		const kept = entries.filter(isObject).filter((entry) => keyOf(entry) !== '');
		leftOut += entries.length - kept.length;
		return kept;
	};
	const readVariables = (entries: unknown): IDataObject[] =>
		having(listOf(entries), ({ key }) => textOf(key)).map((each) => ({
			...each,
			key: textOf(each.key),
			label: textOf(each.label),
			isRequired: isTrue(each.isRequired),
		}));

	const templates = having(list, ({ templateID, _id }) => firstText(templateID, _id) ?? '').map(
		(each) => {
			const read = Object.entries(each).map(([name, value]) => {
				if (texts.includes(name)) return [name, textOf(value)];
				return [name, name === 'form' || name === 'inputs' ? readVariables(value) : value];
			});
			return Object.fromEntries(read) as Template;
		},
	);
	if (leftOut > 0) {
		service.logger.warn(
			`SignVerify: ${leftOut} templates or fields were left out, because they have no ID or key`,
		);
	}
	return templates;
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
	const all = new Set(keys);
	const seen = new Set(['']);
	return keys.map((key, index) => {
		const isOwn = !seen.has(key);
		seen.add(key);
		let number = String(index + 1);
		while (all.has(number)) number = `#${number}`;
		const words = key.replaceAll(/[_\s-]+/g, ' ').trim();
		return {
			id: isOwn ? key : number,
			label: isOwn && words ? words[0]?.toUpperCase() + words.slice(1) : `Signatory ${index + 1}`,
		};
	});
}

/** The template with an ID; undefined if it is not in the list. */
export function findTemplate(templates: Template[], id: string): Template | undefined {
	return templates.find(({ templateID, _id }) => templateID === id || _id === id);
}

/** What a template is called; its ID if it has no name. */
export function nameOf(template: Template): string {
	return template.name || idOf(template);
}

/** The ID that the creating calls need. */
export function idOf(template: Template): string {
	return template.templateID || template._id;
}
